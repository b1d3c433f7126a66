// Cards fly from where they lay to where they lie now. What moves is the card that was drawn there
// already, so that nothing depends on the flight: it only begins elsewhere.
//
//   const from = takeOff(root, moves);    before the next position is drawn
//   land(root, moves, from);              after it

import { split } from "./face.js";

/** @typedef {import("../types.js").CardMove} Move */
/** @typedef {Map<string, DOMRect>} Places */

/** Whether cards should move at all. */
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Where the cards that will move lie now.
 * @param {Element} root
 * @param {Move[]} moves
 * @returns {Places}
 */
export function takeOff(root, moves) {
  /** @type {Places} */
  const places = new Map();
  for (const move of moves) {
    for (const card of split(move.cards)) {
      const element = cardAt(root, move.from, card);
      if (element) places.set(`${move.from} ${card}`, element.getBoundingClientRect());
    }
  }
  return places;
}

/**
 * Let the cards that lie in their new places now come from where they were.
 * @param {Element} root
 * @param {Move[]} moves
 * @param {Places} from
 * @param {number} duration milliseconds
 */
export function land(root, moves, from, duration) {
  const used = new Set();
  for (const move of moves) {
    for (const card of split(move.cards)) {
      const start = from.get(`${move.from} ${card}`);
      const element = cardAt(root, move.to, card, used);
      if (!start || !element) continue;
      used.add(element);
      const end = element.getBoundingClientRect();
      const [x, y] = [start.left - end.left, start.top - end.top];
      if (end.width === 0 || (x === 0 && y === 0)) continue;
      const shift = `translate(${x}px, ${y}px) scale(${start.width / end.width})`;
      element.animate(
        [
          { transform: shift, transformOrigin: "0 0", zIndex: 5, position: "relative" },
          { transform: "none", transformOrigin: "0 0", zIndex: 5, position: "relative" },
        ],
        { duration, easing: "cubic-bezier(.2, .8, .2, 1)" },
      );
    }
  }
}

/**
 * The card of that text in a place, the last one first; else what stands for the place.
 * @param {Element} root
 * @param {string} place
 * @param {string} card
 * @param {Set<unknown>} [used]
 * @returns {Element | null}
 */
function cardAt(root, place, card, used = new Set()) {
  const [kind, which] = place.split(":");
  const name = CSS.escape(which === undefined ? String(kind) : `${kind}:${which}`);
  const home = root.querySelector(`[data-place="${name}"]`);
  if (!home) return null;
  const own = home.closest(".own"); // cards of a hand may lie in the slots of its phase
  const lists = [home, ...(own ? [own] : [])].map((area) =>
    [...area.querySelectorAll(".card, .backs i")].filter((element) => !used.has(element)));
  const isSame = (/** @type {Element} */ element) =>
    /** @type {HTMLElement} */ (element).dataset.card === card;
  const same = lists.map((cards) => cards.findLast(isSame)).find(Boolean);
  return same ?? lists[0]?.at(-1) ?? home;
}
