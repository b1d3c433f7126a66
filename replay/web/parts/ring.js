// The board: a ring of 32 spaces with the pawns on it, and in its middle the dice, the action in
// words, and whatever is given as children (the piles).
//
//   html`<${Ring} track=${rules.track} table=${view} onSpace=${(space, event) => ...} open=${set}>...</${Ring}>`
//
// `track` holds the actions clockwise from the start; `open` is a Set of spaces that may be chosen by a tap.

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";

const SIDE = 9;
const CELL = 40;
const GAP = 2;

/** What is drawn on a space, on a field of ten by ten. @type {Record<string, string>} */
const SIGNS = {
  JOKER: "m5 .6 1.3 2.9 3.1.4-2.3 2.15.65 3.15L5 7.7 2.25 9.2l.65-3.15L.6 3.9l3.1-.4z",
  SEARCH: "M4 1a3 3 0 1 0 1.75 5.45l2.4 2.4.9-.9-2.4-2.4A3 3 0 0 0 4 1zm0 1.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z",
  SWAP: "M1 3h5V1.2L9.2 3.6 6 6V4.2H1zM9 6.4H4.2V4.8L1 7.2l3.2 2.4V7.6H9z",
  AGAIN: "M5 1.2a3.8 3.8 0 1 0 3.8 3.8H7.6A2.6 2.6 0 1 1 5 2.4V4l3-2.2L5-.4z",
  EVERY: "M3 1.2a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zm4 0a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM.8 8.8c0-2.2 1-3.6 2.2-3.6S5 6.6 5 8.8c0-2.2.8-3.6 2-3.6s2.2 1.4 2.2 3.6z",
};
/** Actions that a short text says best. @type {Record<string, string>} */
const TEXTS = { TAKE1: "+1", TAKE2: "+2", TAKE3: "+3", ASK: "?", CHOOSE: "1…" };

/** The action of a space without the star that marks the start. @param {string} space */
export function action(space) {
  return space.replace("*", "");
}

/** Column and row of a space, from 0, clockwise from the corner at the top left. @param {number} space @param {number} count */
function cell(space, count) {
  const side = count / 4;
  const along = space % side;
  return [[along, 0], [side, along], [side - along, side], [0, side - along]][Math.floor(space / side)] ?? [0, 0];
}

/**
 * @param {{ track: string[], table: import("../types.js").TableView, onSpace?: (space: number, event: Event) => void,
 *   open?: Set<number>, explains?: boolean, children?: unknown }} props
 */
export function Ring({ track, table, onSpace, open, explains = false, children }) {
  const [spot, setSpot] = useState(0); // the space that a Tab leads to
  const pawns = new Map(/** @type {[number, number[]][]} */ ([]));
  for (const seat of table.seats) {
    if (seat && seat.pawn !== null) pawns.set(seat.pawn, [...(pawns.get(seat.pawn) ?? []), seat.seat]);
  }
  const active = table.active === null ? null : table.seats[table.active];
  const size = SIDE * CELL;
  const where = table.seats.flatMap((seat) => (seat && seat.pawn !== null
    ? [t("ring.pawn", { name: seat.name, space: seat.pawn + 1, action: t(`action.${action(track[seat.pawn] ?? "")}`) })]
    : []));
  return html`<section class="ring" aria-label=${t("ring")}>
    <svg viewBox=${`0 0 ${size} ${size}`} role=${explains ? "group" : "img"} aria-label=${where.join("; ")}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => explains && setSpot(stepped(event, spot))}>
      ${track.map((space, place) => html`<${Space} key=${place} action=${action(space)} start=${place === 0} at=${cell(place, track.length)}
        here=${active?.pawn === place && table.stage === "playing"} open=${open?.has(place) ?? false}
        tab=${explains ? (place === spot ? 0 : -1) : null}
        onPick=${open?.has(place) && onSpace ? (/** @type {Event} */ event) => onSpace(place, event) : undefined} />`)}
      ${[...pawns].flatMap(([place, seats]) => seats.map((seat, order) => html`<${Pawn} key=${`pawn${seat}`} seat=${seat} at=${cell(place, track.length)}
        order=${order} count=${seats.length} />`))}
    </svg>
    <div class="centre">
      <div class="throw">
        ${table.dice.length > 0 && html`<span class="dice" role="img" aria-label=${t("ring.dice", { dice: table.dice.join(", ") })}>
          ${table.dice.map((pips, index) => html`<${Die} key=${index} pips=${pips} />`)}</span>`}
        ${table.action && html`<b>${t(`action.${action(table.action)}`)}</b>`}
      </div>
      ${children}
    </div>
    <${Legend} track=${track} />
  </section>`;
}

/** The space that an arrow leads to, which gets the focus.
 * @param {KeyboardEvent} event @param {number} spot */
function stepped(event, spot) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const spaces = [.../** @type {Element} */ (event.currentTarget).querySelectorAll("[data-why]")];
  if (!step) return spot;
  event.preventDefault();
  event.stopPropagation(); // no key of the table
  const next = (spot + step + spaces.length) % spaces.length;
  /** @type {SVGElement} */ (spaces[next]).focus();
  return next;
}

/** What stands on the spaces of an action, beside its words. @param {{ action: string }} props */
export function Sign({ action: name }) {
  const sign = SIGNS[name];
  return html`<span class="spot" aria-hidden="true">${sign ? html`<svg viewBox="0 0 10 10"><path d=${sign} fill-rule="evenodd" /></svg>` : TEXTS[name]}</span>`;
}

/** The signs of a ring with what they stand for. @param {{ track: string[] }} props */
function Legend({ track }) {
  return html`<details class="ring-legend"><summary>${t("ring.legend")}</summary>
    <ul>${[...new Set(track.map(action))].map((name) => html`<li key=${name}><${Sign} action=${name} /> ${t(`action.${name}`)}</li>`)}
      <li>${t("ring.start")}</li><li>${t("ring.pawns")}</li></ul></details>`;
}

/** A space; one that may be tapped is beside the buttons that do the same, which have its words.
 * @param {{ action: string, start: boolean, at: number[], here: boolean, open: boolean, tab: number | null,
 *   onPick?: (event: Event) => void }} props `tab`: its tabindex where it is explained */
function Space({ action: name, start, at, here, open, tab, onPick }) {
  const [x = 0, y = 0] = at.map((step) => step * CELL);
  const kind = `space ${name.toLowerCase().replace(/\d/, "")}${start ? " start" : ""}${here ? " here" : ""}${open ? " open" : ""}`;
  const sign = SIGNS[name];
  const words = t(`action.${name}`);
  const explained = tab === null ? {}
    : { tabindex: tab, role: "img", "aria-label": words, "data-why": `action:${name}` };
  return html`<g class=${kind} transform=${`translate(${x} ${y})`} onClick=${onPick} ...${explained}>
    ${tab === null && html`<title>${words}</title>`}
    <rect x=${GAP} y=${GAP} width=${CELL - 2 * GAP} height=${CELL - 2 * GAP} rx="7" />
    ${sign
      ? html`<svg x="12" y="12" width="16" height="16" viewBox="0 0 10 10"><path d=${sign} fill-rule="evenodd" /></svg>`
      : html`<text x=${CELL / 2} y=${CELL / 2 + 5.5} text-anchor="middle">${TEXTS[name] ?? name}</text>`}
  </g>`;
}

/** @param {{ seat: number, at: number[], order: number, count: number }} props */
function Pawn({ seat, at, order, count }) {
  const [x = 0, y = 0] = at.map((step) => step * CELL + CELL / 2);
  const angle = (order / count) * 2 * Math.PI - Math.PI / 2;
  const away = count > 1 ? 9 : 0;
  return html`<g class=${`pawn seat-${seat}`} style=${{ transform: `translate(${x + away * Math.cos(angle)}px, ${y + away * Math.sin(angle)}px)` }}>
    <circle r=${count > 1 ? 9 : 11} /><text y="4" text-anchor="middle">${seat + 1}</text>
  </g>`;
}

/** Pips of a die on a field of three by three, by their number. @type {Record<number, number[]>} */
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** @param {{ pips: number }} props */
function Die({ pips }) {
  return html`<svg class="die" viewBox="0 0 30 30" aria-hidden="true"><rect x="1" y="1" width="28" height="28" rx="6" />
    ${(PIPS[pips] ?? []).map((place) => html`<circle key=${place} cx=${7.5 + 7.5 * (place % 3)} cy=${7.5 + 7.5 * Math.floor(place / 3)} r="2.6" />`)}</svg>`;
}
