/**
 * What this browser keeps under a name, in its lasting storage or in this tab's. Where that is off
 * or full, and in a page that others embed, it is kept by the page alone, until another one is loaded.
 */

import { EMBEDDED } from "./navigation.js";

/** The name of the language that was chosen. */
export const LANGUAGE = "phaseledger.language";

/** @type {Record<string, string>} */
const page = {};

/** @param {boolean} lasting */
function storage(lasting) {
  if (EMBEDDED) return null;
  return lasting ? localStorage : sessionStorage;
}

/** @param {string} name @param {boolean} [lasting] @returns {string | null} */
export function load(name, lasting = true) {
  try {
    return storage(lasting)?.getItem(name) ?? page[`${lasting} ${name}`] ?? null;
  } catch {
    return page[`${lasting} ${name}`] ?? null;
  }
}

/**
 * @param {string} name @param {string} text @param {boolean} [lasting]
 * @returns {boolean} whether it outlives the page
 */
export function save(name, text, lasting = true) {
  page[`${lasting} ${name}`] = text;
  try {
    const kept = storage(lasting);
    kept?.setItem(name, text);
    if (kept) delete page[`${lasting} ${name}`];
    return kept !== null;
  } catch {
    return false;
  }
}

const GUIDE = "phaseledger.guide";

/** Whether each step of a game against bots is to be explained. */
export function isGuided() {
  return load(GUIDE) === "on";
}

/** @param {boolean} on */
export function setIsGuided(on) {
  save(GUIDE, on ? "on" : "");
}
