// A card. Its text is all it needs:
//
//   html`<${Card} text="R5" />`                                a face to look at
//   html`<${Card} text="W" note="5" />`                        a wild that stands for a 5
//   html`<${Card} text="R5" mark="wrong" />`                   marked: up, to, wrong, due
//   html`<${Card} text="R5" onPick=${f} pressed=${true} />`    a button of a hand: f(event)
//
// What is printed on it is drawn by `cards.css` from `data-rank` and its suit, so that a card is one
// element and its name alone is read.
//
// Its size is the CSS variable --card-w of whatever it lies in.

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { face, keys, split } from "./face.js";
import { memo } from "./memo.js";
import { Shape } from "./shapes.js";

/**
 * @typedef {{ text: string, note?: string, mark?: string, count?: number, onPick?: (event: Event) => void,
 *   pressed?: boolean, disabled?: boolean, tab?: number, id?: string, label?: string }} CardProps
 */

export const Card = memo((/** @type {CardProps} */ props) => {
  const { text, note, mark, onPick, pressed, disabled, tab, id, label } = props;
  const shown = face(text);
  const name = label ?? (note ? t("card.stands_for", { card: shown.name, as: note }) : shown.name);
  const kind = `card suit-${shown.suit}${lookOf(shown.rank)}${note ? " noted" : ""}${mark ? ` ${mark}` : ""}`;
  const rank = shown.back ? undefined : shown.rank;
  const inside = [shown.back && backOf(shown), note && html`<span class="note" aria-hidden="true"
    data-note=${note} data-text=${brief(note)}></span>`];
  if (!onPick) {
    return html`<span class=${kind} role="img" aria-label=${name} data-card=${text} data-rank=${rank}
      id=${id}>${inside}</span>`;
  }
  const state = pressed === undefined ? undefined : String(pressed);
  return html`<button type="button" class=${kind} aria-pressed=${state} aria-label=${name}
    aria-disabled=${disabled ? "true" : undefined} tabindex=${tab} id=${id} data-card=${text}
    data-rank=${rank} onClick=${onPick}>${inside}</button>`;
});

/** How a rank is written: 6 and 9 are underlined, two digits close together. @param {string} rank */
function lookOf(rank) {
  if (/^[69]$/.test(rank)) return " six";
  return rank.length > 1 ? " wide" : "";
}

/** @param {import("./face.js").Face} shown */
function backOf(shown) {
  const under = shown.under ? face(shown.under) : undefined;
  return html`<span class="pattern" aria-hidden="true"></span>
    ${shown.rank && html`<span class="joker" aria-hidden="true">
      <${Shape} of="w" /><span data-text=${shown.rank}></span></span>`}
    ${under && html`<span class=${`under suit-${under.suit}`} aria-hidden="true">
      <${Shape} of=${under.suit} /><span data-text=${under.rank}></span></span>`}`;
}

/**
 * As much of a wild's meaning as a card has room for: its number, or nothing. The name says it all.
 * @param {string} note
 */
function brief(note) {
  const last = note.split(" ").at(-1) ?? "";
  return last.length < 3 ? last : "";
}

/**
 * Several cards in a row, in a list for whoever listens.
 * @param {{ cards: string, marks?: Record<number, string>, notes?: Record<number, string>,
 *   label?: string, class?: string }} props
 */
export function Cards({ cards, marks = {}, notes = {}, label, class: more = "" }) {
  const texts = split(cards);
  const names = keys(texts);
  return html`<ul class=${`cards ${more}`} aria-label=${label}>
    ${texts.map((text, place) => html`<li key=${names[place]}>
      <${Card} text=${text} mark=${marks[place]} note=${notes[place]} /></li>`)}
  </ul>`;
}
