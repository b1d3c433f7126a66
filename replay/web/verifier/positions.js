// The game as positions that `parts` draw: the table of this page's own referee after each event,
// up to the first event of which something is wrong. The service has no hand in them.

import { moveText } from "./game.js";
import { counted, surplus } from "./referee/cards.js";
import { Referee, readEvent } from "./referee/referee.js";
import { spoken } from "./words.js";
import { Recording } from "../feed/frames.js";
import { language, list, t } from "../words.js";

const MARKED = {
  rounds: "RoundDealt", laid: "PhaseLaid", out: "RoundEnded", skips: "SkipServed",
  timeouts: "TurnTimedOut",
};
const NEW_PLACES = ["RoundDealt", "StockShuffled"]; // nearly every card is elsewhere after them
const STAGES = { seats: "lobby", nothing: "ended" };
const COLOURS = {
  coloured: ["red", "blue", "green", "yellow"], french: ["hearts", "spades", "diamonds", "clubs"],
};

const textOf = (table, cards) => (cards.length ? table.words(cards) : "");

// Where every card lies, by the names of places that moves have.
function placesOf({ stock, pile, seats, groups }) {
  const places = [["stock", stock], ["discard", pile]];
  for (const [number, seat] of seats.entries()) {
    places.push([`hand:${number}`, heldBy(seat)], [`front:${number}`, seat.front]);
  }
  for (const [number, { cards }] of groups.entries()) places.push([`group:${number}`, cards]);
  return new Map(places.map(([place, cards]) => [place, counted(cards)]));
}

// The cards that lie elsewhere than before, each with where it came from.
function movesBetween(before, after, table) {
  const none = new Map();
  const lost = [...before].flatMap(([place, cards]) =>
    surplus(cards, after.get(place) ?? none).map((card) => [place, card]));
  return [...after].flatMap(([to, cards]) =>
    surplus(cards, before.get(to) ?? none).flatMap((card) => {
      const at = lost.findIndex(([, other]) => other === card);
      if (at < 0) return [];
      const [[from]] = lost.splice(at, 1);
      return [{ from, to, cards: textOf(table, [card]), count: 1 }];
    }));
}

// A rank as it stands on cards; the highest of a run that goes round is beyond 12.
function rankText(table, rank) {
  const names = table.notation === "french" ? ["J", "Q", "K"] : [];
  const value = ((rank - 1) % 12) + 1, shown = table.notation === "french" ? value + 1 : value;
  return names[shown - 11] ?? `${shown}`;
}

const suitWord = ({ notation, options }) =>
  t(notation === "french" && options.color_is_suit ? "suit" : "colour");

// What a group is, in words.
function groupText(table, { need, cards, low, high }) {
  const ofDeck = COLOURS[table.notation];
  const ofGroup = table.options.color_is_suit ? ofDeck : ["red", "black"];
  const natural = cards.find((card) => card.kind === "number" && !card.isJoker);
  const colour = need.kind === "color" ? ofGroup[low - 1] : ofDeck[natural?.colour - 1];
  const kind = need.kind === "colorrun" && !natural ? "run" : need.kind;
  return t(["group", kind, need.parity].filter(Boolean).join("."), {
    low: rankText(table, low), high: rankText(table, high), suit: suitWord(table),
    colour: colour ? t(`colour.${colour}`) : "",
  });
}

// A phase in words: those of its groups that are alike are said at once.
function phaseText(table, needs) {
  const counts = new Map();
  for (const { kind, size, parity } of needs) {
    const key = [kind, parity].filter(Boolean).join(".") + ` ${size}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const parts = [...counts].map(([key, count]) => {
    const [code, size] = key.split(" ");
    return t(`${count > 1 ? "needs" : "need"}.${code}`, { count, size, suit: suitWord(table) });
  });
  return list(parts);
}

// What the parts have to know of the rules.
function rulesOf(table) {
  const { title, phases, points, scoring, track = [] } = table.ruleset;
  const costs = scoring === "points" ? points : { ranks: [], wild: 0, skip: 0 };
  const words = phases.map(({ needs }) => ({ words: phaseText(table, needs) }));
  return { title, phases: words, points: costs, track };
}

const heldBy = ({ hand, kept }) => [...hand, ...(kept ?? [])];

function seatView(table, seat, number) {
  const { name, laid, made, points, turnsToLose, front, pawn } = seat;
  const phase = laid || Math.min(seat.phase, table.ruleset.phases.length);
  return {
    seat: number, name: spoken(name, language()), bot: "", cards: heldBy(seat).length,
    phase, laid: laid > 0, made: [...made].sort((one, other) => one - other), points,
    skips: turnsToLose, front: textOf(table, front), jokers: "", playing: table.players.includes(number),
    pawn: table.ruleset.track?.length ? pawn : null,
  };
}

// The position, with what the events say beside it: who owns the groups, what is asked, the board's
// action.
function positionOf(table, { owners, asks, action }) {
  const groups = table.groups.map(({ need, cards, low, high }, group) =>
    ({ group, owner: owners[group], kind: need.kind, cards: textOf(table, cards), low, high }));
  const legend = table.groups.map((group, number) =>
    ({ group: number, words: groupText(table, group), wilds: [] }));
  const pile = textOf(table, table.pile);
  return {
    table: {
      game: "", ruleset: table.ruleset.id, stage: STAGES[table.next] ?? "playing",
      round: table.round, replay: table.isReplay, dealer: table.dealer, turn: table.turn,
      active: table.active < 0 ? null : table.active, waits: asks, stock: table.stock.length,
      discard: pile.split(" ").at(-1) || null, discards: table.pile.length, pile, action, groups,
      seats: table.seats.map((seat, number) => seatView(table, seat, number)),
      dice: [...table.dice], winners: table.next === "nothing" ? [...table.winners] : [],
      you: null, hand: null,
    },
    hands: table.seats.map((seat) => textOf(table, heldBy(seat))),
    legend: { groups: legend },
  };
}

// The events before `end` as frames, in the language that the parts speak; and the table after them.
function framesOf(bundle, end) {
  const referee = new Referee(), frames = [];
  let said = { owners: [], asks: [], action: "" }, before = new Map();
  for (const event of bundle.events.slice(0, end - 1)) {
    const { seq, type, data } = event.value, opened = [...event.opens];
    const read = readEvent(type, data, opened.map(([audience, { value }]) => [audience, value]));
    if (referee.watch(read)) break;
    const { table } = referee, { kind, seat } = read;
    const owners = table.groups.map((_, number) => said.owners[number] ?? seat);
    const { asks = said.asks, action = kind === "DiceRolled" ? "" : said.action } = data;
    said = { owners, asks, action };
    const after = placesOf(table), position = positionOf(table, said);
    const moves = NEW_PLACES.includes(kind) ? [] : movesBetween(before, after, table);
    const sentence = spoken(moveText(bundle, seq), language());
    const shown = seq === 1 ? { position } : { patch: [{ op: "replace", path: "", value: position }] };
    frames.push({ seq, type: kind, seat, round: table.round, turn: table.turn, sentence, moves, ...shown });
    before = after;
  }
  return { frames, table: referee.table };
}

// What the replay plays back of a bundle that was judged so; null where that is nothing. Its
// findings are where the scrubber has its marks.
export function sourceOf(bundle, answer) {
  if (!bundle?.over) return null;
  const findings = answer.findings.filter(({ seq }) => seq).map(({ seq }) => ({ seq }));
  const end = Math.min(bundle.events.length + 1, ...findings.map(({ seq }) => seq));
  let frames, table, lang = language();
  try {
    ({ frames, table } = framesOf(bundle, end));
  } catch {
    return null; // facts that only a forger writes
  }
  if (!frames.length) return null;
  const marks = Object.entries(MARKED).map(([name, type]) =>
    [name, frames.filter((frame) => frame.type === type).map(({ seq }) => seq)]);
  return {
    chairs: ["all"], rules: rulesOf(table), seats: table.seats.map(() => null), findings, distance: [],
    marks: Object.fromEntries(marks),
    async load() {
      if (lang !== language()) {
        lang = language();
        ({ frames } = framesOf(bundle, end));
        this.rules = rulesOf(table);
      }
      return new Recording(frames);
    },
  };
}
