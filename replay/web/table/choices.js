/** Everything that can be done, as one list of buttons: also how the table is played without sight. */

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Sheet } from "../play/faces.js";
import { label } from "./labels.js";
import { ofType, types } from "./offers.js";

const SHOWN = 24; // of one type; the others come at a press

/** @typedef {import("../play/types").Command} Command */
/**
 * @typedef {{ commands: Command[], view: import("../play/types").GameView,
 *   info: import("../play/types").RulesetInfo, asked: import("../play/types").Actions | null,
 *   act: (command: Command) => void }} ChoicesProps
 */

/** @param {ChoicesProps & { more: boolean }} props */
export function Choices({ commands, more, view, info, asked, act }) {
  return html`<details class="choices-list">
    <summary>${t("choices.title", { count: commands.length })}</summary>
    ${types(commands).map((type) => html`<${Kind} key=${type} type=${type} commands=${ofType(commands, type)}
      view=${view} info=${info} asked=${asked} act=${act} />`)}
    ${more && html`<p class="soft">${t("choices.cut")}</p>`}
  </details>`;
}

/** @param {ChoicesProps & { type: string }} props */
function Kind({ type, commands, view, info, asked, act }) {
  const [shown, setShown] = useState(SHOWN);
  const hidden = commands.length - shown;
  return html`<section aria-label=${t(`kind.${type}`)}><h2>${t(`kind.${type}`)}</h2>
    <ul class="plain row">${commands.slice(0, shown).map((command) => html`<li key=${JSON.stringify(command)}>
      <button type="button" data-command=${command.type} onClick=${() => act(command)}>
        ${label(command, view, info, asked)}</button></li>`)}
      ${hidden > 0 && html`<li key="more"><button type="button" class="quiet"
        onClick=${() => setShown(shown + 4 * SHOWN)}>${t("choices.more", { count: hidden })}</button></li>`}
    </ul>
  </section>`;
}

/**
 * The commands that one tap may stand for, where there are several.
 * @param {ChoicesProps & { close: () => void }} props
 */
export function ChoiceSheet({ commands, view, info, asked, act, close }) {
  const choose = (/** @type {Command} */ command) => {
    close();
    act(command);
  };
  return html`<${Sheet} title=${t("choices.which")} close=${close}>
    <ul class="plain column">${commands.map((command) => html`<li key=${JSON.stringify(command)}>
      <button type="button" onClick=${() => choose(command)}>
        ${label(command, view, info, asked)}</button></li>`)}</ul>
  </${Sheet}>`;
}
