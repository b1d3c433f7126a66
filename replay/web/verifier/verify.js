// The verification of a bundle: every check in order, and what is said of them.
//
// A second implementation of docs/reference/evidence.md, format.md and deal.md, made from these
// pages alone. It trusts nothing in the file but what it has computed itself.

import { checkChain, checkCommands } from "./chain.js";
import { checkTimes } from "./clock.js";
import { checkCards, nothing } from "./dealing.js";
import { checkFacts } from "./facts.js";
import { Finding } from "./finding.js";
import { parse, readText } from "./form.js";
import { moveText, namesUntil, resultOf } from "./game.js";
import { deedsOf, facetsOf, gradeOf, headlineOf } from "./grade.js";
import { checkLog } from "./log.js";
import { knowsEd25519 } from "./notes.js";
import { checkReferee } from "./play.js";
import { checkPolicy, policyOf, unmetDemands } from "./policy.js";
import { checkKept, checkReceipts, keptReceipts } from "./receipts.js";
import { checkRules, checkSeals, checkSecrets } from "./secrets.js";
import { checkSightings, keptSightings } from "./sightings.js";
import { checkKeys, checkSigned } from "./signed.js";
import { amount, named, phrase, spoken } from "./words.js";

const CHECKS = [
  ["chain", checkChain], ["events", checkFacts], ["times", checkTimes],
  ["commands", checkCommands], ["commitments", checkSecrets], ["transcript", checkRules],
  ["seals", checkSeals], ["cards", checkCards], ["referee", checkReferee],
  ["signed_commands", checkSigned], ["keys", checkKeys], ["receipts", checkReceipts],
  ["kept", checkKept],
  ["log", checkLog], ["sightings", checkSightings], ["policy", checkPolicy],
];
const titleOf = (check) => phrase(`title.${check}`);
// A check that rests on another one is left out when that one fails.
const RESTS_ON = {
  transcript: ["commitments"], receipts: ["chain", "commands", "keys"],
  kept: ["chain", "commands", "keys"], log: ["chain", "keys"], sightings: ["log"],
  signed_commands: ["commitments"], times: ["chain", "events"], policy: ["commitments"],
};

const NEVER = ["bots", "keys", "times", "looked"];

const SAID = ["text", "expected", "recorded"]; // what a finding says

const UNJUDGED = "unjudged";

// {ok, status, grade, facets, headline, checks, findings, lacks}: status is "sound" (what this page
// checks holds), "open" (the game is not over), "lacking" (the policy asks for more, or a kept
// receipt proves nothing: `lacks`), "unsound" or "unreadable"; grade is that of `verify`,
// "unjudged" where the browser has no Ed25519, or "none" where something is wrong, and then facets
// is null. A finding's `move` is the event in words, `rule` the ID of the rule that it breaks, if
// any; `result` is how the game ended. What is to be read are phrases. `given` is text, bytes or,
// best, the file, which is not read when it is too large. `receipts` is the text or the bytes of a
// file of receipts that somebody kept, `sightings` one of checkpoints, `policy` that of a policy; a
// Fault where it is no such. `others` is somebody's word that it was not the operator who kept the
// receipts.
export async function judged(...all) {
  return (await examined(...all)).answer;
}

// The answer of `judged`, and the bundle as it was read; null where it is not readable.
export async function examined(
  given, progress = nothing, receipts = null, policy = null, sightings = null, others = false,
) {
  const checks = [], findings = [], failed = new Set();
  const add = (name, state, text) => checks.push({ name, state, text });
  let then = performance.now();
  const breathe = async (share) => {
    if (performance.now() - then < 40) return;
    progress(share);
    await new Promise((resolve) => setTimeout(resolve));
    then = performance.now();
  };
  let bundle;
  try {
    bundle = await parse(given, breathe);
  } catch (wrong) {
    if (!(wrong instanceof Finding)) throw wrong;
    add("form", "failed", phrase("checked.form_failed", { text: wrong.text }));
    const status = "unreadable", headline = headlineOf(status, "", null);
    const findings = [wrong], grade = "none";
    const answer = { ok: false, status, checks, findings, keys: [], grade, facets: null, headline };
    return { answer, bundle: null };
  }
  const { header, events, over } = bundle;
  const whole = { count: amount(events.length), game: header.game };
  add("form", "passed", phrase("checked.form", whole));
  const ed25519 = await knowsEd25519();
  bundle.findings = findings;
  bundle.policy = policy === null ? null : await policyOf(readText(policy));
  Object.assign(bundle, { newestKept: 0, others, worthless: [] });
  bundle.kept = receipts === null ? [] : keptReceipts(readText(receipts), header.game);
  bundle.sightings =
    sightings === null ? [] : keptSightings(readText(sightings), header.game);
  for (const [name, check] of CHECKS) {
    const missing = (RESTS_ON[name] ?? []).find((other) => failed.has(other));
    if (missing) {
      failed.add(name);
      const titles = { title: titleOf(name), other: titleOf(missing) };
      add(name, "skipped", phrase("checked.rests_on", titles));
      continue;
    }
    try {
      const [state, ...sentences] = await check(bundle, breathe, ed25519);
      for (const sentence of sentences) add(name, state, sentence);
    } catch (wrong) {
      failed.add(name);
      const more = { expected: phrase("due.documented"), recorded: phrase("there.malformed") };
      const title = titleOf(name);
      const finding = wrong instanceof Finding ? wrong : new Finding("form", title, more);
      findings.push(finding);
      add(name, "failed", phrase("checked.failed", { title, text: explanation(finding) }));
    }
  }
  for (const what of NEVER) add("never", "skipped", phrase(`never.${what}`));
  findings.sort((a, b) => (a.seq || Infinity) - (b.seq || Infinity) || 0);
  const { keys, game, status: ending } = header;
  const facets = findings.length ? null : facetsOf(bundle);
  const names = namesUntil(bundle, 0);
  const demands = facets && bundle.policy ? unmetDemands(bundle, facets) : [];
  const worthless = facets ? bundle.worthless : [];
  const lacks = [...worthless, ...demands].map((lack) => lack.map((part) => named(part, names)));
  for (const [code, expected, recorded] of lacks.slice(worthless.length)) {
    add("policy", "failed", phrase("checked.lacks", { expected, recorded, code }));
  }
  const good = lacks.length ? "lacking" : over ? "sound" : "open";
  const status = findings.length ? "unsound" : good;
  const headline = headlineOf(
    status, ending, facets, facets && deedsOf(bundle, facets), ed25519, !demands.length,
  );
  const grade = facets && (ed25519 ? gradeOf(facets) : UNJUDGED);
  for (const finding of findings) {
    const sitting = namesUntil(bundle, finding.seq);
    finding.move = moveText(bundle, finding.seq);
    for (const part of SAID) finding[part] = named(finding[part], sitting);
  }
  for (const one of checks) one.text = named(one.text, names);
  const answer = {
    ok: !findings.length, status, checks, findings, keys, game, ending,
    ed25519, result: findings.length ? null : resultOf(bundle),
    grade: grade ?? "none", facets, headline, lacks,
  };
  return { answer, bundle };
}

const SHOWN = 300;

// Two texts, cut around the place where they begin to differ.
function cut(expected, recorded) {
  let from = 0;
  while (from < expected.length && expected[from] === recorded[from]) from++;
  from = Math.max(0, from - 60);
  return [expected, recorded].map((text) => {
    if (text.length <= SHOWN) return text;
    const more = text.length > from + SHOWN ? "..." : "";
    return `${from ? "..." : ""}${text.slice(from, from + SHOWN)}${more}`;
  });
}

// Classes that `verify` explains in the same words.
const EXPLAINED = { header: "header.bad", times: "times.bad" };
const explanation = ({ code }) => phrase(EXPLAINED[code] ?? `explain.${code}`);

function findingIn(lang, { code, text, seq, line, expected, recorded, rule = "", move = "" }) {
  const said = (value) => spoken(value, lang);
  const [wanted, found] = cut(said(expected), said(recorded));
  return {
    code, text: said(text), seq, line, expected: wanted, recorded: found, move: said(move), rule,
    explain: said(explanation({ code })),
  };
}

// What `judged` says, in the words of a language.
export function answerIn(lang, answer) {
  const said = (value) => spoken(value, lang), { result } = answer;
  const seats = result?.seats.map((seat) =>
    ({ ...seat, name: said(seat.name), phase: said(seat.phase) }));
  return {
    ...answer, headline: said(answer.headline), result: result && { ...result, seats },
    checks: answer.checks.map((check) => ({ ...check, text: said(check.text) })),
    findings: answer.findings.map((finding) => findingIn(lang, finding)),
    lacks: answer.lacks?.map(([code, ...claims]) => [code, ...claims.map(said)]),
  };
}
