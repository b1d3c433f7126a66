/** A hint at a practice table: what the service would play, judged by what the seat can see. */

import { html, useState } from "../vendor/preact.js";
import { isWorse, moveWords, points } from "../account/decision.js";
import { call } from "../play/api.js";
import { membership } from "../play/tokens.js";
import { decimal, t } from "../words.js";

/** @typedef {import("../types").Candidate} Candidate */
/** @typedef {import("../types").Position} Position */
/** @typedef {{ version: number, busy: boolean, candidates: Candidate[], fault: Error | null }} Hinted */

const SHOWN = 6; // candidates

/**
 * The hint for the question that is open; it goes with the next event. Null at a table that is none for
 * practice.
 * @param {import("../play/types").GameView} view
 * @returns {Hinted & { ask: () => void } | null}
 */
export function useHint({ version, table }) {
  const none = { version, busy: false, candidates: [], fault: null };
  const [hinted, set] = useState(/** @type {Hinted} */ (none));
  if (table.seats.some((seat) => seat?.seat !== table.you && !seat?.bot)) return null;
  const ask = async () => {
    const { token = "" } = membership(table.game);
    set({ ...none, busy: true });
    try {
      set({ ...none, ...(await call("GET", `/games/${table.game}/hint`, { token })) });
    } catch (fault) {
      set({ ...none, fault: /** @type {Error} */ (fault) });
    }
  };
  return { ...(hinted.version === version ? hinted : none), ask };
}

/**
 * The candidates, best first, and what speaks for the best one.
 * @param {{ candidates: Candidate[], position: Position }} props
 */
export function HintPanel({ candidates, position }) {
  const [best] = candidates;
  if (!best) return null;
  const behind = (/** @type {Candidate} */ one) => {
    if (one === best) return t("account.best");
    return isWorse(one) ? `${points(-one.behind, true)} ± ${points(one.error)}` : t("hint.same");
  };
  return html`<section class="panel hint" aria-labelledby="hint"><h2 id="hint">${t("hint.title")}</h2>
    ${best.reasons && html`<p><b>${bestWords(best, position)}</b> ${why(best)}</p>`}
    <table class="scores"><thead><tr><th scope="col">${t("hint.move")}</th>
        <th scope="col">${t("hint.equity")}</th><th scope="col">${t("hint.behind")}</th></tr></thead>
      <tbody>${candidates.slice(0, SHOWN).map((one) => html`<tr key=${JSON.stringify(one.command)}>
        <th scope="row">${moveWords(one.command, position)}</th>
        <td>${points(one.equity)}</td><td>${behind(one)}</td></tr>`)}</tbody></table>
    <p class="soft">${t("hint.legend")}</p></section>`;
}

/** The best move in a sentence. @param {Candidate} best @param {Position} position */
export function bestWords({ command }, position) {
  return t("hint.best", { move: moveWords(command, position) });
}

/**
 * What a draw or a discard keeps open, and what a discard feeds and risks, in sentences.
 * @param {Candidate} best
 */
export function why({ command, reasons = {} }) {
  const { wait = 0, feeds = 0, feeds_hit: hit = false, points: count = 0 } = reasons;
  const fed = hit ? t("hint.hit") : t("hint.feeds", { chance: decimal(100 * feeds, 0) });
  return [
    wait > 0 && t("hint.wait", { turns: decimal(wait, 1) }),
    command.type === "discard" && fed,
    count > 0 && t("hint.points", { count }),
  ].filter(Boolean).join(" ");
}
