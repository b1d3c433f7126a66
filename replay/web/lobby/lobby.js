/** The lobby: tables to sit down at, to watch, and to look back at. */

import { html, useState } from "../vendor/preact.js";
import { isolated, list, t } from "../words.js";
import { call } from "../play/api.js";
import { Face, useAnswer } from "../play/faces.js";
import { ROOT, navigate } from "../play/navigation.js";
import { memberships, seatPath } from "../play/tokens.js";

const STAGES = ["lobby", "playing", "ended", "any"];
const EVERY = 8; // seconds after which the list is read anew
const PAGE = 20;

/** @typedef {import("../play/types").GameEntry} Entry */

export function Lobby() {
  const [stage, setStage] = useState("lobby");
  const [ruleset, setRuleset] = useState("");
  const [more, setMore] = useState(1);
  const rulesets = useAnswer(() => call("GET", "/rulesets"), []);
  const listed = useAnswer(() => games(stage, ruleset, more), [stage, ruleset, more], EVERY);
  /** @type {import("../play/types").RulesetLine[]} */
  const known = rulesets.data?.rulesets || [];
  const title = (/** @type {string} */ id) => known.find((line) => line.id === id)?.title || id;
  return html`<main class="page lobby" id="main">
    <div class="lead">
      <div><h1 tabindex="-1">${t("lobby.title")}</h1><p class="soft">${t("lobby.lead")}</p></div>
      <a class="button primary" href=${`${ROOT}/play/new`}>${t("lobby.new")}</a>
    </div>
    <div class="columns">
      <section aria-labelledby="tables">
        <div class="filters">
          <h2 id="tables">${t("lobby.tables")}</h2>
          <div class="segments" role="group" aria-label=${t("lobby.stage")}>
            ${STAGES.map((each) => html`<button type="button" key=${each} aria-pressed=${stage === each}
              onClick=${() => { setStage(each); setMore(1); }}>${t(`lobby.stage.${each}`)}</button>`)}
          </div>
          <label class="inline">${t("lobby.ruleset")}
            <select value=${ruleset} onChange=${(/** @type {any} */ event) => setRuleset(event.target.value)}>
              <option value="">${t("lobby.ruleset.any")}</option>
              ${known.map((line) => html`<option key=${line.name} value=${line.id}>${line.title}</option>`)}
            </select></label>
        </div>
        <${Face} answer=${listed} />
        ${listed.data && html`<${Tables} entries=${listed.data.games} title=${title} stage=${stage} />`}
        ${listed.data?.next && html`<button type="button" onClick=${() => setMore(more + 1)}>
          ${t("lobby.more")}</button>`}
      </section>
      <aside class="side">
        <${ByCode} />
        <${Mine} />
        <section class="panel"><h2>${t("lobby.other")}</h2>
          ${known.map((line) => html`<p key=${line.name}><a href=${`${ROOT}/play/rules/${line.name}`}>${t("rules.title_of", { title: line.title })}</a></p>`)}
          <p><a href=${`${ROOT}/play/open`}>${t("lobby.open")}</a></p>
          <p><a href=${`${ROOT}/docs`}>${t("lobby.docs")}</a></p></section>
      </aside>
    </div>
  </main>`;
}

/** Some pages of the list as one. @param {string} stage @param {string} ruleset
 * @param {number} pages */
async function games(stage, ruleset, pages) {
  const query = new URLSearchParams({ limit: String(PAGE), stage });
  if (ruleset) query.set("ruleset", ruleset);
  /** @type {Entry[]} */
  const all = [];
  let next = null;
  for (let page = 0; page < pages; page += 1) {
    /** @type {import("../play/types").GamePage} */
    const answer = await call("GET", `/games?${query}`);
    all.push(...answer.games);
    next = answer.next;
    if (!next) break;
    query.set("cursor", next);
  }
  return { games: all, next };
}

/** @param {{ entries: Entry[], title: (id: string) => string, stage: string }} props */
function Tables({ entries, title, stage }) {
  if (!entries.length) {
    return html`<div class="face empty"><b>${t(`lobby.empty.${stage}`)}</b>
      <p>${t("lobby.empty.more")}</p><a class="button" href=${`${ROOT}/play/new`}>${t("lobby.new")}</a></div>`;
  }
  return html`<ul class="tables">${entries.map((entry) => html`<li key=${entry.game} class="panel">
    <div class="what"><b>${title(entry.ruleset)}</b>
      <span class="badge">${t(`stage.${entry.stage}`)}</span>
      ${entry.round > 0 && html`<span class="soft">${t("round", { round: entry.round })}</span>`}</div>
    <p class="who">${seated(entry)}</p>
    <a class="button" href=${way(entry)} aria-label=${`${t(`lobby.go.${entry.stage}`)}: ${title(entry.ruleset)}, ${seated(entry)}`}>
      ${t(`lobby.go.${entry.stage}`)}</a>
  </li>`)}</ul>`;
}

/** @param {Entry} entry */
function way({ game, stage }) {
  return stage === "ended" || stage === "voided" ? `${ROOT}/play/g/${game}/replay` : `${ROOT}/play/g/${game}`;
}

/** Who sits there, and how many seats are free. @param {Entry} entry */
function seated({ players, seats, winners }) {
  const names = players.flatMap((player, seat) =>
    player ? [winners.includes(seat) ? t("lobby.winner", { name: isolated(player.name) }) : isolated(player.name)] : []);
  const free = seats - names.length;
  if (!names.length) return t("lobby.free", { count: free });
  return free ? `${list(names)} · ${t("lobby.free", { count: free })}` : list(names);
}

function ByCode() {
  const [code, setCode] = useState("");
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (code.trim()) navigate(`${ROOT}/play/join/${encodeURIComponent(code.trim().toUpperCase())}`);
  };
  return html`<form class="panel" onSubmit=${go}>
    <h2>${t("lobby.code")}</h2>
    <label>${t("lobby.code.label")}
      <input value=${code} maxlength="20" autocomplete="off" autocapitalize="characters" placeholder="7K2M-Q9XD"
        spellcheck=${false} onInput=${(/** @type {any} */ event) => setCode(event.target.value)} /></label>
    <button type="submit">${t("lobby.code.go")}</button>
  </form>`;
}

function Mine() {
  const mine = memberships().filter(([, { over }]) => !over).reverse().slice(0, 8);
  const twice = (/** @type {string} */ game) => mine.filter(([other]) => other === game).length > 1;
  if (!mine.length) return null;
  return html`<section class="panel"><h2>${t("lobby.mine")}</h2>
    <ul class="plain">${mine.map(([game, member]) => html`<li key=${`${game} ${member.seat}`}>
      <a href=${twice(game) ? seatPath(game, member) : `${ROOT}/play/g/${game}`}><bdi>${member.name || t("lobby.host")}</bdi></a>
      <span class="soft"> ${member.ruleset || game.slice(0, 8)}</span></li>`)}</ul></section>`;
}
