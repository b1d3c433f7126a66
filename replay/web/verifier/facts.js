// The facts that events and commands have, by name and shape (docs/reference/format.md).

import { same } from "./finding.js";
import { fits } from "./shapes.js";
import { isObject } from "./values.js";
import { phrase } from "./words.js";

// "~" is absent where it would be empty, 0 or false.
export const FACTS = {
  "GameOpened/1": "game ruleset seats dealer server_commit table?",
  "SeatTaken/1": "seat name commit bot~ brought_secret~ key~", "SeatFreed/1": "seat by",
  "TableSealed/1": "reveal_seconds~", "SeatSecretRevealed/1": "seat secret",
  "DealOpened/1": "transcript",
  "RoundDealt/1": "round dealer players hands stock discard phases skips returned~ replay~ kept~ " +
    "jokers~ covered~",
  "TurnBegan/1": "seat turn", "SkipServed/1": "seat turn card~ to~",
  "StockShuffled/1": "shuffle count kept", "DiceRolled/1": "seat roll dice",
  "PawnMoved/1": "seat space action", "CardDrawn/1": "seat source card~ top~",
  "CardTurned/1": "seat", "CardsSwapped/1": "seat count top jokers~",
  "CardAsked/1": "seat value direction", "CardGiven/1": "seat to joker~",
  "CardsKept/1": "seat cards~", "PhaseLaid/1": "seat phase groups credited?",
  "CardsHit/1": "seat group cards low high end~ half~",
  "CardDiscarded/1": "seat cards target? faces~", "SkipPlaced/1": "seat card target",
  "TurnPassed/1": "seat", "TurnTimedOut/1": "seat then bot~", "SeatHandedOver/1": "seat bot why",
  "SeatNamed/1": "seat name",
  "RoundEnded/1": "round results out?", "GameEnded/1": "winners secret",
  "GameVoided/1": "reason secret owing~",
};
export const COMMANDS = {
  open_game: "game ruleset seats options~ dealer~ secret~ table? revision~ script~",
  take_seat: "name bot~ commit~ secret~ key~", kick_seat: "free", leave_seat: "",
  name_seat: "named name",
  start: "reveal_seconds~", void_game: "reason", void_restored: "epoch log published~",
  close_reveal: "", time_out: "overdue",
  reveal_secret: "secret", draw: "source?", lay: "groups phase?", hit: "group cards end~",
  discard: "cards target?", pass: "", move: "steps", choose: "action", search: "card",
  swap: "cards", ask: "value direction?", give: "card", keep: "cards~",
};
export const PARTS = {
  act: "command seat? sig~", asks: "seat kind number~", groups: "cards low high",
  results: "points total laid phase hand~", clock: "seconds grace~ then?",
  table: "private~ spectators? delay~ clock? stand_in? rematch_of~ reserved~ pace~ test~",
  hidden: "card~ hand~ stock~ secret~ said~ kept~ pile~ place~ sig~ script~",
  script: "hands~ discard~ stock~ dice~",
};

const isEmpty = (value) =>
  !value || (typeof value === "object" && Object.keys(value).length === 0);

// What is wrong with the names that an object has; null where nothing is.
function misnamed(value, names) {
  if (!isObject(value)) return phrase("there.no_object");
  const known = new Map(names.split(" ").filter(Boolean).map((name) => {
    const [, bare, mark] = /^(\w+)(.?)$/.exec(name);
    return [bare, mark];
  }));
  const extra = Object.keys(value).find((name) => !known.has(name));
  if (extra !== undefined) return phrase("there.extra", { name: JSON.stringify(extra) });
  for (const [name, mark] of known) {
    const there = Object.hasOwn(value, name);
    if (!there && !mark) return phrase("there.no_name", { name: JSON.stringify(name) });
    if (there && mark === "~" && isEmpty(value[name])) {
      return phrase("there.empty", { name: JSON.stringify(name) });
    }
  }
  return "";
}

// The facts of every event under the names that they have, and no others; each in its shape.
export async function checkFacts(bundle) {
  for (const event of bundle.events) {
    const { type, data } = event.value;
    const named = (what, value, names) => {
      const wrong = names === undefined ? phrase("there.unknown_type") : misnamed(value, names);
      if (wrong) same("form", what, event, phrase("due.documented"), wrong);
    };
    const { act, asks, ...facts } = data;
    named(phrase("about.facts_of", { type }), facts, Object.hasOwn(FACTS, type) ? FACTS[type] : undefined);
    if (act !== undefined) {
      named(phrase("about.decision_facts"), act, PARTS.act);
      const { type: kind, ...said } = act.command;
      named(phrase("about.command"), said, Object.hasOwn(COMMANDS, kind) ? COMMANDS[kind] : undefined);
    }
    if (facts.table) {
      named(phrase("about.terms"), facts.table, PARTS.table);
      if (facts.table.clock) named(phrase("about.clock"), facts.table.clock, PARTS.clock);
    }
    const lists = { asks, results: facts.results, groups: facts.groups };
    for (const [name, list] of Object.entries(lists)) {
      for (const one of list ?? []) named(phrase("about.list", { name }), one, PARTS[name]);
    }
    for (const [name, fact] of Object.entries(data)) {
      const isFit = fits(fact, SHAPES[type.split("/")[0]].properties[name]);
      if (!isFit) named(phrase("about.fact", { name, type }), null, "");
    }
    for (const [who, { value }] of event.opens) {
      named(phrase("about.part", { audience: who }), value, PARTS.hidden);
      const list = phrase("about.list", { name: "script" });
      for (const one of value.script ?? []) named(list, one, PARTS.script);
      if (!fits(value, SHAPES.Secret)) named(phrase("about.part", { audience: who }), null, "");
    }
  }
  return ["passed", phrase("checked.events")];
}
