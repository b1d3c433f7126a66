/** The service of these pages, as `client/` asks it: below their own root, in the reader's language. */

import { Away, Refusal, TRIES, call as asked, fetched, hex, pause, randomHex } from "../client/requests.js";
import { language } from "../words.js";
import { ROOT } from "./navigation.js";
import { named } from "./people.js";

/** Who asks. @param {string} [token] @returns {import("../client/requests.js").Caller} */
export function caller(token = "") {
  return { url: ROOT, token, language: language(), naming: named };
}

/**
 * What the service answers, decoded.
 *
 * @param {string} method
 * @param {string} path below /v1
 * @param {{ token?: string, body?: unknown, key?: string }} [more] `key`: an Idempotency-Key, which
 *   is made up where a write has none
 * @returns {Promise<any>}
 * @throws {Refusal | Away}
 */
export function call(method, path, { token, ...more } = {}) {
  return asked(caller(token), method, path, more);
}

export { Away, Refusal, TRIES, fetched, hex, pause, randomHex };
