/** Luck and errors of a game of cards that is over, at its table: of the game and of each round. */

import { html, useEffect, useState } from "../vendor/preact.js";
import { Account } from "../account/account.js";
import { Again, trialMarks } from "../account/again.js";
import { writtenAddress } from "../feed/address.js";
import { Recording } from "../feed/frames.js";
import { recalled } from "../feed/recalled.js";
import { Board } from "../parts/board.js";
import { withValue } from "../parts/field.js";
import { AnalysisRequest } from "../play/analysis.js";
import { ROOT, navigate } from "../play/navigation.js";
import { t } from "../words.js";

/** @typedef {import("../types").Judgement} Judgement */
/** @typedef {import("../types").Position} Position */
/** @typedef {import("../play/types").RulesetInfo} RulesetInfo */
/** @typedef {import("../account/again.js").Trial} Trial */
/** @typedef {{ analysis: import("../types").Analysis, recording: Recording }} Found */

/** @param {{ view: import("../play/types").GameView, info: RulesetInfo, token: string }} props */
export function Luck({ view, info, token }) {
  const { game, you } = view.table;
  const [found, setFound] = useState(/** @type {Found | null} */ (null));
  const [round, setRound] = useState(0); // 0: the whole game
  const [trial, setTrial] = useState(/** @type {Trial | null} */ (null));
  const tried = trial?.judgement.seq;
  useEffect(() => {
    if (tried) document.getElementById("again")?.focus();
    else if (found) document.getElementById("account")?.focus();
  }, [tried]);
  const done = async (/** @type {Found["analysis"]} */ analysis) =>
    setFound({ analysis, recording: new Recording(await recalled(game, token, 1, view.version)) });
  const choose = withValue((value) => setRound(Number(value)));
  return html`<section class="panel explained" aria-labelledby="account">
    <div class="title"><h2 id="account" tabindex="-1">${t("account")}</h2>
      ${found && !trial && html`<select aria-label=${t("luck.span")} value=${round} onChange=${choose}>
        <option value="0">${t("account.game")}</option>
        ${found.analysis.rounds.map((one) => html`<option key=${one.round} value=${one.round}>
          ${t("replay.round", { round: one.round })}</option>`)}
      </select>`}</div>
    ${!found && html`<${AnalysisRequest} game=${game} token=${token} done=${done} />`}
    ${found && trial && html`<${Tried} trial=${trial} position=${seen(found, trial.judgement)} info=${info}
      set=${setTrial} />`}
    ${found && !trial && html`<${Told} key=${round} found=${found} round=${round} game=${game}
      chair=${you === null ? "all" : String(you)} onTry=${setTrial} />`}
  </section>`;
}

/**
 * Luck and errors, with the ways to the replay.
 * @param {{ found: Found, round: number, game: string, chair: string, onTry: (trial: Trial) => void }} props
 */
function Told({ found: { analysis, recording }, round, game, chair, onTry }) {
  const page = `${ROOT}/play/g/${game}`;
  return html`<${Account} analysis=${analysis} round=${round || undefined} chair=${chair}
    at=${(/** @type {number} */ seq) => recording.position(seq)}
    onEvent=${(/** @type {number} */ event) => navigate(`${page}/replay${writtenAddress({ event, chair })}`)}
    onTry=${(/** @type {Judgement} */ judgement) => onTry({ judgement, chosen: null })}
    onProofs=${() => navigate(`${page}/dispute`)} />`;
}

/**
 * A decision tried again on the table as it lay.
 * @param {{ trial: Trial, position: Position, info: RulesetInfo, set: (trial: Trial | null) => void }} props
 */
function Tried({ trial, position, info, set }) {
  return html`<${Board} position=${position} rules=${info} marks=${trialMarks(trial, position)}>
    <${Again} trial=${trial} position=${position} onBack=${() => set(null)}
      onChoose=${(/** @type {number} */ chosen) => set({ ...trial, chosen })} />
  </${Board}>`;
}

/**
 * The position before a decision as its seat saw it.
 * @param {Found} found @param {Judgement} judgement @returns {Position}
 */
function seen({ recording }, { seq, seat }) {
  const { hands, ...rest } = recording.position(seq - 1);
  return { ...rest, table: { ...rest.table, you: seat, hand: hands?.[seat] ?? "" } };
}
