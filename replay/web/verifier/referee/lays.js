// Laying a phase, and adding cards to what lies on the table.

import { counted, replacesAny, sameList, surplus, wordsOf } from "./cards.js";
import {
  add, hasNaturals, isOverfull, isRun, needsValue, newGroup, runOrder, seeNaturals, someGroup,
} from "./groups.js";
import { Foul, foul } from "./table.js";
import { atPlay } from "./turns.js";
import { phrase, wordOf } from "../words.js";

// A player lays the phase: once a round, whole, and the one that is due.
export function lay(table, event) {
  const seat = atPlay(table, event.seat), { phases } = table.ruleset;
  if (seat.laid) {
    foul("already_laid", phrase("lay.twice", { name: seat.name, phase: table.phase(seat.laid) }));
  }
  if (!(event.phase >= 1 && event.phase <= phases.length)) {
    foul("phase", phrase("lay.no_phase", { value: event.phase }));
  }
  seePhase(table, seat, event.phase);
  const { needs } = phases[event.phase - 1], { groups: laid } = event;
  if (needs.length !== laid.length) {
    foul("group_count", phrase("lay.groups", { count: laid.length, n: needs.length }));
  }
  seeLayNamed(table, event);
  const played = table.takeFromHand(seat, laid.map((group) => group.cards).join(" "));
  const groups = groupsOf(table, event.phase, event, played);
  for (const [place, group] of groups.entries()) {
    seePlacement(table, group);
    seeValue(group, event.command.groups[place].value);
  }
  seeChoice(table, seat, event, played);
  if (event.credited === table.isReplay) foul("replay", phrase("lay.replay"));
  if (event.credited) seat.made.add(event.phase);
  seat.laid = event.phase;
  table.groups.push(...groups);
  afterPlay(table, event.seat, played);
}

// What lies on the table is what the player named, group by group, wilds where they go.
function seeLayNamed(table, event) {
  const { type, groups = [] } = event.command;
  if (type !== "lay") foul("hand", phrase("lay.unnamed"));
  const isPlaced = table.options.wild_placement === "high_then_low";
  const text = (words) => (isPlaced ? words.sort() : words).join(" ");
  const named = groups.map((group) => text(asLogged(table, group.cards)));
  if (!sameList(named, event.groups.map((group) => text(wordsOf(group.cards))))) {
    foul("hand", phrase("lay.others"));
  }
}

// The cards as the log writes them: a command may name an ace with its suit.
function asLogged(table, text) {
  const isFrench = table.notation === "french";
  return wordsOf(text).map((word) => (isFrench && word.startsWith("A") ? "A" : word));
}

function seePhase(table, seat, phase) {
  const all = Array.from(table.ruleset.phases, (_, place) => place + 1);
  const open = { free: all.filter((number) => !seat.made.has(number)), by_round: [table.round] };
  let due = open[table.ruleset.progress] ?? [seat.phase];
  if (table.isReplay) due = [all.length];
  if (!due.includes(phase)) {
    const phases = due.map((number) => table.phase(number));
    foul("phase", phrase("lay.due", { name: seat.name, phase: table.phase(phase), due: phases }));
  }
}

// Where the cards fit several open phases the player names one; else, by `auto_lowest`, it is the
// lowest of them (D-66, O-37).
function seeChoice(table, seat, event, played) {
  const { phase: named = null } = event.command;
  if (named !== null && named !== event.phase) {
    foul("phase", phrase("lay.named", { phase: table.phase(named), due: table.phase(event.phase) }));
  }
  if (named !== null || table.ruleset.progress !== "free" || table.isReplay) return;
  const isNamed = table.options.free_phase_named === true;
  const last = isNamed ? table.ruleset.phases.length : event.phase;
  for (let number = 1; number <= last; number++) {
    if (seat.made.has(number) || number === event.phase) continue;
    if (fitsPhase(table, number, event, played)) {
      foul("phase", phrase("lay.fits_too", { phase: table.phase(number) }));
    }
  }
}

// Whether the groups that were laid make another phase as well.
function fitsPhase(table, number, event, played) {
  const { needs } = table.ruleset.phases[number - 1], { groups: named } = event.command;
  if (needs.length !== named.length) return false;
  let start = 0;
  const groups = named.map(({ cards, value }, place) => {
    const own = played.slice(start, start + wordsOf(cards).length);
    start += own.length;
    return someGroup(needs[place], own, value, table.ruleset);
  });
  return !groups.includes(null) && hasNaturals(groups, table.ruleset);
}

// The groups of a phase, made of the cards that lie there.
function groupsOf(table, number, event, played) {
  let start = 0;
  const groups = event.groups.map(({ cards, low, high }, place) => {
    const own = played.slice(start, start + wordsOf(cards).length);
    start += own.length;
    return newGroup(table.ruleset.phases[number - 1].needs[place], own, low, high, table.ruleset);
  });
  seeNaturals(groups, table.ruleset);
  return groups;
}

// By `high_then_low` the cards say where the wilds lie, not their order (O-07).
function seePlacement(table, group) {
  const { options } = table;
  if (options.wild_placement !== "high_then_low" || !isRun(group.need)) return;
  if (!table.ruleset.revision) return;
  if (isOverfull(group.need, group.cards)) return;
  const due = runOrder(group.need, group.cards, options.run_wrap);
  if (due && !sameList(due.map(replacesAny), group.cards.map(replacesAny))) {
    foul("placement", phrase("lay.wilds"));
  }
}

// What the player named is what the group has; wilds alone have what was named.
function seeValue({ need, cards, low }, value) {
  if (value === undefined && needsValue(need, cards)) foul("value", phrase("lay.wilds_unsaid"));
  if (value !== undefined && value !== low && !isOverfull(need, cards)) {
    foul("value", phrase("lay.value", { value, kind: wordOf("kind", need.kind), n: low }));
  }
}

// A player who has laid adds cards to a group on the table, anybody's.
export function hit(table, event) {
  const seat = atPlay(table, event.seat), group = table.groups[event.group];
  if (!seat.laid) foul("not_laid", phrase("hit.not_laid", { name: seat.name }));
  if (!group) foul("no_group", phrase("hit.no_group", { value: event.group }));
  const { type, group: named, cards = "", end = "" } = event.command;
  const isNamed = type === "hit" && named === event.group;
  if (!isNamed || !sameList(asLogged(table, cards), wordsOf(event.cards))) {
    foul("hand", phrase("hit.others"));
  }
  if (isRun(group.need) && end && end !== event.end) {
    foul("hand", phrase("hit.end", { end: wordOf("end", end), other_end: wordOf("end", event.end) }));
  }
  const played = table.takeFromHand(seat, event.cards);
  if (isRun(group.need) && !end) seeEnd(table, group, played, event.end);
  add(group, played, event.end, table.ruleset);
  const { low, high, half } = group;
  if (!sameList([low, high, half], [event.low, event.high, event.half])) {
    foul("hit", phrase("hit.marks", { n: low, m: high, k: event.low, p: event.high }));
  }
  afterPlay(table, event.seat, played);
}

// Where no end was named only one is possible, or by `high_then_low` it is the high one (O-07).
function seeEnd(table, group, cards, end) {
  const isExplicit = table.options.wild_placement === "explicit";
  if (end === "high" && !isExplicit) return;
  const other = { ...group, cards: [...group.cards] };
  try {
    add(other, cards, end === "high" ? "low" : "high", table.ruleset);
  } catch (wrong) {
    if (wrong instanceof Foul) return;
    throw wrong;
  }
  foul("placement", isExplicit ? phrase("hit.either")
    : phrase("hit.high"));
}

// Laying and hitting may empty the hand, unless the last card must be a discard.
function afterPlay(table, number, played) {
  table.taken = counted(surplus(table.taken, counted(played))); // the one that was taken is gone
  if (table.seats[number].hand.length) return;
  if (table.options.going_out === "discard_required") foul("keep_a_card", phrase("keep_one"));
  table.endRound(number);
}
