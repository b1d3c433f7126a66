/**
 * What this browser keeps under a name, in its lasting storage or in this tab's. Where that is off
 * or full, it is kept by the page alone, until another one is loaded.
 */

/** The name of the language that was chosen. */
export const LANGUAGE = "phaseledger.language";

/** @type {Record<string, string>} */
const page = {};

/** @param {string} name @param {boolean} [lasting] @returns {string | null} */
export function load(name, lasting = true) {
  try {
    return (lasting ? localStorage : sessionStorage).getItem(name) ?? page[`${lasting} ${name}`] ?? null;
  } catch {
    return page[`${lasting} ${name}`] ?? null;
  }
}

/**
 * @param {string} name @param {string} text @param {boolean} [lasting]
 * @returns {boolean} whether it outlives the page
 */
export function save(name, text, lasting = true) {
  try {
    (lasting ? localStorage : sessionStorage).setItem(name, text);
    delete page[`${lasting} ${name}`];
    return true;
  } catch {
    page[`${lasting} ${name}`] = text;
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
