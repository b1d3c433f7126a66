/** What stands around every screen of the lobby and the tables: language, brand, and a fault's face. */

import { html, render, useEffect, useErrorBoundary, useRef, useState } from "../vendor/preact.js";
import { NAMES, language, languages, learn, preferred, speak as speakHere, t } from "../words.js";
import { speak } from "./api.js";
import { ROOT, clicked, onMove } from "./navigation.js";
import { load, save } from "./storage.js";

const LANGUAGE = "phaseledger.language";

/** @typedef {{ title: string, body: unknown }} Screen */

/** What is shown where no screen is. @returns {Screen} */
export function nowhere() {
  return { title: t("nowhere.title"), body: html`<main class="page" id="main"><h1 tabindex="-1">${t("nowhere.title")}</h1>
    <p><a class="button" href=${`${ROOT}/play`}>${t("over.lobby")}</a></p></main>` };
}

/** @param {{ screen: (steps: string[], lang: string) => Screen }} props */
function App({ screen }) {
  const [path, setPath] = useState(location.pathname);
  const [lang, setLang] = useState(language());
  const [fault, settled] = useErrorBoundary();
  const first = useRef(true);
  useEffect(() => onMove(() => { settled(); setPath(location.pathname); }), []);
  const { title, body } = screen(path.slice(ROOT.length).split("/").filter(Boolean).slice(1).map(decodeURIComponent), lang);
  useEffect(() => {
    document.title = `${title} · phaseledger`;
    if (first.current) first.current = false;
    else /** @type {HTMLElement | null} */ (document.querySelector("#main h1"))?.focus();
  }, [path]);
  const choose = (/** @type {string} */ wanted) => {
    save(LANGUAGE, wanted);
    set(wanted).then(() => setLang(language()));
  };
  return html`<div class="app" onClick=${clicked}>
    <a class="skip" href="#main">${t("skip_to_main")}</a>
    <header class="top"><a class="brand" href=${`${ROOT}/play`}>phaseledger</a>
      <label class="inline"><span class="unseen">${t("language")}</span>
        <select value=${lang} onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
          ${Object.entries(NAMES).map(([each, name]) => html`<option key=${each} value=${each} lang=${each}>${name}</option>`)}
        </select></label></header>
    ${fault ? html`<main class="page" id="main"><div class="face fault" role="alert"><b>${t("broken.title")}</b>
        <p>${String(fault)}</p><button type="button" onClick=${() => location.reload()}>${t("broken.again")}</button></div></main>` : body}
  </div>`;
}

/** Speak that language; its words are asked for where they are not here yet. @param {string} lang */
async function set(lang) {
  if (Object.hasOwn(NAMES, lang) && !languages().includes(lang)) {
    const answer = await fetch(`${ROOT}/play/words.${lang}.json`).catch(() => null);
    if (answer?.ok) learn(lang, await answer.json());
  }
  speak(speakHere(lang));
  document.documentElement.lang = language();
}

/**
 * Draw the screens of these addresses from now on.
 * @param {(steps: string[], lang: string) => Screen} screen by the steps of the path below /play
 */
export function start(screen) {
  set(load(LANGUAGE) || preferred(Object.keys(NAMES))).then(() => {
    const root = document.getElementById("app");
    if (!root) return;
    root.textContent = "";
    render(html`<${App} screen=${screen} />`, root);
  });
}
