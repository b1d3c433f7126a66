/** The pages of the lobby: the list of games, a new table, sitting down with a code. */

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { nowhere, start } from "../play/pages.js";
import { Create } from "./create.js";
import { SitDown } from "./join.js";
import { Lobby } from "./lobby.js";

start(([first = "", code = ""], lang) => {
  if (!first) return { title: t("lobby.title"), body: html`<${Lobby} key=${lang} />` };
  if (first === "new") return { title: t("create.title"), body: html`<${Create} key=${lang} />` };
  if (first === "join") return { title: t("join.title"), body: html`<${JoinScreen} code=${code} />` };
  return nowhere();
});

/** The screen of a join link. @param {{ code: string }} props */
function JoinScreen({ code }) {
  return html`<main class="page narrow-page" id="main"><h1 tabindex="-1">${t("join.title")}</h1>
    <p class="soft">${t("join.lead", { code })}</p>
    <${SitDown} code=${code} isPrivate=${true} changed=${() => {}} /></main>`;
}
