/** One bar that says what is asked, how the last answer went, and what can be done at once. */

import { html, useState } from "../vendor/preact.js";
import { Card } from "../parts/card.js";
import { list, t } from "../words.js";
import { Fault, useSeconds } from "../play/faces.js";
import { RuleLink } from "../play/rules.js";
import { bestWords } from "./hint.js";
import { label, laidPhase } from "./labels.js";
import { bare, ofType, types } from "./offers.js";

/** @typedef {import("../play/types").Command} Command */
/** @typedef {import("../play/types").GameView} GameView */
/** @typedef {import("../play/types").RulesetInfo} RulesetInfo */

const AT_ONCE = 9; // buttons in the bar; what is more opens a sheet

/**
 * @param {{ live: import("./live.js").Live, view: GameView, info: RulesetInfo, commands: Command[], offers: Command[],
 *   hint: ReturnType<typeof import("./hint.js").useHint>, position: import("../types").Position, fitting: number, primary: Command | null, ready: boolean, pending: Command | null, act: (command: Command) => void,
 *   confirm: (yes: boolean) => void, several: (commands: Command[]) => void, find: (() => void) | null,
 *   skip: () => void, sort: (byColour: boolean) => void }} props
 */
export function AskBar(props) {
  const { live, view, info, commands, offers, hint, position, fitting, primary, pending, act, confirm, several, find, skip, sort } = props;
  const [byColour, setByColour] = useState(false);
  const named = (/** @type {Command} */ command) => html`<button type="button" key=${JSON.stringify(command)}
    data-command=${command.type} class=${command === primary ? "primary" : ""} onClick=${() => act(command)}>
    ${command.type === "lay" ? t("do.lay.drafted", { phase: laidPhase(command, view, info) })
      : label(command, view, info, live.asked)}</button>`;
  if (pending) {
    return html`<div class="ask" role="group" aria-label=${t("confirm.label")}>
      <p>${t("confirm.sure", { what: label(pending, view, info) })}</p>
      <button type="button" class="primary" data-confirm onClick=${() => confirm(true)}>${label(pending, view, info)}</button>
      <button type="button" onClick=${() => confirm(false)}>${t("confirm.no")}</button></div>`;
  }
  const shown = offers.slice(0, AT_ONCE);
  return html`<div class="ask">
    <div class="says"><p class="question">${sentence(live, view)}</p>
      <${Time} view=${view} />
      ${fitting === 0 && html`<p class="soft" role="status">${t("ask.unfit")}</p>`}
      ${hint && html`<p role="status">${hint.busy ? t("face.loading") : hint.candidates[0] && bestWords(hint.candidates[0], position)}</p>
        <${Fault} fault=${hint.fault} />`}
      <${Refused} live=${live} view=${view} info=${info} /></div>
    <div class="do">
      ${asks(commands).map(({ direction, values }) => html`<${AskFor} key=${direction} direction=${direction} values=${values} act=${act} />`)}
      ${ofType(commands, "search").length > 0 && html`<${PileCards} commands=${ofType(commands, "search")} act=${act} />`}
      ${shown.map(named)}
      ${offers.length > AT_ONCE && html`<button type="button" onClick=${() => several(offers)}>
        ${t("choices.more", { count: offers.length - AT_ONCE })}</button>`}
      ${find && html`<button type="button" class=${primary ? "" : "primary"} onClick=${find}>${t("do.find")}</button>`}
      ${live.waiting > 0 && html`<button type="button" onClick=${skip}>${t("do.skip_waiting", { count: live.waiting })}</button>`}
      ${hint && html`<button type="button" class="quiet ask-hint" onClick=${hint.ask}>${t("hint.title")}</button>`}
      <button type="button" class="quiet" onClick=${() => { sort(byColour); setByColour(!byColour); }}>
        ${byColour ? t("do.sort.colour") : t("do.sort.number")}</button>
    </div>
  </div>`;
}

/** What can be done at once without a card; asking and searching have faces of their own.
 * @param {Command[]} commands */
export function plain(commands) {
  return bare(commands).filter((command) => command.type !== "ask");
}

/** The values that may be asked for, by direction. @param {Command[]} commands */
function asks(commands) {
  const all = ofType(commands, "ask");
  return [...new Set(all.map((command) => command.direction ?? "left"))].map((direction) => ({
    direction, values: all.filter((command) => (command.direction ?? "left") === direction),
  }));
}

/** @param {{ direction: string, values: Command[], act: (command: Command) => void }} props */
function AskFor({ direction, values, act }) {
  return html`<div class="values" role="group" aria-label=${t(`ask_for.${direction}`)}><span>${t(`ask_for.${direction}`)}</span>
    ${values.map((command) => html`<button type="button" key=${command.value} data-command="ask"
      aria-label=${t(`do.ask.${direction}`, { value: String(command.value) })} onClick=${() => act(command)}>${command.value}</button>`)}</div>`;
}

/** @param {{ commands: Command[], act: (command: Command) => void }} props */
function PileCards({ commands, act }) {
  return html`<ul class="cards searched" aria-label=${t("search.pile")}>${commands.map((command) => html`<li key=${command.card}>
    <${Card} text=${command.card ?? ""} onPick=${() => act(command)} /></li>`)}</ul>`;
}

/** What is asked of the viewer, or who is waited for.
 * @param {import("./live.js").Live} live @param {GameView} view */
export function sentence(live, view) {
  const { table } = view;
  const own = table.waits.filter((wait) => wait.seat === table.you);
  if (live.flight) return t("ask.flight");
  if (own.length && live.asked) {
    const [question] = own;
    const seat = table.seats[table.you ?? 0];
    const kind = question?.kind ?? "";
    const key = kind === "play" ? (seat?.laid ? "ask.play.laid" : types(live.asked.commands).includes("lay") ? "ask.play.can" : "ask.play") : `ask.${kind}`;
    return t(key, { count: question?.number ?? 0, n: question?.number ?? 0, action: t(`action.${table.action}`) });
  }
  if (live.waiting) return t("ask.showing");
  const others = [...new Set(table.waits.filter((wait) => wait.seat !== table.you).map((wait) => wait.seat))];
  if (!others.length) return t("ask.flight"); // what is asked is on its way
  return t("ask.others", { names: list(others.map((seat) => table.seats[seat]?.name ?? "")) });
}

/** How much time is left, to whoever it is that has to answer. @param {{ view: GameView }} props */
function Time({ view }) {
  const { table, deadlines } = view;
  const due = deadlines.find((each) => each.seat === table.you) ?? deadlines[0];
  const left = useSeconds(due?.due_at ?? 0);
  const grace = useSeconds(due?.grace_until ?? 0);
  if (!due) return null;
  const name = table.seats[due.seat]?.name ?? "";
  const key = left > 0 ? "clock.left" : grace > 0 ? "clock.late" : "clock.over";
  return html`<p class="clock ${left > 10 ? "" : "short"}">
    ${due.seat === table.you ? "" : html`<bdi>${name}</bdi>: `}${t(key, { count: Math.max(0, left > 0 ? left : grace) })}</p>`;
}

/** Why the last command was refused, with the rule behind it.
 * @param {{ live: import("./live.js").Live, view: GameView, info: RulesetInfo }} props */
function Refused({ live, view, info }) {
  if (!live.refused) return null;
  const { command, problem } = live.refused;
  return html`<p class="refused-note" role="alert"><b>${t("refused", { what: label(command, view, info) })}</b>
    ${" "}${problem.detail || problem.title}${" "}
    ${problem.rule && html`<${RuleLink} rule=${problem.rule} />`}</p>`;
}
