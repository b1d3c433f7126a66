/** The sheet that lists the keys of the table. */

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { Sheet } from "../play/faces.js";

const SHOWN = ["arrows", "space", "enter", "d", "f", "l", "h", "x", "digits", "escape", "help"];

/** @param {{ close: () => void }} props */
export function KeysSheet({ close }) {
  return html`<${Sheet} title=${t("help.title")} close=${close}>
    <p>${t("help.lead")}</p>
    <table class="keys"><thead><tr><th scope="col">${t("help.key")}</th><th scope="col">${t("help.does")}</th></tr></thead>
    <tbody>${SHOWN.map((key) => html`<tr key=${key}><th scope="row"><kbd>${t(`key.${key}`)}</kbd></th>
      <td>${t(`key.${key}.does`)}</td></tr>`)}</tbody></table>
  </${Sheet}>`;
}
