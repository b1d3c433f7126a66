/** The lobby: tables to sit down at, to watch, and to look back at. */

import { html, useState } from "../vendor/preact.js";
import { withValue } from "../parts/field.js";
import { Names } from "../parts/names.js";
import { ago, folded, t } from "../words.js";
import { call } from "../play/api.js";
import { Face, useAnswer } from "../play/faces.js";
import { OPENS, ROOT, navigate } from "../play/navigation.js";
import { NewTable } from "../play/new_table.js";
import { SignIn } from "../play/session.js";
import { memberships, seatPath } from "../play/tokens.js";
import { listed } from "./listing.js";

const STAGES = ["lobby", "playing", "ended", "any"];
const EVERY = 8; // seconds after which the list is read anew
const HOUR = 3_600_000;
/** Milliseconds after which nobody is likely to be at a table any more. @type {Record<string, number>} */
const IDLE = { lobby: 2 * HOUR, playing: 24 * HOUR };
const NEWEST = "opened_at";
const SORTS = [NEWEST, "updated_at", "people"];

/** @typedef {import("../play/types").GameEntry} Entry */

export function Lobby() {
  const [stage, setStage] = useState("lobby");
  const [ruleset, setRuleset] = useState("");
  const [more, setMore] = useState(1);
  const [sort, setSort] = useState(NEWEST);
  const [wanted, setWanted] = useState("");
  const [all, setAll] = useState(false);
  const rulesets = useAnswer(() => call("GET", "/rulesets"), []);
  const filters = { stage, ...(ruleset && { ruleset }) };
  const answer = useAnswer(() => listed("/games", filters, "games", more), [stage, ruleset, more], EVERY);
  /** @type {import("../play/types").RulesetLine[]} */
  const known = rulesets.data?.rulesets || [];
  /** @type {Entry[]} */
  const entries = answer.data?.entries ?? [];
  const found = entries
    .filter((entry) => isFound(entry, wanted))
    .sort((one, other) => place(other, sort) - place(one, sort));
  const good = found.filter((entry) => all || isOpen(entry, stage));
  const hidden = found.filter((entry) => !isOpen(entry, stage)).length;
  const show = (/** @type {string} */ next) => {
    setStage(next);
    setMore(1);
  };
  return html`<main class="page lobby" id="main">
    <div class="lead">
      <div><h1 tabindex="-1">${t("lobby.title")}</h1><p class="soft">${t("lobby.lead")}</p></div>
      <div class="row"><${SignIn} /><${NewTable} class="button primary" /></div>
    </div>
    <div class="columns">
      <section aria-labelledby="tables">
        <div class="filters">
          <h2 id="tables">${t("lobby.tables")}</h2>
          <div class="segments" role="group" aria-label=${t("lobby.stage")}>
            ${STAGES.map((each) => html`<button type="button" key=${each} aria-pressed=${stage === each}
              onClick=${() => show(each)}>${t(`lobby.stage.${each}`)}</button>`)}
          </div>
          <label class="inline">${t("lobby.ruleset")}
            <select name="ruleset" value=${ruleset} onChange=${withValue(setRuleset)}>
              <option value="">${t("lobby.ruleset.any")}</option>
              ${known.map((line) => html`<option key=${line.name} value=${line.id}>${line.title}</option>`)}
            </select></label>
          <label class="inline">${t("lobby.sort")}
            <select name="sort" value=${sort} onChange=${withValue(setSort)}>
              ${SORTS.map((each) => html`<option key=${each} value=${each}>
                ${t(`lobby.sort.${each}`)}</option>`)}
            </select></label>
          <label class="inline">${t("lobby.search")}
            <input type="search" maxlength="40" value=${wanted} onInput=${withValue(setWanted)} /></label>
        </div>
        <${Face} answer=${answer} />
        ${answer.data && wanted.trim() && !found.length
          ? html`<div class="face empty"><b>${t("lobby.empty.sought")}</b></div>`
          : answer.data && html`<${Tables} entries=${good} known=${known} stage=${stage} />`}
        ${hidden > 0 && html`<label class="check">
          <input type="checkbox" name="all" checked=${all} onChange=${() => setAll(!all)} />
          ${t("lobby.hidden", { count: hidden })}</label>`}
        ${answer.data?.next && html`<button type="button" onClick=${() => setMore(more + 1)}>
          ${t("lobby.more")}</button>`}
      </section>
      <aside class="side">
        <${ByCode} />
        <${Mine} />
        <section class="panel"><h2>${t("lobby.other")}</h2><ul class="plain">
          ${known.map(({ name, title }) => html`<li key=${name}>
            <a href=${`${ROOT}/play/rules/${name}`}>${t("rules.title_of", { title })}</a></li>`)}
          <li><a href=${`${ROOT}/play/games`}>${t("mine.title")}</a></li>
          <li><a href=${`${ROOT}/play/players`}>${t("players.title")}</a></li>
          <li><a href=${`${ROOT}/play/open`}>${t("lobby.open")}</a></li>
          <li><a href=${`${ROOT}/docs`}>${t("lobby.docs")}</a></li></ul></section>
      </aside>
    </div>
  </main>`;
}

/** Whether a name at the table has the text in it. @param {Entry} entry @param {string} wanted */
function isFound({ players }, wanted) {
  const text = folded(wanted.trim());
  return !text || players.some((player) => player && folded(player.name).includes(text));
}

/** Whether somebody is likely to be there, and there is something to do for one more.
 * @param {Entry} entry @param {string} stage the one that is looked for */
function isOpen(entry, stage) {
  const isIdle = Date.now() - entry.updated_at > (IDLE[entry.stage] ?? Infinity);
  const hasRoom = entry.players.length < entry.seats || entry.players.some((player) => !player);
  return !isIdle && (stage !== "lobby" || hasRoom);
}

/** What entries are sorted by, the greatest first. @param {Entry} entry @param {string} sort */
function place(entry, sort) {
  if (sort === "people") return entry.players.filter((player) => player && !player.bot).length;
  return sort === NEWEST ? entry.opened_at : entry.updated_at;
}

/** @param {{ entries: Entry[], known: import("../play/types").RulesetLine[], stage: string }} props */
function Tables({ entries, known, stage }) {
  if (!entries.length) {
    return html`<div class="face empty"><b>${t(`lobby.empty.${stage}`)}</b>
      ${OPENS && html`<p>${t("lobby.empty.more")}</p>`}
      <${NewTable} /></div>`;
  }
  return html`<ul class="tables">${entries.map((entry) => {
    const title = known.find(({ id }) => id === entry.ruleset)?.title ?? entry.ruleset;
    const goes = entry.stage === "lobby" && !isOpen(entry, "lobby") ? "playing" : entry.stage;
    const go = t(`lobby.go.${goes}`);
    const label = `${go}: ${title}, ${seated(entry).join(", ")}`;
    return html`<li key=${entry.game} class="panel">
      <div class="what"><b>${title}</b>
        <span class="badge">${t(`stage.${entry.stage}`)}</span>
        ${entry.round > 0 && html`<span class="soft">${t("round", { round: entry.round })}</span>`}
        <span class="soft">${ago(entry.finished_at ?? entry.opened_at)}</span></div>
      <p class="who"><${Seated} entry=${entry} /></p>
      <a class="button" href=${way(entry)} aria-label=${label}>${go}</a>
    </li>`;
  })}</ul>`;
}

/** @param {Entry} entry */
function way({ game, stage }) {
  return stage === "ended" || stage === "voided" ? `${ROOT}/play/g/${game}/replay` : `${ROOT}/play/g/${game}`;
}

/**
 * Who sits there, each in its own direction of writing, and how many seats are free.
 * @param {{ entry: Entry }} props
 */
function Seated({ entry }) {
  const names = seated(entry);
  const free = entry.seats - names.length;
  return html`<${Names} names=${names} />
    ${free > 0 && `${names.length ? " · " : ""}${t("lobby.free", { count: free })}`}`;
}

/** @param {Entry} entry */
function seated({ players, winners }) {
  return players.flatMap((player, seat) => {
    if (!player) return [];
    return [winners.includes(seat) ? t("lobby.winner", { name: player.name }) : player.name];
  });
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
      <input value=${code} maxlength="20" autocomplete="off" autocapitalize="characters"
        placeholder="7K2M-Q9XD" spellcheck=${false} onInput=${withValue(setCode)} /></label>
    <button type="submit">${t("lobby.code.go")}</button>
  </form>`;
}

function Mine() {
  const mine = memberships().filter(([, { over }]) => !over).reverse().slice(0, 8);
  const twice = (/** @type {string} */ game) => mine.filter(([other]) => other === game).length > 1;
  if (!mine.length) return null;
  return html`<section class="panel"><h2>${t("lobby.mine")}</h2>
    <ul class="plain">${mine.map(([game, member]) => {
      const path = twice(game) ? seatPath(game, member) : `${ROOT}/play/g/${game}`;
      return html`<li key=${`${game} ${member.seat}`}>
        <a href=${path}><bdi>${member.name || t("lobby.host")}</bdi></a>
        <span class="soft"> ${member.ruleset || game.slice(0, 8)}</span></li>`;
    })}</ul></section>`;
}
