// The position as a chair sees it, with the moves and the scores beside it.

import { html } from "../vendor/preact.js";
import { Again, trialMarks } from "../account/again.js";
import { Board, marked } from "../parts/board.js";
import { brief } from "../parts/log.js";
import { Scoreboard } from "../parts/scoreboard.js";
import { t } from "../words.js";
import { MoveList } from "./moves.js";

/**
 * While a decision is tried again, the moves are not told.
 * @param {{ recording: import("../feed/frames.js").Recording, position: import("../types.js").Position,
 *   rules: import("../types.js").RulesetInfo, seq: number, here: string, chair: string, chairName: string,
 *   trial: import("../account/again.js").Trial | null, onSeek: (seq: number) => void,
 *   onStage: (stage: Element | null) => void, onBack: () => void,
 *   onChoose: (chosen: number) => void }} props `here`: the place in words; `onStage`: where cards may fly
 */
export function Scene({ recording, position, rules, seq, here, chair, chairName, trial, ...on }) {
  const { sentence, rule, more = [], moves } = recording.line(seq);
  const marks = trial ? trialMarks(trial, position) : marked(moves, position);
  return html`<div class="scene">
    <div class="view" ref=${on.onStage} role="group" data-chair=${chair}
      aria-label=${t("replay.as_seen", { chair: chairName })}>
      <div class="now">
        <p class="where">${here}</p>
        <p class="sentence">${brief(sentence)} ${rule && html`<span class="badge">${rule}</span>`}</p>
      </div>
      <${Board} position=${position} rules=${rules} marks=${marks}>
        ${trial && html`<${Again} trial=${trial} position=${position} onBack=${on.onBack}
          onChoose=${on.onChoose} />`}
      </${Board}>
      ${more.length > 0 && html`<div class="more">
        ${more.map((line) => html`<p key=${line}>${line}</p>`)}</div>`}
    </div>
    <aside class="beside">
      ${!trial && html`<section class="panel list"><h2>${t("replay.moves")}</h2>
        <${MoveList} recording=${recording} seq=${seq} onSeek=${on.onSeek} /></section>`}
      <section class="panel"><h2>${t("scores")}</h2>
        <${Scoreboard} table=${position.table} rules=${rules} you=${position.table.you} /></section>
    </aside>
  </div>`;
}
