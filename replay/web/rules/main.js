/** The page of a game's rules: how it is played, and what the referee says of cards. */

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { call } from "../play/api.js";
import { Face, useAnswer } from "../play/faces.js";
import { ROOT } from "../play/navigation.js";
import { NewTable } from "../play/new_table.js";
import { nowhere, start } from "../play/pages.js";
import { membership } from "../play/tokens.js";
import { HowToPlay, chosen, useSheet } from "./how_to_play.js";
import { Referee } from "./referee.js";

/** @typedef {import("./how_to_play.js").Options} Options */

start(([first = "", name = "", screen = "", other = ""], lang) => {
  const title = t("rules.title");
  if (first === "rules" && name && !screen) {
    return { title, body: html`<${Rules} name=${name} options=${{}} lang=${lang} />` };
  }
  if (first === "g" && screen === "rules" && !other) {
    return { title, body: html`<${RulesOfGame} game=${name} lang=${lang} />` };
  }
  return nowhere();
});

/** The rules of a table under its own house rules. @param {{ game: string, lang: string }} props */
function RulesOfGame({ game, lang }) {
  const answer = useAnswer(() => {
    const token = membership(game).token ?? "";
    return Promise.all(["", "/rules"].map((what) => call("GET", `/games/${game}${what}`, { token })));
  }, [game]);
  if (!answer.data) {
    return html`<main class="page" id="main"><h1 tabindex="-1">${t("rules.title")}</h1>
      <${Face} answer=${answer} /></main>`;
  }
  const [{ options }, info] = answer.data;
  return html`<${Rules} name=${info.name} options=${chosen(info, options)} lang=${lang} />`;
}

/** The query of the address of a first game by these rules. @param {string} name @param {Options} options */
function first(name, options) {
  const query = new URLSearchParams({ ruleset: name, explained: "1" });
  if (Object.keys(options).length) query.set("options", JSON.stringify(options));
  return `?${query}`;
}

/** @param {{ name: string, options: Options, lang: string }} props */
function Rules({ name, options, lang }) {
  const answer = useSheet(name, options, lang);
  const games = useAnswer(() => call("GET", "/rulesets"), [lang]);
  const sheet = answer.data;
  const title = sheet ? t("rules.title_of", { title: sheet.title }) : t("rules.title");
  return html`<main class="page" id="main"><h1 tabindex="-1">${title}</h1>
    <${Face} answer=${answer} />
    ${sheet && html`<p class="row">
        <${NewTable} class="button primary" search=${first(sheet.name, options)}>${t("guide.first")}<//>
        <a class="button" href="#referee">${t("referee.title")}</a></p>
      <div class="columns"><div class="panel"><${HowToPlay} sheet=${sheet} heading="h2" /></div>
        <aside class="side">
          <${Others} name=${sheet.name} rulesets=${games.data?.rulesets ?? []} /></aside></div>
      <${Referee} key=${lang} sheet=${sheet} options=${options} />`}
  </main>`;
}

/**
 * The way to the rules of the other games.
 * @param {{ name: string, rulesets: import("../play/types").RulesetLine[] }} props
 */
function Others({ name, rulesets }) {
  const others = rulesets.filter((line) => line.name !== name);
  return html`<nav class="panel" aria-label=${t("rules.others")}><h2>${t("rules.others")}</h2>
    <ul class="lines">${others.map((line) => html`<li key=${line.name}>
      <a href=${`${ROOT}/play/rules/${line.name}`}>${line.title}</a></li>`)}</ul></nav>`;
}
