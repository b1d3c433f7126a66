// The policy: whose keys to believe and what to ask for, in TOML (docs/reference/verify.md).

import { Finding } from "./finding.js";
import { isBotSeat, isFacetMet, playersOf } from "./grade.js";
import { hex, unhex } from "./hashes.js";
import { isUsable, verifierKey } from "./notes.js";
import { isHash, isText, listOf, within } from "./values.js";
import { Fault, amount, inWords, phrase } from "./words.js";

// Seconds by which a witness's clock may be behind the operator's.
export const CLOCK_SKEW = 300;
export const LARGEST_POLICY = 1 << 20;
const NUMBER = new RegExp(
  "(?:[+-]?(?:0|[1-9](?:_?[0-9])*)|0x[0-9a-fA-F](?:_?[0-9a-fA-F])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*)" +
  "(?![0-9A-Za-z_.:-])",
  "y",
);
const REQUIREMENTS = ["receipts", "checkpoint", "finished", "signatures"];

// The table that a text in TOML is, as far as a policy needs it: texts, whole numbers, lists and
// tables. Raises a Fault that names the line.
function tomlOf(text) {
  let at = 0;
  const wrong = (what) => {
    const line = text.slice(0, at).split("\n").length;
    throw new Fault(phrase("fault.policy_line", { line, text: what }));
  };
  const take = (pattern) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  // No text and no comment has a control character but the tab.
  /* eslint-disable no-control-regex */
  const blank = (lines) => take(lines
    ? /(?:[ \t]|\r?\n|#[^\x00-\x08\x0a-\x1f\x7f]*)*/y
    : /[ \t]*(?:#[^\x00-\x08\x0a-\x1f\x7f]*)?/y);
  const quoted = () => {
    const plain = take(/'([^'\x00-\x08\x0a-\x1f\x7f]*)'(?!')/y);
    if (plain) return plain[1];
    const escaped = take(
      /"((?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[btnfr"\\]|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4})*)"(?!")/y);
    return escaped ? JSON.parse(`"${escaped[1].replaceAll("\t", "\\t")}"`) : undefined;
  };
  /* eslint-enable no-control-regex */
  const closed = new Set(); // tables that are written on one line have nothing added later
  const keys = () => {
    const parts = [];
    do {
      take(/[ \t]*/y);
      const part = take(/[A-Za-z0-9_-]+/y)?.[0] ?? quoted();
      if (part === undefined) wrong(phrase("fault.field"));
      parts.push(part);
    } while (take(/[ \t]*\./y));
    return parts;
  };
  const put = (table, path, value) => {
    const last = path.at(-1);
    for (const part of path.slice(0, -1)) {
      if (!table.has(part)) table.set(part, new Map());
      table = table.get(part);
      const isOpen = table instanceof Map && !closed.has(table);
      if (!isOpen) wrong(phrase("fault.no_table", { name: JSON.stringify(part) }));
    }
    if (table.has(last)) wrong(phrase("fault.twice", { name: JSON.stringify(last) }));
    table.set(last, value);
  };
  const pair = (table) => {
    const path = keys();
    if (!take(/[ \t]*=[ \t]*/y)) wrong(phrase("fault.equals"));
    put(table, path, value());
  };
  function value() {
    const words = quoted();
    if (words !== undefined) return words;
    const number = take(NUMBER);
    if (number) return Number(number[0].replaceAll("_", ""));
    if (take(/\[/y)) {
      const list = [];
      for (blank(true); !take(/\]/y); blank(true)) {
        list.push(value());
        blank(true);
        if (!take(/,/y) && text[at] !== "]") wrong(phrase("fault.list"));
      }
      return list;
    }
    if (take(/\{[ \t]*/y)) {
      const table = new Map();
      for (let more = !take(/\}/y); more; more = !take(/[ \t]*\}/y)) {
        if (table.size && !take(/[ \t]*,/y)) wrong(phrase("fault.table"));
        pair(table);
      }
      closed.add(table);
      return table;
    }
    return wrong(phrase("fault.value"));
  }
  const whole = new Map();
  let table = whole;
  for (blank(true); at < text.length; blank(true)) {
    if (take(/\[(?!\[)/y)) {
      const path = keys();
      if (!take(/[ \t]*\]/y)) wrong(phrase("fault.table_name"));
      put(whole, path, (table = new Map()));
    } else {
      pair(table);
    }
    blank(false);
    if (at < text.length && !take(/\r?\n/y)) wrong(phrase("fault.line_end"));
  }
  return whole;
}

const isTexts = listOf(isText);
const POLICY = {
  keys: (value) => isTexts(value) && value.length > 0,
  origin: isText,
  witnesses: isTexts,
  witnesses_needed: (value) => Number.isSafeInteger(value) && value >= 0,
  clock_skew: within(0, 86_400),
  require: (value) => isTexts(value) && value.every((one) => REQUIREMENTS.includes(one)),
  times: (value) => ["recorded", "witnessed"].includes(value),
  secrets: (value) => ["server", "seats", "players"].includes(value),
  moves: (value) => ["unsigned", "signed"].includes(value),
  bots: (value) => ["unproven", "re-decided"].includes(value),
  players: isTexts,
  seats: (value) => value instanceof Map && [...value.values()].every(isText),
};

async function policyKeys(name, texts, kind) {
  const keys = [];
  for (const [i, text] of texts.entries()) {
    const key = await verifierKey(text);
    const wrong = (code) => {
      throw new Fault(phrase("fault.policy_entry", { name, number: i + 1, text: phrase(code) }));
    };
    if (key?.kind !== kind || !isUsable(key.bytes)) {
      wrong(kind === 1 ? "fault.no_operator_key" : "fault.no_witness_key");
    }
    if (keys.some((other) => isSameKey(other, key))) wrong("fault.key_twice");
    keys.push({ ...key, name: text.split("+")[0] });
  }
  return keys;
}

export const isSameKey = (one, other) => one.id === other.id && hex(one.bytes) === hex(other.bytes);

// A policy that was read; raises a Fault where it cannot be used.
export async function policyOf(text) {
  if (text.length > LARGEST_POLICY) {
    throw new Fault(phrase("fault.large_policy", { count: amount(LARGEST_POLICY) }));
  }
  const table = tomlOf(text), given = (name, usual) => table.get(name) ?? usual;
  for (const [name, value] of table) {
    const is = Object.hasOwn(POLICY, name) && POLICY[name];
    if (!is) throw new Fault(phrase("fault.unknown_field", { name }));
    if (!is(value)) throw new Fault(phrase("fault.must_be", { name, shape: phrase(`shape.${name}`) }));
  }
  if (!table.has("keys")) throw new Fault(phrase("fault.no_keys", { shape: phrase("shape.keys") }));
  const keys = await policyKeys("keys", table.get("keys"), 1);
  const witnesses = await policyKeys("witnesses", given("witnesses", []), 4);
  const needed = given("witnesses_needed", 0), times = given("times", "recorded");
  if (needed > witnesses.length) {
    throw new Fault(phrase("fault.few_witnesses", { count: needed, total: witnesses.length }));
  }
  if (times === "witnessed" && !witnesses.length) throw new Fault(phrase("fault.no_witnesses"));
  const secrets = given("secrets", "server"), moves = given("moves", "unsigned");
  const players = given("players", []), seats = [...given("seats", new Map())];
  if ((secrets === "players" || moves === "signed") && !players.length && !seats.length) {
    throw new Fault(phrase("fault.no_players"));
  }
  for (const key of [...players, ...seats.map(([, key]) => key)]) {
    if (!isHash(key) || !isUsable(unhex(key))) throw new Fault(phrase("fault.player_key"));
  }
  const strange = seats.find(([number]) => !/^([0-9]|1[0-5])$/.test(number));
  if (strange) throw new Fault(phrase("fault.no_seat", { name: strange[0] }));
  return {
    keys, witnesses, needed, times, secrets, moves, players, bots: given("bots", "unproven"),
    origins: table.get("origin") ? [table.get("origin")] : keys.map(({ name }) => name),
    skew: given("clock_skew", CLOCK_SKEW), require: given("require", []),
    seats: new Map(seats.map(([number, key]) => [Number(number), key])),
  };
}

export const isTrusted = ({ policy }, key) => !policy || policy.keys.some((own) => isSameKey(own, key));

// The name of the log of a game's ledger, whose number stands in the game's id.
export function logName(name, game) {
  const [, digits] = /^70313070-([0-9a-f]{4})-8/.exec(game) ?? [];
  const number = digits === undefined ? 1 : parseInt(digits, 16);
  return number <= 1 || name.endsWith(`/${number}`) ? name : `${name}/${number}`;
}

// Whether the keys that the policy names for seats are theirs; a seat in a lobby may be free still.
export function checkPolicy({ policy, seats, events }) {
  if (!policy) return ["skipped", phrase("checked.no_policy")];
  const isSealed = events.some(({ value }) => value.type === "TableSealed/1");
  for (const [number, key] of policy.seats) {
    const registered = seats.get(number)?.key ?? (isSealed ? "" : key);
    if (registered !== key) {
      const more = {
        expected: phrase("policy.seat_key", { key, seat: number }), recorded: registered || phrase("none")
      };
      throw new Finding("key", phrase("about.seat_key"), more);
    }
  }
  return ["passed", phrase("checked.policy")];
}

// What the policy asks for, beyond that nothing is wrong, and does not get: [[code, expected,
// recorded]], in the codes of `verify`.
export function unmetDemands(bundle, facets) {
  const { policy, events, header, receipts, checkpoint, inclusions, bots } = bundle;
  const lacks = [], lack = (...parts) => lacks.push(parts);
  const asks = (name) => policy.require.includes(name);
  const commands = events.filter(({ value }) => value.data.act).length;
  if (asks("receipts") && receipts.length < commands) {
    lack(
      "receipts_missing",
      phrase("policy.receipts", { count: commands }),
      phrase("policy.good_ones", { count: receipts.length }),
    );
  }
  const covered = inclusions.at(-1)?.value.seq ?? 0;
  if (asks("checkpoint") && !checkpoint) {
    lack("checkpoint_missing", phrase("policy.checkpoint"), phrase("none"));
  } else if (asks("checkpoint") && covered < events.length) {
    lack(
      "checkpoint_behind",
      phrase("policy.all_events", { count: events.length }),
      phrase("events.up_to", { seq: covered }),
    );
  }
  const { size } = bundle.cosigners ?? new Set();
  if (policy.witnesses.length && size < policy.needed) {
    lack("witnesses_missing", phrase("policy.witnesses", { count: policy.needed }), `${size}`);
  }
  if (asks("finished") && header.status !== "finished") {
    lack("not_finished", phrase("policy.finished"), phrase(`policy.${header.status}`));
  }
  const unsigned = [...bundle.seats.keys()].filter((seat) =>
    bots.has(seat) || (!isBotSeat(bundle, seat) && !bundle.signed.has(seat)));
  for (const [seat, { key }] of [...bundle.seats].sort((a, b) => a[0] - b[0])) {
    if (key && policy.seats.get(seat) === key && !bundle.signed.has(seat)) {
      lack("seat_unsigned", phrase("signed.seat", { seat }), phrase("none"));
    }
  }
  if (asks("signatures") && unsigned.length) {
    const values = playersOf(bundle, unsigned);
    const seats = phrase("policy.seats", { values: inWords(values), count: values.length });
    lack("signatures_missing", phrase("policy.signed"), seats);
  }
  const codes = {
    secrets: facets.secrets === "test" ? "test_table" : "player_secret_missing",
    moves: "moves_unsigned", bots: "bots_unproven", times: "times_unwitnessed",
  };
  for (const [name, code] of Object.entries(codes)) {
    const isMet = isFacetMet(name, facets[name], policy[name]);
    if (!isMet) lack(code, `${name}: ${policy[name]}`, `${name}: ${facets[name]}`);
  }
  return lacks;
}
