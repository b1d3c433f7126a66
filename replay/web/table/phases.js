/** All phases of the game: which were made, and which one the slots are for. */

import { html } from "../vendor/preact.js";
import { Shape } from "../parts/shapes.js";
import { t } from "../words.js";
import { Sheet } from "../play/faces.js";

/**
 * @param {{ info: import("../play/types").RulesetInfo, planned: number, plan: (phase: number) => void,
 *   seat: import("../play/types").SeatView | null | undefined, close: () => void }} props
 */
export function PhasesSheet({ info, seat, planned, plan, close }) {
  const made = () => html` <${Shape} of="good" class="tick" /><span class="soft">${t("phases.made")}</span>`;
  return html`<${Sheet} title=${t("phases.title")} close=${close}>
    <p>${t("phases.lead")}</p>
    <ol class="plain numbered">${info.phases.map(({ number, label, words }) => html`<li key=${number}>
      <button type="button" aria-pressed=${String(number === planned)} onClick=${() => plan(number)}>
        <b>${label}</b> ${words}${seat?.made.includes(number) && made()}
      </button></li>`)}</ol>
  </${Sheet}>`;
}
