// The referee: reads the events of a game in order and objects to the first that breaks a rule.

import { ask, give, move, roll, search, swap, turnJoker } from "./board.js";
import { hit, lay } from "./lays.js";
import { deal, endRound, keepCards, openGame } from "./rounds.js";
import { Foul, RefereeTable, foul } from "./table.js";
import { beginTurn, discard, draw, passTurn, placeSkip, serveSkip, shuffle } from "./turns.js";
import { endGame } from "./winners.js";
import { phrase } from "../words.js";

// A card drawn, or taken out of the discard pile by SEARCH.
function drawn(table, event) {
  if (event.source === "pile") search(table, event);
  else draw(table, event);
}

// What judges an event; all others (seats, secrets, clocks) are no business of the rule book.
const JUDGES = {
  RoundDealt: deal, TurnBegan: beginTurn, SkipServed: serveSkip, StockShuffled: shuffle,
  CardDrawn: drawn, PhaseLaid: lay, CardsHit: hit, CardDiscarded: discard, SkipPlaced: placeSkip,
  TurnPassed: passTurn, DiceRolled: roll, PawnMoved: move, CardTurned: turnJoker,
  CardsSwapped: swap, CardAsked: ask, CardGiven: give, RoundEnded: endRound, CardsKept: keepCards,
  GameEnded: endGame,
};

// Events in which a card moves: with them somebody could do something.
const MOVING = new Set([
  "CardDrawn", "CardTurned", "CardsSwapped", "CardGiven", "PhaseLaid", "CardsHit", "CardDiscarded",
  "SkipPlaced",
]);

// What an event says where it leaves out a fact (docs/reference/format.md).
const LEFT_OUT = {
  SkipServed: { card: "", to: "" }, CardDrawn: { card: "", top: "" }, CardsSwapped: { jokers: "" },
  RoundDealt: { returned: "", replay: false, kept: [], jokers: [], covered: 0 },
  CardGiven: { joker: "" }, CardsKept: { cards: "" }, PhaseLaid: { credited: true },
  CardsHit: { end: "", half: 0 }, CardDiscarded: { target: null, faces: "" },
  RoundEnded: { out: null },
};
const NOT_HIDDEN = {
  card: "", hand: "", stock: "", secret: "", said: "", kept: "", pile: "", place: 0, sig: "",
};

// One event as the referee reads it: its facts, the command that it decides, its hidden parts by
// audience. `type` is that of the log, `opened` has pairs of an audience and what is hidden for it.
export function readEvent(type, data, opened) {
  const kind = type.replace(/\/1$/, "");
  const hidden = new Map(opened.map(([who, value]) => [who, { ...NOT_HIDDEN, ...value }]));
  const event = { ...LEFT_OUT[kind], ...data, kind, hidden, command: data.act?.command ?? {} };
  if (kind === "RoundEnded") event.results = data.results.map((one) => ({ hand: "", ...one }));
  return event;
}

function judgeEvent(table, event) {
  if (["SeatTaken", "SeatNamed"].includes(event.kind)) table.player(event.seat).name = event.name;
  else if (event.kind === "GameVoided") table.next = "nothing";
  else if (Object.hasOwn(JUDGES, event.kind)) {
    JUDGES[event.kind](table, event);
    if (MOVING.has(event.kind)) table.passes = 0;
  }
}

// The rule of the game whose rules begin with this letter; the first where none does.
function citation(matter, letter) {
  const rules = CITATIONS[matter].split(" ");
  return rules.find((rule) => rule.startsWith(`${letter}-`)) ?? rules[0];
}

// Whose event it is and in which turn, in table words.
function whose({ kind, seat }, table) {
  return table && seat !== undefined
    ? phrase("who.seat", { type: kind, name: table.name(seat), turn: table.turn })
    : kind;
}

// One game under the referee's eyes. `objection` is the first event that the rules do not allow:
// {seq, rule, who, text}; after it nothing more is judged. `table` is as the events have it so far.
export class Referee {
  constructor() {
    Object.assign(this, { objection: null, table: null, seq: 0 });
  }

  // Judges the next event, and gives the objection to it, if there is any.
  watch(event) {
    this.seq += 1;
    if (this.objection) return null;
    try {
      if (event.kind === "GameOpened") {
        this.table = new RefereeTable(event.ruleset, event.seats, event.dealer);
        openGame(this.table, event);
      } else if (!this.table) foul("seats", phrase("not_opened"));
      else judgeEvent(this.table, event);
    } catch (wrong) {
      if (!(wrong instanceof Foul)) throw wrong;
      const rule = citation(wrong.matter, this.table?.letter ?? "");
      const who = whose(event, this.table);
      this.objection = { seq: this.seq, rule, who, text: wrong.text };
    }
    return this.objection;
  }
}
