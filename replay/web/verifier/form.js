// The form of a bundle: its lines, their order, and what each of them holds.

import { Finding } from "./finding.js";
import {
  canonical, depth, isCount, isGame, isHash, isNumber, isObject, isSeals, isText, listOf, matches,
  within,
} from "./values.js";
import { amount, either, phrase } from "./words.js";

export const LARGEST = 32 << 20;
const LONGEST_LINE = 1 << 20;
const MOST_LINES = 80_000;
const DEEPEST = 32;

// What each line holds; a name with "?" may be absent.
export const LINES = new Map([
  ["bundle", {
    events: isNumber, game: isGame, head: isHash, keys: listOf(isText),
    "seat?": within(0, 15), status: matches(/^(finished|voided|unfinished)$/),
    v: matches(/^p10-bundle\/v1$/),
  }],
  ["ruleset", { hash: isHash, name: isText, rules: isObject }],
  ["event", {
    at: isCount, cmd: isHash, data: isObject, game: isText, prev: isHash, "sealed?": isSeals,
    seq: isNumber, type: isText, v: (value) => value === 1,
  }],
  ["opens", {
    audience: isText, salt: matches(/^[0-9a-f]{32}$/), seq: isNumber, value: isObject,
  }],
  ["secret", {
    by: matches(/^(server|[0-9]|1[0-5])$/), commit: isHash, made_by: matches(/^(server|seat)$/),
    "secret?": isHash,
  }],
  ["receipt", {
    at: isCount, command: isHash, game: isText, "index?": isCount, key: isText, leaf: isHash,
    "path?": (value) => listOf(isHash)(value) && value.length <= 16, seq: isNumber, sig: isText,
    "size?": isNumber,
  }],
  ["checkpoint", { note: isText }],
  ["inclusion", {
    index: isCount, path: (value) => listOf(isHash)(value) && value.length <= 64, seq: isNumber,
    size: isNumber,
  }],
  ["consistency", {
    first: isNumber, path: (value) => listOf(isHash)(value) && value.length <= 128, root: isHash,
    second: isNumber,
  }],
  ["end", { lines: isCount }],
]);

const AFTER = {
  "": ["bundle"],
  bundle: ["ruleset"],
  ruleset: ["event"],
  event: ["event", "opens", "secret"],
  opens: ["event", "opens", "secret"],
  secret: ["secret", "receipt", "checkpoint", "end"],
  receipt: ["receipt", "checkpoint", "end"],
  checkpoint: ["inclusion"],
  inclusion: ["inclusion", "consistency", "end"],
  consistency: ["consistency", "end"],
  end: [],
};

export function misshapen(value, shape) {
  if (!isObject(value)) return phrase("fault.no_object");
  const known = new Map(Object.entries(shape).map(([name, is]) => [name.replace("?", ""), is]));
  const extra = Object.keys(value).find((name) => !known.has(name));
  if (extra !== undefined) return phrase("fault.extra", { name: JSON.stringify(extra) });
  for (const [name, is] of Object.entries(shape)) {
    const there = Object.hasOwn(value, name.replace("?", ""));
    if (!there && !name.endsWith("?")) return phrase("fault.missing", { name: JSON.stringify(name) });
    if (there && !is(value[name.replace("?", "")])) {
      return phrase("fault.malformed", { name: JSON.stringify(name) });
    }
  }
  return null;
}

const unreadable = (line, text, code = "form") => new Finding(code, text, { line });

function parseLine(text, line, before) {
  if (text.length > LONGEST_LINE) throw unreadable(line, phrase("fault.long_line"));
  const kind = /^\{"([a-z]{1,12})":/.exec(text)?.[1];
  const allowed = AFTER[before];
  if (kind === undefined || !LINES.has(kind)) throw unreadable(line, phrase("fault.no_line"));
  if (!allowed.includes(kind)) {
    const wanted = allowed.length ? either(allowed) : phrase("bundle.due_nothing");
    const more = { line, expected: wanted, recorded: kind };
    throw new Finding("order", phrase("fault.order", { wanted, kind }), more);
  }
  if (depth(text) > DEEPEST) throw unreadable(line, phrase("line.deep"));
  let tree;
  try {
    tree = JSON.parse(text);
  } catch {
    throw unreadable(line, phrase("fault.not_json"));
  }
  let again = "";
  try {
    again = canonical(tree);
  } catch (why) {
    throw unreadable(line, phrase("fault.not_canonical", { text: why.text }));
  }
  if (again !== text) throw unreadable(line, phrase("fault.spelling"));
  const wrong = misshapen(tree[kind], LINES.get(kind));
  if (wrong) throw unreadable(line, phrase("fault.line", { kind, text: wrong }));
  const body = text.slice(kind.length + 4, -1);
  return { kind, value: tree[kind], body, line };
}

const isSorted = (list, below = (a, b) => a < b) =>
  list.every((item, i) => i === 0 || below(list[i - 1], item));
const bySeat = (by) => (by === "server" ? -1 : Number(by));

// The programs that unpack files, with the bytes by which these begin.
const UNPACK = [
  ["gzip -d", "\x1f\x8b"], ["unzip", "PK\x03\x04"], ["zstd -d", "\x28\xb5\x2f\xfd"],
  ["bzip2 -d", "BZh"], ["xz -d", "\xfd7zXZ"],
];

// The text of a file. In a bundle, every byte of which counts, a byte order mark stays.
export function readText(given, ignoreBOM = false) {
  if (typeof given === "string") return given;
  const start = String.fromCharCode(...given.slice(0, 6));
  const packed = UNPACK.find(([, magic]) => start.startsWith(magic));
  if (packed) throw unreadable(0, phrase("line.compressed", { code: packed[0] }));
  if (/^(\xff\xfe|\xfe\xff|\0[ -~]|[ -~]\0)/.test(start)) throw unreadable(0, phrase("line.utf_16"));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM }).decode(given);
  } catch {
    throw unreadable(0, phrase("fault.not_utf8"));
  }
}

// The lines of a file that hold something, with their numbers.
export const keptLines = (text) => text.split("\n").map((one, i) => ({ one, line: i + 1 }))
  .filter(({ one }) => /[^ \t\r\v\f]/.test(one));

// The bundle that a file spells out; every line is checked for its form.
export async function parse(given, breathe) {
  if ((given.size ?? given.byteLength ?? given.length) > LARGEST) {
    throw unreadable(0, phrase("fault.large", { count: LARGEST >> 20 }));
  }
  const read = given instanceof Blob ? new Uint8Array(await given.arrayBuffer()) : given;
  const lines = readText(read, true).split("\n");
  if (lines[0].startsWith("\ufeff")) throw unreadable(1, phrase("bundle.mark"));
  if (lines.length === 1 && lines[0] === "") throw unreadable(0, phrase("fault.empty"));
  const whole = lines.pop() === "";
  if (lines.length > MOST_LINES) {
    throw unreadable(0, phrase("fault.most_lines", { count: amount(MOST_LINES) }));
  }
  const found = new Map([...LINES.keys()].map((kind) => [kind, []]));
  let before = "";
  for (const [i, text] of lines.entries()) {
    if (i % 500 === 0) await breathe(i / lines.length / 4);
    const { kind, value, body, line } = parseLine(text, i + 1, before);
    if (kind === "opens") place(found.get("event").at(-1), value, line);
    found.get(kind).push({ value, body, line, opens: new Map() });
    before = kind;
  }
  const cut = phrase("fault.cut_off");
  if (before !== "end" || !whole) throw unreadable(lines.length, cut, "truncated");
  const header = found.get("bundle")[0].value, events = found.get("event");
  const counted = (name, expected, recorded, line) => {
    if (expected === recorded) return;
    throw new Finding("truncated", phrase(`fault.${name}`), { line, expected, recorded });
  };
  counted("events", events.length, header.events, 1);
  counted("lines", lines.length - 1, found.get("end")[0].value.lines, lines.length);
  const ranks = {
    secret: (value) => bySeat(value.by), receipt: (value) => value.seq,
    inclusion: (value) => value.seq, consistency: (value) => value.first,
  };
  for (const [kind, rank] of Object.entries(ranks)) {
    const lines = found.get(kind), wrong = lines.findIndex(
      ({ value }, i) => i > 0 && rank(lines[i - 1].value) >= rank(value),
    );
    if (wrong > 0) {
      throw unreadable(lines[wrong].line, phrase("fault.lines_order", { kind }), "order");
    }
  }
  if (!isSorted(header.keys)) throw unreadable(1, phrase("fault.keys_order"));
  if (found.get("inclusion").length > 2) {
    throw unreadable(lines.length, phrase("fault.two_inclusions"), "order");
  }
  return {
    header, events, ruleset: found.get("ruleset")[0], secrets: found.get("secret"),
    receipts: found.get("receipt"), checkpoint: found.get("checkpoint")[0] ?? null,
    inclusions: found.get("inclusion"), consistencies: found.get("consistency"),
    over: header.status !== "unfinished",
  };
}

// Puts an opened seal to its event.
function place(event, opened, line) {
  const { seq, audience } = opened, last = [...event.opens.keys()].at(-1);
  const before = event.value.seq;
  if (seq !== before) throw unreadable(line, phrase("fault.opens", { seq, before }), "order");
  if (last !== undefined && !(last < audience)) {
    throw unreadable(line, phrase("fault.opens_order"), "order");
  }
  if (!Object.hasOwn(event.value.sealed ?? {}, audience)) {
    throw unreadable(line, phrase("bundle.no_seal", { seq, audience: JSON.stringify(audience) }), "order");
  }
  event.opens.set(audience, opened);
}
