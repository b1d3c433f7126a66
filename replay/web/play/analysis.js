/** The analysis of a game that is over: asked for by a press, since the service works on it for seconds. */

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { call } from "./api.js";
import { Face, useAnswer } from "./faces.js";

const EVERY = 2; // seconds until it is asked again how far the analysis is

/** @typedef {import("../types").Analysis} Analysis */
/**
 * `done` gets the analysis once it is made.
 * @typedef {{ game: string, token: string, done: (analysis: Analysis) => void | Promise<void> }} Props
 */

/** What it is, and the button that asks for it. @param {Props} props */
export function AnalysisRequest(props) {
  const [asked, ask] = useState(false);
  if (asked) return html`<${Progress} ...${props} />`;
  const press = () => {
    ask(true);
    document.getElementById("account")?.focus(); // the heading stays, the button goes
  };
  return html`<p>${t("luck.lead")}</p>
    <div class="steps"><button type="button" onClick=${press}>${t("luck.ask")}</button></div>`;
}

/** How far it is, or why there is none. @param {Props} props */
function Progress({ game, token, done }) {
  const answer = useAnswer(async () => {
    const made = await call("GET", `/games/${game}/analysis`, { token });
    if (!made.state) await done(made);
    return made;
  }, [game], EVERY);
  if (answer.fault || !answer.data) return html`<${Face} answer=${answer} />`;
  return html`<p role="status">${t("luck.making")}</p>
    <progress max="1" value=${answer.data.done || undefined} aria-label=${t("luck.making")}></progress>`;
}
