/** Players over all games that have ended, the best first. */

import { html, useState } from "../vendor/preact.js";
import { decimal, has, number, t } from "../words.js";
import { Face, useAnswer } from "../play/faces.js";
import { listed } from "./listing.js";

export function Players() {
  const [pages, setPages] = useState(1);
  const answer = useAnswer(() => listed("/leaderboard", {}, "standings", pages), [pages]);
  /** @type {import("../play/types").Leaderboard["standings"]} */
  const standings = answer.data?.entries ?? [];
  const bot = (/** @type {string} */ level) =>
    has(`create.chair.${level}`) ? t(`create.chair.${level}`) : level;
  const column = (/** @type {string} */ key) => html`<th scope="col">${t(key)}</th>`;
  return html`<main class="page" id="main"><h1 tabindex="-1">${t("players.title")}</h1>
    <p class="soft">${t("players.lead")}</p>
    <${Face} answer=${answer} />
    ${answer.data && !standings.length && html`<p class="face">${t("players.none")}</p>`}
    ${standings.length > 0 && html`<div class="scroll panel" tabindex="0" role="group"
        aria-label=${t("players.title")}><table class="ranks">
      <thead><tr>${column("players.player")}${column("players.wins")}${column("players.games")}
        ${column("players.phases")}${column("players.points")}</tr></thead>
      <tbody>${standings.map((one, place) => html`<tr key=${`${one.bot} ${one.name}`}>
        <th scope="row"><span class="soft">${number(place + 1)}</span> <bdi>${one.name}</bdi>
          ${one.bot && html` <span class="badge">${bot(one.bot)}</span>`}</th>
        <td>${number(one.wins)}</td><td>${number(one.games)}</td><td>${number(one.phases)}</td>
        <td>${decimal(one.mean_points, 1)}</td></tr>`)}</tbody>
    </table></div>`}
    ${answer.data?.next && html`<button type="button"
      onClick=${() => setPages(pages + 1)}>${t("players.more")}</button>`}
  </main>`;
}
