/** The sheet that lists the keys of the table. */

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Sheet } from "../play/faces.js";
import { hasLetters, setLetters } from "./keyboard.js";

const SHOWN = ["arrows", "space", "enter", "d", "f", "l", "h", "x", "digits", "escape", "help"];

/** @param {{ close: () => void }} props */
export function KeysSheet({ close }) {
  const [letters, set] = useState(hasLetters());
  const choose = (/** @type {any} */ { target }) => {
    setLetters(target.checked);
    set(target.checked);
  };
  return html`<${Sheet} title=${t("help.title")} close=${close}>
    <p>${t("help.lead")}</p>
    <label class="check"><input type="checkbox" checked=${letters} onChange=${choose} /> ${t("help.letters")}</label>
    <table class="keys"><thead><tr><th scope="col">${t("help.key")}</th><th scope="col">${t("help.does")}</th></tr></thead>
    <tbody>${SHOWN.map((key) => html`<tr key=${key}><th scope="row"><kbd>${t(`key.${key}`)}</kbd></th>
      <td>${t(`key.${key}.does`)}</td></tr>`)}</tbody></table>
  </${Sheet}>`;
}
