/**
 * A game as it is followed live: what the viewer sees of it, what it is asked, and what has become
 * of its commands. Commits come in bursts when bots move; they are shown one after the other, so
 * that a person can follow, unless there is nobody to see it.
 */

import { patched } from "../feed/patch.js";
import { Away, Refusal, call, randomHex } from "../play/api.js";
import { recalled } from "../feed/recalled.js";
import { follow } from "../feed/stream.js";
import { still } from "../parts/flight.js";
import { t } from "../words.js";

/** @typedef {import("../play/types").GameView} GameView */
/** @typedef {import("../play/types").Actions} Actions */
/** @typedef {import("../play/types").Command} Command */
/** @typedef {import("../play/types").EventLine} EventLine */
/** @typedef {import("../play/types").Problem} Problem */
/** @typedef {import("../play/types").RoundEndedRecord} RoundEnded */
/** @typedef {{ command: Command | null, problem: Partial<Problem> }} Refused */

const PACE = 350; // milliseconds that a commit is looked at before the next one is shown
const LEAST_PACE = 90; // where many are waiting
const LINES_KEPT = 400;
const LINES_RECALLED = 20; // of what happened before the page was opened
const RECALL_AFTER = 700; // milliseconds: what is played with comes first

/**
 * @typedef {object} Live
 * @property {GameView | null} view the last position shown
 * @property {Actions | null} asked what the viewer may do now; null while it is not its turn
 * @property {EventLine[]} lines the newest last
 * @property {import("../play/types").CardMove[]} moves where cards went in the commit shown last
 * @property {RoundEnded[]} ended the rounds that have ended, each until the person goes on
 * @property {"connecting" | "live" | "away" | "over" | "refused"} link
 * @property {number} heardAt when the service was last heard, in milliseconds since 1970
 * @property {Refusal | null} closed why the service tells no more
 * @property {Refused | null} refused what could not be done last
 * @property {Command | null} flight the command that is under way
 * @property {Command | null} landed the last command that was carried out and is seen in the position
 * @property {string} look the face of the joker that was just drawn, for its one look
 * @property {number} waiting how many commits are still to be shown
 * @property {((moves: import("../play/types").CardMove[]) => void) | null} leaving called before cards move
 * @property {((reaction: import("../play/types").Reacted) => void) | null} heard called when a player reacts
 * @property {boolean} early whether the last gesture was meant for a table that was not shown yet
 * @property {boolean} lost whether the seat is no longer the viewer's, until the person has read so
 */

/** Whether movement is unwanted, or there is nobody to see it. */
function hurried() {
  return document.hidden || still();
}

/**
 * Follow a game.
 *
 * @param {string} game
 * @param {string} token empty for a spectator
 * @param {(live: Live) => void} changed called with the same object whenever it has changed
 */
export function play(game, token, changed) {
  /** @type {Live} */
  const live = {
    view: null, asked: null, lines: [], moves: [], ended: [], link: "connecting",
    heardAt: Date.now(), closed: null, refused: null, flight: null, landed: null, look: "", waiting: 0,
    leaving: null, heard: null, early: false, lost: false,
  };
  /** @type {{ name: string, data: any }[]} */
  const queue = [];
  /** @type {ReturnType<typeof setTimeout> | 0} */
  let timer = 0;
  let flown = 0; // the version that the command under way led to
  let stopped = false;

  const tell = () => stopped || changed(live);

  /** @param {string} name @param {any} data */
  function show(name, data) {
    if (name === "state") {
      live.view = data;
      live.asked = null;
      live.moves = [];
      live.lines = [];
      if (data.table.stage !== "lobby") setTimeout(recall, RECALL_AFTER, data.version);
    } else if (name === "events" && live.view) {
      const { patch, lines = [], events } = /** @type {import("../play/types").Delta} */ (data);
      const moves = lines.flatMap((line) => line.moves || []);
      live.leaving?.(moves);
      live.view = patched(live.view, patch);
      live.lines = [...live.lines, ...lines].slice(-LINES_KEPT);
      live.moves = moves;
      const ended = /** @type {RoundEnded[]} */ (events.filter(({ type }) => type.startsWith("RoundEnded/")));
      if (token && ended.length) live.ended = ended; // several, where a lost turn was a round's last one
      live.asked = null;
      live.refused = null;
    } else if (name === "asked") {
      live.asked = data;
    } else if (name === "closed" && data.code === "seat_lost") {
      live.lost = Boolean(live.view?.terms.clock);
    } else if (name === "rewound") {
      live.lines = [];
    }
    land();
  }

  /** Fill the log with what happened before; without it the log is only shorter.
   * @param {number} version */
  async function recall(version) {
    const lines = await recalled(game, token, Math.max(1, version - LINES_RECALLED), version).catch(() => []);
    const first = live.lines[0]?.seq ?? version + 1;
    live.lines = [...lines.filter(({ seq }) => seq < first), ...live.lines];
    tell();
  }

  /** The command under way is over once the position shows what came of it. */
  function land() {
    if (!live.flight || !flown || !live.view || live.view.version < flown) return;
    live.landed = live.flight;
    live.flight = null;
  }

  /** Whether a player looks at how the round ended: the others' moves wait, where there is no clock. */
  function held() {
    if (live.lost) return true; // what the bot does with the seat is seen once the person knows of it
    return live.ended.length > 0 && !live.view?.terms.clock && live.view?.table.stage === "playing";
  }

  /** Show what waits until a commit is to be looked at. */
  function drain() {
    timer = 0;
    while (queue.length && !held()) {
      const { name, data } = /** @type {any} */ (queue.shift());
      show(name, data);
      live.waiting = queue.filter((message) => message.name === "events").length;
      if (held()) break;
      if (name === "events" && live.waiting && !hurried()) {
        timer = setTimeout(drain, Math.max(LEAST_PACE, PACE - 12 * live.waiting));
        break;
      }
    }
    tell();
  }

  const stream = follow(game, token, {
    message(name, data) {
      live.heardAt = Date.now();
      if (name === "reaction") return live.heard?.(data); // at once: it is of what its player sees
      queue.push({ name, data });
      if (!timer) timer = setTimeout(drain, 0); // with what comes in the same breath
    },
    up() {
      live.link = "live";
      tell();
    },
    away() {
      live.link = "away";
      tell();
    },
    over() {
      live.link = "over";
      tell();
    },
    refused(refusal) {
      live.link = "refused";
      live.closed = refusal;
      tell();
    },
  });

  return {
    live,
    /** Show at once all that waits. */
    skip() {
      if (timer) clearTimeout(timer);
      for (const { name, data } of queue.splice(0)) show(name, data);
      timer = live.waiting = 0;
      if (live.view?.table.stage !== "ended") live.ended = [];
      tell();
    },
    /** Send a command, one at a time; what comes of it is in the stream.
     * @param {Command} command */
    async send(command) {
      if (live.flight) return;
      live.flight = command;
      live.early = false;
      live.refused = null;
      flown = 0;
      tell();
      try {
        const body = command;
        /** @type {import("../play/types").Done} */
        const done = await call("POST", `/games/${game}/commands`, { token, body, key: randomHex(32) });
        flown = done.version;
        live.look = done.look || "";
        land();
      } catch (fault) {
        live.flight = null;
        if (fault instanceof Refusal) live.refused = { command, problem: fault.problem };
        else if (fault instanceof Away) live.link = "away";
        else throw fault;
      }
      tell();
    },
    /**
     * Say why the rules do not take a command, or that a card is needed for one; true where they take it at
     * the table as it is shown. Where they take it at one that is still to be shown, that is said.
     * @param {Command | null} command */
    async explain(command) {
      const { view } = live;
      live.early = false;
      live.refused = command ? null : { command, problem: { detail: t("ask.no_card") } };
      tell();
      if (!command) return false;
      try {
        await call("POST", `/games/${game}/commands?dry_run=true`, { token, body: command });
        live.early = live.view !== view || live.asked === null || live.waiting > 0;
        tell();
        return !live.early;
      } catch (fault) {
        if (fault instanceof Refusal) live.refused = { command, problem: fault.problem };
        else if (fault instanceof Away) live.link = "away";
        else throw fault;
        tell();
        return false;
      }
    },
    /** @param {Partial<Live>} part what the person has put aside */
    settle(part) {
      Object.assign(live, part);
      if (!timer) drain();
    },
    again: stream.again,
    stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      stream.stop();
    },
  };
}
