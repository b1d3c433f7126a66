/**
 * The house rules of a rule set: its editions, and each rule with its meaning, its values and its place in
 * the rule book.
 */

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { withValue } from "../parts/field.js";
import { RuleLink } from "../play/rules.js";

/** @typedef {import("../play/types").OptionInfo} OptionInfo */
/** @typedef {import("../play/types").OptionValue} OptionValue */
/** @typedef {Record<string, OptionValue>} Options */

/** The editions to choose from, and what the chosen one changes.
 * @param {{ line: import("../play/types").RulesetLine, seats: number, chosen: Options,
 *   change: (options: Options) => void }} props */
export function Editions({ line, seats, chosen, change }) {
  const text = (/** @type {Options} */ options) => JSON.stringify(Object.entries(options).sort());
  const { editions = [] } = line; // an older service has none
  const edition = editions.find(({ options }) => text(options) === text(chosen));
  const minutes = edition?.minutes[seats - line.seats_min];
  return html`<div class="filters"><h2 id="house">${t("house.title")}</h2>
    <div class="segments" role="group" aria-labelledby="house">
      ${editions.map((one) => html`<button type="button" key=${one.name} data-edition=${one.name}
        aria-pressed=${one === edition} onClick=${() => change(one.options)}>${one.title}</button>`)}
    </div></div>
    <p class="soft">${edition ? edition.about : t("house.changed", { count: Object.keys(chosen).length })}
      ${minutes ? ` ${t("house.minutes", { count: minutes })}` : ""}</p>`;
}

/** Each house rule by itself, folded.
 * @param {{ info: import("../play/types").RulesetInfo, chosen: Options,
 *   change: (options: Options) => void }} props */
export function HouseRules({ info, chosen, change }) {
  const set = (/** @type {OptionInfo} */ option, /** @type {OptionValue} */ value) => {
    const { [option.name]: _, ...others } = chosen;
    const usual = JSON.stringify(value) === JSON.stringify(option.default);
    change(usual ? others : { ...others, [option.name]: value });
  };
  // Lists of phases and spaces are written in the words of programs, and chosen by these.
  const settable = info.options.filter(({ choices, default: usual }) =>
    choices.length !== 1 && !Array.isArray(usual));
  return html`<details>
    <summary>${t("house.single", { count: settable.length })}</summary>
    <div class="options">${settable.map((option) => html`<${Option} key=${option.name} option=${option}
      value=${chosen[option.name] ?? option.default} changed=${option.name in chosen} set=${set} />`)}</div>
  </details>`;
}

/** @param {{ option: OptionInfo, value: OptionValue, changed: boolean,
 *   set: (option: OptionInfo, value: OptionValue) => void }} props */
function Option({ option, value, changed, set }) {
  const { name, meaning, choices, choice_meanings: meanings, rules, default: usual } = option;
  const id = `option-${name}`;
  const words = (/** @type {number} */ place) => meanings[place] ?? String(choices[place]);
  return html`<div class="option ${changed ? "changed" : ""}">
    <label for=${id}>${meaning}</label>
    ${choices.length
      ? html`<select id=${id} value=${JSON.stringify(value)}
          onChange=${withValue((text) => set(option, JSON.parse(text)))}>
          ${choices.map((choice, place) => html`<option key=${String(choice)} value=${JSON.stringify(choice)}>
            ${words(place)}${choice === usual ? ` ${t("house.default")}` : ""}</option>`)}
        </select>`
      : html`<${Free} key=${`${name} ${value}`} id=${id} option=${option} value=${value} set=${set} />`}
    <p class="chosen">${meanings[choices.findIndex((choice) => choice === value)]}</p>
    <p class="soft">${rules.map((rule) => html`<${RuleLink} key=${rule} rule=${rule} /> `)}</p>
  </div>`;
}

/** A value that is written, a text or a number; the usual one where nothing is.
 * @param {{ id: string, option: OptionInfo, value: OptionValue,
 *   set: (option: OptionInfo, value: OptionValue) => void }} props */
function Free({ id, option, value, set }) {
  const [text, setText] = useState(value === option.default ? "" : String(value));
  const read = (/** @type {string} */ written) =>
    /^\d+$/.test(written.trim()) ? Number(written) : written.trim();
  const usual = /\d/.test(String(option.default)) ? option.default : t("house.default");
  return html`<input id=${id} value=${text} placeholder=${usual}
    onInput=${withValue(setText)}
    onChange=${() => (text.trim() ? set(option, read(text)) : set(option, option.default))} />`;
}
