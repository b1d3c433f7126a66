// Luck and errors beside what is played back, where the game or a round has ended.

import { html } from "../vendor/preact.js";
import { Account } from "../account/account.js";
import { t } from "../words.js";

/** @typedef {import("../types.js").Judgement} Judgement */

/**
 * Until there is an end, the way to it; before there is an analysis, what `request` draws to ask for it.
 * @param {{ analysis: import("../types.js").Analysis | null, request: () => unknown,
 *   recording: import("../feed/frames.js").Recording, seq: number, chair: string, playing: boolean,
 *   onEnd: (seq: number) => void, onEvent: (seq: number) => void, onTry: (judgement: Judgement) => void,
 *   onProofs?: () => void }} props
 */
export function AccountPanel({ analysis, request, recording, seq, playing, onEnd, ...account }) {
  const ends = recording.lines.filter(({ type }) => type === "RoundEnded");
  const end = ends.find((line) => line.seq >= seq) ?? ends.at(-1);
  const over = seq === recording.last;
  const round = end?.seq === seq ? end.round : undefined;
  const at = (/** @type {number} */ event) => recording.position(event);
  /** @param {boolean} pressed @param {number} end @param {string} words */
  const button = (pressed, end, words) =>
    html`<button type="button" aria-pressed=${String(pressed)} onClick=${() => onEnd(end)}>${words}</button>`;
  return html`<section class="panel explained" aria-labelledby="account">
    <div class="title"><h2 id="account" tabindex="-1">${t("account")}</h2>
      ${analysis && html`<div class="steps">
        ${end && button(round !== undefined, end.seq, t("replay.round", { round: end.round }))}
        ${button(over, recording.last, t("account.game"))}</div>`}
    </div>
    ${!analysis && request()}
    ${analysis && !playing && (over || round !== undefined) && html`<${Account} ...${account}
      key=${`${round} ${account.chair}`} analysis=${analysis} round=${round} at=${at} />`}
  </section>`;
}
