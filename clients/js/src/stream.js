/**
 * The stream of a game's events, read by fetch, since an EventSource cannot show a token. It comes
 * back by itself with the version that it has, and says when the line is broken and whole again.
 */

import { decoded, fetched } from "./requests.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;
const SILENCE = 45000; // milliseconds; the service is heard every 15 seconds, whatever happens

/**
 * @typedef {object} Listener
 * @property {(name: string, data: any) => void} message `state`, `events`, `asked`, `end`, ...
 * @property {() => void} up the line is whole
 * @property {() => void} away it is broken; another try follows
 * @property {() => void} over there is nothing more to come
 * @property {(refusal: import("./requests.js").Refusal) => void} refused the service will not tell
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
 * @param {import("./requests.js").Caller} caller
 * @param {string} game
 * @param {Record<string, string>} query what the stream has beside the events, such as `lines`
 * @param {Listener} listener
 */
export function follow(caller, game, query, listener) {
  const path = `/games/${game}/events?${new URLSearchParams(query)}`;
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
    /** @type {Record<string, string>} */
    const headers = lastId ? { "Last-Event-ID": lastId } : {};
    try {
      const request = { headers, signal: own.signal, cache: /** @type {const} */ ("no-store") };
      const answer = await fetched(caller, path, "text/event-stream", request);
      if (answer.status === 204 || !answer.body) return "over";
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
          const data = await decoded(caller, message.data);
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
  globalThis.addEventListener?.("online", again); // Node has none
  run();
  return {
    /** Try to come back at once. */
    again,
    stop() {
      stopped = true;
      globalThis.removeEventListener?.("online", again);
      request?.abort();
      wake();
    },
  };
}
