/** The page of a table: its waiting room, the game, and its end. */

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { nowhere, start } from "../play/pages.js";
import { TableScreen } from "./screen.js";

start(([first = "", game = "", other = ""], lang) => {
  if (first !== "g" || !game || other) return nowhere();
  return { title: t("table.title"), body: html`<${TableScreen} key=${game} game=${game} lang=${lang} />` };
});
