/** The statistics of a game: what each round brought everybody, and what that comes to. */

import { html } from "../vendor/preact.js";
import { decimal, number, t } from "../words.js";
import { call } from "../play/api.js";
import { Face, useAnswer } from "../play/faces.js";
import { ROOT } from "../play/navigation.js";
import { membership } from "../play/tokens.js";

/** @typedef {import("../play/types").Scoreboard} Scoreboard */

/** @param {{ game: string }} props */
export function Scores({ game }) {
  const token = membership(game).token ?? "";
  const answer = useAnswer(() => call("GET", `/games/${game}/scoreboard`, { token }), [game]);
  return html`<main class="page" id="main"><h1 tabindex="-1">${t("scores.title")}</h1>
    <${Face} answer=${answer} />
    ${answer.data && html`<${Tables} board=${answer.data} />`}
    <p class="row"><a class="button" href=${`${ROOT}/play/g/${game}`}>${t("scores.back")}</a>
      <a class="button" href=${`${ROOT}/play/g/${game}/replay`}>${t("over.replay")}</a></p>
  </main>`;
}

/** @param {{ board: Scoreboard }} props */
function Tables({ board: { players, rounds, winners } }) {
  if (!rounds.length) return html`<p class="face">${t("scores.none")}</p>`;
  const names = players.map((player) => player?.name ?? "");
  const counted = rounds.filter(({ replay }) => !replay);
  const mean = (/** @type {number} */ seat) =>
    counted.reduce((sum, round) => sum + (round.seats[seat]?.points ?? 0), 0) / (counted.length || 1);
  /** @type {[string, (seat: number) => string][]} */
  const sums = [
    ["scores.phases", (seat) => number(counted.filter((round) => round.seats[seat]?.laid).length)],
    ["scores.outs", (seat) => number(rounds.filter(({ out }) => out === seat).length)],
    ["scores.mean", (seat) => decimal(mean(seat), 1)],
    ["scores.total", (seat) => number(rounds.at(-1)?.seats[seat]?.total ?? 0)],
  ];
  const of = winners.map((seat) => names[seat] ?? "").join(", ");
  return html`<div class="scroll panel" tabindex="0" role="group" aria-label=${t("scores.title")}>
    <table class="rounds">
      <thead><tr><th scope="col">${t("scores.round")}</th>
        ${names.map((name, seat) => html`<th scope="col" key=${seat}><bdi>${name}</bdi></th>`)}</tr></thead>
      <tbody>${rounds.map(({ round, seats, out, replay }) => html`<tr key=${round}>
        <th scope="row">${number(round)}${replay ? ` (${t("replayed_round")})` : ""}</th>
        ${seats.map(({ laid, phase, points }, seat) => {
          const made = t(laid ? "scores.made" : "scores.tried", { phase: laid || phase });
          return html`<td key=${seat} class=${out === seat ? "out" : ""}>
            ${made} <b>+${number(points)}</b></td>`;
        })}
      </tr>`)}</tbody>
      <tfoot>${sums.map(([title, sum]) => html`<tr key=${title}><th scope="row">${t(title)}</th>
        ${names.map((_, seat) => html`<td key=${seat}>${sum(seat)}</td>`)}</tr>`)}</tfoot>
    </table></div>
  <p class="soft">${t("scores.legend")}</p>
  ${winners.length > 0 && html`<p><b>${t("over.won", { names: of, count: winners.length })}</b></p>`}`;
}
