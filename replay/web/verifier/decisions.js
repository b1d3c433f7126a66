// What follows from a decision (docs/reference/format.md): its first event says what the command said, only
// certain events go without a command of their own, and after each command the game waits for whom
// the rules let act.

import { same } from "./finding.js";
import { canDraw } from "./referee/turns.js";
import { canonical, isHash } from "./values.js";
import { either, phrase, wordOf } from "./words.js";

const BEGINS = {
  open_game: "GameOpened", take_seat: "SeatTaken", kick_seat: "SeatFreed", start: "TableSealed",
  leave_seat: "SeatFreed SeatHandedOver", name_seat: "SeatNamed", reveal_secret: "SeatSecretRevealed",
  time_out: "TurnTimedOut", void_game: "GameVoided", void_restored: "GameVoided",
  close_reveal: "GameVoided", draw: "CardDrawn StockShuffled RoundEnded", lay: "PhaseLaid",
  hit: "CardsHit", discard: "CardDiscarded SkipPlaced", pass: "TurnPassed", move: "PawnMoved",
  choose: "PawnMoved", search: "CardDrawn", swap: "CardsSwapped", ask: "CardAsked",
  give: "CardGiven", keep: "CardsKept",
};
const BY_ITSELF = new Set([
  "DealOpened", "RoundDealt", "TurnBegan", "SkipServed", "StockShuffled", "DiceRolled",
  "CardDrawn", "CardTurned", "CardGiven", "RoundEnded", "GameEnded", "SeatHandedOver",
  "GameVoided",
]);
const OF_THE_HOST = new Set([
  "open_game", "kick_seat", "name_seat", "start", "time_out", "void_game", "void_restored",
  "close_reveal",
]);
// What the rules want next, where it is a seat that has to decide.
const ASKING = new Set(["move", "choose", "search", "swap", "ask", "play"]);

// Characters that nobody sees, and blanks: no name holds the former, or begins or ends with one of
// the latter.
const INVISIBLE = new RegExp(
  "[\\0-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f" +
  "\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164" +
  "\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\\u{e0000}-\\u{e0fff}]",
  "u",
);
const BLANK = " \\xa0\\u1680\\u202f\\u205f\\u3000\\u2000-\\u200a", JOINER = "\\u200c\\u200d\\ufe0f";
const BLANK_ENDS = new RegExp(`^[${BLANK}]|[${BLANK}]$`, "u");
const SOMETHING = new RegExp(`[^${BLANK}${JOINER}]`, "u");

const isPlain = (text, longest) =>
  [...text].length <= longest && SOMETHING.test(text) && !INVISIBLE.test(text);
const isName = (text) => isPlain(text, 40) && !BLANK_ENDS.test(text);

// What the event has to say by its command: pairs of a fact and its value.
function saidFacts({ type, data }, command, act, brought) {
  const named = (...names) => names.map((name) => [name, command[name]]);
  const by = (who) => [["by", who], ["seat", who === "host" ? command.free : act.seat]];
  switch (command.type) {
    case "open_game":
      return [...named("game", "seats", "table"), ["dealer", command.dealer ?? 0]];
    case "take_seat": {
      const own = command.commit ? [["commit", command.commit], ["brought_secret", true]]
        : [["brought_secret", undefined]];
      return [...named("name", "bot", "key"), ...own];
    }
    case "kick_seat": return by("host");
    case "name_seat": return [...named("name"), ["seat", command.named]];
    case "leave_seat": return type === "SeatFreed/1" ? by("seat") : [];
    case "start": return [["reveal_seconds", brought ? command.reveal_seconds : undefined]];
    case "reveal_secret": return named("secret");
    case "void_game": return named("reason");
    case "void_restored": {
      const backup = "restored from a backup that lacks what came after";
      return [["reason", `${backup} (restore ${command.epoch})`]];
    }
    case "close_reveal": {
      const many = data.owing?.length > 1 ? "s" : "", numbers = (data.owing ?? []).join(", ");
      return [["reason", `secrets not revealed in time by seat${many} ${numbers}`]];
    }
    case "draw": return type === "CardDrawn/1" ? [["source", command.source ?? "stock"]] : [];
    case "search": return [["source", "pile"]];
    case "discard":
      return type === "SkipPlaced/1" ? [["target", command.target]] : [];
    default: return [];
  }
}

// Whom the game waits for, as the referee's table has it after a command; null where something is
// still to come by itself.
function waitsOf(table, secrets) {
  const { next, active, ruleset } = table;
  const ask = (seat, kind, number) => [{ seat, kind, ...(number ? { number } : {}) }];
  if (next === "seats") return secrets.map((seat) => ({ seat, kind: "reveal" }));
  if (next === "draw") {
    if (ruleset.acquire !== "draw") return ask(active, "draw", table.wanted);
    return ask(active, canDraw(table) ? "draw" : "play");
  }
  if (ASKING.has(next)) return ask(active, next);
  if (next === "give") return ask(table.gifts[0], "give", table.askedValue);
  if (next === "keep") {
    const openly = table.options.keep_choice === "seat_order_open";
    const keepers = openly ? table.keepers.slice(0, 1) : table.keepers;
    return keepers.flatMap((seat) => ask(seat, "keep", ruleset.keep));
  }
  return next === "nothing" ? [] : null;
}

// Follows the decisions beside the referee, whose table it reads.
export class Decisions {
  constructor() {
    Object.assign(this, { waits: [], brought: new Set(), sealed: false });
  }

  // The event against its command; `table` is as the referee has it before the event.
  take(event, table) {
    const { type, data } = event.value, kind = type.split("/")[0], { act } = data;
    const rule = (what, expected, recorded) => same("decision", what, event, expected, recorded);
    if (kind === "SeatTaken" && data.brought_secret) this.brought.add(data.seat);
    if (kind === "SeatFreed") this.brought.delete(data.seat);
    if (act === undefined) {
      rule(phrase("about.without_decision"), true, BY_ITSELF.has(kind));
      if (kind === "CardDrawn") rule(phrase("about.card_source"), "stock", data.source);
      if (kind === "GameVoided") {
        rule(phrase("about.reason"), `seat ${data.owing} did not answer in time`, data.reason);
      }
    } else this.follow(event, table, act, kind, rule);
    if (kind === "SeatSecretRevealed") this.brought.delete(data.seat);
    if (kind === "TableSealed") this.sealed = true;
    this.waits = data.asks ?? this.waits;
  }

  follow(event, table, act, kind, rule) {
    const { data } = event.value, { command } = act;
    const begins = BEGINS[command.type].split(" ");
    if (!begins.includes(kind)) rule(phrase("about.leads_to", { type: command.type }), either(begins), kind);
    const who = (seat) => (seat === undefined ? phrase("the_host") : phrase("seat", { seat }));
    const speaker = OF_THE_HOST.has(command.type) ? undefined : (data.seat ?? table?.active);
    rule(phrase("about.whose"), who(speaker), who(act.seat));
    for (const [name, value] of saidFacts(event.value, command, act, this.brought.size > 0)) {
      const shown = (fact) => (fact === undefined || fact === "" ? phrase("nothing") : canonical(fact));
      rule(phrase("about.decided", { name }), shown(value), shown(data[name]));
    }
    if (kind === "GameOpened") this.opened(data, command, rule);
    if (kind === "SeatTaken") {
      const { name, bot = "", key = "" } = data;
      rule(phrase("about.name"), true, isName(name));
      rule(phrase("about.bot"), true, isName(bot || "-"));
      rule(phrase("about.person_key"), true, key === "" || (isHash(key) && !bot));
    }
    if (command.type === "void_game") {
      rule(phrase("about.void_reason"), true, isPlain(data.reason, 200));
    }
  }

  opened({ ruleset }, command, rule) {
    const game = command.ruleset.split("@")[0], games = Object.keys(PRESETS);
    if (!games.includes(game)) rule(phrase("about.rules_game"), either(games), game);
    const preset = PRESETS[game];
    rule(phrase("about.rules_id"), preset.id, ruleset.id);
    rule(phrase("about.rules_title"), preset.title, ruleset.title);
    rule(phrase("about.notation"), preset.notation, ruleset.deck.notation);
    rule(phrase("about.revision"), command.revision ?? 0, ruleset.revision ?? 0);
  }

  // After the last event of a command.
  ends(event, table) {
    const due = waitsOf(table, this.sealed ? [...this.brought].sort((a, b) => a - b) : []);
    const what = phrase("about.waits");
    if (!due) {
      same(
        "decision",
        what,
        event,
        phrase("due.comes", { step: wordOf("step", table.next) }),
        phrase("about.seat"),
      );
    }
    same("decision", what, event, canonical(due), canonical(this.waits));
  }
}
