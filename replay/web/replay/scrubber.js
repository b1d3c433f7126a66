// The line of all events: a tick a round, marks for what matters, a handle to drag.
//
//   html`<${Scrubber} source=${source} first=${1} last=${958} seq=${120} text="..."
//          onSeek=${(seq) => ...} />`

import { html } from "../vendor/preact.js";
import { number, t } from "../words.js";
import { withValue } from "../parts/field.js";
import { memo } from "../parts/memo.js";
import { Shape } from "../parts/shapes.js";

/** @typedef {import("../feed/document.js").Source} Source */
/** @typedef {keyof import("../types.js").Marks} Kind */
/** @typedef {{ source: Source, first: number, last: number }} Line */

/** Kinds of marks, with the shape of each, from below. @type {[Kind, string][]} */
const KINDS = [["laid", "g"], ["out", "w"], ["skips", "s"], ["timeouts", "warn"]];

/** @param {Line & { seq: number, text: string, onSeek: (seq: number) => void }} props */
export function Scrubber({ source, first, last, seq, text, onSeek }) {
  const share = last > first ? (seq - first) / (last - first) : 0;
  return html`<div class="scrubber">
    <${Marks} source=${source} first=${first} last=${last} />
    <div class="rail" aria-hidden="true"><i style=${{ transform: `scaleX(${share})` }}></i></div>
    <input type="range" min=${first} max=${last} value=${seq} step="1" aria-label=${t("replay.scrubber")}
      aria-valuetext=${text} onInput=${withValue((value) => onSeek(Number(value)))} />
  </div>`;
}

/** What a legend of the marks says, for those that there are. @param {{ source: Source }} props */
export function Legend({ source }) {
  const shown = KINDS.filter(([kind]) => source.marks[kind].length);
  return html`<p class="legend" aria-hidden="true">
    <span><i class="tick-sign"></i>${t("mark.rounds")}</span>
    ${shown.map(([kind, shape]) => html`<span key=${kind} class=${kind}>
      <${Shape} of=${shape} />${t(`mark.${kind}`)}</span>`)}
    ${source.findings.length > 0 && html`<span class="finding">
      <${Shape} of="r" />${t("mark.findings")}</span>`}
  </p>`;
}

/** The marks stand still while the handle moves, so they are drawn once. */
const Marks = memo((/** @type {Line} */ { source, first, last }) => {
  /** @param {number} seq */
  const at = (seq) => ({ left: `${(100 * (seq - first)) / Math.max(last - first, 1)}%` });
  /** @type {Map<number, number>} The first finding's event, by where it is marked. */
  const found = new Map();
  for (const { seq } of source.findings) {
    const place = Math.min(seq, last);
    if (seq > 0 && !found.has(place)) found.set(place, seq);
  }
  return html`<div class="marks" aria-hidden="true">
    ${source.marks.rounds.map((seq) => html`<i key=${`r${seq}`} class="round" style=${at(seq)}></i>`)}
    ${KINDS.flatMap(([kind, shape]) => source.marks[kind].map((seq) => html`<i key=${`${kind}${seq}`}
      class=${`mark ${kind}`} style=${at(seq)}><${Shape} of=${shape} /></i>`))}
    ${[...found].map(([place, seq]) => html`<i key=${`f${place}`} class="mark finding" style=${at(place)}>
      <b>${number(seq)}</b><${Shape} of="r" /></i>`)}
  </div>`;
});
