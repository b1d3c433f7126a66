/** The pages of the lobby: its list of games, a new table, a seat by a code; players, own games, scores. */

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { nowhere, start } from "../play/pages.js";
import { Create } from "./create.js";
import { SitDown } from "./join.js";
import { Lobby } from "./lobby.js";
import { MyGames } from "./mine.js";
import { Players } from "./players.js";
import { Scores } from "./scores.js";
import { SignedInScreen } from "./signed_in.js";

start(([first = "", code = "", screen = ""], lang) => {
  if (!first) return { title: t("lobby.title"), body: html`<${Lobby} key=${lang} />` };
  if (first === "new") return { title: t("create.title"), body: html`<${Create} key=${lang} />` };
  if (first === "join") return { title: t("join.title"), body: html`<${JoinScreen} code=${code} />` };
  if (first === "signed-in") return { title: t("signin.go"), body: html`<${SignedInScreen} />` };
  if (first === "players") return { title: t("players.title"), body: html`<${Players} key=${lang} />` };
  if (first === "games") return { title: t("mine.title"), body: html`<${MyGames} key=${lang} />` };
  if (first === "g" && screen === "scores") {
    return { title: t("scores.title"), body: html`<${Scores} key=${lang} game=${code} />` };
  }
  return nowhere();
});

/** The screen of a join link. @param {{ code: string }} props */
function JoinScreen({ code }) {
  return html`<main class="page narrow-page" id="main"><h1 tabindex="-1">${t("join.title")}</h1>
    <p class="soft">${t("join.lead", { code })}</p>
    <${SitDown} code=${code} isPrivate=${true} changed=${() => {}} /></main>`;
}
