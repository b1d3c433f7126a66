// The policy: whose keys to believe and what to ask for, in TOML (docs/evidence.md). POLICY_SHAPES
// is what `phaseledger verify` says of each field.

const LARGEST_POLICY = 1 << 20;
const REQUIREMENTS = ["receipts", "checkpoint", "finished", "signatures"];

// The table that a text in TOML is, as far as a policy needs it: texts, whole numbers, lists and
// tables. Raises an Error that names the line.
function tomlOf(text) {
  let at = 0;
  const wrong = (what) => {
    throw new Error(`line ${text.slice(0, at).split("\n").length} of the policy: ${what}`);
  };
  const take = (pattern) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  const blank = (lines) => take(lines ? /(?:[ \t\r\n]|#[^\n]*)*/y : /[ \t]*(?:#[^\n]*)?/y);
  const quoted = () => {
    const plain = take(/'([^'\n]*)'(?!')/y);
    if (plain) return plain[1];
    const escaped = take(/"((?:[^"\\\n]|\\[btnfr"\\]|\\u[0-9a-fA-F]{4})*)"(?!")/y);
    return escaped ? JSON.parse(`"${escaped[1].replaceAll("\t", "\\t")}"`) : undefined;
  };
  const keys = () => {
    const parts = [];
    do {
      take(/[ \t]*/y);
      const part = take(/[A-Za-z0-9_-]+/y)?.[0] ?? quoted();
      if (part === undefined) wrong("here comes the name of a field");
      parts.push(part);
    } while (take(/[ \t]*\./y));
    return parts;
  };
  const put = (table, path, value) => {
    const last = path.at(-1);
    for (const part of path.slice(0, -1)) {
      if (!table.has(part)) table.set(part, new Map());
      table = table.get(part);
      if (!(table instanceof Map)) wrong(`"${part}" is no table`);
    }
    if (table.has(last)) wrong(`"${last}" stands there twice`);
    table.set(last, value);
  };
  const pair = (table) => {
    const path = keys();
    if (!take(/[ \t]*=[ \t]*/y)) wrong("after the name of a field comes =");
    put(table, path, value());
  };
  function value() {
    const words = quoted();
    if (words !== undefined) return words;
    const number = take(/[+-]?(?:0|[1-9](?:_?[0-9])*)(?![0-9A-Za-z_.:-])/y);
    if (number) return Number(number[0].replaceAll("_", ""));
    if (take(/\[/y)) {
      const list = [];
      for (blank(true); !take(/\]/y); blank(true)) {
        list.push(value());
        blank(true);
        if (!take(/,/y) && text[at] !== "]") wrong("after a value of a list comes , or ]");
      }
      return list;
    }
    if (take(/\{[ \t]*/y)) {
      const table = new Map();
      for (let more = !take(/\}/y); more; more = !take(/[ \t]*\}/y)) {
        if (table.size && !take(/[ \t]*,/y)) wrong("after a value of a table comes , or }");
        pair(table);
      }
      return table;
    }
    return wrong("a value is a text in quotation marks, a whole number, a list or a table");
  }
  const whole = new Map();
  let table = whole;
  for (blank(true); at < text.length; blank(true)) {
    if (take(/\[(?!\[)/y)) {
      const path = keys();
      if (!take(/[ \t]*\]/y)) wrong("the name of a table ends with ]");
      put(whole, path, (table = new Map()));
    } else {
      pair(table);
    }
    blank(false);
    if (at < text.length && !take(/\r?\n/y)) wrong("here the line should end");
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
    const key = await verifierKey(text), place = `\`${name}\`, entry ${i + 1}`;
    const owner = kind === 1 ? "an operator's key" : "a witness's key";
    if (key?.kind !== kind || !isUsable(key.bytes)) throw new Error(`${place}: it is not ${owner}`);
    if (keys.some((other) => isSameKey(other, key))) {
      throw new Error(`${place}: this key stands there twice`);
    }
    keys.push({ ...key, name: text.split("+")[0] });
  }
  return keys;
}

const isSameKey = (one, other) => one.id === other.id && hex(one.bytes) === hex(other.bytes);

// A policy that was read; raises an Error where it cannot be used.
async function policyOf(text) {
  if (text.length > LARGEST_POLICY) throw new Error("a policy has at most 1,048,576 bytes");
  const table = tomlOf(text), given = (name, usual) => table.get(name) ?? usual;
  for (const [name, value] of table) {
    const is = Object.hasOwn(POLICY, name) && POLICY[name];
    if (!is) throw new Error(`a policy has no \`${name}\``);
    if (!is(value)) throw new Error(`\`${name}\` must be ${POLICY_SHAPES[name]}`);
  }
  if (!table.has("keys")) {
    throw new Error(`\`keys\` is missing: it must be ${POLICY_SHAPES.keys}`);
  }
  const keys = await policyKeys("keys", table.get("keys"), 1);
  const witnesses = await policyKeys("witnesses", given("witnesses", []), 4);
  const needed = given("witnesses_needed", 0), times = given("times", "recorded");
  if (needed > witnesses.length) {
    throw new Error(`\`witnesses_needed\` is ${needed}, but \`witnesses\` names ${witnesses.length}`);
  }
  if (times === "witnessed" && !witnesses.length) {
    throw new Error('`times` is "witnessed", but `witnesses` names none');
  }
  const secrets = given("secrets", "server"), moves = given("moves", "unsigned");
  const players = given("players", []), seats = [...given("seats", new Map())];
  if ((secrets === "players" || moves === "signed") && !players.length && !seats.length) {
    throw new Error("neither `players` nor `seats` names a key of a player");
  }
  for (const key of [...players, ...seats.map(([, key]) => key)]) {
    if (!isHash(key) || !isUsable(unhex(key))) {
      throw new Error("the key of a player must be 64 hex digits, and one that can be used");
    }
  }
  const strange = seats.find(([number]) => !/^([0-9]|1[0-5])$/.test(number));
  if (strange) throw new Error(`\`seats\` has ${strange[0]}, which is no number from 0 to 15`);
  return {
    keys, witnesses, needed, times, secrets, moves, players, bots: given("bots", "unproven"),
    origins: table.get("origin") ? [table.get("origin")] : keys.map(({ name }) => name),
    skew: given("clock_skew", CLOCK_SKEW), require: given("require", []),
    seats: new Map(seats.map(([number, key]) => [Number(number), key])),
  };
}

const namesKey = (policy, seat, key) =>
  Boolean(policy && key) && (policy.players.includes(key) || policy.seats.get(seat) === key);

const isTrusted = ({ policy }, key) => !policy || policy.keys.some((own) => isSameKey(own, key));

// The name of the log of a game's partition, which stands in the game's id.
function logName(name, game) {
  const [, digits] = /^70313070-([0-9a-f]{4})-8/.exec(game) ?? [];
  const number = digits === undefined ? 1 : parseInt(digits, 16);
  return number === 1 || name.endsWith(`/${number}`) ? name : `${name}/${number}`;
}

// Whether the keys that the policy names for seats are theirs; a seat in a lobby may be free still.
function checkPolicy({ policy, seats, events }) {
  if (!policy) return ["skipped", "Policy: none was given, so nobody vouches for any key."];
  const isSealed = events.some(({ value }) => value.type === "TableSealed/1");
  for (const [number, key] of policy.seats) {
    const registered = seats.get(number)?.key ?? (isSealed ? "" : key);
    if (registered !== key) {
      const more = { expected: `key ${key} of seat ${number}`, recorded: registered || "none" };
      throw new Finding("key", "the key of a seat", more);
    }
  }
  return ["passed", "Policy: whoever signed for the operator signed by one of its keys."];
}

// What the policy asks for, beyond that nothing is wrong, and does not get: [[code, expected,
// recorded]], in the codes of `verify`.
function unmetDemands(bundle, facets) {
  const { policy, events, header, receipts, checkpoint, inclusions, people, bots } = bundle;
  const lacks = [], lack = (...parts) => lacks.push(parts);
  const asks = (name) => policy.require.includes(name);
  const commands = events.filter(({ value }) => value.data.act).length;
  if (asks("receipts") && receipts.length < commands) {
    lack("receipts_missing", `${commands} receipts`, `${receipts.length} good ones`);
  }
  const covered = inclusions.at(-1)?.value.seq ?? 0;
  if (asks("checkpoint") && !checkpoint) lack("checkpoint_missing", "a checkpoint", "none");
  else if (asks("checkpoint") && covered < events.length) {
    lack("checkpoint_behind", `all ${events.length} events`, `the events up to ${covered}`);
  }
  const { size } = bundle.cosigners ?? new Set();
  if (policy.witnesses.length && size < policy.needed) {
    lack("witnesses_missing", `${policy.needed} witnesses`, `${size}`);
  }
  if (asks("finished") && header.status !== "finished") {
    lack("not_finished", "a finished game", header.status);
  }
  const mute = [...bundle.seats.keys()].filter((seat) => !people.has(seat) && !bots.has(seat));
  const unsigned = [...bots, ...people, ...mute].filter((seat) => {
    const { key, event } = bundle.seats.get(seat);
    return key ? bots.has(seat) : bots.has(seat) || !event.value.data.bot;
  });
  if (asks("signatures") && unsigned.length) {
    lack("signatures_missing", "signed commands of every seat", `seats ${listed(unsigned.sort())}`);
  }
  const codes = {
    secrets: "player_secret_missing", moves: "moves_unsigned", bots: "bots_unproven",
    times: "times_unwitnessed",
  };
  for (const [name, code] of Object.entries(codes)) {
    const isMet = isFacetMet(name, facets[name], policy[name]);
    if (!isMet) lack(code, `${name}: ${policy[name]}`, `${name}: ${facets[name]}`);
  }
  return lacks;
}
