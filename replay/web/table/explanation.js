/** The rule behind a text at the table, in the sentences of its rules. */

import { html } from "../vendor/preact.js";
import { Cards } from "../parts/card.js";
import { language, t } from "../words.js";
import { Face, useAnswer } from "../play/faces.js";
import { chosen, sheetOf } from "../rules/how_to_play.js";

/** @typedef {import("../play/types").RuleSheet} RuleSheet */
/** @typedef {import("../play/types").GameView} GameView */

/** What of a sheet explains a text: the section. @type {Record<string, string>} */
const SECTIONS = { groups: "groups", skips: "skips", jokers: "wilds", points: "round_end" };

/** The sheets that were asked for. @type {Map<string, Promise<RuleSheet>>} */
const sheets = new Map();

/** @param {string} name @param {import("../rules/how_to_play.js").Options} options
 * @returns {Promise<RuleSheet>} */
function keptSheet(name, options) {
  const key = JSON.stringify([name, options, language()]);
  const sheet = sheets.get(key) ?? sheetOf(name, options);
  sheets.set(key, sheet);
  sheet.catch(() => sheets.delete(key));
  return sheet;
}

/** @param {{ of: string, view: GameView, info: import("../play/types").RulesetInfo }} props */
export function Explanation({ of, view, info }) {
  const [kind = "", which = ""] = of.split(":");
  const options = chosen(info, view.options);
  const answer = useAnswer(() => keptSheet(info.name, options), [info.name, options, language()]);
  const own = spoken(kind, view);
  if (own.length) return own.map((sentence) => html`<p key=${sentence}>${sentence}</p>`);
  if (!answer.data) return html`<${Face} answer=${answer} />`;
  return kind === "phase" ? html`<${Phase} sheet=${answer.data} number=${Number(which)} />`
    : html`<${Lines} lines=${linesOf(answer.data, kind, which)} />`;
}

/** What no rule of the game says. @param {string} kind @param {GameView} view @returns {string[]} */
function spoken(kind, { terms }) {
  if (kind === "bot" || kind === "stand_in") return [t(`why.${kind}`)];
  const { clock } = terms;
  if (kind !== "clock" || !clock) return [];
  return [
    `${t("terms.is.clock", { count: clock.seconds })}.`,
    clock.grace ? t("why.grace", { count: clock.grace }) : "",
    `${t("terms.then")} ${t(`terms.then.${clock.then ?? "bot_move"}`)}.`,
  ].filter(Boolean);
}

/** @param {RuleSheet} sheet @param {string} kind @param {string} action */
function linesOf({ sections }, kind, action) {
  if (kind === "action") {
    return sections.flatMap(({ lines }) => lines.filter((line) => line.action === action));
  }
  const section = sections.find(({ name }) => name === SECTIONS[kind]);
  return (section?.lines ?? []).filter((line) => line.kind === "rule");
}

/** @param {{ lines: RuleSheet["house"] }} props */
function Lines({ lines }) {
  return lines.map(({ text, rules = [] }) => html`<p key=${text}>${text}${" "}
    <span class="soft">${rules.join(", ")}</span></p>`);
}

/** A phase with cards that make it. @param {{ sheet: RuleSheet, number: number }} props */
function Phase({ sheet, number }) {
  const phase = sheet.phases[number - 1];
  if (!phase) return null;
  return html`<p><b>${phase.label}</b> ${phase.words} <span class="soft">${phase.rule}</span></p>
    <div class="example">${phase.groups.map(({ words, cards }, place) => html`<${Cards} key=${place}
      cards=${cards} label=${words} class="fanned" />`)}</div>
    <${Lines} lines=${linesOf(sheet, "groups", "")} />`;
}
