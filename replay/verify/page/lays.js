// Laying a phase, and adding cards to what lies on the table.

// A player lays the phase: once a round, whole, and the one that is due.
function lay(table, event) {
  const seat = atPlay(table, event.seat), { phases } = table.ruleset;
  if (seat.laid) {
    foul("already_laid", `${seat.name} has laid ${table.phase(seat.laid)} in this round`);
  }
  if (!(event.phase >= 1 && event.phase <= phases.length)) {
    foul("phase", `there is no phase ${event.phase}`);
  }
  seePhase(table, seat, event.phase);
  const { needs } = phases[event.phase - 1], { groups: laid } = event;
  if (needs.length !== laid.length) {
    foul("group_count", `${laid.length} groups; the phase has ${needs.length}`);
  }
  seeLayNamed(table, event);
  const played = table.takeFromHand(seat, laid.map((group) => group.cards).join(" "));
  const groups = groupsOf(table, event.phase, event, played);
  for (const [place, group] of groups.entries()) {
    seePlacement(table, group);
    seeValue(group, event.command.groups[place].value);
  }
  seeChoice(table, seat, event, played);
  if (event.credited === table.isReplay) {
    foul("replay", "a replay only decides a tie, and no other round does");
  }
  if (event.credited) seat.made.add(event.phase);
  seat.laid = event.phase;
  table.groups.push(...groups);
  afterPlay(table, event.seat, played);
}

// What lies on the table is what the player named, group by group, wilds where they go.
function seeLayNamed(table, event) {
  const { type, groups = [] } = event.command;
  if (type !== "lay") foul("hand", "nobody named the cards that lie on the table");
  const isPlaced = table.options.wild_placement === "high_then_low";
  const text = (words) => (isPlaced ? words.sort() : words).join(" ");
  const named = groups.map((group) => text(asLogged(table, group.cards)));
  if (!sameList(named, event.groups.map((group) => text(wordsOf(group.cards))))) {
    foul("hand", "other cards lie on the table than were named");
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
    const text = due.map((number) => table.phase(number)).join(", ");
    foul("phase", `${seat.name} lays ${table.phase(phase)}; due: ${text}`);
  }
}

// Where the cards fit several open phases the player names one; else, by `auto_lowest`, it is the
// lowest of them (D-66, O-37).
function seeChoice(table, seat, event, played) {
  const { phase: named = null } = event.command;
  if (named !== null && named !== event.phase) {
    foul("phase", `${table.phase(named)} was named, and ${table.phase(event.phase)} made`);
  }
  if (named !== null || table.ruleset.progress !== "free" || table.isReplay) return;
  const isNamed = table.options.free_phase_named === true;
  const last = isNamed ? table.ruleset.phases.length : event.phase;
  for (let number = 1; number <= last; number++) {
    if (seat.made.has(number) || number === event.phase) continue;
    if (fitsPhase(table, number, event, played)) {
      foul("phase", `the cards fit ${table.phase(number)} as well, and none was named`);
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
    foul("placement", "wilds fill the gaps, then lie at the high end, then at the low");
  }
}

// What the player named is what the group has; wilds alone have what was named.
function seeValue({ need, cards, low }, value) {
  if (value === undefined && needsValue(need, cards)) {
    foul("value", "it is not said what the wilds stand for");
  }
  if (value !== undefined && value !== low && !isOverfull(need, cards)) {
    foul("value", `${value} was named for the ${need.kind}, not ${low}`);
  }
}

// A player who has laid adds cards to a group on the table, anybody's.
function hit(table, event) {
  const seat = atPlay(table, event.seat), group = table.groups[event.group];
  if (!seat.laid) foul("not_laid", `${seat.name} has laid no phase in this round`);
  if (!group) foul("no_group", `there is no group ${event.group} on the table`);
  const { type, group: named, cards = "", end = "" } = event.command;
  const isNamed = type === "hit" && named === event.group;
  if (!isNamed || !sameList(asLogged(table, cards), wordsOf(event.cards))) {
    foul("hand", "other cards or another group were named");
  }
  if (isRun(group.need) && end && end !== event.end) {
    foul("hand", `the ${end} end was named, not the ${event.end}`);
  }
  const played = table.takeFromHand(seat, event.cards);
  if (isRun(group.need) && !end) seeEnd(table, group, played, event.end);
  add(group, played, event.end, table.ruleset);
  const { low, high, half } = group;
  if (!sameList([low, high, half], [event.low, event.high, event.half])) {
    foul("hit", `the group ends with ${low} and ${high}, not with ${event.low} and ${event.high}`);
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
  foul("placement", isExplicit ? "either end is possible, and none was named"
    : "the cards lie at the high end, where they can");
}

// Laying and hitting may empty the hand, unless the last card must be a discard.
function afterPlay(table, number, played) {
  table.taken = counted(surplus(table.taken, counted(played))); // the one that was taken is gone
  if (table.seats[number].hand.length) return;
  if (table.options.going_out === "discard_required") {
    foul("keep_a_card", "no card is left for the discard");
  }
  table.endRound(number);
}
