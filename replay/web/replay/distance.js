// How many cards each seat is away from its phase, over the whole game: a strip a seat.
//
//   html`<${Distance} source=${source} first=${1} last=${958} seq=${120} onSeek=${(seq) => ...} />`

import { html } from "../vendor/preact.js";
import { memo } from "../parts/memo.js";
import { number, t } from "../words.js";

const HEIGHT = 36;
/** @typedef {{ points: [number, number][], first: number, last: number, most: number }} StripProps */


/**
 * @param {{ source: import("../feed/document.js").Source, first: number, last: number, seq: number,
 *   onSeek: (seq: number) => void }} props
 */
export function Distance({ source, first, last, seq, onSeek }) {
  const most = Math.max(1, ...source.distance.flat().map(([, away]) => away));
  const share = last > first ? (seq - first) / (last - first) : 0;
  /** @param {MouseEvent} event */
  const seek = (event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    onSeek(Math.round(first + ((event.clientX - box.left) / box.width) * (last - first)));
  };
  return html`<section class="panel distance" aria-label=${t("distance")}>
    <h2>${t("distance")}</h2>
    <ul>
      ${source.distance.map((points, seat) => {
        const away = points.findLast(([at]) => at <= seq)?.[1]; // undefined before the first is known
        const { name } = source.seats[seat] ?? {};
        const said = away === undefined ? "" : t("distance.away", { count: away });
        return html`<li key=${seat} class=${`seat-${seat}`}>
          <span class="name"><i class="disc" aria-hidden="true">${seat + 1}</i><bdi>${name}</bdi></span>
          <span class="strip" onClick=${seek}>
            <${Strip} points=${points} first=${first} last=${last} most=${most} />
            <i class="cursor" style=${{ left: `${100 * share}%` }}></i></span>
          <b class="away">${away === undefined ? "–" : number(away)}<span class="unseen"> ${said}</span></b>
        </li>`;
      })}
    </ul>
  </section>`;
}

/** The strip of a seat, which does not change while the game is played back. */
const Strip = memo((/** @type {StripProps} */ { points, first, last, most }) => {
  /** @param {number} away */
  const y = (away) => HEIGHT - 2 - (away / most) * (HEIGHT - 4);
  const [start, ...steps] = points;
  const view = `${first} 0 ${Math.max(last - first, 1)} ${HEIGHT}`;
  const line = start
    ? `M${start[0]} ${y(start[1])}${steps.map(([seq, away]) => `H${seq}V${y(away)}`).join("")}H${last}`
    : "";
  return html`<svg viewBox=${view} preserveAspectRatio="none" aria-hidden="true">
    ${start && html`<path class="area" d=${`${line}V${HEIGHT}H${start[0]}z`} />
      <path class="edge" d=${line} vector-effect="non-scaling-stroke" />`}
  </svg>`;
});
