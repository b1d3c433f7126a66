// Check of the checkpoint: the note, its signatures, and the proofs that lead there.

import { Finding, same } from "./finding.js";
import { unhex } from "./hashes.js";
import { provesConsistency, provesInclusion } from "./log_proofs.js";
import { bigEndian, checkpointOf, noteOf, signsNote } from "./notes.js";
import { CLOCK_SKEW, isSameKey, isTrusted, logName } from "./policy.js";
import { amount, either, moment, phrase, sentences } from "./words.js";

export async function checkLog(bundle, breathe, ed25519) {
  const { checkpoint, inclusions, events, policy } = bundle;
  if (!checkpoint) return ["skipped", phrase("checked.no_log")];
  const { keys } = bundle;
  const { note: text } = checkpoint.value, { line } = checkpoint;
  const wrong = (what, expected, recorded) => {
    throw new Finding("checkpoint", what, { line, expected, recorded });
  };
  const note = noteOf(text), log = note && checkpointOf(note.text);
  if (!log) wrong(phrase("about.checkpoint"), phrase("note.signed"), phrase("bundle.something"));
  const origins = policy?.origins.map((name) => logName(name, bundle.header.game));
  if (origins && !origins.includes(log.origin)) {
    const more = { line, expected: either(origins), recorded: log.origin };
    throw new Finding("key", phrase("about.log_name"), more);
  }
  let by = 0, trusted = 0;
  const seen = [], cosigners = new Set();
  for (const { id, raw } of note.signatures) {
    const key = keys.get(id);
    const formed = raw.length === (key.kind === 1 ? 64 : 72);
    if (!formed || (ed25519 && !(await signsNote(key, raw, note.text)))) {
      wrong(phrase("about.note_signature"), phrase("due.made_by", { key: id }), phrase("another_one"));
    }
    const isWitness = policy?.witnesses.some((witness) => isSameKey(witness, key));
    if (isWitness) cosigners.add(id);
    if (key.kind === 1) by++;
    if (key.kind === 1 && isTrusted(bundle, key)) trusted++;
    if (key.kind === 4 && (isWitness || !policy)) seen.push([id, Number(bigEndian(raw.slice(0, 8)))]);
  }
  if (!by) wrong(phrase("about.note_signatures"), phrase("due.first_line_key"), phrase("none"));
  if (!trusted) {
    const more = { line, expected: phrase("due.policy_key"), recorded: phrase("another_one") };
    throw new Finding("key", phrase("about.operator_signature"), more);
  }
  const [first, last] = inclusions;
  const apart = last && last.value.seq - first.value.seq;
  if (last && last.value.index - first.value.index < apart) {
    const expected = phrase("inclusion.later", { count: first.value.index + apart });
    const more = {
      line: last.line, expected, recorded: phrase("inclusion.index", { count: last.value.index })
    };
    throw new Finding("inclusion", phrase("about.last_in_log"), more);
  }
  if (first.value.seq !== 1) {
    const more = {
      line: first.line,
      expected: phrase("event", { seq: 1 }),
      recorded: phrase("event", { seq: first.value.seq }),
    };
    throw new Finding("order", phrase("about.first_proof"), more);
  }
  const restored = events.at(-1).value, { type, log: ended } = restored.data.act?.command ?? {};
  for (const { value, line: where } of inclusions) {
    const event = events[value.seq - 1], what = phrase("about.in_log", { seq: value.seq });
    if (type === "void_restored" && ended === log.origin && value.seq >= restored.seq) {
      const expected = phrase("log.ended", { origin: ended });
      throw new Finding("inclusion", what, { seq: value.seq, line: where, expected });
    }
    const not = (expected, recorded) => {
      throw new Finding("inclusion", what, { seq: value.seq, line: where, expected, recorded });
    };
    if (!event) not(phrase("due.events_of", { count: events.length }), phrase("there.missing_event"));
    if (value.size !== log.size) {
      not(phrase("due.leaves", { count: log.size }), phrase("there.leaves", { count: value.size }));
    }
    const { index, size } = value, path = value.path.map(unhex);
    if (!(await provesInclusion(unhex(event.leaf), index, size, path, log.root))) {
      not(phrase("due.path"), phrase("there.path", { index }));
    }
  }
  for (const { value, line: where } of bundle.consistencies) {
    const { first: size, root, second } = value, path = value.path.map(unhex);
    const holds = second === log.size &&
      (await provesConsistency(size, unhex(root), second, log.root, path));
    if (!holds) {
      const expected = phrase("consistency.path", { count: size, total: log.size });
      const recorded = phrase("consistency.other", { count: second });
      throw new Finding("consistency", phrase("about.earlier_size"), { line: where, expected, recorded });
    }
  }
  const covers = (last ?? first).value.seq, newest = events[covers - 1];
  let early = null;
  for (const [key, time] of seen) {
    const fits = 1000 * (time + (policy?.skew ?? CLOCK_SKEW)) >= newest.value.at;
    const what = phrase("about.witness_time");
    if (!fits && !policy) early = phrase("note.early", { key });
    else if (!fits) {
      same(
        "times", what, newest, phrase("due.or_later", { time: moment(newest.value.at) }), moment(1000 * time)
      );
    }
  }
  bundle.cosigners = cosigners;
  bundle.logKeys = note.signatures.map(({ id }) => keys.get(id)).filter(({ kind }) => kind === 1);
  bundle.log = log;
  const stand = {
    seq: amount(covers), total: amount(events.length), origin: log.origin,
    leaves: phrase("number.leaves", { count: amount(log.size) }),
    witnesses: phrase("number.witnesses", { count: amount(seen.length) }),
  };
  if (!ed25519) return ["skipped", phrase("checked.log_unchecked", stand)];
  const code = seen.length ? "checked.log_cosigned" : "checked.log";
  return ["passed", sentences(phrase(code, stand), early)];
}
