/** What is played back, as soon as the service has answered; until then, or instead, a sentence. */

import { html, useEffect } from "../vendor/preact.js";
import { Replay } from "./replay.js";
import { t } from "../words.js";
import { Refusal } from "../play/api.js";
import { Face, useAnswer } from "../play/faces.js";
import { choose } from "../play/language.js";

/**
 * @param {{ load: () => Promise<any>, top: unknown, back: unknown, title: string, waiting: string,
 *   refused?: (fault: Refusal) => unknown }} props
 *   `back`: a link or a button; `refused`: what is offered below a refusal
 */
export function Loaded({ load, top, back, title, waiting, refused }) {
  const answer = useAnswer(load, []);
  const { data, fault, busy } = answer;
  useEffect(() => {
    if (data) document.title = `${data.title} · phaseledger`;
  }, [data]);
  if (data) return html`<${Replay} source=${data} actions=${back} onLanguage=${choose} />`;
  const reasons = (fault instanceof Refusal && fault.problem.errors) || [];
  return html`${top}<main class="page narrow-page" id="main"><h1>${title}</h1>
    ${busy && !fault
      ? html`<p class="face" role="status">${waiting}</p>`
      : html`<${Face} answer=${answer} />`}
    ${reasons.length > 0 && html`<details class="panel"><summary>${t("open.reasons")}</summary>
      ${reasons.map(({ reason }) => html`<p key=${reason}>${reason}</p>`)}</details>`}
    ${fault instanceof Refusal && refused?.(fault)}
    <p>${back}</p></main>`;
}
