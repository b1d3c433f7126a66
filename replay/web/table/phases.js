/** All phases of the game: which were made, and which one the slots are for. */

import { html } from "../vendor/preact.js";
import { Shape } from "../parts/shapes.js";
import { t } from "../words.js";
import { Sheet } from "../play/faces.js";

/**
 * @param {{ info: import("../play/types").RulesetInfo, seat: import("../play/types").SeatView | null | undefined, planned: number,
 *   plan: (phase: number) => void, close: () => void }} props
 */
export function PhasesSheet({ info, seat, planned, plan, close }) {
  return html`<${Sheet} title=${t("phases.title")} close=${close}>
    <p>${t("phases.lead")}</p>
    <ol class="plain numbered">${info.phases.map((phase) => html`<li key=${phase.number}>
      <button type="button" aria-pressed=${String(phase.number === planned)} onClick=${() => plan(phase.number)}>
        <b>${phase.label}</b> ${phase.words}
        ${seat?.made.includes(phase.number) && html` <${Shape} of="good" class="tick" /><span class="soft">${t("phases.made")}</span>`}
      </button></li>`)}</ol>
  </${Sheet}>`;
}
