/** The pages that look back: a game's replay, its record judged, and a file that somebody brings. */

import { html, render, useEffect, useState } from "../../../replay/viewer/web/vendor/preact.js";
import { Replay } from "../../../replay/viewer/web/replay/replay.js";
import { learnAll } from "../../../replay/viewer/web/words/all.js";
import { language, learn, preferred, speak as speakHere, t } from "../../../replay/viewer/web/words/index.js";
import { speak } from "../api.js";
import { Face, useAnswer } from "../faces.js";
import { membership } from "../tokens.js";
import { de } from "../words/de.js";
import { en } from "../words/en.js";
import { fr } from "../words/fr.js";
import { fileSource, gameSource, recordSource } from "./source.js";

const MOST = 16; // megabytes that the service reads
const LANGUAGE = "phaseledger.language";

/** @param {{ load: () => Promise<any>, back: string }} props */
function Loaded({ load, back }) {
  const answer = useAnswer(load, []);
  useEffect(() => {
    if (answer.data) document.title = `${answer.data.title} · phaseledger`;
  }, [answer.data]);
  if (!answer.data) return html`<main class="page" id="main"><h1 class="unseen">${t("over.replay")}</h1><${Face} answer=${answer} />
    <p><a class="button" href=${back}>${t("back")}</a></p></main>`;
  const actions = html`<a class="button" href=${back}>${t("back")}</a>`;
  return html`<${Replay} source=${answer.data} actions=${actions} onLanguage=${chosen} />`;
}

/** A file from this device; what is in it, only the service reads. */
function OpenScreen() {
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const large = file !== null && file.size > MOST * 2 ** 20;
  if (file && !large) return html`<${Loaded} key=${file.name} load=${() => fileSource(file)} back="/play/open" />`;
  const take = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setFile(event.dataTransfer?.files[0] ?? null);
  };
  return html`<main class="page narrow-page" id="main"><h1>${t("open.title")}</h1>
    <p class="soft">${t("open.lead")}</p>
    ${large && html`<p class="fault" role="alert">${t("open.too_large", { size: Math.ceil(file.size / 2 ** 20), most: MOST })}</p>`}
    <label class="face" onDragOver=${(/** @type {Event} */ event) => event.preventDefault()} onDrop=${take}>
      <b>${t("open.drop")}</b><input type="file" onChange=${(/** @type {any} */ event) => setFile(event.target.files[0] ?? null)} /></label>
    <p class="soft">${t("open.trust")}</p>
    <p><a class="button" href="/play">${t("over.lobby")}</a></p></main>`;
}

/** @param {string} lang */
function chosen(lang) {
  localStorage.setItem(LANGUAGE, lang);
  speak(speakHere(lang));
  document.documentElement.lang = language();
}

learnAll();
learn({ en, de, fr });
speak(speakHere(localStorage.getItem(LANGUAGE) || preferred()));
document.documentElement.lang = language();
const [, , game = "", screen = ""] = location.pathname.split("/").filter(Boolean);
const token = membership(game).token ?? "";
const load = () => (screen === "dispute" ? recordSource(game, token) : gameSource(game, token));
const root = document.getElementById("app");
if (root) {
  root.textContent = "";
  render(game ? html`<${Loaded} load=${load} back=${`/play/g/${game}`} />` : html`<${OpenScreen} />`, root);
}
