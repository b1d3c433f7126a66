/** What is played back, as soon as the service has answered; until then, or instead, a sentence. */

import { html, useEffect } from "../vendor/preact.js";
import { Languages } from "./head.js";
import { Replay } from "./replay.js";
import { language, speak as speakHere, t } from "../words.js";
import { Refusal, speak } from "../play/api.js";
import { Face, useAnswer } from "../play/faces.js";
import { ROOT } from "../play/navigation.js";
import { load as loadKept, save } from "../play/storage.js";

const LANGUAGE = "phaseledger.language";

/** The language chosen before, if one was. */
export function chosenLanguage() {
  return loadKept(LANGUAGE);
}

/** Speak that language, here and to the service. @param {string} lang */
export function settle(lang) {
  speak(speakHere(lang));
  document.documentElement.lang = language();
}

/** Speak that language from now on. @param {string} lang */
export function choose(lang) {
  save(LANGUAGE, lang);
  settle(lang);
}

/** The bar above a page without a game. @param {{ onLanguage: (lang: string) => void }} props */
export function Top({ onLanguage }) {
  return html`<header class="top"><a class="brand" href=${`${ROOT}/play`}>phaseledger</a>
    <div class="inline"><${Languages} lang=${language()} onLanguage=${onLanguage} /></div></header>`;
}

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
    ${busy && !fault ? html`<p class="face" role="status">${waiting}</p>` : html`<${Face} answer=${answer} />`}
    ${reasons.length > 0 && html`<details class="panel"><summary>${t("open.reasons")}</summary>
      ${reasons.map(({ reason }) => html`<p key=${reason}>${reason}</p>`)}</details>`}
    ${fault instanceof Refusal && refused?.(fault)}
    <p>${back}</p></main>`;
}
