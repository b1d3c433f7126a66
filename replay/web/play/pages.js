/** What stands around every screen of the lobby and the tables: language, brand, and a fault's face. */

import { html, useEffect, useErrorBoundary, useRef, useState } from "../vendor/preact.js";
import { language, t } from "../words.js";
import { Top, draw } from "./language.js";
import { EMBEDDED, ROOT, clicked, onMove } from "./navigation.js";

/** @typedef {{ title: string, body: unknown }} Screen */

/** What is shown where no screen is. @returns {Screen} */
export function nowhere() {
  const title = t("nowhere.title");
  return { title, body: html`<main class="page" id="main"><h1 tabindex="-1">${title}</h1>
    <p><a class="button" href=${`${ROOT}/play`}>${t("over.lobby")}</a></p></main>` };
}

/** What is shown where a screen is broken. @param {{ fault: unknown }} props */
function Broken({ fault }) {
  return html`<main class="page" id="main"><div class="face fault" role="alert"><b>${t("broken.title")}</b>
    <p>${String(fault)}</p>
    <button type="button" onClick=${() => location.reload()}>${t("broken.again")}</button></div></main>`;
}

/** @param {{ screen: (steps: string[], lang: string) => Screen }} props */
function App({ screen }) {
  const [path, setPath] = useState(location.pathname);
  const [lang, setLang] = useState(language());
  const [fault, settled] = useErrorBoundary();
  const first = useRef(true);
  useEffect(() => onMove(() => { settled(); setPath(location.pathname); }), []);
  const [pages, ...steps] = path.slice(ROOT.length).split("/").filter(Boolean).map(decodeURIComponent);
  const { title, body } = pages === "play" ? screen(steps, lang) : nowhere();
  useEffect(() => {
    document.title = `${title} · phaseledger`;
  }, [path, title]);
  useEffect(() => {
    if (first.current) first.current = false;
    else /** @type {HTMLElement | null} */ (document.querySelector("#main h1"))?.focus();
  }, [path]);
  return html`<div class="app" onClick=${clicked}>
    ${!EMBEDDED && html`<a class="skip" href="#main">${t("skip_to_main")}</a>
      <${Top} chosen=${() => setLang(language())} />`}
    ${fault ? html`<${Broken} fault=${fault} />` : body}
  </div>`;
}

/**
 * Draw the screens of these addresses from now on.
 * @param {(steps: string[], lang: string) => Screen} screen by the steps of the path below /play
 */
export function start(screen) {
  draw(App, { screen });
  if (EMBEDDED) return;
  addEventListener("load", () => { // some browsers, or windows of theirs, refuse it
    navigator.serviceWorker?.register(`${ROOT}/play/sw.js`, { scope: `${ROOT}/play` }).catch(() => {});
  });
}
