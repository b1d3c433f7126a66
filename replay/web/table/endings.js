/** The end of a round, with the hands that are counted face up, and the end of a game. */

import { html } from "../vendor/preact.js";
import { Cards } from "../parts/card.js";
import { phaseLabel, scored } from "../parts/seat.js";
import { list, number, t } from "../words.js";
import { positionAfter } from "../feed/recalled.js";
import { call } from "../play/api.js";
import { Fault, Sheet, useAnswer, usePress } from "../play/faces.js";
import { ROOT, navigate } from "../play/navigation.js";
import { keep } from "../play/tokens.js";

/** @typedef {import("../play/types").GameView} GameView */
/** @typedef {import("../play/types").RoundEndedRecord} RoundEnded */
/** @typedef {import("../play/types").RulesetInfo} RulesetInfo */
/** @typedef {import("../types").Position} Position */
/** @typedef {import("./last.js").Last} Last */

/**
 * How a round ended for everybody, until the person goes on.
 *
 * @param {{ event: RoundEnded, view: GameView, info: RulesetInfo, token: string, close: () => void }} props
 */
export function RoundEnd({ event, view, info, token, close }) {
  const title = t("round_end.title", { round: event.data.round });
  const { results = [], out } = event.data;
  const hidden = results.some(({ hand }, seat) => !hand && seat !== out);
  const position = useAnswer(async () => hidden && positionAfter(view.table.game, token, event.seq), [event.seq]).data;
  return html`<${Sheet} title=${title} close=${close} wide>
    <${Results} event=${event} view=${view} info=${info} position=${position || null} />
    <button type="button" class="primary" onClick=${close}>${t("round_end.go_on")}</button>
  </${Sheet}>`;
}

/**
 * What a round brought everybody: hands that may be seen face up, of the others how many cards they are.
 *
 * @param {{ event: RoundEnded, view: GameView, info: RulesetInfo, position: Position | null }} props
 */
function Results({ event, view, info, position }) {
  const { results = [], out = null } = event.data;
  const name = (/** @type {number} */ seat) => view.table.seats[seat]?.name ?? "";
  const left = (/** @type {number} */ seat, hand = position?.hands?.[seat]) => {
    if (hand) return html`<${Cards} cards=${hand} class="fanned" label=${t("round_end.hand_of", { name: name(seat) })} />`;
    const count = seat === out ? 0 : position?.table.seats[seat]?.cards;
    return count === undefined ? "" : number(count);
  };
  return html`<p>${out === null ? t("round_end.limit") : t("round_end.out", { name: name(out) })}</p>
    <div class="scroll results" tabindex="0" role="group" aria-label=${t("scores")}><table class="scores"><thead><tr><th scope="col">${t("round_end.seat")}</th>
      <th scope="col">${t("round_end.phase")}</th><th scope="col">${t("round_end.hand")}</th>
      ${scored(info) && html`<th scope="col">${t("round_end.points")}</th><th scope="col">${t("round_end.total")}</th>`}</tr></thead>
      <tbody>${results.map((result, seat) => html`<tr key=${seat}>
        <th scope="row"><bdi>${name(seat)}</bdi></th>
        <td>${result.laid ? t("round_end.laid", { phase: phaseLabel(result.laid, info) }) : t("round_end.not_laid")}</td>
        <td>${left(seat, result.hand || undefined)}</td>
        ${scored(info) && html`<td>+${number(result.points)}</td><td>${number(result.total)}</td>`}</tr>`)}</tbody></table></div>`;
}

/**
 * Who won, and what can be done with a game that is over.
 *
 * @param {{ view: GameView, info: RulesetInfo, member: import("../play/types").Membership, last: Last | null }} props
 */
export function GameOver({ view, info, member, last }) {
  const { table } = view;
  const { busy, fault, run } = usePress();
  const names = table.winners.map((seat) => table.seats[seat]?.name ?? "");
  const won = table.you !== null && table.winners.includes(table.you);
  const token = member.token || member.host;
  async function again() {
    /** @type {import("../play/types").Again} */
    const opened = await call("POST", `/games/${table.game}/rematch`, { token, body: {} });
    const role = opened.seat === null ? { host: opened.token } : { seat: opened.seat, token: opened.token, name: member.name };
    let path = keep(opened.game, { ...role, ruleset: member.ruleset, kept: member.kept });
    if (member.token && member.host) {
      /** @type {import("../play/types").Again} */
      const hosted = await call("POST", `/games/${table.game}/rematch`, { token: member.host, body: {} });
      path = keep(opened.game, { host: hosted.token, code: hosted.code || undefined });
    }
    navigate(path);
    return true;
  }
  return html`<section class="panel over ${won ? "won" : ""}" aria-labelledby="over">
    <h2 id="over">${table.stage === "voided" ? t("over.voided") : won && names.length === 1 ? t("over.you") : t("over.won", { names: list(names), count: names.length })}</h2>
    ${table.stage === "ended" && html`<p>${t("over.more")}</p>`}
    <div class="row">
      ${token && table.stage === "ended" && html`<button type="button" class="primary" disabled=${busy} onClick=${() => run(again)}>${t("over.again")}</button>`}
      <a class="button" href=${`${ROOT}/play/g/${table.game}/replay`}>${t("over.replay")}</a>
      <a class="button" href=${`${ROOT}/v1/games/${table.game}/bundle`} download=${`${table.game}.bundle`}>${t("over.bundle")}</a>
      <a class="button" href=${`${ROOT}/play/g/${table.game}/dispute`}>${t("over.verify")}</a>
      <a class="button" href=${`${ROOT}/play`}>${t("over.lobby")}</a>
    </div>
    <${Fault} fault=${fault} />
    ${last?.ended && html`<${Results} event=${last.ended} view=${view} info=${info} position=${last.position} />`}
  </section>`;
}
