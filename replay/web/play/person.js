/** What this browser knows of its person: the name, and the table that was opened last. */

import { load, save } from "./storage.js";

const KEY = "phaseledger.person";

/** @typedef {import("./types").Person} Person */

/** @returns {Person} */
export function person() {
  try {
    return JSON.parse(load(KEY, false) ?? load(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/**
 * Remember this, too.
 * @param {Person} more @param {boolean} lasting whether it outlives the tab, as the seat does
 */
export function remember(more, lasting) {
  save(KEY, JSON.stringify({ ...person(), ...more }), lasting);
}
