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
  return html`<main class="page" id="main"><h1 tabindex="-1">${t("players.title")}</h1>
    <p class="soft">${t("players.lead")}</p>
    <${Face} answer=${answer} />
    ${answer.data && !standings.length && html`<p class="face">${t("players.none")}</p>`}
    ${standings.length > 0 && html`<div class="scroll panel" tabindex="0" role="group" aria-label=${t("players.title")}><table class="ranks">
      <thead><tr><th scope="col">${t("players.player")}</th><th scope="col">${t("players.wins")}</th><th scope="col">${t("players.games")}</th>
        <th scope="col">${t("players.phases")}</th><th scope="col">${t("players.points")}</th></tr></thead>
      <tbody>${standings.map((one, place) => html`<tr key=${`${one.bot} ${one.name}`}>
        <th scope="row"><span class="soft">${number(place + 1)}</span> <bdi>${one.name}</bdi>
          ${one.bot && html` <span class="badge">${has(`create.chair.${one.bot}`) ? t(`create.chair.${one.bot}`) : one.bot}</span>`}</th>
        <td>${number(one.wins)}</td><td>${number(one.games)}</td><td>${number(one.phases)}</td><td>${decimal(one.mean_points, 1)}</td></tr>`)}</tbody>
    </table></div>`}
    ${answer.data?.next && html`<button type="button" onClick=${() => setPages(pages + 1)}>${t("players.more")}</button>`}
  </main>`;
}
