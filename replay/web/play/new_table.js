/** The way to a new table, where people may open tables. */

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { OPENS, ROOT } from "./navigation.js";

/** @param {{ class?: string, search?: string, children?: unknown }} props */
export function NewTable({ class: kind = "button", search = "", children = t("lobby.new") }) {
  return OPENS && html`<a class=${kind} href=${`${ROOT}/play/new${search}`}>${children}</a>`;
}
