/** One bar that says what is asked, how the last answer went, and what can be done at once. */

import { html } from "../vendor/preact.js";
import { Card } from "../parts/card.js";
import { Explained } from "../parts/explained.js";
import { list, t } from "../words.js";
import { Fault, useSeconds } from "../play/faces.js";
import { RuleLink } from "../play/rules.js";
import { bestWords } from "./hint.js";
import { label, laidPhase } from "./labels.js";
import { ofType, types } from "./offers.js";
import { ORDERS } from "./own_hand.js";

/** @typedef {import("../play/types").Command} Command */
/** @typedef {import("../play/types").GameView} GameView */
/** @typedef {import("../play/types").RulesetInfo} RulesetInfo */

const AT_ONCE = 9; // buttons in the bar; what is more opens a sheet

/**
 * @param {{ live: import("./live.js").Live, view: GameView, info: RulesetInfo, commands: Command[],
 *   offers: Command[], hint: ReturnType<typeof import("./hint.js").useHint>,
 *   position: import("../types").Position, unfit: boolean, primary: Command | null, pending: Command | null,
 *   leaving: Command | null, selected: boolean, act: (command: Command) => void,
 *   confirm: (yes: boolean) => void,
 *   several: (commands: Command[]) => void, find: (() => void) | null, skip: () => void,
 *   order: string, sort: (order: string) => void }} props
 */
export function AskBar(props) {
  const { live, view, info, commands, offers, hint, position, primary, pending, act, confirm } = props;
  const { leaving, several, find, skip } = props;
  if (pending) {
    const what = label(pending, view, info);
    return html`<div class="ask" role="group" aria-label=${t("confirm.label")}>
      <div class="says"><p class="question">${t("confirm.sure", { what })}</p></div>
      <div class="do"><button type="button" class="primary" data-confirm onClick=${() => confirm(true)}>
        ${what}</button>
        <button type="button" onClick=${() => confirm(false)}>${t("confirm.no")}</button></div></div>`;
  }
  if (leaving) {
    return html`<div class="ask"><div class="says">
      <p class="question" role="status">${t("taking_back", { what: label(leaving, view, info) })}</p></div>
      <div class="do"><button type="button" class="primary" data-back onClick=${() => confirm(false)}>
        ${t("taking_back.do")}</button></div></div>`;
  }
  const named = (/** @type {Command} */ command) => html`<button type="button" key=${JSON.stringify(command)}
    data-command=${command.type} class=${command === primary ? "primary" : ""} onClick=${() => act(command)}>
    ${command.type === "lay" ? t("do.lay.drafted", { phase: laidPhase(command, view, info) })
      : label(command, view, info, live.asked)}</button>`;
  const skips = ofType(offers, "discard").filter(({ target }) => target !== undefined);
  return html`<div class="ask">
    <div class="says"><p class="question">${sentence(live, view)}</p>
      <${Time} view=${view} />
      ${props.unfit && html`<p class="soft" role="status">${t("ask.unfit")}</p>`}
      ${skips.length > 1 && html`<p class="soft" role="status">${t("ask.whom")}</p>`}
      ${props.selected && !live.asked && !live.flight && html`<p class="soft" role="status">
        ${t("ask.held")}</p>`}
      ${live.early && html`<p class="early" role="status">${t(live.asked ? "ask.early.now" : "ask.early")}</p>`}
      ${hint && html`<p role="status">${hinted(hint, position)}</p><${Fault} fault=${hint.fault} />`}
      <${Refused} live=${live} view=${view} info=${info} /></div>
    <div class="do">
      ${asks(commands).map(({ direction, values }) => html`<${AskFor} key=${direction} direction=${direction}
        values=${values} act=${act} />`)}
      ${ofType(commands, "search").length > 0 && html`<${PileCards} commands=${ofType(commands, "search")}
        act=${act} />`}
      ${offers.slice(0, AT_ONCE).map(named)}
      ${offers.length > AT_ONCE && html`<button type="button" onClick=${() => several(offers)}>
        ${t("choices.more", { count: offers.length - AT_ONCE })}</button>`}
      ${find && html`<button type="button" class=${primary ? "" : "primary"} onClick=${find}>
        ${t("do.find")}</button>`}
      ${live.waiting > 0 && html`<button type="button" onClick=${skip}>
        ${t("do.skip_waiting", { count: live.waiting })}</button>`}
      ${hint && html`<button type="button" class="quiet ask-hint" onClick=${hint.ask}>
        ${t("hint.title")}</button>`}
      <select class="ask-order" aria-label=${t("order")} value=${props.order}
        onChange=${(/** @type {any} */ { target }) => props.sort(target.value)}>
        ${ORDERS.map((order) => html`<option key=${order} value=${order}>
          ${t(`order.${order}`)}</option>`)}</select>
    </div>
  </div>`;
}

/** @param {NonNullable<ReturnType<typeof import("./hint.js").useHint>>} hint
 * @param {import("../types").Position} position */
function hinted({ busy, candidates }, position) {
  return busy ? t("face.loading") : candidates[0] && bestWords(candidates[0], position);
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
  const title = t(`ask_for.${direction}`);
  return html`<div class="values" role="group" aria-label=${title}><span>${title}</span>
    ${values.map((command) => html`<button type="button" key=${command.value} data-command="ask"
      aria-label=${t(`do.ask.${direction}`, { value: String(command.value) })} onClick=${() => act(command)}>
      ${command.value}</button>`)}</div>`;
}

/** @param {{ commands: Command[], act: (command: Command) => void }} props */
function PileCards({ commands, act }) {
  return html`<ul class="cards searched" aria-label=${t("search.pile")}>
    ${commands.map((command) => html`<li key=${command.card}>
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
    const lays = types(live.asked.commands).includes("lay");
    const more = kind !== "play" ? "" : seat?.laid ? ".laid" : lays ? ".can" : "";
    const number = question?.number ?? 0;
    return t(`ask.${kind}${more}`, { count: number, n: number, action: t(`action.${table.action}`) });
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
  return html`<p class="clock ${left > 10 ? "" : "short"}"><${Explained} of="clock" explains>
    ${due.seat === table.you ? "" : html`<bdi>${name}</bdi>: `}
    ${t(key, { count: Math.max(0, left > 0 ? left : grace) })}</${Explained}></p>`;
}

/** Why the last command was refused, with the rule behind it.
 * @param {{ live: import("./live.js").Live, view: GameView, info: RulesetInfo }} props */
function Refused({ live, view, info }) {
  if (!live.refused) return null;
  const { command, problem } = live.refused;
  return html`<p class="refused-note" role="alert">
    ${command && html`<b>${t("refused", { what: label(command, view, info) })}</b> `}
    ${problem.detail || problem.title}${" "}
    ${problem.rule && html`<${RuleLink} rule=${problem.rule} />`}</p>`;
}
