/** The page of a table: its waiting room, the game, and its end. */

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { embedded } from "../play/embedded.js";
import { EMBEDDED } from "../play/navigation.js";
import { nowhere, start } from "../play/pages.js";
import { TableScreen } from "./screen.js";

const begin = () => start(([first = "", game = "", other = ""], lang) => {
  if (first !== (EMBEDDED ? "embed" : "g") || !game || other) return nowhere();
  return { title: t("table.title"), body: html`<${TableScreen} key=${game} game=${game} lang=${lang} />` };
});
if (EMBEDDED) embedded(begin);
else begin();
