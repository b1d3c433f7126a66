/** The pages that look back: a game's replay, its record judged, and a file that somebody brings. */

import { html, useState } from "../vendor/preact.js";
import { language, t } from "../words.js";
import { Top, draw } from "../play/language.js";
import { ROOT } from "../play/navigation.js";
import { membership } from "../play/tokens.js";
import { Loaded } from "./loaded.js";
import { OpenScreen } from "./open.js";
import { gameSource, recordSource } from "./source.js";

/**
 * A game of the service: played back, or its record read and judged.
 * @param {{ game: string, judged: boolean, top: unknown }} props
 */
function GameScreen({ game, judged, top }) {
  const token = membership(game).token ?? "";
  const back = html`<a class="button" href=${`${ROOT}/play/g/${game}`}>${t("back")}</a>`;
  const load = () => (judged ? recordSource(game, token) : gameSource(game, token));
  return html`<${Loaded} load=${load} top=${top} back=${back}
    title=${t(judged ? "over.verify" : "over.replay")}
    waiting=${t(judged ? "open.reading" : "face.loading")} />`;
}

/** @param {{ game: string, screen: string }} props */
function App({ game, screen }) {
  const [, setLang] = useState(language());
  const top = html`<${Top} chosen=${() => setLang(language())} />`;
  if (!game) return html`<${OpenScreen} top=${top} />`;
  return html`<${GameScreen} game=${game} judged=${screen === "dispute"} top=${top} />`;
}

const [, , game = "", screen = ""] = location.pathname.slice(ROOT.length).split("/").filter(Boolean);
draw(App, { game, screen });
