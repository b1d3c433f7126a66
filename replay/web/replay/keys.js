// What a key means to the replay: a word for it, or nothing.

/** @type {Record<string, string>} */
const KEYS = {
  ArrowRight: "forward", ArrowLeft: "back", PageDown: "next_round", PageUp: "last_round",
  Home: "first", End: "last", " ": "play", "+": "faster", "-": "slower", "?": "help",
  n: "next_finding", N: "next_finding", p: "last_finding", P: "last_finding",
};

/**
 * What the key asks for; `chair:2` for a digit. Keys that belong to what has the focus are left to it.
 * @param {KeyboardEvent} event
 * @returns {string | undefined}
 */
export function wish(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return undefined;
  const target = /** @type {HTMLElement} */ (event.target);
  const field = target.closest?.("input:not([type=range]), select, textarea, dialog");
  if (field || (event.key === " " && target.closest?.("button, a, summary"))) return undefined;
  if (/^[0-9]$/.test(event.key)) return `chair:${event.key}`;
  const word = KEYS[event.key];
  if (event.shiftKey && word === "forward") return "next_turn";
  if (event.shiftKey && word === "back") return "last_turn";
  return word;
}

/**
 * The event that a step leads to.
 * @param {import("../feed/frames.js").Recording} recording
 * @param {number} seq
 * @param {string} step
 * @param {number[]} rounds the events that begin a round
 * @returns {number}
 */
export function stepped(recording, seq, step, rounds) {
  const { turn } = recording.line(seq);
  switch (step) {
    case "first": return recording.first;
    case "last": return recording.last;
    case "back": return recording.clamped(seq - 1);
    case "forward": return recording.clamped(seq + 1);
    case "next_round": return recording.clamped(rounds.find((start) => start > seq) ?? recording.last);
    case "last_round": return recording.clamped(rounds.findLast((start) => start < seq) ?? recording.first);
    case "next_turn": {
      const next = recording.lines.find((line) => line.seq > seq && line.turn !== turn);
      return next?.seq ?? recording.last;
    }
    case "last_turn": {
      const start = recording.lines.find((line) => line.turn === turn)?.seq ?? recording.first;
      if (start < seq) return start;
      const before = recording.line(seq - 1).turn;
      return recording.lines.find((line) => line.turn === before)?.seq ?? recording.first;
    }
    default: return seq;
  }
}
