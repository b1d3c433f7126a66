// Who stands where: phase and points of everybody, the leader first.
//
//   html`<${Scoreboard} table=${view} rules=${rules} you=${0} />`

import { html } from "../vendor/preact.js";
import { number, t } from "../words.js";
import { phaseLabel, phaseWords, scored } from "./seat.js";
import { Shape } from "./shapes.js";

/** @typedef {import("../types.js").RulesetInfo} RulesetInfo */

/** @param {{ table: import("../types.js").TableView, rules: RulesetInfo, you?: number | null }} props */
export function Scoreboard({ table, rules, you = null }) {
  const seats = table.seats.flatMap((seat) => seat ?? []);
  const rows = [...seats].sort((one, other) =>
    other.made.length - one.made.length || other.phase - one.phase || one.points - other.points);
  const laid = () =>
    html` <${Shape} of="good" class="tick" /><span class="unseen">${t("scores.laid")}</span>`;
  return html`<table class="scores">
    <caption class="unseen">${t("scores")}</caption>
    <thead><tr><th scope="col">${t("scores.seat")}</th><th scope="col">${t("scores.phase")}</th>
      ${scored(rules) && html`<th scope="col">${t("scores.points")}</th>`}</tr></thead>
    <tbody>${rows.map((seat) => html`<tr key=${seat.seat} class=${seat.seat === table.active ? "turn" : ""}>
      <th scope="row"><bdi>${seat.name}</bdi>
        ${seat.seat === you && html` <span class="badge mine">${t("seat.you")}</span>`}
        ${table.winners.includes(seat.seat) && html` <span class="badge good">${t("seat.won")}</span>`}</th>
      <td title=${phaseWords(seat, rules)}>${phaseLabel(seat.phase, rules)}${seat.laid && laid()}</td>
      ${scored(rules) && html`<td>${number(seat.points)}</td>`}
    </tr>`)}</tbody>
  </table>`;
}
