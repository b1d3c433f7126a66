/** A rule of the book, opened by its ID, and the rules of a whole game. */

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { call } from "./api.js";
import { Face, Sheet, useAnswer } from "./faces.js";

/** The ID of a rule, which opens its text. @param {{ rule: string }} props */
export function RuleLink({ rule }) {
  const [open, setOpen] = useState(false);
  return html`<button type="button" class="rule" aria-haspopup="dialog" aria-label=${t("rule.open", { rule })}
    onClick=${() => setOpen(true)}>${rule}</button>
    ${open && html`<${RuleSheet} rule=${rule} close=${() => setOpen(false)} />`}`;
}

/** @param {{ rule: string, close: () => void }} props */
function RuleSheet({ rule, close }) {
  const answer = useAnswer(() => call("GET", `/rules/${encodeURIComponent(rule)}`), [rule]);
  return html`<${Sheet} title=${t("rule.title", { rule })} close=${close}>
    <${Face} answer=${answer} />${answer.data && html`<p>${answer.data.text}</p>`}</${Sheet}>`;
}

/** The rules of a game under its house rules: phases, cards, what was changed.
 * @param {{ info: import("./types").RulesetInfo, options: Record<string, import("./types").OptionValue>,
 *   close: () => void }} props */
export function RulesSheet({ info, options, close }) {
  const changed = info.options.filter(({ name, default: usual }) =>
    name in options && JSON.stringify(options[name]) !== JSON.stringify(usual));
  return html`<${Sheet} title=${info.title} close=${close} wide>
    <h3>${t("rules.phases")}</h3>
    <ol class="plain numbered">${info.phases.map((phase) => html`<li key=${phase.number}>
      <b>${phase.number}</b> ${phase.words} <${RuleLink} rule=${phase.rule} /></li>`)}</ol>
    <h3>${t("rules.cards")}</h3>
    <table><thead><tr><th scope="col">${t("rules.card")}</th><th scope="col">${t("rules.count")}</th>
      <th scope="col">${t("rules.points")}</th></tr></thead>
      <tbody>${info.cards.map((row) => html`<tr key=${row.cards}><th scope="row">${row.cards}</th>
        <td>${row.total}</td><td>${row.points}</td></tr>`)}</tbody></table>
    <h3>${t("rules.house")}</h3>
    ${changed.length === 0 && html`<p>${t("house.usual")}</p>`}
    <ul class="plain">${changed.map((option) => html`<li key=${option.name}>${option.meaning}
      <b> ${valueWords(option, options[option.name])}</b>
      ${option.rules.map((rule) => html` <${RuleLink} key=${rule} rule=${rule} />`)}</li>`)}</ul>
  </${Sheet}>`;
}

/** What a house rule's value means; one that is written says itself.
 * @param {import("./types").OptionInfo} option @param {import("./types").OptionValue | undefined} value */
function valueWords({ choices, choice_meanings }, value) {
  const place = choices.findIndex((choice) => choice === value);
  return choice_meanings[place] ?? String(value);
}
