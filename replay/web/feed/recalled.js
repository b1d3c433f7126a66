/** What has happened in a game of the service, asked for as frames. */

import { Refusal, TRIES, caller, fetched, pause } from "../play/api.js";
import { named } from "../play/people.js";
import { language } from "../words.js";
import { readFrames } from "./frames.js";

/** @typedef {import("../play/api.js").Away} Away */

/**
 * The lines of events that have happened, as the caller may know them.
 *
 * @param {string} game @param {string} token
 * @param {number} from the first event @param {number} to the last one
 * @returns {Promise<import("../types").Frame[]>} the first with its position
 * @throws {Refusal | Away}
 */
export async function recalled(game, token, from, to) {
  const query = new URLSearchParams({ lang: language(), from: String(from), to: String(to) });
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetched(caller(token), `/games/${game}/frames?${query}`, "application/x-ndjson");
      return readFrames(await named(await answer.text())).slice(1);
    } catch (fault) {
      if (!(fault instanceof Refusal && fault.wait) || attempt === TRIES) throw fault;
      await pause(1000 * fault.wait); // others ask for as much at once
    }
  }
}

/**
 * The position after an event, as the caller may know it; every hand is in it once the game is over.
 *
 * @param {string} game @param {string} token @param {number} seq the event
 * @throws {Refusal | Away}
 */
export async function positionAfter(game, token, seq) {
  const [frame] = await recalled(game, token, seq, seq);
  return frame?.position ?? null;
}
