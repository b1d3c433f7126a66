/** What may be chosen for the table, and its keys. */

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Sheet } from "../play/faces.js";
import { NoticeSwitch } from "../play/push.js";
import { choose, settings } from "../play/settings.js";

const KEYS = ["arrows", "space", "enter", "d", "f", "l", "h", "x", "digits", "escape", "help"];
/** @type {("sound" | "reactions" | "takeBack" | "letters")[]} */
const SWITCHES = ["sound", "reactions", "takeBack", "letters"];
/** @type {["theme" | "cards", string[]][]} */
const CHOICES = [["theme", ["", "light", "dark"]], ["cards", ["", "large"]]];

/** @param {{ game: string, close: () => void }} props */
export function SettingsSheet({ game, close }) {
  const [chosen, set] = useState(settings());
  /** @param {Partial<import("../play/settings.js").Settings>} part */
  const change = (part) => {
    choose(part);
    set(settings());
  };
  return html`<${Sheet} title=${t("help.title")} close=${close}>
    ${SWITCHES.map((name) => html`<label class="check" key=${name}><input type="checkbox" name=${name}
      checked=${chosen[name]}
      onChange=${(/** @type {any} */ { target }) => change({ [name]: target.checked })} />
      ${t(`settings.${name}`)}</label>`)}
    <${NoticeSwitch} game=${game} />
    ${CHOICES.map(([name, values]) => html`<label key=${name}>${t(`settings.${name}`)}
      <select name=${name} value=${chosen[name]}
        onChange=${(/** @type {any} */ { target }) => change({ [name]: target.value })}>
        ${values.map((value) => html`<option key=${value} value=${value}>
          ${t(`settings.${name}.${value || "usual"}`)}</option>`)}</select></label>`)}
    <h3>${t("help.keys")}</h3>
    <p>${t("help.lead")}</p>
    <table class="keys"><thead><tr><th scope="col">${t("help.key")}</th>
      <th scope="col">${t("help.does")}</th></tr></thead>
    <tbody>${KEYS.map((key) => html`<tr key=${key}><th scope="row"><kbd>${t(`key.${key}`)}</kbd></th>
      <td>${t(`key.${key}.does`)}</td></tr>`)}</tbody></table>
  </${Sheet}>`;
}
