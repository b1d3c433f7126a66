// A position drawn whole: opponents, the cloth with piles and groups (and the ring, where the game
// has one), and the own hand. Live play, replay, spectating and dispute draw with this.
//
//   html`<${Board} position=${position} rules=${rules} />`
//   html`<${Board} position=${position} rules=${rules} marks=${marked(moves)}
//          onCard=${(place) => ...} onPlace=${(place, event) => ...} selected=${set} open=${places}
//          refused=${group} above=${...} asks=${...} beside=${...} />`
//
// Who looks is `position.table.you`; with `position.hands` everybody's cards lie open. `above` stands
// between the cloth and the own hand, `asks` right above the hand, `beside` at its side, `children` below.
// `said` has what players say, by seat, and `say` is for the own seat; with `explains`, texts tell their
// rules. Every place has `data-place`, by which `flight.js` finds it.

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { Explained } from "./explained.js";
import { Groups } from "./group.js";
import { Hand, handOf } from "./hand.js";
import { Piles } from "./piles.js";
import { Ring } from "./ring.js";
import { Seats, phaseWords, scored } from "./seat.js";
import { split } from "./face.js";

/** @typedef {import("../types.js").Position} Position */
/** @typedef {import("../types.js").CardMove} Move */

/**
 * Which cards of which places are marked: `{ "hand:1": { 4: "to" }, "group:0": { 5: "to" } }`.
 * @typedef {Record<string, Record<number, string>>} MarkedPlaces
 */

/**
 * @typedef {{ position: Position, rules: import("../types.js").RulesetInfo, marks?: MarkedPlaces,
 *   selected?: Set<number>, onCard?: (place: number, event: Event) => void, disabled?: boolean,
 *   asks?: unknown, beside?: unknown, said?: Record<number, unknown>, say?: unknown, explains?: boolean,
 *   children?: unknown }} OwnProps
 */
/**
 * @param {OwnProps & import("../types.js").Places & {
 *   onSeat?: (seat: number, event: Event) => void, onSpace?: (space: number, event: Event) => void,
 *   spaces?: Set<number>, refused?: number | null, above?: unknown }} props
 */
export function Board(props) {
  const { position, rules, marks = {}, onPlace, open, refused } = props;
  const { table, hands } = position;
  const you = hands ? null : table.you;
  const piles = html`<${Piles} table=${table} onPlace=${onPlace} open=${open}
    marks=${{ stock: marks.stock?.[0], discard: marks.discard?.[0] }} />`;
  const { track } = rules;
  const ring = track.length > 0;
  return html`<div class="board">
    <${Seats} position=${position} rules=${rules} you=${you} onSeat=${props.onSeat} open=${open}
      marks=${marks} said=${props.said} say=${props.say} explains=${props.explains} />
    <div class=${ring ? "felt with-ring" : "felt"}>
      ${ring
        ? html`<${Ring} track=${track} table=${table} onSpace=${props.onSpace} open=${props.spaces}
          explains=${props.explains}>${piles}</${Ring}>`
        : piles}
      <${Groups} position=${position} onPlace=${onPlace} open=${open} refused=${refused}
        marks=${groupMarks(marks)} />
    </div>
    ${props.above}
    ${you !== null && html`<${Own} ...${props} you=${you} />`}
  </div>`;
}

/** The own hand with the own phase. @param {OwnProps & { you: number }} props */
function Own({
  position, rules, you, marks = {}, selected, onCard, disabled, asks, beside, said, say, explains, children,
}) {
  const { table } = position;
  const seat = table.seats[you];
  if (!seat) return null;
  const turn = table.active === you && table.stage === "playing";
  const kind = `own seat-${you}${turn ? " turn" : ""}`;
  return html`<section class=${kind} aria-label=${t("hand_of", { name: seat.name })}>
    <div class="who"><i class="disc" aria-hidden="true">${seat.seat + 1}</i>
      <b class="name"><bdi>${seat.name}</bdi></b><span class="badge mine">${t("seat.you")}</span>
      <${Explained} of=${`phase:${seat.phase}`} explains=${explains} class="phase">
        ${phaseWords(seat, rules)}</${Explained}>
      ${seat.skips > 0 && html`<${Explained} of="skips" explains=${explains} class="badge note">
        ${t("seat.skips", { count: seat.skips })}</${Explained}>`}
      ${scored(rules) && html`<${Explained} of="points" explains=${explains} class="points">
        ${t("points", { count: seat.points })}</${Explained}>`}</div>
    ${asks}${beside}
    <${Hand} cards=${split(table.hand)} place=${`hand:${you}`} selected=${selected}
      marks=${marks[`hand:${you}`]} onCard=${onCard} disabled=${disabled} />
    ${children}${said?.[you]}${say}
  </section>`;
}

/** The marks of groups by their number. @param {MarkedPlaces} marks */
function groupMarks(marks) {
  const groups = Object.entries(marks).filter(([place]) => place.startsWith("group:"));
  return Object.fromEntries(groups.map(([place, marked]) => [place.split(":")[1], marked]));
}

/**
 * The cards that moves have brought, marked where they lie now.
 * @param {Move[] | undefined} moves
 * @param {Position} position after them
 * @returns {MarkedPlaces}
 */
export function marked(moves, position) {
  /** @type {MarkedPlaces} */
  const marks = {};
  for (const move of moves ?? []) {
    const [kind = "", which = ""] = move.to.split(":");
    const place = which === "" ? kind : `${kind}:${which}`;
    const cards = held(position, kind, Number(which));
    const taken = (marks[place] ??= {});
    for (const card of split(move.cards)) {
      const at = cards.findLastIndex((text, index) => text === card && !(index in taken));
      if (at >= 0) taken[at] = "to";
    }
  }
  return marks;
}

/**
 * The cards of a place as they are drawn.
 * @param {Position} position @param {string} kind @param {number} which @returns {string[]}
 */
function held(position, kind, which) {
  const { table } = position;
  if (kind === "group") return split(table.groups[which]?.cards);
  if (kind === "discard") return table.discard ? [table.discard] : [];
  return kind === "hand" ? split(handOf(position, which)) : [];
}
