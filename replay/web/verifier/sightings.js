// Sightings: checkpoints of the log that somebody kept, and proofs between them and the bundle's, in
// JSON lines. They show whether the log is of one history (RFC 9162, 2.1.4).

import { Finding } from "./finding.js";
import { misshapen } from "./form.js";
import { hex, sha256, unhex } from "./hashes.js";
import { provesConsistency } from "./log_proofs.js";
import { checkpointOf, noteOf, signsNote } from "./notes.js";
import { keptObjects } from "./receipts.js";
import { isCount, isHash, isNumber, isText, listOf } from "./values.js";
import { amount, phrase, sentences } from "./words.js";

const LIMITS = {
  most: 10_000, longest: 1 << 17,
  says: ["kept.no_sighting", "fault.most_sightings", "fault.long_sighting"],
};
const isPath = (longest) => (value) => listOf(isHash)(value) && value.length <= longest;
const SIGHTINGS = {
  inclusion: { game: isText, index: isCount, path: isPath(64), seq: isNumber, size: isNumber },
  consistency: { first: isCount, path: isPath(128), second: isCount },
  checkpoint: { note: isText },
};

// The sightings in a file: {line, kind, value} and, of a checkpoint, its note and what that says.
export const keptSightings = (text, game) =>
  keptObjects(text, LIMITS, (value, fault) => {
    const has = (name) => value && Object.hasOwn(value, name);
    const kind = has("game") ? "inclusion" : has("first") ? "consistency" : "checkpoint";
    const wrong = misshapen(value, SIGHTINGS[kind]);
    if (wrong) fault("line.no_sighting", { reason: wrong });
    if (kind === "inclusion" && value.game !== game) fault("line.other_proof", { id: value.game });
    const note = kind === "checkpoint" ? noteOf(value.note) : null;
    const log = note && checkpointOf(note.text);
    if (kind === "checkpoint" && !log) fault("line.no_sighting", { reason: phrase("fault.no_note") });
    return { kind, value, note, log };
  });

// Whether keys that count have signed it: one of the policy's or, without one, all that have signed
// the bundle's, for anybody can add a line under that.
async function isByKnownKey({ logKeys, policy }, note, ed25519) {
  const keys = policy ? [...policy.keys, ...policy.witnesses] : logKeys;
  const good = await Promise.all(keys.map(async (key) => {
    for (const { id, raw } of note.signatures) {
      const formed = key.id === id && raw.length === (key.kind === 1 ? 64 : 72);
      if (formed && (!ed25519 || (await signsNote(key, raw, note.text)))) return true;
    }
    return false;
  }));
  return policy ? good.includes(true) : !good.includes(false);
}

// Whether the log goes on from a kept checkpoint, or that from the log; null where nothing shows it.
async function isOneHistory({ log, consistencies, sightings }, seen) {
  const own = consistencies.find(({ value }) => value.first === seen.size)?.value.root;
  if (own !== undefined || seen.size === log.size) return hex(seen.root) === (own ?? hex(log.root));
  const [small, large] = seen.size < log.size ? [seen, log] : [log, seen];
  if (small.size === 0) return hex(small.root) === hex(await sha256());
  const proofs = sightings.filter(({ kind, value }) =>
    kind === "consistency" && value.first === small.size && value.second === large.size);
  for (const { value } of proofs) {
    const path = value.path.map(unhex);
    if (await provesConsistency(small.size, small.root, large.size, large.root, path)) return true;
  }
  return proofs.length ? false : null;
}

export async function checkSightings(bundle, breathe, ed25519) {
  const { sightings, log } = bundle;
  if (!sightings.length) return ["skipped", phrase("checked.no_sightings")];
  if (!log) return ["skipped", phrase("checked.no_checkpoint")];
  let shown = 0;
  const open = [];
  for (const { line, note, log: seen } of sightings.filter(({ kind }) => kind === "checkpoint")) {
    if (seen.origin !== log.origin) continue;
    if (!(await isByKnownKey(bundle, note, ed25519))) {
      open.push(phrase("checked.sighting_key", { line }));
      continue;
    }
    const isOne = await isOneHistory(bundle, seen);
    if (isOne === false) {
      const expected = phrase(
        "due.one_history", { leaves: phrase("number.leaves", { count: amount(log.size) }) }
      );
      const recorded = phrase(
        "there.other_history", { leaves: phrase("number.leaves", { count: amount(seen.size) }) }
      );
      throw new Finding("consistency", phrase("about.sighting", { line }), {
        line, expected, recorded,
      });
    }
    if (isOne) shown += 1;
    else open.push(phrase("checked.sighting_open", { line }));
  }
  const fit = phrase("checked.sightings", { count: amount(shown) });
  return [shown && ed25519 ? "passed" : "skipped", sentences(fit, ...open)];
}
