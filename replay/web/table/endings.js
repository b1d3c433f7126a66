/** The end of a round, with the hands that are counted face up. */

import { html } from "../vendor/preact.js";
import { Cards } from "../parts/card.js";
import { phaseLabel, scored } from "../parts/seat.js";
import { number, t } from "../words.js";
import { positionAfter } from "../feed/recalled.js";
import { Sheet, useAnswer } from "../play/faces.js";
import { NewTable } from "../play/new_table.js";

/** @typedef {import("../play/types").GameView} GameView */
/** @typedef {import("../play/types").RoundEndedRecord} RoundEnded */
/** @typedef {import("../play/types").RulesetInfo} RulesetInfo */
/** @typedef {import("../types").Position} Position */

/**
 * How a round ended for everybody, until the person goes on.
 *
 * @param {{ event: RoundEnded, view: GameView, info: RulesetInfo, token: string, close: () => void }} props
 */
export function RoundEnd({ event, view, info, token, close }) {
  const title = t("round_end.title", { round: event.data.round });
  const { seq, data: { results = [], out } } = event;
  const hidden = results.some(({ hand }, seat) => !hand && seat !== out);
  const seen = async () => hidden && positionAfter(view.table.game, token, seq);
  const position = useAnswer(seen, [seq]).data;
  return html`<${Sheet} title=${title} close=${close} wide>
    <${Results} event=${event} view=${view} info=${info} position=${position || null} />
    <button type="button" class="primary" data-first onClick=${close}>${t("round_end.go_on")}</button>
  </${Sheet}>`;
}

/**
 * What a round brought everybody: hands that may be seen face up, of the others how many cards they are.
 *
 * @param {{ event: RoundEnded, view: GameView, info: RulesetInfo, position: Position | null }} props
 */
export function Results({ event, view, info, position }) {
  const { results = [], out = null } = event.data;
  const name = (/** @type {number} */ seat) => view.table.seats[seat]?.name ?? "";
  const left = (/** @type {number} */ seat, hand = position?.hands?.[seat]) => {
    if (hand) {
      const label = t("round_end.hand_of", { name: name(seat) });
      return html`<${Cards} cards=${hand} class="fanned" label=${label} />`;
    }
    const count = seat === out ? 0 : position?.table.seats[seat]?.cards;
    return count === undefined ? "" : number(count);
  };
  const made = (/** @type {number} */ laid) =>
    laid ? t("round_end.laid", { phase: phaseLabel(laid, info) }) : t("round_end.not_laid");
  const column = (/** @type {string} */ key) => html`<th scope="col">${t(key)}</th>`;
  return html`<p>${out === null ? t("round_end.limit") : t("round_end.out", { name: name(out) })}</p>
    <div class="scroll results" tabindex="0" role="group" aria-label=${t("scores")}><table class="scores">
      <thead><tr>${column("round_end.seat")}${column("round_end.phase")}${column("round_end.hand")}
        ${scored(info) && html`${column("round_end.points")}${column("round_end.total")}`}</tr></thead>
      <tbody>${results.map(({ laid, hand, points, total }, seat) => html`<tr key=${seat}>
        <th scope="row"><bdi>${name(seat)}</bdi></th>
        <td>${made(laid)}</td><td>${left(seat, hand || undefined)}</td>
        ${scored(info) && html`<td>+${number(points)}</td><td>${number(total)}</td>`}</tr>`)}</tbody>
    </table></div>`;
}

/** The clock has given the seat to a bot. @param {{ close: () => void }} props */
export function LostSheet({ close }) {
  return html`<${Sheet} title=${t("lost.title")} close=${close}>
    <p>${t("lost.clock")}</p><p>${t("lost.rematch")}</p>
    <div class="row">
      <button type="button" class="primary" data-first onClick=${close}>${t("lost.watch")}</button>
      <${NewTable} /></div>
  </${Sheet}>`;
}
