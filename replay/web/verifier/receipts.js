// Receipts: those of the bundle, and those that somebody kept, each held against the events. Kept
// beside them are presences: the operator's word on when a seat was there.

import { Finding, same } from "./finding.js";
import { LINES, keptLines, misshapen } from "./form.js";
import { hex, sha256, unbase64, unhex, utf8 } from "./hashes.js";
import { rootOfPath } from "./log_proofs.js";
import { isSigned } from "./notes.js";
import { isTrusted } from "./policy.js";
import { isSignature } from "./signed.js";
import { canonical, isCount, isHash, isNumber, isObject, isText, within } from "./values.js";
import { Fault, amount, phrase, sentences } from "./words.js";

const RECEIPTS = {
  most: 100_000, longest: 4_096,
  says: ["kept.no_receipt", "fault.most_receipts", "fault.long_receipt"],
};

const PRESENCE = {
  at: isCount, game: isText, key: isText, leaf: isHash, seat: within(0, 15), seq: isNumber,
  sig: isText, signature: isText,
};
const isPresence = (value) => isObject(value) && "seat" in value;
// Milliseconds from the time of an event to its storing, at most.
const SLACK = 15_000;

// The object that a line spells, which has no other in it; null where it is none, has a name twice
// or a number that is not spelt as a whole one.
function objectIn(line) {
  let value = null;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const bare = line.replace(/"(?:[^"\\]|\\.)*"/g, '""'), names = bare.match(/""\s*:/g) ?? [];
  const isPlain = isObject(value) && names.length === Object.keys(value).length && !/[.eE]/.test(bare);
  return isPlain ? value : null;
}

// What a file of JSON lines keeps: of each line its number and what `read` makes of its object, which
// gets a function that refuses the line. The limits have a word for none, too many and too long.
export function keptObjects(text, { most, longest, says: [none, many, long] }, read) {
  const lines = keptLines(text);
  if (!lines.length) throw new Fault(phrase(none));
  if (lines.at(-1).line > most) throw new Fault(phrase(many, { count: amount(most) }));
  return lines.map(({ one, line }) => {
    const fault = (code, given) => {
      throw new Fault(phrase("fault.at_line", { line, text: phrase(code, given) }));
    };
    if (one.length > longest) fault(long);
    return { line, ...read(objectIn(one), fault) };
  });
}

// The receipts of a file, one a line, as the service gave them: [{value, line}].
export const keptReceipts = (text, game) =>
  keptObjects(text, RECEIPTS, (value, fault) => {
    const wrong = misshapen(value, isPresence(value) ? PRESENCE : LINES.get("receipt"));
    if (wrong) fault("line.no_receipt", { reason: wrong });
    if (value.game !== game) fault("line.other_receipt", { id: value.game });
    return { value };
  });

function wrongReceipt({ value, line }, text, expected, recorded) {
  const more = { seq: value.seq, line, expected, recorded };
  throw new Finding("receipt", phrase("about.receipt", { seq: value.seq, text }), more);
}

// The bytes that are signed of a receipt: its entry or, in format 2, the root of a tree of entries,
// to which its path leads. Null where the path leads to no root of such a tree.
async function signedText({ game, seq, leaf, command, at: time, index = 0, path = [], size = 1 }) {
  const entry = utf8(`p10-receipt/v1\n${game}\n${seq}\n${leaf}\n${command}\n${time}\n`);
  if (index === 0 && !path.length && size === 1) return entry;
  const steps = path.map(unhex), from = await sha256(new Uint8Array(1), entry);
  const root = await rootOfPath(from, index, size, steps);
  return root && utf8(`p10-receipt/v2\n${size}\n${hex(root)}\n`);
}

// Whether it is signed by a key of the first line. `line` is that of the bundle, 0 of another file.
async function checkSignature(bundle, receipt, ed25519) {
  const { game, seq, leaf, at: time, key: id, sig } = receipt.value;
  const { policy, keys } = bundle, isKept = receipt.line === 0;
  const key = policy && isKept ? policy.keys.find((own) => own.id === id) : keys.get(id);
  const signature = unbase64(sig);
  if (policy && !(key && isTrusted(bundle, key))) {
    const more = { seq, line: receipt.line, expected: phrase("due.policy_key"), recorded: id };
    throw new Finding("key", phrase("about.receipt", { seq, text: phrase("about.its_key") }), more);
  }
  if (!key || key.kind !== 1) {
    wrongReceipt(receipt, phrase("about.its_key"), phrase("due.first_line_keys"), id);
  }
  if (signature?.length !== 64) {
    wrongReceipt(receipt, phrase("about.its_signature"), phrase("due.base64"), sig);
  }
  const { seat, signature: own } = receipt.value;
  const text = isPresence(receipt.value)
    ? utf8(`p10-presence/v1\n${game}\n${seat}\n${leaf}\n${seq}\n${time}\n${own}\n`)
    : await signedText(receipt.value);
  if (!text || (ed25519 && !(await isSigned(key.bytes, signature, text)))) {
    wrongReceipt(receipt, phrase("about.its_signature"), phrase("due.made_by", { key: key.id }), sig);
  }
}

// What it says against the event that it speaks of.
async function checkContent({ events, header }, receipt) {
  const { value } = receipt, event = events[value.seq - 1];
  const wrong = (text, expected, recorded) => wrongReceipt(receipt, text, expected, recorded);
  if (!event) {
    wrong(
      phrase("about.the_event"), phrase("due.event_range", { count: events.length }), phrase("there.cut_off")
    );
  }
  const { first, leaf } = event, { cmd, game, data } = first.value;
  const command = hex(await sha256(`p10-command/v1\n${game}\n${cmd}\n`, canonical(data.act)));
  if (first.last !== event) {
    wrong(phrase("about.the_event"), phrase("due.last_of_command"), phrase("another_one"));
  }
  const facts = { game: header.game, leaf, command, at: event.value.at };
  for (const [name, fact] of Object.entries(facts)) {
    if (value[name] !== fact) wrong(name, fact, value[name]);
  }
}

// What a presence says against the events: the seat had seen this one, and there was none after it.
async function checkPresence({ events }, receipt, ed25519) {
  const { game, seat, leaf, seq, at: time, signature } = receipt.value, event = events[seq - 1];
  const wrong = (text, expected, recorded) => wrongReceipt(receipt, text, expected, recorded);
  if (!event) {
    wrong(
      phrase("about.the_event"), phrase("due.event_range", { count: events.length }), phrase("there.cut_off")
    );
  }
  if (event.leaf !== leaf) wrong("leaf", event.leaf, leaf);
  const key = events.slice(0, seq).findLast(({ value: { type, data } }) =>
    type === "SeatTaken/1" && data.seat === seat)?.value.data.key ?? "";
  const message = utf8(`p10-present/v1\n${game}\n${seat}\n${leaf}\n${seq}\n`);
  const isBy = async () => isSignature(signature) && (!ed25519 ||
    isSigned(unhex(isHash(key) ? key : ""), unhex(signature), message));
  if (key ? !(await isBy()) : signature) {
    wrong(phrase("about.players_signature"), phrase("due.seat_key", { seat }), signature);
  }
  const what = phrase("about.presence_time"), next = events[seq];
  if (event.value.at > time + SLACK) same("times", what, event, time, event.value.at);
  if (next && next.value.at + SLACK < time) same("times", what, next, time, next.value.at);
}

export async function checkReceipts(bundle, breathe, ed25519) {
  const { receipts } = bundle;
  if (!receipts.length) return ["skipped", phrase("checked.no_receipts")];
  for (const [i, receipt] of receipts.entries()) {
    if (i % 50 === 0) await breathe(0.9);
    const { index, path, size } = receipt.value;
    if ([index, path, size].some((one) => one !== undefined)) {
      wrongReceipt(receipt, phrase("about.its_signature"), phrase("receipt.format"), phrase("another_one"));
    }
    await checkSignature(bundle, receipt, ed25519);
    await checkContent(bundle, receipt);
  }
  const count = amount(receipts.length);
  if (!ed25519) return ["skipped", phrase("checked.receipts_unchecked", { count })];
  return ["passed", phrase("checked.receipts", { count })];
}

// Whether a receipt is of an event that was lost when the ledger went on from a backup, as the
// game's last event says; it is by an older key than that of the bundle's last receipt.
function isOfLostEvent({ events, receipts }, { seq, at: time, key }) {
  const last = events.at(-1).value, newest = receipts.at(-1)?.value.key;
  const isRestored = last.data.act?.command.type === "void_restored";
  return isRestored && newest && key !== newest && seq >= last.seq && time <= last.at;
}

export async function checkKept(bundle, breathe, ed25519) {
  const { kept } = bundle;
  if (!kept.length) return ["skipped", phrase("checked.no_kept")];
  let lost = 0, strangers = 0, worthless = 0;
  for (const [i, { value, line }] of kept.entries()) {
    if (i % 50 === 0) await breathe(0.92);
    let isJudged = false;
    try {
      await checkSignature(bundle, { value, line: 0 }, ed25519);
      if (isOfLostEvent(bundle, value)) lost++;
      else {
        const check = isPresence(value) ? checkPresence : checkContent;
        isJudged = true;
        await check(bundle, { value, line: 0 }, ed25519);
        bundle.newestKept = Math.max(bundle.newestKept, value.seq);
      }
    } catch (wrong) {
      // Without a policy only the key of all receipts in the bundle counts: whoever adds one of its
      // own speaks for nobody else.
      const own = new Set(bundle.receipts.map((receipt) => receipt.value.key));
      if (isJudged && !bundle.policy && !(own.size === 1 && own.has(value.key))) {
        strangers++;
        continue;
      }
      if (!isJudged && wrong instanceof Finding) { // no word of the operator
        worthless++;
        bundle.worthless.push(["worthless_receipt", wrong.expected, wrong.recorded]);
        continue;
      }
      if (wrong instanceof Finding) {
        const { code, given } = wrong.text;
        wrong.text = phrase(`${code}_kept`, { ...given, line });
      }
      throw wrong;
    }
  }
  const gone = lost && phrase("checked.kept_lost", { count: amount(lost) });
  const others = bundle.others && phrase("note.by_others");
  const strange = strangers && phrase("note.strangers", { count: amount(strangers) });
  const count = amount(kept.length - lost - strangers - worthless);
  const fit = phrase(ed25519 ? "checked.kept" : "checked.kept_unchecked", { count });
  const vain = worthless && phrase("policy.worthless", { count: amount(worthless) });
  const state = ed25519 && !worthless ? "passed" : "skipped";
  return [state, sentences(fit, vain, gone, strange, others)];
}
