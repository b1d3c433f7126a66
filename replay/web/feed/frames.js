// A game as frames: the first holds a position, every other one a patch to the one before it.

import { patched } from "../client/patch.js";

/** @typedef {import("../types.js").Frame} Frame */
/** @typedef {import("../types.js").Position} Position */

/** How many positions are kept for good; one between two of them is made from the nearest before. */
const CHECKPOINT = 16;
const SLICE = 6; // milliseconds at a time in which positions are made ahead

/** What cannot be read; `code` is a key of the words (`fault.*`). */
export class Unreadable extends Error {
  /** @param {string} code @param {string} [detail] */
  constructor(code, detail = "") {
    super(detail || code);
    this.code = code;
    this.detail = detail;
  }
}

/** A recorded game for one viewer: its lines, and the position after every event. */
export class Recording {
  /** @param {Frame[]} frames */
  constructor(frames) {
    const position = frames[0]?.position;
    if (!position) throw new Unreadable("fault.no_frames");
    this.lines = frames;
    this.first = frames[0]?.seq ?? 1;
    this.last = this.first + frames.length - 1;
    /** @type {Map<number, Position>} */
    this.kept = new Map([[0, position]]);
    /** The position drawn last, from which the next one is a step. */
    this.recent = { index: 0, position };
  }

  /** Make positions all over the game ahead, a few at a time, so that no event is far from one. */
  prepare(next = this.first) {
    setTimeout(() => {
      const until = performance.now() + SLICE;
      try {
        for (; next <= this.last && performance.now() < until; next += CHECKPOINT) this.position(next);
      } catch {
        return; // Who goes to what is damaged there is told so.
      }
      if (next <= this.last) this.prepare(next);
    }, 0);
  }

  /** The event's line. @param {number} seq @returns {Frame} */
  line(seq) {
    return /** @type {Frame} */ (this.lines[this.clamped(seq) - this.first]);
  }

  /** The nearest event that there is. @param {number} seq */
  clamped(seq) {
    return Math.min(Math.max(Math.round(seq) || this.first, this.first), this.last);
  }

  /** The position after an event. @param {number} seq @returns {Position} */
  position(seq) {
    const index = this.clamped(seq) - this.first;
    let start = index - (index % CHECKPOINT);
    while (!this.kept.has(start)) start -= CHECKPOINT;
    let position = /** @type {Position} */ (this.kept.get(start));
    if (this.recent.index <= index && this.recent.index > start) {
      ({ index: start, position } = this.recent);
    }
    for (let next = start + 1; next <= index; next += 1) {
      position = patched(position, this.lines[next]?.patch ?? []);
      if (next % CHECKPOINT === 0) this.kept.set(next, position);
    }
    this.recent = { index, position };
    return position;
  }
}

/** Frames of NDJSON, a frame a line. @param {string} text @returns {Frame[]} */
export function readFrames(text) {
  try {
    return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  } catch (fault) {
    throw new Unreadable("fault.damaged", String(fault));
  }
}
