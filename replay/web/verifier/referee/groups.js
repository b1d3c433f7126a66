// The seven kinds of group (RULES.md 0.4): what makes one, and what may be added to it.

import { isNatural, replacesAny } from "./cards.js";
import { Foul, foul } from "./table.js";
import { phrase, wordOf } from "../words.js";

// Kinds whose cards follow one another.
const RUNS = ["run", "pairrun", "parityrun", "colorrun"];

export const isRun = (need) => RUNS.includes(need.kind);
// How many cards of each rank a run has; the fewest cards of a group.
const copies = (need) => (need.kind === "pairrun" ? 2 : 1);
const least = (need) => need.size * copies(need);
const parityMark = (need) => (need.parity === "odd" ? 1 : 2);

// The ranks that a run of this kind may have, from the lowest: all, the odd or the even.
function ladder(need) {
  const ranks = Array.from({ length: 12 }, (_, place) => place + 1);
  return need.kind === "parityrun"
    ? ranks.filter((rank) => rank % 2 === parityMark(need) % 2)
    : ranks;
}

// The group that these cards make, a run in run order; `half` are the ends of a run of pairs where
// a single card lies: 1 low, 2 high, 3 both (O-21).
export function newGroup(need, cards, low, high, rules) {
  if (cards.some((card) => card.kind === "skip")) foul("skip_in_group", phrase("group.skip_lies"));
  const size = { kind: wordOf("kind", need.kind), n: need.size, count: cards.length };
  if (cards.length < least(need)) foul("incomplete", phrase("group.few", size));
  const isClosed = need.kind === "pairrun" && rules.options.pairrun_hit === "none";
  if (cards.length > least(need) && (isClosed || !rules.options.lay_oversize)) {
    foul("oversize", phrase("group.many", size));
  }
  if (isRun(need)) seeRun(need, cards, low, high, rules);
  else seeAlike(need, cards, low, high, rules);
  return { need, cards: [...cards], low, high, half: 0 };
}

// Whether a run has more cards than there are ranks.
export function isOverfull(need, cards) {
  return isRun(need) && cards.length > ladder(need).length * copies(need);
}

// Whether only the player can say what the cards stand for, which are all wild.
export function needsValue(need, cards) {
  const isShown = need.parity && !isRun(need);
  return !isShown && !cards.some(isNatural);
}

// A group that the cards make where nothing is written down but what was named, or null.
export function someGroup(need, cards, value, rules) {
  if (value === undefined && needsValue(need, cards)) return null;
  const { wild_placement: placement, run_wrap: wraps } = rules.options, ranks = ladder(need);
  const isPlaced = placement === "high_then_low" && isRun(need);
  const lines = isPlaced ? [runOrder(need, cards, wraps) ?? cards, cards] : [cards];
  const rows = Math.min(Math.floor(cards.length / copies(need)), ranks.length);
  const length = isRun(need) ? (ranks[1] - ranks[0]) * (rows - 1) : 0;
  const isFree = value === undefined || isOverfull(need, cards);
  for (const line of lines.slice(0, rules.revision ? 1 : 2)) {
    for (let low = isFree ? 1 : value; low <= (isFree ? 12 : value); low++) {
      try {
        return newGroup(need, line, low, low + length, rules);
      } catch (wrong) {
        if (!(wrong instanceof Foul)) throw wrong;
      }
    }
  }
  return null;
}

// A set, cards of one colour or of one parity: all naturals have it in common.
function seeAlike(need, cards, low, high, rules) {
  if (low !== high) {
    foul("kind", phrase("group.one_mark", { kind: wordOf("kind", need.kind), n: low, m: high }));
  }
  const colours = rules.options.color_is_suit ? 4 : 2;
  const most = { set: 12, color: colours }[need.kind] ?? 2;
  if (!(low >= 1 && low <= most)) {
    foul("kind", phrase("group.no_value", { kind: wordOf("kind", need.kind), n: low }));
  }
  if (cards.some((card) => isNatural(card) && !isAlike(need, card, low, rules))) {
    foul("kind", phrase("group.stranger", { kind: wordOf("kind", need.kind), n: low }));
  }
  if (need.kind === "parity" && low !== parityMark(need)) {
    foul("kind", phrase("group.asks", { parity: wordOf("parity", need.parity) }));
  }
  if (need.kind === "set") seeFullSet(cards, rules);
}

function isAlike(need, card, mark, rules) {
  if (need.kind === "set") return card.rank === mark;
  if (need.kind === "parity") return card.rank % 2 === mark % 2;
  // Hearts and diamonds are red.
  const isOneColour = !rules.options.color_is_suit && card.colour % 2 === mark % 2;
  return card.colour === mark || isOneColour;
}

// A set with more cards than the deck has of a rank: the others are added one by one, in the order
// laid.
function seeFullSet(cards, rules) {
  for (const card of cards.slice(4 * rules.deck.copies)) seeAddedToFullSet(card, rules);
}

function seeAddedToFullSet(card, rules) {
  if (replacesAny(card) && !rules.options.wild_on_full_set) {
    foul("full_set", phrase("group.full_set_wild"));
  }
  if (isNatural(card) && !rules.options.natural_on_full_set) {
    foul("full_set", phrase("group.full_set_natural"));
  }
}

function seeRun(need, cards, low, high, rules) {
  const ranks = ladder(need), width = copies(need);
  if (cards.length % width) foul("pair_hit", phrase("group.half_pair"));
  const rows = [];
  for (let place = 0; place < cards.length; place += width) {
    rows.push(cards.slice(place, place + width));
  }
  if (!ranks.includes(low)) foul("off_the_end", phrase("group.begin", { n: low }));
  const beyond = Math.max(0, rows.length - ranks.length);
  if (beyond > 0 && !rules.options.wild_on_full_run) foul("full_run", phrase("group.too_long"));
  const starts = Array.from({ length: beyond + 1 }, (_, start) => start);
  if (!starts.some((start) => fitsFrom(rows, start, low, ranks, rules))) {
    foul("kind", phrase("group.gap", { n: low }));
  }
  const step = ranks[1] - ranks[0];
  if (high !== low + step * (Math.min(rows.length, ranks.length) - 1)) {
    foul("kind", phrase("group.end", { n: low, m: high }));
  }
  const colours = new Set(cards.filter(isNatural).map((card) => card.colour));
  if (need.kind === "colorrun" && colours.size > 1) foul("kind", phrase("group.colours"));
}

// Whether all cards lie in their places, with `start` surplus wilds at the low end.
function fitsFrom(rows, start, low, ranks, rules) {
  const place = ranks.indexOf(low);
  return rows.every((row, number) => {
    const where = place + number - start;
    const inside = number - start >= 0 && number - start < ranks.length;
    if (inside && where >= ranks.length && !rules.options.run_wrap) return false;
    const due = ranks[where % ranks.length];
    return row.every((card) =>
      inside ? !isNatural(card) || card.rank === due : replacesAny(card),
    );
  });
}

// Whether a run has a card for each rank that there is.
function isFullRun(group) {
  return Math.floor(group.cards.length / copies(group.need)) >= ladder(group.need).length;
}

// Adds cards to a group, one after the other; a run grows at one end.
export function add(group, cards, end, rules) {
  if (!cards.length) foul("kind", phrase("group.nothing"));
  if (cards.some((card) => card.kind === "skip")) foul("skip_in_group", phrase("group.skip_added"));
  if (group.need.kind === "pairrun") {
    addPairs(group, cards, end, rules);
    return;
  }
  for (const card of cards) {
    if (isRun(group.need)) addToRun(group, card, end, rules);
    else addAlike(group, card, rules);
  }
}

function addAlike(group, card, rules) {
  if (isNatural(card) && !isAlike(group.need, card, group.low, rules)) {
    foul("hit", phrase("group.not_its", { kind: wordOf("kind", group.need.kind), n: group.low }));
  }
  if (group.need.kind === "set" && group.cards.length >= 4 * rules.deck.copies) {
    seeAddedToFullSet(card, rules);
  }
  group.cards.push(card);
}

function seeRank(card, end, rank) {
  if (isNatural(card) && card.rank !== rank) {
    foul("hit", phrase("group.next", { end: wordOf("end", end), n: rank, m: card.rank }));
  }
}

function putAt(end, cards, card) {
  if (end === "high") cards.push(card);
  else cards.unshift(card);
}

const isEnd = (end) => end === "low" || end === "high";

function addToRun(group, card, end, rules) {
  if (!isEnd(end)) foul("hit", phrase("group.which_end"));
  if (isFullRun(group)) {
    if (!(rules.options.wild_on_full_run && replacesAny(card))) {
      foul("full_run", phrase("group.full_run"));
    }
  } else {
    seeRank(card, end, extend(group, end, rules));
    if (group.need.kind === "colorrun" && isNatural(card)) {
      const others = group.cards.filter((laid) => isNatural(laid) && laid.colour !== card.colour);
      if (others.length) foul("hit", phrase("group.other_colour"));
    }
  }
  putAt(end, group.cards, card);
}

// Moves an end of the run on by one rank, which is returned.
function extend(group, end, rules) {
  const ranks = ladder(group.need), step = ranks[1] - ranks[0];
  if (end === "high") {
    if (group.high + step > ranks.at(-1) && !rules.options.run_wrap) {
      foul("off_the_end", phrase("group.after_highest"));
    }
    group.high += step;
    const place = ranks.indexOf(group.low) + Math.floor((group.high - group.low) / step);
    return ranks[place % ranks.length];
  }
  if (group.low - step < ranks[0]) {
    if (!rules.options.run_wrap) foul("off_the_end", phrase("group.before_lowest"));
    group.low += step * ranks.length;
    group.high += step * ranks.length;
  }
  group.low -= step;
  return group.low;
}

// Whole pairs; with `single_cards` also halves, a pair being filled up first (O-21).
function addPairs(group, cards, end, rules) {
  if (rules.options.pairrun_hit === "none") foul("pair_hit", phrase("group.no_pair_hits"));
  if (!isEnd(end)) foul("hit", phrase("group.which_end_cards"));
  if (rules.options.pairrun_hit === "whole_pairs" && cards.length % 2) {
    foul("pair_hit", phrase("group.half_added"));
  }
  for (const card of cards) addHalf(group, card, end, rules);
}

// One card of a pair: the first moves the end of the run on, the second does not.
function addHalf(group, card, end, rules) {
  const bit = end === "low" ? 1 : 2;
  let rank = 0;
  if (group.half & bit) {
    group.half -= bit;
    rank = end === "low" ? group.low : ((group.high - 1) % 12) + 1;
  } else if (group.high - group.low >= 11) { // all twelve ranks, some perhaps by a single card
    if (!(rules.options.wild_on_full_run && replacesAny(card))) {
      foul("full_run", phrase("group.full_run"));
    }
  } else {
    rank = extend(group, end, rules);
    group.half |= bit;
  }
  seeRank(card, end, rank);
  putAt(end, group.cards, card);
}

// Each group has a natural card, or the phase has one, as `wild_min_scope` says (O-03).
export function seeNaturals(groups, rules) {
  if (hasNaturals(groups, rules)) return;
  foul("naturals", phrase("group.only_wilds"));
}

export function hasNaturals(groups, rules) {
  const ofGroups = groups.map((group) => group.cards.some(isNatural));
  const is = { group: ofGroups.every(Boolean), phase: ofGroups.some(Boolean) };
  return is[rules.options.wild_min_scope] ?? true;
}

// Whether all groups are full that count, and there is one (B-61, B-63, B-64).
export function areFull(groups, rules) {
  const ignored = rules.options.full_color_group === "ignore" ? "color" : "";
  const counted = groups.filter((group) => group.need.kind !== ignored);
  return counted.length > 0 && counted.every((group) => isFull(group, rules));
}

function isFull(group, rules) {
  const { kind } = group.need, { length } = group.cards;
  if (kind === "set") return length >= 4 * rules.deck.copies;
  if (kind === "color") return length >= 24;
  return kind !== "parity" && isFullRun(group); // a parity group takes cards without end
}

// Cards of a run in the order that they have by `high_then_low` (O-07): wilds fill the gaps first,
// then lie at the high end, then at the low. Null where a natural stands in the way. Where runs go
// on from 12 to 1, one has no lowest place: it begins with the lowest natural from which the wilds
// fill all gaps, and what is left of them lies at the high end.
export function runOrder(need, cards, wraps) {
  const ranks = ladder(need), wilds = cards.filter(replacesAny);
  const naturals = cards.filter(isNatural)
    .sort((one, other) => one.rank - other.rank || one.colour - other.colour);
  if (!naturals.length || naturals.some((card) => !ranks.includes(card.rank))) return null;
  const shown = ranks.filter((rank) => naturals.some((card) => card.rank === rank));
  for (let start = 0; start < (wraps ? shown.length : 1); start++) {
    const lowest = ranks.indexOf(shown[start]), highest = ranks.indexOf(shown.at(start - 1));
    const count = ((highest - lowest + ranks.length) % ranks.length) + 1, spare = [...wilds];
    const rows = rowsOf(need, naturals, spare, lowest, count);
    if (!rows) continue;
    const room = wraps ? spare.length : (ranks.length - 1 - highest) * copies(need);
    return [...spare.slice(room), ...rows.flat(), ...spare.slice(0, room)];
  }
  return null;
}

// So many rows of the ladder from that place on, filled up with wilds, which are taken.
function rowsOf(need, naturals, wilds, first, count) {
  const width = copies(need), ranks = ladder(need), rows = [];
  for (let place = first; place < first + count; place++) {
    const row = naturals.filter((card) => card.rank === ranks[place % ranks.length]);
    while (row.length < width && wilds.length) row.push(wilds.pop());
    if (row.length !== width) return null;
    rows.push(row);
  }
  return rows;
}
