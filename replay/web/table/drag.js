/**
 * Cards dragged by Pointer Events, beside tapping and never instead of it (WCAG 2.5.7). A card that
 * is dropped on a place does what a tap there would do; one that is dropped on another card of the
 * hand takes its place.
 */

import { useEffect, useRef } from "../vendor/preact.js";

const THRESHOLD = 8; // pixels until a press is a drag

/**
 * A card that is dragged, and the copy of it that goes with the finger.
 * @typedef {{ id: number, x: number, y: number, card: HTMLElement, ghost: HTMLElement | null,
 *   pointer: number }} Drag
 */

/**
 * @param {{ current: HTMLElement | null }} root what holds the hand and the places
 * @param {{ grab: (place: number) => number, lift: (id: number) => void,
 *   drop: (id: number, place: string) => void, reorder: (id: number, other: number) => void }} does
 *   by the ids of cards, since places change while one is dragged
 */
export function useDrag(root, does) {
  const latest = useRef(does);
  latest.current = does;
  useEffect(() => {
    const area = root.current;
    if (!area) return undefined;
    /** @type {Drag | null} */
    let drag = null;

    const grabbed = (/** @type {HTMLElement} */ card) =>
      latest.current.grab([...area.querySelectorAll(".own .hand .card")].indexOf(card));
    const under = (/** @type {PointerEvent} */ event) =>
      document.elementFromPoint(event.clientX, event.clientY);
    const end = () => {
      drag?.ghost?.remove();
      drag?.card.classList.remove("lifted");
      drag = null;
      area.classList.remove("dragging");
    };
    const down = (/** @type {PointerEvent} */ event) => {
      const card = cardOfHand(/** @type {Element} */ (event.target));
      if (!card || event.button !== 0 || !event.isPrimary) return;
      const { clientX: x, clientY: y, pointerId: pointer } = event;
      drag = { card, id: grabbed(card), x, y, ghost: null, pointer };
    };
    const move = (/** @type {PointerEvent} */ event) => {
      if (!drag || event.pointerId !== drag.pointer) return;
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.ghost) {
        if (Math.hypot(dx, dy) < THRESHOLD) return;
        drag.ghost = ghostOf(drag.card);
        drag.card.classList.add("lifted");
        area.classList.add("dragging");
        latest.current.lift(drag.id);
      }
      drag.ghost.style.transform = `translate(${dx}px, ${dy}px)`;
      event.preventDefault();
    };
    const up = (/** @type {PointerEvent} */ event) => {
      if (!drag || event.pointerId !== drag.pointer) return;
      const { id, ghost } = drag;
      ghost?.remove();
      const target = under(event);
      end();
      if (!ghost) return;
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
      const other = target && cardOfHand(target);
      const place = target?.closest("[data-place]")?.getAttribute("data-place") ?? "";
      if (other) latest.current.reorder(id, grabbed(other));
      else if (place) latest.current.drop(id, place);
    };
    area.addEventListener("pointerdown", down);
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", end);
    return () => {
      end();
      area.removeEventListener("pointerdown", down);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", end);
    };
  }, []);
}

/** @param {Event} event the click that ends a drag is none */
function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}

/** The card of the own hand that an element belongs to. @param {Element} element
 * @returns {HTMLElement | null | undefined} */
function cardOfHand(element) {
  return element.closest(".own .hand > li")?.querySelector(".card");
}

/** A copy of the card that goes with the finger. @param {HTMLElement} card */
function ghostOf(card) {
  const { left, top, width } = card.getBoundingClientRect();
  const ghost = /** @type {HTMLElement} */ (card.cloneNode(true));
  ghost.classList.add("ghost");
  ghost.removeAttribute("id");
  ghost.setAttribute("aria-hidden", "true");
  ghost.style.left = `${left}px`;
  ghost.style.top = `${top}px`;
  ghost.style.setProperty("--card-w", `${width}px`);
  document.body.append(ghost);
  return ghost;
}
