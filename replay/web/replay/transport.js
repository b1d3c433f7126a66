// What plays a game back: first, back, play, forward, last, the speed, and whose chair it is.

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { withValue } from "../parts/field.js";
import { Shape } from "../parts/shapes.js";

/** Events a second. */
export const SPEEDS = [0.5, 1, 2, 4, 8, 16];

/**
 * @param {{ playing: boolean, onStep: (where: string) => void, onPlay: () => void }} props
 */
export function Buttons({ playing, onStep, onPlay }) {
  /** @param {string} where */
  const button = (where) => {
    const name = t(`replay.${where}`);
    return html`<button type="button" class="round" aria-label=${name} title=${name}
      onClick=${() => onStep(where)}><${Shape} of=${where} /></button>`;
  };
  return html`<div class="buttons" role="group" aria-label=${t("replay.transport")}>
    ${button("first")}${button("back")}
    <button type="button" class="primary play" onClick=${onPlay}>
      <${Shape} of=${playing ? "pause" : "play"} />${t(playing ? "replay.pause" : "replay.play")}</button>
    ${button("forward")}${button("last")}
  </div>`;
}

/** The name of a chair. @param {string} chair @param {(import("../types.js").Sitter | null)[]} seats */
export function chairName(chair, seats) {
  if (chair === "all") return t("chair.all");
  if (chair === "spectator") return t("chair.spectator");
  return seats[Number(chair)]?.name ?? t("chair.seat", { seat: Number(chair) + 1 });
}

/**
 * @param {{ source: import("../feed/document.js").Source, chair: string, speed: number,
 *   onChair: (chair: string) => void, onSpeed: (speed: number) => void }} props
 */
export function Choices({ source, chair, speed, onChair, onSpeed }) {
  return html`<div class="choices">
    <label><span>${t("replay.speed")}</span>
      <select value=${String(speed)} onChange=${withValue((value) => onSpeed(Number(value)))}>
        ${SPEEDS.map((value) => html`<option key=${value} value=${String(value)} selected=${value === speed}>
          ${t("replay.rate", { speed: value })}</option>`)}
      </select></label>
    ${source.chairs.length > 1 && html`<label><span>${t("replay.chair")}</span>
      <select value=${chair} onChange=${withValue(onChair)}>
        ${source.chairs.map((value) => html`<option key=${value} value=${value} selected=${value === chair}>
          ${chairName(value, source.seats)}</option>`)}
      </select></label>`}
  </div>`;
}
