// A decision to be taken again: its candidates as buttons; what the chosen one costs is said after.
//
//   html`<${Again} trial=${{ judgement, chosen: null }} position=${before}
//          onChoose=${(place) => ...} onBack=${() => ...} />`

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { Cards } from "../parts/card.js";
import { drawbacks, isWorse, markedChoices, moveWords, neutral, points } from "./decision.js";

/** @typedef {import("../types.js").Candidate} Candidate */
/** @typedef {import("../types.js").Choice} Choice */
/** @typedef {import("../types.js").Judgement} Judgement */
/** @typedef {import("../types.js").Position} Position */
/** @typedef {{ judgement: Judgement, chosen: number | null }} Trial `chosen`: a place among the candidates */

/**
 * The marks of a trial on the board: none before a choice.
 * @param {Trial} trial @param {Position} position
 */
export function trialMarks({ judgement, chosen }, position) {
  const picked = judgement.candidates[chosen ?? -1], best = judgement.candidates[0];
  if (!picked || !best) return {};
  /** @type {[Choice, string][]} */
  const worse = isWorse(picked) ? [[picked.command, "wrong"]] : [];
  return markedChoices([...worse, [best.command, "due"]], position, judgement.seat);
}

/**
 * @param {{ trial: Trial, position: Position, onChoose: (place: number) => void, onBack: () => void }} props
 */
export function Again({ trial, position, onChoose, onBack }) {
  const { judgement, chosen } = trial;
  const { candidates } = judgement;
  const name = position.table.seats[judgement.seat]?.name ?? "";
  return html`<section class="again" aria-labelledby="again">
    <h3 id="again" tabindex="-1">${t("account.ask", { name })}</h3>
    <div class="options">${neutral(candidates).map((place) => {
      const { command, behind } = /** @type {Candidate} */ (candidates[place]);
      const cards = command.cards ?? (command.groups ?? []).map((group) => group.cards).join(" ");
      return html`<button type="button" key=${place} aria-pressed=${String(place === chosen)}
          onClick=${() => onChoose(place)}>
        ${cards && html`<span aria-hidden="true"><${Cards} cards=${cards} class="fanned" /></span>`}
        <span>${moveWords(command, position)}</span>
        ${chosen !== null && html`<b>${place === 0 ? t("account.best") : points(-behind, true)}</b>`}
      </button>`;
    })}</div>
    <div role="status" class="answer">${chosen === null
      ? html`<p class="soft">${t("account.ask_more")}</p>`
      : html`<${Answer} judgement=${judgement} chosen=${chosen} position=${position} />`}</div>
    <div class="steps"><button type="button" onClick=${onBack}>${t("account.back")}</button></div>
  </section>`;
}

/**
 * What the choice costs beside the best, and what was played.
 * @param {{ judgement: Judgement, chosen: number, position: Position }} props
 */
function Answer({ judgement, chosen, position }) {
  const { candidates, cost, error, played: place } = judgement;
  const picked = candidates[chosen], best = candidates[0], played = candidates[place];
  if (!picked || !best || !played) return null;
  const words = {
    move: moveWords(picked.command, position), cost: points(picked.behind), error: points(picked.error),
    best: moveWords(best.command, position),
  };
  const then = { move: moveWords(played.command, position), cost: points(cost), error: points(error) };
  const verdict = chosen === 0 ? "account.is_best" : isWorse(picked) ? "account.costs" : "account.as_good";
  return html`<p><b>${t(verdict, words)}</b> ${drawbacks(picked)}</p>
    ${chosen === place
      ? html`<p>${t("account.also_played")}</p>`
      : html`<p>${t("account.was_played", then)} ${drawbacks(played)}</p>`}`;
}
