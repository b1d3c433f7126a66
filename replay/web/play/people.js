/** The names of applications' players, which games know by pseudonyms: put into what the service sends. */

import { ROOT } from "./navigation.js";

const PSEUDONYM = /player-[a-z2-7]{20}/g;
const MOST = 100; // names that are asked for at once
const NONE = "";

/** @type {Map<string, string>} */
const known = new Map(); // for as long as the page is open

/** A text as JSON with names for the pseudonyms in it; one without a name stays. @param {string} text */
export async function named(text) {
  const unknown = [...new Set(text.match(PSEUDONYM))].filter((pseudonym) => !known.has(pseudonym));
  for (let start = 0; start < unknown.length; start += MOST) await ask(unknown.slice(start, start + MOST));
  return known.size ? text.replace(PSEUDONYM, (pseudonym) => known.get(pseudonym) || pseudonym) : text;
}

/** @param {string[]} pseudonyms */
async function ask(pseudonyms) {
  try {
    const answer = await fetch(`${ROOT}/v1/names?of=${pseudonyms.join(",")}`, { cache: "no-store" });
    /** @type {import("./types").PlayerNames} */
    const { names } = await answer.json();
    for (const pseudonym of pseudonyms) {
      known.set(pseudonym, JSON.stringify(names[pseudonym] ?? NONE).slice(1, -1));
    }
  } catch {
    // the next answer asks for them again
  }
}
