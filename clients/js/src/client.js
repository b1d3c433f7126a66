/** A client of a service: for an application with its key, or for a seat or a host with its token. */

import { patched } from "./patch.js";
import { call } from "./requests.js";
import { follow } from "./stream.js";

/** @typedef {import("./schemas.js").OpenTable} OpenTable */
/** @typedef {import("./schemas.js").Opened} Opened */
/** @typedef {import("./schemas.js").JoinTable} JoinTable */
/** @typedef {import("./schemas.js").Joined} Joined */
/** @typedef {import("./schemas.js").Play} Command */
/** @typedef {import("./schemas.js").Done} Done */
/** @typedef {import("./schemas.js").GameView} GameView */
/** @typedef {import("./schemas.js").Actions} Actions */
/** @typedef {import("./schemas.js").Delta} Delta */
/** @typedef {import("./schemas.js").Reacted} Reacted */
/** @typedef {import("./schemas.js").Ticket} Ticket */
/** @typedef {import("./schemas.js").TableToken} TableToken */
/** @typedef {import("./schemas.js").SignedIn} SignedIn */

/**
 * What is done with the messages of a stream; each that is left out is passed over.
 * @typedef {object} Handlers
 * @property {(view: GameView) => void} [onState] the game as a whole: first, and after a seat changed hands
 * @property {(delta: Delta, view: GameView) => void} [onEvents] a commit, and the game after it
 * @property {(asked: Actions) => void} [onAsked] what the seat may do now
 * @property {(reaction: Reacted) => void} [onReaction] what a player says
 * @property {(view: GameView) => void} [onEnd] the game is over
 * @property {(live: boolean) => void} [onLink] whether the line is whole; else another try follows
 */

/**
 * A game that is followed.
 * @typedef {object} Followed
 * @property {Promise<GameView | null>} done the game as it was last, once there is nothing more to come;
 *   rejects with the `Refusal` of a service that tells no more, or with what a handler has thrown
 * @property {() => void} again come back at once, where the line is broken
 * @property {() => void} stop
 */

/** Each method throws a `Refusal`, or `Away` where the service cannot be reached. */
export class Phaseledger {
  /**
   * @param {string} url the service's address
   * @param {{ key?: string, token?: string, language?: string }} [caller] `key`: an application's, to open
   *   tables; `token`: a seat's or a host's, to act at one; `language`: of sentences, `en`, `de` or `fr`
   */
  constructor(url, { key = "", token = key, language = "" } = {}) {
    /** @type {import("./requests.js").Caller} */
    this.caller = { url: url.replace(/\/+$/, ""), token, language };
  }

  /** The same service, called with another token. @param {string} token */
  at(token) {
    return new Phaseledger(this.caller.url, { token, language: this.caller.language });
  }

  /**
   * Any operation of the API.
   * @param {string} method @param {string} path below /v1
   * @param {{ body?: unknown, key?: string }} [more] `key`: an Idempotency-Key; without it, each call of
   *   POST has its own, so that what is sent again after a broken line counts once
   * @returns {Promise<any>}
   */
  call(method, path, more) {
    return call(this.caller, method, path, more);
  }

  /** Open a table. @param {OpenTable} table @returns {Promise<Opened>} */
  open(table) {
    return this.call("POST", "/games", { body: table });
  }

  /** A fresh token of a player's seat or, without a player, of the host; for the application's key.
   * @param {string} game @param {string} [player] @returns {Promise<TableToken>} */
  tableToken(game, player) {
    return this.call("POST", `/games/${game}/tokens`, { body: { player } });
  }

  /** Sign in with an ID token of the operator's issuer: the answer's token acts for the player `me`.
   * @param {string} idToken @returns {Promise<SignedIn>} */
  signIn(idToken) {
    return this.call("POST", "/sign-in", { body: { id_token: idToken } });
  }

  /** End the session whose token this client has. @returns {Promise<null>} */
  signOut() {
    return this.call("DELETE", "/sign-in");
  }

  /** Let the guest in a seat be a player. @param {string} game @param {string} token the seat's
   * @param {string} [player] @returns {Promise<Done>} */
  takeOver(game, token, player = "me") {
    return this.call("POST", `/games/${game}/player`, { body: { player, token } });
  }

  /** Take a seat. @param {string} game @param {JoinTable} player @returns {Promise<Joined>} */
  join(game, player) {
    return this.call("POST", `/games/${game}/seats`, { body: player });
  }

  /** Begin the game, as its host. @param {string} game @returns {Promise<Done>} */
  start(game) {
    return this.call("POST", `/games/${game}/start`);
  }

  /** The game as the caller sees it. @param {string} game @returns {Promise<GameView>} */
  view(game) {
    const { language } = this.caller;
    return this.call("GET", `/games/${game}${language && `?lang=${language}`}`);
  }

  /** What the seat may do now. @param {string} game @returns {Promise<Actions>} */
  actions(game) {
    return this.call("GET", `/games/${game}/actions`);
  }

  /** Do it. @param {string} game @param {Command} command one of its actions @returns {Promise<Done>} */
  send(game, command) {
    return this.call("POST", `/games/${game}/commands`, { body: command });
  }

  /** What opens one stream by an `EventSource`, within 30 seconds. @param {string} game
   * @returns {Promise<Ticket>} */
  ticket(game) {
    return this.call("POST", `/games/${game}/tickets`);
  }

  /**
   * Follow a game to its end. A broken line is taken up where it broke: no message is lost or comes twice.
   * @param {string} game @param {Handlers} handlers @returns {Followed}
   */
  follow(game, { onState, onEvents, onAsked, onReaction, onEnd, onLink }) {
    const { language } = this.caller;
    /** @type {GameView | null} */
    let view = null;
    let stop = () => {};
    let again = stop;
    /** @type {Record<string, (data: any) => void>} */
    const taken = {
      state(data) {
        view = data;
        onState?.(data);
      },
      events(data) {
        if (!view) return;
        view = patched(view, data.patch);
        onEvents?.(data, view);
      },
      asked: (data) => onAsked?.(data),
      reaction: (data) => onReaction?.(data),
      end: () => view && onEnd?.(view),
    };
    /** @type {Promise<GameView | null>} */
    const done = new Promise((resolve, reject) => {
      const stream = follow(this.caller, game, language ? { lines: language } : {}, {
        message(name, data) {
          try {
            taken[name]?.(data);
          } catch (fault) {
            stream.stop();
            reject(fault);
          }
        },
        up: () => onLink?.(true),
        away: () => onLink?.(false),
        over: () => resolve(view),
        refused: reject,
      });
      again = stream.again;
      stop = () => {
        stream.stop();
        resolve(view);
      };
    });
    return { done, again, stop };
  }
}
