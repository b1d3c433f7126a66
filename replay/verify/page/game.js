// The game in words of the table: who sat where, what a move was, how it ended.

// A name as text: in quotation marks, which no name can end.
const quoted = (name) => JSON.stringify(name);

// Who sat where, by the events up to a number.
function namesUntil({ events }, seq) {
  const names = new Map();
  for (const { value: { type, data } } of events.slice(0, seq)) {
    if (type === "SeatTaken/1") names.set(data.seat, `${data.name}`);
    if (type === "SeatFreed/1") names.delete(data.seat);
  }
  return names;
}

const MOVES = {
  GameOpened: ({ ruleset, seats }) => `opens a game of ${ruleset?.title} for ${seats}`,
  SeatTaken: () => "sits down",
  SeatFreed: () => "gets up",
  RoundDealt: ({ round }) => `round ${round} is dealt`,
  TurnBegan: ({ turn }) => `turn ${turn} begins`,
  SkipServed: ({ turn }) => `loses turn ${turn}`,
  StockShuffled: () => "the discard pile becomes the stock",
  DiceRolled: ({ dice }) => `throws ${[dice].flat().join(" and ")}`,
  PawnMoved: ({ space, action }) => `moves the pawn to space ${space}, ${action}`,
  CardDrawn: ({ source, card }) => ({
    stock: "draws a card from the stock", pile: "takes a card out of the discard pile",
  }[source] ?? `draws ${card} from the discard pile`),
  CardTurned: () => "gets a joker",
  CardsSwapped: ({ count }) => `swaps ${count} cards`,
  CardAsked: ({ value }) => `asks for a card of ${value}`,
  CardGiven: ({ to }, who) => `gives a card to ${who(to)}`,
  CardsKept: () => "keeps cards for the next round",
  PhaseLaid: ({ phase, groups }) =>
    `lays phase ${phase}: ${[groups].flat().map((group) => group?.cards).join(" / ")}`,
  CardsHit: ({ cards, group }) => `adds ${cards} to group ${group + 1} on the table`,
  CardDiscarded: ({ cards, target }, who) =>
    `discards ${cards}${target === undefined ? "" : `, skipping ${who(target)}`}`,
  SkipPlaced: ({ target }, who) => `lays a skip before ${who(target)}`,
  TurnPassed: () => "ends the turn without a discard",
  TurnTimedOut: () => "took too long",
  SeatHandedOver: ({ bot }) => `leaves the seat to the bot ${bot}`,
  RoundEnded: ({ round, out }, who) =>
    `round ${round} ends${out === undefined ? "" : `: ${who(out)} has gone out`}`,
  GameEnded: ({ winners }, who) => `the game ends, won by ${listed([winners].flat().map(who))}`,
  GameVoided: () => "the game is broken off",
};

// One event in words, with who it is and in which turn; empty where it is none of the table's.
function moveText(bundle, seq) {
  const event = bundle.events[seq - 1]?.value, kind = `${event?.type}`.split("/")[0];
  if (!event || !Object.hasOwn(MOVES, kind)) return "";
  const names = namesUntil(bundle, seq), who = (seat) => quoted(names.get(seat) ?? `seat ${seat}`);
  const began = bundle.events.slice(0, seq).findLast(({ value }) =>
    ["TurnBegan/1", "SkipServed/1"].includes(value.type),
  );
  const { data } = event;
  try {
    const text = MOVES[kind](data, who);
    if (data.seat === undefined) return text;
    const turn = began && kind !== "SeatTaken" ? `, turn ${began.value.data.turn}` : "";
    return `${who(data.seat)}${turn}: ${text}`;
  } catch {
    return ""; // malformed facts
  }
}

// The game as the referee has it at its end: who played, points and phases, who won; null where the
// page has not judged all of it.
function resultOf({ events, table, header: { status } }) {
  if (!table) return null;
  const { ruleset } = table, scores = ruleset.scoring === "points";
  const winners = status === "finished" ? table.winners : [];
  const seats = table.seats.map(({ name, points, phase }, seat) => ({
    seat, name, points: scores ? points : null, won: winners.includes(seat),
    phase: phase > ruleset.phases.length ? "all made" : table.phase(phase),
  }));
  return { title: ruleset.title, rounds: table.round, status, seats, events: events.length };
}

// The result in one sentence.
function resultText({ title, rounds, status, seats }) {
  const winners = seats.filter(({ won }) => won).map(({ name }) => quoted(name));
  const round = `${plural(rounds, "round")} of ${title}`;
  return status === "finished"
    ? `${round}, won by ${listed(winners)}, as this page judged moves, points and winner`
    : `${round}, broken off, as this page judged moves and points`;
}
