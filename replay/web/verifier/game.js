// The game in words of the table: who sat where, what a move was, how it ended.

import { amount, inWords, phrase, quoted } from "./words.js";

// Who sat where, by the events up to a number, 0: by all.
export function namesUntil({ events }, seq) {
  const names = new Map();
  for (const { value: { type, data } } of events.slice(0, seq || events.length)) {
    if (["SeatTaken/1", "SeatNamed/1"].includes(type)) names.set(data.seat, `${data.name}`);
    if (type === "SeatFreed/1") names.delete(data.seat);
  }
  return names;
}

export const MOVES = {
  GameOpened: ({ ruleset, seats }) => phrase("move.GameOpened", { title: ruleset?.title, count: seats }),
  SeatTaken: () => phrase("move.SeatTaken"),
  SeatFreed: () => phrase("move.SeatFreed"),
  TableSealed: () => phrase("move.TableSealed"),
  SeatSecretRevealed: () => phrase("move.SeatSecretRevealed"),
  DealOpened: () => phrase("move.DealOpened"),
  RoundDealt: ({ round }) => phrase("move.RoundDealt", { round }),
  TurnBegan: ({ turn }) => phrase("move.TurnBegan", { turn }),
  SkipServed: ({ turn }) => phrase("move.SkipServed", { turn }),
  StockShuffled: () => phrase("move.StockShuffled"),
  DiceRolled: ({ dice }) => phrase("move.DiceRolled", { dice: inWords([dice].flat()) }),
  PawnMoved: ({ space, action }) => phrase("move.PawnMoved", { space, action }),
  CardDrawn: ({ source, card }) => ({
    stock: phrase("move.CardDrawn.stock"), pile: phrase("move.CardDrawn.pile"),
  }[source] ?? phrase("move.CardDrawn", { card })),
  CardTurned: () => phrase("move.CardTurned"),
  CardsSwapped: ({ count }) => phrase("move.CardsSwapped", { count: amount(count) }),
  CardAsked: ({ value }) => phrase("move.CardAsked", { value }),
  CardGiven: ({ to }, who) => phrase("move.CardGiven", { name: who(to) }),
  CardsKept: () => phrase("move.CardsKept"),
  PhaseLaid: ({ phase, groups }) =>
    phrase("move.PhaseLaid", { phase, cards: [groups].flat().map((group) => group?.cards).join(" / ") }),
  CardsHit: ({ cards, group }) => phrase("move.CardsHit", { cards, group: group + 1 }),
  CardDiscarded: ({ cards, target }, who) => target === undefined
    ? phrase("move.CardDiscarded", { cards })
    : phrase("move.CardDiscarded.skip", { cards, name: who(target) }),
  SkipPlaced: ({ target }, who) => phrase("move.SkipPlaced", { name: who(target) }),
  TurnPassed: () => phrase("move.TurnPassed"),
  TurnTimedOut: () => phrase("move.TurnTimedOut"),
  SeatNamed: () => phrase("move.SeatNamed"),
  SeatHandedOver: ({ bot }) => phrase("move.SeatHandedOver", { bot }),
  RoundEnded: ({ round, out }, who) => out === undefined
    ? phrase("move.RoundEnded", { round })
    : phrase("move.RoundEnded.out", { round, name: who(out) }),
  GameEnded: ({ winners }, who) => phrase("move.GameEnded", { names: inWords([winners].flat().map(who)) }),
  GameVoided: () => phrase("move.GameVoided"),
};

// One event in words, with who it is and in which turn; empty where its type or its facts are none.
export function moveText(bundle, seq) {
  const event = bundle.events[seq - 1]?.value, kind = `${event?.type}`.split("/")[0];
  if (!event || !Object.hasOwn(MOVES, kind)) return "";
  const names = namesUntil(bundle, seq);
  const who = (seat) => names.has(seat) ? quoted(names.get(seat)) : phrase("seat", { seat });
  const began = bundle.events.slice(0, seq).findLast(({ value }) =>
    ["TurnBegan/1", "SkipServed/1"].includes(value.type),
  );
  const { data } = event;
  try {
    const made = MOVES[kind](data, who), said = { who: who(data.seat), move: made };
    if (data.seat === undefined) return made;
    return began && kind !== "SeatTaken"
      ? phrase("move.of_turn", { ...said, turn: began.value.data.turn })
      : phrase("move.of", said);
  } catch {
    return ""; // malformed facts
  }
}

// The game as the referee has it at its end: who played, points and phases, who won; null where the
// page has not judged all of it.
export function resultOf({ events, table, header: { status } }) {
  if (!table) return null;
  const { ruleset } = table, scores = ruleset.scoring === "points";
  const winners = status === "finished" ? table.winners : [];
  const seats = table.seats.map(({ name, points, phase }, seat) => ({
    seat, name, points: scores ? points : null, won: winners.includes(seat),
    phase: phase > ruleset.phases.length ? phrase("result.all_made") : table.phase(phase),
  }));
  return { title: ruleset.title, rounds: table.round, status, seats, events: events.length };
}

// The result in one sentence.
export function resultText({ title, rounds, status, seats }) {
  const names = inWords(seats.filter(({ won }) => won).map(({ name }) => quoted(name)));
  const code = status === "finished" ? "result.won" : "result.broken_off";
  return phrase(code, { count: amount(rounds), title, names });
}
