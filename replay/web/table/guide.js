/** A first game explained: what a question asks, what the hand still lacks, what would be best and why. */

import { html } from "../vendor/preact.js";
import { names } from "../parts/face.js";
import { language, list, t } from "../words.js";
import { call } from "../play/api.js";
import { useAnswer } from "../play/faces.js";
import { membership } from "../play/tokens.js";
import { bestWords, why } from "./hint.js";
import { types } from "./offers.js";

/** @typedef {NonNullable<import("../play/types").Hint["lacks"]>[number]} Lack */
/** @typedef {{ version: number, candidates: import("../types").Candidate[], lacks: Lack[] }} Hint */
/** @typedef {import("../play/types").GameView} GameView */

/** @param {{ live: import("./live.js").Live, view: GameView, stop: () => void }} props */
export function Guide({ live, view, stop }) {
  const { table, version } = view;
  const kind = table.waits.find((wait) => wait.seat === table.you)?.kind ?? "";
  const advice = useAnswer(async () => {
    if (!kind) return null;
    const token = membership(table.game).token ?? "";
    const asked = call("GET", `/games/${table.game}/hint`, { token });
    return asked.catch(() => null); // without one the step is explained all the same
  }, [version, kind, language()]);
  /** @type {Hint | null} */
  const hint = advice.data;
  const [best] = hint?.version === version ? hint.candidates : [];
  const position = /** @type {any} */ ({ table, legend: view.legend ?? { groups: [] } });
  const lacks = hint?.lacks ?? [];
  return html`<section class="panel guide" aria-labelledby="guide"><h2 id="guide">${t("guide.title")}</h2>
    <p>${t(`guide.${step(kind, live, view)}`)}</p>
    ${lacks.length > 0 && html`<ul class="lines">
      ${lacks.map((lack, place) => html`<li key=${place}>${lacking(lack)}</li>`)}</ul>`}
    ${best && html`<p><b>${bestWords(best, position)}</b> ${why(best)}</p>`}
    <p><button type="button" class="quiet" onClick=${stop}>${t("guide.stop")}</button></p></section>`;
}

/**
 * Which explanation is due.
 * @param {string} kind @param {import("./live.js").Live} live @param {GameView} view
 */
function step(kind, live, { table }) {
  if (!kind) return "wait";
  if (kind === "ask") return "asking";
  if (kind !== "play") return kind;
  if (table.seats[table.you ?? 0]?.laid) return "play.laid";
  return live.asked && types(live.asked.commands).includes("lay") ? "play.can" : "play";
}

/** What a group of the phase has in the hand, and what it lacks. @param {Lack} lack */
function lacking({ need, has, missing, example }) {
  if (!missing) return t("guide.full", { need, has: list(names(has)) });
  const more = { need, count: missing, example: list(names(example)) };
  return has ? t("guide.lacks", { ...more, has: list(names(has)) }) : t("guide.lacks_all", more);
}
