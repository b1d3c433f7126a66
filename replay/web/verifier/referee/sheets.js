// The rule sheets of the catalogue's games: what a rule set has to say under chosen house rules.

import { phrase } from "../words.js";

const sameValue = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const shownValue = (value) => (typeof value === "string" ? value : JSON.stringify(value));

// What a rule set says otherwise than the sheet of its game under the chosen house rules; empty
// where all is as it has to be.
export function sheetFault(sheet, chosen, rules) {
  const recorded = statedRules(rules);
  for (const [field, value] of Object.entries(dueRules(sheet, chosen))) {
    if (!sameValue(recorded[field], value)) {
      return phrase(
        "sheet.field", { field, value: shownValue(recorded[field]), other_value: shownValue(value) }
      );
    }
  }
  return optionFault(sheet, chosen, rules);
}

// The rule set's data in the words of a sheet.
function statedRules(rules) {
  const { deck, points } = rules;
  const stated = Object.fromEntries(Object.keys(ORDINARY).map((field) => [field, rules[field]]));
  const needText = ({ kind, size, parity }) => `${kind}(${size}${parity ? `, ${parity}` : ""})`;
  return {
    ...stated,
    seats: [rules.seats_min, rules.seats_max],
    deck: [deck.copies, deck.wilds, deck.skips],
    hand: rules.hand,
    points: [...points.ranks, points.skip, points.wild],
    phases: rules.phases.map(({ needs }) => needs.map(needText).join(" + ")),
  };
}

function dueRules(sheet, chosen) {
  const [low, high, skipped, wild] = sheet.points;
  const due = {
    ...ORDINARY, ...sheet.fields, seats: sheet.seats, deck: sheet.deck, hand: sheet.hand,
    points: [...Array(9).fill(low), ...Array(3).fill(high), skipped, wild], phases: sheet.phases,
  };
  const { players, express_white_cards: white, board_phases: phases, board_track: track } = chosen;
  if (players) due.seats = players.split("-").map(Number); // O-19
  if (white === "none") due.deck = [sheet.deck[0], 0, sheet.deck[2]]; // O-20
  if (phases?.length) due.phases = phases.map((text) => text.replace(/,\s*/g, ", ")); // O-25
  if (track?.length) { // O-26
    const start = track.findIndex((space) => space.endsWith("*"));
    due.track = [...track.slice(start), ...track.slice(0, start)].map((s) => s.replace(/\*+$/, ""));
  }
  Object.assign(due, STYLES[chosen.style] ?? {});
  const variant = chosen.variant ?? "none", [, count] = /^n_phases\((\d+)\)$/.exec(variant) ?? [];
  if (variant === "ten_rounds") Object.assign(due, STYLES.ten_rounds_ordered); // C-73, X-67
  if (variant === "even_phases") due.phases = due.phases.filter((_, place) => place % 2); // C-75
  if (count) due.phases = due.phases.slice(0, Number(count)); // C-74, X-69
  return due;
}

// The first house rule that is neither the one chosen nor the sheet's own.
function optionFault(sheet, chosen, rules) {
  for (const [name, value] of Object.entries({ ...USUAL, ...sheet.options, ...chosen })) {
    const recorded = rules.options[name];
    if (!sameValue(recorded, value)) {
      return phrase(
        "sheet.option", { field: name, value: shownValue(recorded), other_value: shownValue(value) }
      );
    }
  }
  return "";
}
