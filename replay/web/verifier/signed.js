// Checks of the signatures of seats, and of the keys that a bundle names.

import { Finding, same } from "./finding.js";
import { playersOf } from "./grade.js";
import { unhex, utf8 } from "./hashes.js";
import { isSigned, noteOf, verifierKey } from "./notes.js";
import { canonical, isHash, matches } from "./values.js";
import { amount, phrase, sentences } from "./words.js";

const CONCEALED = new Map([
  ["open_game", ["secret", "secret"]], ["take_seat", ["secret", "secret"]],
  ["search", ["card", "said"]], ["give", ["card", "said"]],
  ["swap", ["cards", "said"]], ["keep", ["cards", "said"]],
]);

// The whole command of a decision, and its signature; null where a part is still sealed.
function decision(event) {
  const { act } = event.value.data, command = { ...act.command };
  const concealed = event.value.sealed && CONCEALED.get(command.type);
  if (!concealed) return { command, sig: act.sig ?? "" };
  const [secret] = [...event.opens.values()].map((opened) => opened.value);
  if (!secret) return null;
  const [name, where] = concealed, said = secret[where] ?? "";
  if (said || command.type !== "keep") command[name] = said;
  return { command, sig: act.sig || (secret.sig ?? "") };
}

export const isSignature = matches(/^[0-9a-f]{128}$/);

// Who sits where, by which key, and whether a bot answers there: until the seat's next turn, if it
// was overdue, and for good where the seat was handed over.
function seated(sitters, { type, data }) {
  const sitter = sitters.get(data.seat) ?? {};
  if (type === "SeatTaken/1") sitters.set(data.seat, { key: data.key ?? "" });
  else if (type === "SeatFreed/1") sitters.delete(data.seat);
  else if (type === "TurnTimedOut/1") sitter.bot = data.then === "bot_move";
  else if (type === "SeatHandedOver/1") sitter.bot = sitter.gone = true;
  else if (type === "TurnBegan/1") sitter.bot = sitter.gone;
}

export async function checkSigned(bundle, breathe, ed25519) {
  const mute = [...bundle.seats].filter(([, { key }]) => !key).map(([n]) => n);
  const rest = phrase(mute.length ? "checked.mute" : "checked.no_mute", { seats: playersOf(bundle, mute) });
  let count = 0, closed = 0, stoodIn = 0;
  const sitters = new Map(), people = new Set(), bots = new Set(), signed = new Map();
  Object.assign(bundle, { people, bots, signed });
  for (const event of bundle.events) {
    const { act } = event.value.data, sitter = sitters.get(act?.seat);
    seated(sitters, event.value);
    if (!act) continue;
    const answered = sitter?.bot && !["take_seat", "leave_seat"].includes(act.command?.type);
    if (answered) stoodIn++;
    const joins = act.command?.type === "take_seat";
    if (joins) {
      for (const seats of [people, bots, signed]) seats.delete(act.seat);
    } else if (sitters.has(act.seat)) {
      const bot = answered || bundle.seats.get(act.seat)?.event.value.data.bot;
      (bot ? bots : people).add(act.seat);
    }
    // Who sits down does not know the secret that the server makes, and signs the rest.
    const read = joins ? act : decision(event);
    const key = joins ? act.sig && act.command.key : answered ? "" : sitter?.key;
    if (!key) {
      const sig = act.sig || decision(event)?.sig || phrase("none");
      same("signature", phrase("about.no_key"), event, phrase("none"), sig);
      continue;
    }
    if (!read) {
      closed++;
      continue;
    }
    const { header } = bundle, { seq, prev } = event.value;
    const sig = read.sig || phrase("none"), what = phrase("about.signature", { seat: act.seat });
    if (!isSignature(sig)) same("signature", what, event, phrase("due.hex"), sig);
    const front = `p10-signed-command/v1\n${header.game}\n${act.seat}\n${prev}\n${seq - 1}\n`;
    const message = utf8(`${front}${canonical(read.command)}\n`);
    if (ed25519 && !(await isSigned(unhex(isHash(key) ? key : ""), unhex(sig), message))) {
      same("signature", what, event, phrase("due.signed", { key }), sig);
    }
    if (sitters.has(act.seat)) signed.set(act.seat, seq);
    if (++count % 50 === 0) await breathe(0.85);
  }
  bundle.closed = closed;
  const hidden = closed && phrase("checked.sealed_signatures", { count: amount(closed) });
  const answered = stoodIn && phrase("checked.stood_in", { count: amount(stoodIn) });
  const checked = ed25519 ? "checked.signed" : "checked.signed_unchecked";
  const said = phrase(count ? checked : "checked.unsigned", { count: amount(count) });
  const state = count && ed25519 ? "passed" : "skipped";
  const seats = [...bundle.seats].sort((a, b) => a[0] - b[0]).filter(([, { key }]) => key);
  const shared = [...new Set(seats.map(([, { key }]) => key))].map((key) =>
    seats.filter(([, one]) => one.key === key).map(([n]) => n)).filter((own) => own.length > 1)
    .map((own) => phrase("note.shared", { value: own.join(", ") }));
  return [state, sentences(said, hidden, answered, rest, ...shared)];
}

// The keys of the first line, which are exactly those that the signatures below need.
export async function checkKeys(bundle) {
  const { receipts, checkpoint } = bundle, keys = new Map();
  for (const text of bundle.header.keys) {
    const key = await verifierKey(text);
    if (!key) {
      const more = { line: 1, expected: phrase("due.verifier_key"), recorded: text };
      throw new Finding("header", phrase("about.key"), more);
    }
    keys.set(key.id, key);
  }
  const signers = (checkpoint && noteOf(checkpoint.value.note)?.signatures) ?? [];
  const needed = [...receipts.map(({ value }) => value.key), ...signers.map(({ id }) => id)];
  const expected = [...new Set(needed)].sort().join(", "), recorded = [...keys.keys()].join(", ");
  if (expected !== recorded) {
    throw new Finding("header", phrase("about.keys"), { line: 1, expected, recorded });
  }
  bundle.keys = keys;
  if (!keys.size) return ["skipped", phrase("checked.no_keys")];
  return ["passed", phrase("checked.keys", { count: amount(keys.size) })];
}
