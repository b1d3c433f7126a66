// The list of moves: rounds, in a round its turns, in a turn its events.
//
//   html`<${MoveList} recording=${recording} seq=${120} onSeek=${(seq) => ...} />`
//
// Only the round of the current event is laid out, so that the list of a long game stays quick.

import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { brief } from "../parts/log.js";
import { memo } from "../parts/memo.js";

const SETTLING = 60; // milliseconds

/** @typedef {import("../types.js").Frame} Frame */
/** @typedef {{ turn: number, lines: Frame[] }} Turn */
/** @typedef {{ round: number, first: number, turns: Turn[] }} Round */
/** @typedef {{ line: Frame, now: boolean, onSeek: (seq: number) => void }} RowProps */

/** Lines by round and turn. @param {Frame[]} lines @returns {Round[]} */
export function byRound(lines) {
  /** @type {Round[]} */
  const rounds = [];
  for (const line of lines) {
    let round = rounds.at(-1);
    if (!round || round.round !== line.round) {
      round = { round: line.round, first: line.seq, turns: [] };
      rounds.push(round);
    }
    let turn = round.turns.at(-1);
    if (!turn || turn.turn !== line.turn) {
      turn = { turn: line.turn, lines: [] };
      round.turns.push(turn);
    }
    turn.lines.push(line);
  }
  return rounds;
}

/**
 * @param {{ recording: import("../feed/frames.js").Recording, seq: number,
 *   onSeek: (seq: number) => void }} props
 */
export function MoveList({ recording, seq, onSeek }) {
  const rounds = useMemo(() => byRound(recording.lines), [recording]);
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const round = useSettled(recording.line(seq).round);
  useEffect(() => {
    const list = root.current;
    const now = list?.querySelector(".now");
    if (!list || !now) return;
    const [box, row] = [list.getBoundingClientRect(), now.getBoundingClientRect()];
    const seen = row.top >= box.top + 40 && row.bottom <= box.bottom - 20;
    if (!seen) list.scrollTop += row.top - box.top - box.height / 3;
  }, [seq, round, recording]);
  /** @param {Frame} line */
  const row = (line) => html`<${Row} key=${line.seq} line=${line} now=${line.seq === seq}
    onSeek=${onSeek} />`;
  return html`<div class="moves" ref=${root} tabindex="0" role="region" aria-label=${t("replay.moves")}>
    ${rounds.map((part) => html`<section key=${part.first}>
      <h3><button type="button" aria-expanded=${String(part.round === round)}
          onClick=${() => onSeek(part.first)}>
        ${part.round ? t("replay.round", { round: part.round }) : t("replay.opening")}</button></h3>
      ${part.round === round && part.turns.map(({ turn, lines }) => html`<ol key=${turn} class="turn">
        ${lines.map(row)}
      </ol>`)}
    </section>`)}
  </div>`;
}

/**
 * A value once it has stayed for a moment: while somebody drags through a game, no round is laid out.
 * @param {number} value
 */
function useSettled(value) {
  const [settled, settle] = useState(value);
  useEffect(() => {
    if (value === settled) return undefined;
    const timer = setTimeout(() => settle(value), SETTLING);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled;
}

const Row = memo((/** @type {RowProps} */ { line, now, onSeek }) => {
  return html`<li class=${now ? "now" : ""}>
    <button type="button" aria-current=${now ? "step" : undefined} onClick=${() => onSeek(line.seq)}>
    <span class="seq">${line.seq}</span><span class="line">${brief(line.sentence)}</span></button></li>`;
});
