/** How a game is played: what everybody needs to know, with cards to look at; the rest on demand. */

import { html } from "../vendor/preact.js";
import { Cards } from "../parts/card.js";
import { Sign } from "../parts/ring.js";
import { language, t } from "../words.js";
import { call } from "../play/api.js";
import { Face, Sheet, useAnswer } from "../play/faces.js";
import { ROOT } from "../play/navigation.js";
import { RuleLink } from "../play/rules.js";

/** @typedef {import("../play/types").RuleSheet} RuleSheet */
/** @typedef {RuleSheet["house"][number]} Line */
/** @typedef {import("../play/types").RulesetInfo} RulesetInfo */
/** @typedef {Record<string, import("../play/types").OptionValue | undefined>} Options */

/** The sheet of a rule set under house rules. @param {string} name @param {Options} options */
export function sheetOf(name, options) {
  return call("POST", `/rulesets/${encodeURIComponent(name)}/sheet`, { body: { options } });
}

/** Ask for the sheet of a rule set under house rules; asked anew when the language changes.
 * @param {string} name @param {Options} options @param {string} lang */
export function useSheet(name, options, lang) {
  return useAnswer(() => sheetOf(name, options), [name, options, lang]);
}

/** The house rules of a table that are not its rule set's usual ones.
 * @param {RulesetInfo} info @param {Options} options all that its rules are made with */
export function chosen(info, options) {
  const other = info.options.filter(({ name, default: usual }) =>
    name in options && JSON.stringify(options[name]) !== JSON.stringify(usual));
  return Object.fromEntries(other.map(({ name }) => [name, options[name]]));
}

/** The sheet over a table or its waiting room.
 * @param {{ game: string, info: RulesetInfo, options: Options, close: () => void,
 *   guide?: { on: boolean, set: (on: boolean) => void } | null }} props */
export function RulesSheet({ game, info, options, close, guide }) {
  const answer = useSheet(info.name, chosen(info, options), language());
  return html`<${Sheet} title=${info.title} close=${close} wide>
    ${guide && html`<label class="check"><input type="checkbox" checked=${guide.on}
      onChange=${() => guide.set(!guide.on)} />${t("guide.ask")}</label>`}
    <p><a href=${`${ROOT}/play/g/${game}/rules`} target="_blank">${t("rules.referee")}</a></p>
    <${Face} answer=${answer} />
    ${answer.data && html`<${HowToPlay} sheet=${answer.data} heading="h3" />`}</${Sheet}>`;
}

/** @param {{ sheet: RuleSheet, heading: string }} props `heading`: the element of its titles */
export function HowToPlay({ sheet, heading }) {
  /** @type {Record<string, string>} */
  const pictures = { wilds: sheet.wild, skips: sheet.skip };
  return html`<div class="how-to">
    ${sheet.house.length > 0 && html`<section class="changed">
      <${heading}>${t("rules.house")}</${heading}><${Lines} lines=${sheet.house} /></section>`}
    ${sheet.sections.map(({ name, title, lines }) => html`<section key=${name} id=${name}>
      <${heading}>${title}</${heading}>
      ${pictures[name] && html`<${Cards} cards=${pictures[name]} />`}
      <${Lines} lines=${lines.filter((line) => line.kind === "rule")} />
      <${Details} lines=${lines.filter((line) => line.kind === "detail")} /></section>`)}
    <section><${heading}>${t("rules.phases")}</${heading}>
      <ol class="plain numbered">${sheet.phases.map(({ label, words, groups }) => html`<li key=${label}>
        <p><b>${label}</b> ${words}</p>
        <div class="example">${groups.map((group, place) => html`<${Cards} key=${place} cards=${group.cards}
          label=${group.words} class="fanned" />`)}</div></li>`)}</ol></section>
    <section><${heading}>${t("rules.cards")}</${heading}>
      <table><thead><tr><th scope="col">${t("rules.card")}</th><th scope="col">${t("rules.count")}</th>
        <th scope="col">${t("rules.points")}</th></tr></thead>
        <tbody>${sheet.cards.map((row) => html`<tr key=${row.cards}><th scope="row">${row.cards}</th>
          <td>${row.total}</td><td>${row.points}</td></tr>`)}</tbody></table></section>
  </div>`;
}

/** @param {{ lines: Line[] }} props */
function Lines({ lines }) {
  return html`<ul class="lines">${lines.map(({ text, rules = [], action }) => {
    const sign = action && html`<${Sign} action=${action} /> `;
    const links = rules.map((rule) => html` <${RuleLink} key=${rule} rule=${rule} />`);
    return html`<li key=${text}>${sign}${text}${links}</li>`;
  })}</ul>`;
}

/** @param {{ lines: Line[] }} props */
function Details({ lines }) {
  const more = t("rules.details", { count: lines.length });
  return lines.length > 0 && html`<details><summary>${more}</summary><${Lines} lines=${lines} /></details>`;
}
