/** The page in the place of any other without a network: the tables of this browser, and another try. */

import { preferred, speak, t } from "../words.js";
import { ROOT } from "./navigation.js";
import { showSettings } from "./settings.js";
import { LANGUAGE, load } from "./storage.js";
import { memberships } from "./tokens.js";

const EVERY = 10_000; // milliseconds between tries

/** @param {string} tag @param {string} text @param {Node[]} children */
function element(tag, text, ...children) {
  const made = document.createElement(tag);
  made.append(text, ...children);
  return made;
}

/** A table of this browser. @param {[string, import("./types").Membership]} seat */
function entry([game, { ruleset, name }]) {
  const link = element("a", [ruleset ?? t("table.title"), name].filter(Boolean).join(" · "));
  link.setAttribute("href", `${ROOT}/play/g/${game}`);
  link.className = "button";
  return element("li", "", link);
}

/** Go on where the page was to lead, if the service is there again. */
async function again() {
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer) location.reload();
}

showSettings();
document.documentElement.lang = speak(load(LANGUAGE) || preferred());
document.title = `${t("offline.title")} · phaseledger`;
const button = element("button", t("offline.again"));
button.className = "primary";
button.addEventListener("click", () => location.reload());
const list = element("ul", "");
list.className = "stack";
const seats = memberships().filter(([, { over }]) => !over).reverse();
list.append(...seats.map(entry));
document.getElementById("main")?.append(
  element("h1", t("offline.title")), element("p", t("offline.lead")), element("p", "", button),
  ...(seats.length ? [element("h2", t("offline.tables")), list] : []),
);
addEventListener("online", again);
setInterval(again, EVERY);
