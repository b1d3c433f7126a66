/** The page of a table: its waiting room, the game, and its end. */

import { html } from "../../../replay/viewer/web/vendor/preact.js";
import { t } from "../../../replay/viewer/web/words.js";
import { nowhere, start } from "../pages.js";
import { TableScreen } from "./screen.js";

start(([first = "", game = "", other = ""], lang) => {
  if (first !== "g" || !game || other) return nowhere();
  return { title: t("table.title"), body: html`<${TableScreen} key=${game} game=${game} lang=${lang} />` };
});
