// A hand of cards.
//
//   html`<${Hand} cards="R5 B6 W" place="hand:1" />`            to look at
//   html`<${Hand} cards=${order} selected=${set} onCard=${(place, event) => ...} disabled=${false} />`
//
// `cards` is a list of texts or one text; `selected` a Set of places in it. With `onCard` every card
// is a button: arrows, Home and End move among them, Space and Enter pick, one of them is in the tab
// order.

import { html, useRef, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Card } from "./card.js";
import { keys, split } from "./face.js";

/**
 * @param {{ cards: string | string[], place?: string, selected?: Set<number>, marks?: Record<number, string>,
 *   onCard?: (place: number, event: Event) => void, disabled?: boolean, label?: string }} props
 */
export function Hand({ cards, place, selected, marks = {}, onCard, disabled = false, label }) {
  const texts = Array.isArray(cards) ? cards : split(cards);
  const names = keys(texts);
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const [focus, setFocus] = useState(0);
  const current = Math.min(focus, texts.length - 1);

  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = moved(event.key, current, texts.length);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setFocus(next);
    root.current?.querySelectorAll("button")[next]?.focus();
  };

  /** @param {string} text @param {number} index */
  const card = (text, index) => {
    const picked = selected?.has(index) ?? false;
    const mark = [picked ? "up" : "", marks[index] ?? ""].filter(Boolean).join(" ");
    if (!onCard) return html`<${Card} text=${text} mark=${mark} />`;
    const pick = (/** @type {Event} */ event) => {
      setFocus(index);
      if (!disabled) onCard(index, event);
    };
    return html`<${Card} text=${text} mark=${mark} pressed=${picked} disabled=${disabled}
      tab=${index === current ? 0 : -1} onPick=${pick} />`;
  };
  return html`<ul class=${onCard ? "hand playing" : "hand"} ref=${root} data-place=${place}
    aria-label=${label ?? t("hand")}
    onKeyDown=${onCard && onKeyDown}>
    ${texts.map((text, index) => html`<li key=${names[index]}>${card(text, index)}</li>`)}
  </ul>`;
}

/**
 * Where an arrow leads among so many cards.
 * @param {string} key
 * @param {number} current
 * @param {number} count
 */
function moved(key, current, count) {
  if (!count) return undefined;
  if (key === "ArrowRight") return (current + 1) % count;
  if (key === "ArrowLeft") return (current + count - 1) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return undefined;
}

/**
 * The cards that a seat holds in a position that shows them.
 * @param {import("../types.js").Position} position @param {number} seat
 */
export function handOf({ table, hands }, seat) {
  return (hands ? hands[seat] : table.you === seat ? table.hand : "") ?? "";
}
