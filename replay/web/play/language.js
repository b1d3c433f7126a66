/** The language of the pages: the one chosen before, else the reader's first that there are words for. */

import { html, render } from "../vendor/preact.js";
import { Languages } from "../parts/languages.js";
import { NAMES, language, languages, learn, preferred, speak } from "../words.js";
import { ROOT } from "./navigation.js";
import { showSettings } from "./settings.js";
import { LANGUAGE, load, save } from "./storage.js";

/**
 * Put a component into the page in place of what stands there.
 * @param {unknown} component @param {object} props
 */
export async function draw(component, props) {
  showSettings();
  await set(load(LANGUAGE) || preferred(Object.keys(NAMES)));
  const root = /** @type {HTMLElement} */ (document.getElementById("app"));
  root.textContent = "";
  render(html`<${component} ...${props} />`, root);
}

/** Speak that language from now on. @param {string} lang */
export function choose(lang) {
  save(LANGUAGE, lang);
  return set(lang);
}

/** Speak that language; its words are asked for where they are not here yet. @param {string} lang */
async function set(lang) {
  if (Object.hasOwn(NAMES, lang) && !languages().includes(lang)) {
    const answer = await fetch(`${ROOT}/play/words.${lang}.json`).catch(() => null);
    if (answer?.ok) learn(lang, await answer.json());
  }
  document.documentElement.lang = speak(lang);
}

/** The bar above a page. @param {{ chosen: () => void }} props `chosen`: another language is spoken now */
export function Top({ chosen }) {
  const speakNow = (/** @type {string} */ lang) => choose(lang).then(chosen);
  return html`<header class="top"><a class="brand" href=${`${ROOT}/play`}>phaseledger</a>
    <${Languages} lang=${language()} onLanguage=${speakNow} /></header>`;
}
