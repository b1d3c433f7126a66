/**
 * The stream of a game's events, read by fetch, since an EventSource cannot show a token. It comes
 * back by itself with the version that it has, and says when the line is broken and whole again.
 */

import { headers, refusalOf } from "../play/api.js";
import { ROOT } from "../play/navigation.js";
import { named } from "../play/people.js";
import { language } from "../words.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;
const SILENCE = 45000; // milliseconds; the service is heard every 15 seconds, whatever happens

/**
 * @typedef {object} Listener
 * @property {(name: string, data: any) => void} message `state`, `events`, `asked`, `end`, ...
 * @property {() => void} up the line is whole
 * @property {() => void} away it is broken; another try follows
 * @property {() => void} over there is nothing more to come
 * @property {(refusal: import("../play/api.js").Refusal) => void} refused the service will not tell
 */

/** The messages of a text, and what is left of it. @param {string} text */
export function messages(text) {
  const blocks = text.split(/\r?\n\r?\n/);
  const rest = blocks.pop() || "";
  const read = blocks.map((block) => {
    const message = { id: "", event: "", data: "", retry: 0 };
    for (const line of block.split(/\r?\n/)) {
      const colon = line.indexOf(":");
      const value = line.slice(colon + 1).replace(/^ /, "");
      const field = line.slice(0, colon);
      if (field === "id") message.id = value;
      else if (field === "event") message.event = value;
      else if (field === "data") message.data += value;
      else if (field === "retry") message.retry = Number(value);
    }
    return message;
  });
  return { read, rest };
}

/**
 * Follow a game until it is over or `stop` is called, which this answers.
 *
 * @param {string} game
 * @param {string} token empty for a spectator
 * @param {Listener} listener
 */
export function follow(game, token, listener) {
  let stopped = false;
  let lastId = "";
  let wait = FIRST_WAIT;
  let closing = "";
  /** @type {AbortController | null} */
  let request = null;
  /** @type {() => void} */
  let wake = () => {};

  async function read() {
    request = new AbortController();
    const own = request;
    let heard = setTimeout(() => own.abort(), SILENCE);
    const lines = headers(token, "text/event-stream");
    if (lastId) lines["Last-Event-ID"] = lastId;
    try {
      const answer = await fetch(`${ROOT}/v1/games/${game}/events?lines=${language()}&linger=true`, {
        headers: lines, signal: own.signal, cache: "no-store",
      });
      if (answer.status === 204) return "over";
      if (!answer.ok || !answer.body) throw await refusalOf(answer);
      listener.up();
      wait = FIRST_WAIT;
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; ;) {
        const { value, done } = await reader.read();
        if (done) return closing || "broken";
        clearTimeout(heard);
        heard = setTimeout(() => own.abort(), SILENCE);
        const parts = messages(text + value);
        text = parts.rest;
        for (const message of parts.read) {
          if (message.id) lastId = message.id;
          if (message.retry) wait = message.retry;
          if (!message.event) continue;
          const data = JSON.parse(await named(message.data));
          if (message.event === "closed" && closing !== "over") closing = data.code;
          if (closing === "seat_lost") lastId = ""; // from now on another view, from its beginning
          if (message.event === "end") closing = "over";
          listener.message(message.event, data);
        }
      }
    } finally {
      clearTimeout(heard);
      own.abort();
    }
  }

  async function run() {
    while (!stopped) {
      let outcome = "";
      closing = "";
      try {
        outcome = await read();
      } catch (fault) {
        if (stopped) return;
        if (closing === "over") outcome = closing; // only reactions were still to come
        const status = /** @type {any} */ (fault).status || 0;
        if (status >= 400 && status < 500 && status !== 429 && status !== 408) {
          listener.refused(/** @type {any} */ (fault));
          return;
        }
        else wait = Math.max(wait, 1000 * (/** @type {any} */ (fault).wait || 0));
      }
      if (stopped) return;
      if (outcome === "over") {
        listener.over();
        return;
      }
      listener.away();
      await new Promise((done) => {
        wake = () => done(undefined);
        setTimeout(done, wait * (0.75 + Math.random() / 2));
      });
      wait = Math.min(2 * wait, LONGEST_WAIT);
    }
  }

  const again = () => wake();
  addEventListener("online", again);
  run();
  return {
    /** Try to come back at once. */
    again,
    stop() {
      stopped = true;
      removeEventListener("online", again);
      request?.abort();
      wake();
    },
  };
}
