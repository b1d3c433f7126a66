/** A file from this device, dropped or chosen; what is in it, only the service reads. */

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { withValue } from "../parts/field.js";
import { ROOT } from "../play/navigation.js";
import { Loaded } from "./loaded.js";
import { fileSource } from "./source.js";

/** @typedef {import("../play/api.js").Refusal} Refusal */

const MOST = 16; // megabytes that the service reads
const WHICH = ["several_games", "game_not_in_file"]; // refusals after which a game can be named

/** @param {{ top: unknown }} props */
export function OpenScreen({ top }) {
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const [game, setGame] = useState("");
  const choose = (/** @type {File | null | undefined} */ next) => {
    setGame("");
    setFile(next ?? null);
  };
  const large = file !== null && file.size > MOST * 2 ** 20;
  if (!file || large) return html`${top}<${Choice} large=${large ? file : null} choose=${choose} />`;
  const back = html`<button type="button" onClick=${() => choose(null)}>${t("open.other")}</button>`;
  const refused = (/** @type {Refusal} */ fault) =>
    WHICH.includes(fault.code) && html`<${Which} game=${game} choose=${setGame} />`;
  const asked = `${file.name} ${file.lastModified} ${game}`;
  return html`<${Loaded} key=${asked} load=${() => fileSource(file, file.name, game)} top=${top} back=${back}
    title=${file.name} waiting=${t("open.reading")} refused=${refused} />`;
}

/** @param {{ large: File | null, choose: (file: File | null | undefined) => void }} props */
function Choice({ large, choose }) {
  const [over, setOver] = useState(false);
  const hover = (/** @type {boolean} */ inside) => (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(inside);
  };
  const drop = (/** @type {DragEvent} */ event) => {
    hover(false)(event);
    choose(event.dataTransfer?.files[0]);
  };
  const size = Math.ceil((large?.size ?? 0) / 2 ** 20);
  return html`<main class="page narrow-page" id="main"
      onDragOver=${hover(true)} onDragLeave=${hover(false)} onDrop=${drop}><h1>${t("open.title")}</h1>
    <p class="soft">${t("open.lead")}</p>
    ${large && html`<p class="fault" role="alert">${t("open.too_large", { size, most: MOST })}</p>`}
    <label class=${`face drop ${over ? "over" : ""}`}><b>${t("open.drop")}</b>
      <input type="file" onChange=${(/** @type {any} */ event) => choose(event.target.files[0])} /></label>
    <p class="soft">${t("open.trust")}</p>
    <p><a class="button" href=${`${ROOT}/play`}>${t("over.lobby")}</a></p></main>`;
}

/** Which one of several games. @param {{ game: string, choose: (game: string) => void }} props */
function Which({ game, choose }) {
  const [text, setText] = useState(game || "1");
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    choose(text.trim());
  };
  return html`<form class="panel" onSubmit=${submit}>
    <label>${t("open.which")}
      <input name="game" maxlength="40" required value=${text} onInput=${withValue(setText)} /></label>
    <p><button class="primary">${t("open.which.go")}</button></p></form>`;
}
