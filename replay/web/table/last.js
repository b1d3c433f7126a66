/** What a game that is over was left with. */

import { language } from "../words.js";
import { positionAfter } from "../feed/recalled.js";
import { call } from "../play/api.js";
import { useAnswer } from "../play/faces.js";

/** @typedef {import("../play/types").GameView} GameView */
/** @typedef {import("../play/types").RoundEndedRecord} RoundEnded */

/** How its last round ended, where one did, and the table with every hand.
 * @typedef {{ ended: RoundEnded | null, position: import("../types").Position | null }} Last */

/**
 * What is shown of a game that is over, whoever looks and whenever; null while it goes on.
 *
 * @param {GameView} view @param {string} token @returns {Last | null}
 */
export function useLast(view, token) {
  const { game, stage, round } = view.table;
  const over = stage === "ended" || stage === "voided";
  return useAnswer(async () => {
    if (!over) return null;
    const page = call("GET", `/games/${game}/events?after=${Math.max(0, view.version - 2)}`, { token });
    const position = await positionAfter(game, token, view.version);
    /** @type {RoundEnded | undefined} */
    const ended = (await page).events.find((/** @type {RoundEnded} */ event) =>
      event.type.startsWith("RoundEnded/") && event.data.round === round);
    return { ended: ended ?? null, position };
  }, [game, over && view.version, language()]).data;
}
