/** What is pointed at, focused or tapped is explained beside it, until that is over or Escape is pressed. */

import { html, useEffect, useState } from "../vendor/preact.js";
import { later } from "../play/later.js";

const Explanation = later(async () => (await import("./explanation.js")).Explanation);

const POINTED = 300; // milliseconds on a text until it is explained, and beside it until that is over
const EDGE = 8; // pixels
const GAP = 6;

/** @typedef {{ anchor: HTMLElement, by: "pointer" | "focus" | "press" }} Why */

/** @param {Event} event @returns {HTMLElement | null} */
const anchorOf = ({ target }) => /** @type {Element} */ (target).closest("[data-why]");

/** @returns {Why | null} what is to be explained now */
function useWhy() {
  const [why, set] = useState(/** @type {Why | null} */ (null));
  const [, redraw] = useState(0);
  useEffect(() => {
    let timer = 0;
    const pointed = (/** @type {PointerEvent} */ event) => {
      clearTimeout(timer);
      const target = /** @type {Element} */ (event.target);
      if (event.pointerType === "touch" || target.closest("#why")) return;
      const anchor = anchorOf(event);
      timer = setTimeout(set, POINTED, (/** @type {Why | null} */ before) => {
        if (!anchor) return before?.by === "pointer" ? null : before;
        return before?.anchor === anchor ? before : { anchor, by: "pointer" };
      });
    };
    const focused = (/** @type {FocusEvent} */ event) => {
      const anchor = anchorOf(event);
      if (anchor?.matches(":focus-visible")) set({ anchor, by: "focus" });
      else if (!anchor) set((before) => (before?.by === "pointer" ? before : null));
    };
    const pressed = (/** @type {MouseEvent} */ event) => {
      const anchor = anchorOf(event);
      if (!anchor || anchor.matches(".open")) return; // a space that the pawn goes to
      clearTimeout(timer);
      set((before) => (before?.anchor === anchor && before.by === "press" ? null : { anchor, by: "press" }));
    };
    const begun = (/** @type {Event} */ event) => {
      if (!anchorOf(event) && !/** @type {Element} */ (event.target).closest("#why")) set(null);
    };
    const escaped = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || !document.getElementById("why")) return;
      event.stopPropagation(); // the cards stay taken up
      set(null);
    };
    const scrolled = () => redraw(Math.random());
    /** @type {[string, (event: any) => void, boolean?][]} */
    const listeners = [["pointerover", pointed], ["focusin", focused], ["click", pressed],
      ["pointerdown", begun], ["keydown", escaped, true], ["scroll", scrolled, true]];
    for (const [name, listener, early] of listeners) document.addEventListener(name, listener, early);
    return () => {
      clearTimeout(timer);
      for (const [name, listener, early] of listeners) document.removeEventListener(name, listener, early);
    };
  }, []);
  useEffect(() => {
    why?.anchor.setAttribute("aria-describedby", "why");
    return () => why?.anchor.removeAttribute("aria-describedby");
  }, [why]);
  return why?.anchor.isConnected ? why : null;
}

/** Where the explanation stands: below what it explains, or above where there is more room.
 * @param {HTMLElement} anchor */
function beside(anchor) {
  const { left, top, bottom } = anchor.getBoundingClientRect();
  const style = { "--left": `${left}px` };
  return bottom < innerHeight / 2
    ? { ...style, top: `${bottom + GAP}px`, maxHeight: `${innerHeight - bottom - GAP - EDGE}px` }
    : { ...style, bottom: `${innerHeight - top + GAP}px`, maxHeight: `${top - GAP - EDGE}px` };
}

/** @param {{ view: import("../play/types").GameView, info: import("../play/types").RulesetInfo }} props */
export function Why({ view, info }) {
  const why = useWhy();
  return why && html`<div class="explanation" id="why" role="tooltip" style=${beside(why.anchor)}>
    <${Explanation} of=${why.anchor.dataset.why} view=${view} info=${info} /></div>`;
}
