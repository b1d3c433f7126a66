// A seat as the others see it: name and bot, its phase in words, points, how many cards it holds,
// what lies in front of it.
//
//   html`<${SeatPanel} seat=${view} rules=${rules} turn=${true} task="draws" />`
//   html`<${SeatPanel} ... hand="R5 B6" />`             with its cards face up (open view)
//   html`<${SeatPanel} ... onSeat=${(seat, event) => ...} />`   its name is a button (skip it, ask it)
//
// `Seats` draws the opponents of `you` in turn order, or everybody.

import { html } from "../vendor/preact.js";
import { has, t } from "../words.js";
import { Cards } from "./card.js";
import { Explained } from "./explained.js";
import { Hand } from "./hand.js";
import { memo } from "./memo.js";

/** @typedef {import("../types.js").SeatView} SeatView */
/** @typedef {import("../types.js").TableView} TableView */
/** @typedef {import("../types.js").RulesetInfo} RulesetInfo */

/**
 * A phase's number, with the catalogue's ID beside it where a variant leaves phases out.
 * @param {number} place
 * @param {RulesetInfo} rules
 */
export function phaseLabel(place, rules) {
  return rules.phases[place - 1]?.label || String(place);
}

/**
 * The phase of a seat in the words of this game's rules.
 * @param {SeatView} seat
 * @param {RulesetInfo} rules
 */
export function phaseWords(seat, rules) {
  const words = rules.phases[seat.phase - 1]?.words ?? "";
  return t(seat.laid ? "seat.laid" : "seat.phase", { phase: phaseLabel(seat.phase, rules), words });
}

/** Whether cards that are left in hand cost anything in this game. @param {RulesetInfo} rules */
export function scored({ points }) {
  return points.wild > 0 || points.skip > 0 || points.ranks.some((cost) => cost > 0);
}

/** How well a bot plays, in words. @param {string} bot its level */
export function botName(bot) {
  return has(`bot.${bot}`) ? t(`bot.${bot}`) : bot;
}

/** What a seat is asked now, and the turns that it loses, in words. @param {SeatView} seat @param {TableView} table */
function asked(seat, table) {
  const question = table.waits.find((wait) => wait.seat === seat.seat);
  const parts = [question && t(`asks.${question.kind}`, { n: question.number ?? 0 }), seat.skips > 0 && t("seat.skips", { count: seat.skips })];
  return table.stage === "playing" ? parts.filter(Boolean).join(" · ") : "";
}

/**
 * @typedef {{ seat: SeatView, rules: RulesetInfo, turn?: boolean, task?: string, won?: boolean, hand?: string | null, you?: boolean,
 *   onSeat?: (seat: number, event: Event) => void, open?: boolean, marks?: Record<number, string>,
 *   said?: unknown, say?: unknown, explains?: boolean }} PanelProps
 */

export const SeatPanel = memo((/** @type {PanelProps} */ {
  seat, rules, turn = false, task = "", won = false, hand, you = false, onSeat, open = false, marks, said,
  say, explains,
}) => {
  const name = html`<bdi>${seat.name}</bdi>`;
  const kind = `seat seat-${seat.seat}${turn ? " turn" : ""}${seat.playing ? "" : " away"}`;
  return html`<section class=${`${kind}${seat.bot ? " bot" : ""}${open ? " open" : ""}`} aria-label=${seat.name}
    data-place=${`seat:${seat.seat}`}>
    <div class="who">
      <i class="disc" aria-hidden="true">${seat.seat + 1}</i>
      ${onSeat
        ? html`<button type="button" class="name" onClick=${(/** @type {Event} */ event) => onSeat(seat.seat, event)}>${name}</button>`
        : html`<b class="name">${name}</b>`}
      ${you && html`<span class="badge mine">${t("seat.you")}</span>`}
      ${seat.bot && html`<${Explained} of="bot" explains=${explains} class="badge">
        ${botName(seat.bot)}</${Explained}>`}
      ${seat.stand_in && html`<${Explained} of="stand_in" explains=${explains} class="badge note">
        ${t("seat.stand_in", { bot: botName(seat.stand_in) })}</${Explained}>`}
      ${won && html`<span class="badge good">${t("seat.won")}</span>`}
    </div>
    <p class="phase"><${Explained} of=${`phase:${seat.phase}`} explains=${explains}>
      <span class="words">${phaseWords(seat, rules)}</span>
      <span class="short">${t(seat.laid ? "seat.laid_short" : "seat.phase_short", {
        phase: phaseLabel(seat.phase, rules) })}</span></${Explained}></p>
    <div class="holds">
      ${hand === undefined || hand === null
        ? html`<${Fan} count=${seat.cards} seat=${seat.seat} />`
        : html`<${Hand} cards=${hand} place=${`hand:${seat.seat}`} marks=${marks} label=${t("hand_of", { name: seat.name })} />`}
      ${seat.front && html`<div class="front" data-place=${`front:${seat.seat}`}>
        <${Explained} of="skips" explains=${explains}>${t("seat.front")}</${Explained}>
        <${Cards} cards=${seat.front} class="fanned" label=${t("seat.front")} /></div>`}
      ${seat.jokers && (hand === undefined || hand === null) && html`<div class="front">
        <${Explained} of="jokers" explains=${explains}>${t("seat.jokers")}</${Explained}>
        <${Cards} cards=${jokerFaces(seat.jokers)} class="fanned" label=${t("seat.jokers")} /></div>`}
    </div>
    <p class="state">
      ${seat.skips > 0
        ? html`<${Explained} of="skips" explains=${explains} class="doing">${task}</${Explained}>`
        : html`<span class="doing">${task}</span>`}
      ${scored(rules) && html`<${Explained} of="points" explains=${explains} class="points">
        ${t("points", { count: seat.points })}</${Explained}>`}</p>
    ${said}${you && say}
  </section>`;
});

/** Jokers as cards that lie turned round: `R5 ?` as `J(R5) J`. @param {string} jokers */
function jokerFaces(jokers) {
  return jokers.split(" ").map((under) => (under === "?" ? "J" : `J(${under})`)).join(" ");
}

/**
 * Backs of cards that nobody else sees, and their number.
 * @param {{ count: number, seat: number }} props
 */
function Fan({ count, seat }) {
  const label = t("cards", { count });
  return html`<div class="fan" data-place=${`hand:${seat}`} role="img" aria-label=${label}>
    <span class="backs" aria-hidden="true">${Array.from({ length: Math.min(count, 14) }, (_, place) => html`<i key=${place}></i>`)}</span>
    <span class="count" aria-hidden="true">${count}</span>
  </div>`;
}

/**
 * The seats around the table. With `you`, the others in turn order after that seat; without, all.
 * @param {{ position: import("../types.js").Position, rules: RulesetInfo, you?: number | null,
 *   onSeat?: (seat: number, event: Event) => void, open?: Set<string>,
 *   marks?: Record<string, Record<number, string>>, said?: Record<number, unknown>, say?: unknown, explains?: boolean }} props
 */
export function Seats({ position, rules, you = null, onSeat, open, marks = {}, said = {}, say, explains }) {
  const { table, hands } = position;
  const count = table.seats.length;
  const numbers = you === null ? table.seats.keys() : Array.from({ length: count - 1 }, (_, i) => (you + 1 + i) % count);
  return html`<div class=${hands ? "seats open" : "seats"} data-count=${you === null ? count : count - 1}>
    ${[...numbers].map((number) => {
      const seat = table.seats[number];
      return seat && html`<${SeatPanel} key=${number} seat=${seat} rules=${rules} turn=${table.active === number && table.stage === "playing"}
        task=${asked(seat, table)} won=${table.winners.includes(number)} hand=${hands?.[number]} you=${table.you === number} onSeat=${onSeat}
        open=${open?.has(`seat:${number}`) ?? false} marks=${marks[`hand:${number}`]}
        said=${said[number]} say=${table.you === number && say} explains=${explains} />`;
    })}
  </div>`;
}
