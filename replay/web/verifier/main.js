// The page itself: what is given to it, and what it shows, in the language of who reads it.

import { LARGEST } from "./form.js";
import { resultText } from "./game.js";
import { cardRows } from "./pictures.js";
import { goTo, playBack, translate } from "./playback.js";
import { LARGEST_POLICY } from "./policy.js";
import { answerIn, examined } from "./verify.js";
import { phrase, sentences, share, spoken } from "./words.js";

const STATES = ["failed", "passed", "skipped"];
const byId = (id) => document.getElementById(id);

let language = "en";
const text = (code, given) => spoken(phrase(code, given), language);

function element(tag, content, className = "") {
  const made = document.createElement(tag);
  made.append(...[content].flat());
  if (className) made.className = className;
  return made;
}

// Words in which what stands between backticks is code.
const marked = (words) =>
  words.split("`").map((part, place) => (place % 2 ? element("code", part) : part));

function heading(scope, words) {
  const made = element("th", words);
  made.scope = scope;
  return made;
}

// What is too wide scrolls in a box of its own, also by the keyboard.
function scrolled(table, label) {
  const box = element("div", table, "scroll");
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", label);
  return box;
}

// A finding in words, with the cards that it names below them; `plain` is it as it was made.
function findingTable(finding, plain) {
  const { seq, line, rule } = finding;
  const where = [seq && text("event", { seq }), line && text("where.line", { line })];
  const rows = {
    where: where.filter(Boolean).join(", ") || text("where.file"), move: finding.move,
    what: finding.text, expected: finding.expected,
    rule: rule && (WORDS[language][`rule.${rule}`] ?? rule),
    recorded: finding.recorded, class: finding.code,
  };
  const pictures = cardRows(plain);
  const body = Object.entries(rows).filter(([, value]) => value).map(([name, value]) => {
    const label = text(`row.${name}`), cell = element("td", element("bdi", value));
    if (pictures[name]) cell.append(pictures[name](label));
    return element("tr", [heading("row", label), cell]);
  });
  return element("table", [element("caption", finding.explain), element("tbody", body)]);
}

// The button that shows the position before a finding's event.
function positionButton(seq) {
  const button = element("button", text("page.position", { seq }));
  button.type = "button";
  button.addEventListener("click", () => {
    goTo(seq - 1);
    byId("played").scrollIntoView({ block: "start" });
    byId("played").focus({ preventScroll: true });
  });
  return button;
}

// How the game ended, for each seat.
function resultTable(result) {
  const scores = result.seats.some(({ points }) => points !== null);
  const names = ["seat", "player", ...(scores ? ["points"] : []), "phase", "won"];
  const head = names.map((name) => heading("col", text(`column.${name}`)));
  const rows = result.seats.map(({ seat, name, points, phase, won }) => {
    const cells = [seat, name, ...(scores ? [points] : []), phase, text(won ? "won.yes" : "won.no")];
    return element("tr", cells.map((value) => element("td", element("bdi", `${value}`))));
  });
  const caption = spoken(resultText(result), language);
  const table = element("table", [
    element("caption", element("bdi", caption)), element("thead", element("tr", head)),
    element("tbody", rows),
  ]);
  return scrolled(table, caption);
}

function checkList(checks, state) {
  const some = checks.filter((check) => check.state === state);
  if (!some.length) return [];
  const items = some.map((check) => {
    const label = element("strong", `${text(`state.${state}`)} `);
    return element("li", [label, element("bdi", marked(check.text))], state);
  });
  return [element("h3", text(`heading.${state}`)), element("ul", items)];
}

// The sentence below the verdict: what the first finding means, or what was looked at.
function meaningOf({ status, ed25519, grade }, first) {
  if (!first) {
    const meaning = phrase(ed25519 ? `meaning.grade.${grade}` : "page.unsigned");
    return sentences(phrase(`meaning.${status}`), meaning);
  }
  return sentences(first.move && phrase("page.move", { move: first.move }), first.explain);
}

function show(given, name) {
  const answer = answerIn(language, given), [first] = answer.findings, { headline, game } = answer;
  const at = { headline, seq: first?.seq }, status = phrase(`verdict.${answer.ending}`);
  byId("verdict").textContent = first?.seq ? text("page.headline_at", at) : headline;
  byId("verdict").className = answer.ok ? "" : "bad";
  const subject = game ? phrase("page.subject", { name, game, status }) : name;
  byId("subject").textContent = spoken(subject, language);
  byId("meaning").textContent = spoken(meaningOf(answer, first), language);
  byId("game").replaceChildren(...(answer.result ? [resultTable(answer.result)] : []));
  const listed = answer.findings.map((finding, place) => [
    findingTable(finding, given.findings[place]),
    ...(isPlayed && finding.seq > 1 ? [positionButton(finding.seq)] : []),
  ]);
  byId("findings").replaceChildren(...listed.flat());
  byId("checks").replaceChildren(...STATES.flatMap((state) => checkList(answer.checks, state)));
  const keys = answer.keys.map((key) => element("li", element("code", key)));
  const named = [element("h3", text("page.keys")), element("ul", keys)];
  byId("keys").replaceChildren(...(keys.length ? named : []));
  byId("result").hidden = false;
  const heard = [byId("verdict"), byId("meaning")].map((part) => part.textContent);
  say(phrase("page.heard", { headline: heard[0], meaning: heard[1] }), "heard");
}

// What is read out; only what stands nowhere else on the page is also seen.
function say(words, className = "") {
  said = words;
  byId("status").className = className;
  byId("status").textContent = words && spoken(words, language);
}

let run = 0, given = null, shown = null, said = "", isPlayed = false;
// What is given beside the bundle, in bytes, and how much of a file is read.
const beside = { kept: null, policy: null, sightings: null };
const MOST = { kept: LARGEST, policy: LARGEST_POLICY + 1, sightings: LARGEST };

// Checks the bundle that was given last, against the receipts and the policy that were.
async function check() {
  const mine = ++run, { name, bundle } = given;
  byId("result").hidden = byId("playback").hidden = true;
  shown = null;
  say(phrase("page.checking", { name }));
  let tenths = 0;
  const progress = (part) => {
    const done = Math.floor(part * 10);
    if (mine !== run || done <= tenths) return;
    tenths = done;
    say(phrase("page.progress", { name, share: share(tenths / 10) }));
  };
  try {
    const { kept, policy, sightings } = beside, others = byId("others").checked;
    const beheld = await examined(bundle, progress, kept, policy, sightings, others);
    if (mine !== run) return;
    const { answer } = beheld;
    isPlayed = playBack(byId("replay"), beheld.bundle, answer, language);
    byId("playback").hidden = !isPlayed;
    shown = { answer, name };
    show(answer, name);
    byId("verdict").focus();
  } catch (fault) {
    if (mine === run) say(phrase("page.fault", { name, text: fault.text ?? fault.message }));
  }
}

function checkBundle(name, bundle) {
  given = { name, bundle };
  return check();
}

// Looks again at the bundle with a file that was given beside it, or asks for the bundle.
async function take(name, file) {
  beside[name] = file ? new Uint8Array(await file.slice(0, MOST[name]).arrayBuffer()) : null;
  if (given) check();
  else say(file ? phrase(`page.${name}_given`) : "");
}

// Files that were dropped. Receipts begin otherwise than bundles, and a policy is a .toml; what is
// neither is no bundle.
async function dropped(files) {
  for (const file of files) {
    const isReceipts = /^\{"(at|command|game|key|leaf|seq|sig)":/.test(await file.slice(0, 12).text());
    const isSightings = /^\{"(note|first|index)":/.test(await file.slice(0, 12).text());
    if (isReceipts) await take("kept", file);
    else if (isSightings) await take("sightings", file);
    else if (file.name.endsWith(".toml")) await take("policy", file);
    else checkBundle(file.name, file);
  }
}

// Calls `use` with the file of a field once one is chosen, and names it beside the button: what the
// browser itself would say there is in the browser's language.
function choosing(id, use) {
  const field = byId(id), chosen = field.parentElement.querySelector(".chosen");
  field.addEventListener("change", () => {
    const [file] = field.files;
    chosen.dataset.words = file ? "" : "page.none_chosen";
    chosen.textContent = file ? file.name : text("page.none_chosen");
    use(file);
  });
}

// The language that the page's address names (`#lang=de`), else the reader's first that is here.
function wanted() {
  const [, named] = /[#&]lang=(\w+)/.exec(location.hash) ?? [];
  const wishes = [named, ...navigator.languages].map((tag) => `${tag}`.toLowerCase().split("-")[0]);
  return wishes.find((tag) => Object.hasOwn(WORDS, tag)) ?? "en";
}

// Says all that stands on the page in the language.
function speak(lang) {
  language = lang;
  document.documentElement.lang = lang;
  byId("language").value = lang;
  for (const part of document.querySelectorAll("[data-words]")) {
    if (part.dataset.words) part.replaceChildren(...marked(text(part.dataset.words)));
  }
  for (const part of document.querySelectorAll("[data-label]")) {
    part.setAttribute("aria-label", text(part.dataset.label));
  }
  translate(lang);
  if (shown) show(shown.answer, shown.name);
  else say(said);
}

addEventListener("hashchange", () => speak(wanted()));
byId("language").addEventListener("change", () => {
  location.replace(`#lang=${byId("language").value}`);
});
speak(wanted());

if (globalThis.crypto?.subtle) {
  choosing("file", (file) => file && checkBundle(file.name, file));
  for (const name of Object.keys(beside)) choosing(name, (file) => take(name, file));
  byId("others").addEventListener("change", () => given && check());
  byId("check").addEventListener("click", () =>
    checkBundle(phrase("page.pasted_name"), byId("pasted").value),
  );
  addEventListener("dragover", (event) => {
    event.preventDefault();
    byId("give").classList.add("over");
  });
  addEventListener("dragleave", () => byId("give").classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    byId("give").classList.remove("over");
    dropped([...event.dataTransfer.files]);
  });
} else {
  say(phrase("page.insecure"));
}
