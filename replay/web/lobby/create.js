/** A new table: its rule set, its seats, its house rules and its terms. */

import { html, useRef, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Refusal, call, randomHex } from "../play/api.js";
import { withValue } from "../parts/field.js";
import { Face, Fault, useAnswer, useKey, usePress } from "../play/faces.js";
import { OPENS, ROOT, navigate } from "../play/navigation.js";
import { person, remember } from "../play/person.js";
import { setIsGuided } from "../play/storage.js";
import { SIGNS_IN, SignIn, asPerson, session, sitting } from "../play/session.js";
import { forget, keep } from "../play/tokens.js";
import { Editions, HouseRules } from "./house_rules.js";
import { OwnSecret, brought, needName } from "./join.js";
import { StayCheck } from "./share.js";
import { NO_TERMS, TermsForm, termsBody } from "./terms.js";

const LEVELS = ["random", "greedy", "expert", "master"];

/** @typedef {import("../play/types").OptionValue} OptionValue */
/** @typedef {import("../play/types").Opened} Opened */
/** @typedef {import("../play/types").PhaseInfo} PhaseInfo */
/** @typedef {import("../play/types").RulesetLine} RulesetLine */
/** @typedef {"me" | "person" | "random" | "greedy" | "expert" | "master"} Chair */

export function Create() {
  const rulesets = useAnswer(() => call("GET", "/rulesets"), []);
  const link = new URLSearchParams(location.search);
  const [name, setName] = useState(link.get("ruleset") ?? person().table?.ruleset ?? "");
  const asked = useRef(null);
  /** @type {RulesetLine[]} */
  const lines = rulesets.data?.rulesets || [];
  const chosen = lines.find((line) => line.name === name) || lines[0];
  return html`<main class="page" id="main">
    <h1 tabindex="-1">${t("create.title")}</h1>
    <${Face} answer=${rulesets} />
    ${!OPENS && html`<div class="face"><b>${t("create.closed")}</b>
      <a class="button" href=${`${ROOT}/play`}>${t("lobby.title")}</a></div>`}
    ${OPENS && chosen && html`<fieldset class="rulesets" aria-label=${t("create.ruleset")}>
      ${lines.map((line) => html`<label key=${line.name} class="choice">
        <input type="radio" name="ruleset" value=${line.name} checked=${line === chosen}
          onChange=${() => setName(line.name)} />
        <span><b>${line.title}</b>
          <span class="soft">${t(`create.about.${line.name}`)}</span>
          <span class="soft">
            ${t("create.players", { least: line.seats_min, most: line.seats_max })}</span></span>
      </label>`)}</fieldset>
      <${TableForm} key=${chosen.name} line=${chosen} asked=${asked} explained=${link.has("explained")}
        given=${chosen.name === link.get("ruleset") ? optionsIn(link) : {}} />`}
  </main>`;
}

/** The house rules that an address names.
 * @param {URLSearchParams} link @returns {Record<string, OptionValue>} */
function optionsIn(link) {
  try {
    const options = JSON.parse(link.get("options") ?? "{}");
    return Object.prototype.toString.call(options) === "[object Object]" ? options : {};
  } catch {
    return {};
  }
}

/** @param {{ line: RulesetLine, asked: { current: { body: unknown, key: string } | null },
 *   explained: boolean, given: Record<string, OptionValue> }} props
 *   `asked`: the request for a table at which the person does not sit yet;
 *   `explained`: a first game, against bots by the `given` rules, each step of which is explained */
function TableForm({ line, asked, explained, given }) {
  const rules = useAnswer(() => call("GET", `/rulesets/${line.name}`), [line.name]);
  const { name = t("create.me"), table } = person();
  const last = explained ? undefined : table;
  const before = last?.ruleset === line.name ? last : null;
  const [me, setMe] = useState(name);
  const [chairs, setChairs] = useState(before ? /** @type {Chair[]} */ (before.chairs) : usual(line));
  const start = /** @type {Record<string, OptionValue>} */ (before?.options ?? given);
  const [options, setOptions] = useState(start);
  const [terms, setTerms] = useState(last?.terms ?? NO_TERMS);
  const [stays, setStays] = useState(true);
  const [commits, setCommits] = useState(false);
  const [, drawn] = useState(0);
  const who = session();
  const { busy, fault, run } = usePress();
  const keyOf = useKey(); // a second press takes no second seat

  /** Open a table. One of which the answer was lost, or at which nobody could sit down, is asked for
   * again, and closed where the form has changed since. @returns {Promise<Opened>} */
  async function opened(/** @type {unknown} */ body) {
    const request = asked.current ?? { body, key: randomHex(32) };
    asked.current = request;
    const isSame = JSON.stringify(request.body) === JSON.stringify(body);
    try {
      const table = await call("POST", "/games", request);
      if (isSame) return table;
      await close(table);
    } catch (refused) {
      if (!(refused instanceof Refusal) || refused.status >= 500) throw refused;
      asked.current = null;
      if (isSame) throw refused;
    }
    return opened(body);
  }

  /** Close a table at which the person does not sit. @param {Opened} table */
  async function close({ game, host_token: token }) {
    await call("POST", `/games/${game}/void`, { token, body: { reason: "not opened" } });
    asked.current = null;
    forget(game);
  }

  /** Sit down. @param {Opened} table @param {number} seat */
  async function sit(table, seat) {
    const code = table.code ? { code: table.code } : {};
    const body = { ...asPerson(me), seat, ...code, ...(commits ? await brought(table.game, seat) : {}) };
    try {
      const key = keyOf([table.game, body, who?.token]);
      /** @type {import("../play/types").Joined} */
      const joined = await sitting(`/games/${table.game}/seats`, body, key);
      const name = who?.player.name ?? me.trim();
      return keep(table.game, { seat: joined.seat, token: joined.token, name });
    } catch (refused) {
      if (refused instanceof Refusal) await close(table).catch(() => {}); // or at the next press
      throw refused;
    }
  }

  async function open() {
    const seat = chairs.indexOf("me");
    if (seat >= 0 && !who) needName(me);
    const seats = chairs.map((chair) =>
      chair === "me" || chair === "person" ? { kind: "person" } : { kind: "bot", level: chair });
    const table = await opened({ ruleset: line.name, seats, options, terms: termsBody(terms) });
    if (explained) setIsGuided(true);
    const { game, host_token: host, code } = table;
    let path = keep(game, { host, code: code || undefined, ruleset: line.title, kept: stays });
    if (seat >= 0) path = await sit(table, seat);
    const mine = seat < 0 || who ? {} : { name: me.trim() };
    remember({ ...mine, table: { ruleset: line.name, chairs, options, terms } }, stays);
    if (!chairs.includes("person")) {
      const start = call("POST", `/games/${game}/start`, { token: host });
      await start.catch(() => {}); // the waiting room has a button
    }
    navigate(path, true);
    return true;
  }

  /** Fill a chair; the one that the person leaves for it is free for somebody else. */
  const put = (/** @type {number} */ seat, /** @type {Chair} */ chair) =>
    setChairs(chairs.map((was, other) => {
      if (other === seat) return chair;
      return chair === "me" && was === "me" ? "person" : was;
    }));
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(open);
  };
  const alone = !chairs.includes("person");
  return html`<div class="columns"><form class="stacked" onSubmit=${submit}>
    <fieldset class="panel"><legend>${t("create.seats")}</legend>
      <div class="places">
        ${chairs.includes("me") && !who && html`<label>${t("create.name")}
          <input required maxlength="40" value=${me} autocomplete="nickname"
            onInput=${withValue(setMe)} /></label>`}
        ${chairs.map((chair, seat) => html`<label key=${seat}>${t("create.seat", { seat: seat + 1 })}
          <select data-seat=${seat} value=${chair}
              onChange=${withValue((value) => put(seat, /** @type {Chair} */ (value)))}>
            <option value="me">${t("create.chair.me")}</option>
            <option value="person">${t("create.chair.person")}</option>
            ${LEVELS.map((level) => html`<option key=${level} value=${level}>
              ${t(`create.chair.${level}`)}</option>`)}
          </select></label>`)}
      </div>
      ${SIGNS_IN && chairs.includes("me") && html`<p>
        <${SignIn} changed=${() => drawn((before) => before + 1)} /></p>`}
      <div class="row">
        <button type="button" disabled=${chairs.length >= line.seats_max}
          onClick=${() => setChairs([...chairs, "greedy"])}>${t("create.more_seats")}</button>
        <button type="button" disabled=${chairs.length <= line.seats_min}
          onClick=${() => setChairs(chairs.slice(0, -1))}>${t("create.fewer_seats")}</button>
        <span class="soft">${alone ? t("create.alone") : t("create.waits")}</span>
      </div>
    </fieldset>
    <section class="panel" aria-labelledby="house">
      <${Editions} line=${line} seats=${chairs.length} chosen=${options} change=${setOptions} />
      <${Face} answer=${rules} />
      ${rules.data && html`<${HouseRules} info=${rules.data} chosen=${options} change=${setOptions} />`}
    </section>
    <${TermsForm} terms=${terms} change=${setTerms}>
      ${chairs.includes("me") && html`<${OwnSecret} checked=${commits} change=${setCommits} />`}
    </${TermsForm}>
    <${Fault} fault=${fault} />
    <div class="row send"><${StayCheck} stays=${stays} change=${setStays} />
      <a class="button" href=${`${ROOT}/play`}>${t("create.cancel")}</a>
      <button class="primary" type="submit" disabled=${busy}>
        ${busy ? t("create.opening") : alone ? t("create.play") : t("create.open")}</button></div>
  </form>
  <aside class="side">${rules.data && html`<section class="panel"><h2>${t("rules.phases")}</h2>
    <ol class="phases">${rules.data.phases.map((/** @type {PhaseInfo} */ { number, label, words }) =>
      html`<li key=${number}><b>${label}</b> ${words}</li>`)}</ol>
    <p><a href=${`${ROOT}/play/rules/${line.name}`}>${t("rules.how")}</a></p></section>`}</aside></div>`;
}

/** The person and bots, as many as make a good game. @param {{ seats_min: number, seats_max: number }} line
 * @returns {Chair[]} */
function usual({ seats_min, seats_max }) {
  const count = Math.min(seats_max, Math.max(seats_min, 3));
  return ["me", .../** @type {Chair[]} */ (Array(count - 1).fill("greedy"))];
}
