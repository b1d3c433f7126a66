// What happened, newest first, in sentences; and the region that reads the newest aloud.
//
//   html`<${Log} lines=${lines} current=${seq} onEvent=${(seq) => ...} />`
//   html`<${Announcer} sentence=${line.sentence} />`

import { html } from "../vendor/preact.js";
import { t } from "../words.js";

/**
 * The last lines up to the current event. With `onEvent`, each is a button that leads there.
 * @param {{ lines: import("../types.js").EventLine[], current?: number, most?: number,
 *   onEvent?: (seq: number) => void }} props
 */
export function Log({ lines, current, onEvent, most = 12 }) {
  const until = current === undefined ? lines : lines.filter((line) => line.seq <= current);
  const last = until.slice(-most).reverse();
  return html`<ol class="log" aria-label=${t("log")}>
    ${last.map((line) => html`<li key=${line.seq} class=${line.seq === current ? "now" : ""}>
      <span class="seq">${line.seq}</span>
      ${onEvent
        ? html`<button type="button" class="line"
          onClick=${() => onEvent(line.seq)}>${brief(line.sentence)}</button>`
        : html`<span class="line">${brief(line.sentence)}</span>`}
    </li>`)}
  </ol>`;
}

/** A sentence without the rule of dashes around it, and of a hash only its beginning.
 * @param {string} sentence */
export function brief(sentence) {
  return sentence.replace(/^-+ | -+$/g, "").replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b/g, "$1…");
}

/**
 * Reads a sentence to whoever listens, as soon as it changes and nothing more important speaks.
 * @param {{ sentence: unknown }} props
 */
export function Announcer({ sentence }) {
  return html`<p class="unseen" role="status" aria-live="polite">${sentence}</p>`;
}
