/** The keys of the table. */

import { useEffect, useRef } from "../vendor/preact.js";
import { settings } from "../play/settings.js";

/** @typedef {{ [key: string]: () => void }} Keys what a key does; letters are lower case */

/**
 * Do what keys say, unless the person is writing or a sheet is open; a character does something only
 * while the focus is on the table.
 *
 * @param {Keys} keys
 * @param {(digit: number) => void} digit
 */
export function useKeys(keys, digit) {
  const latest = useRef({ keys, digit });
  latest.current = { keys, digit };
  useEffect(() => {
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
      const target = /** @type {HTMLElement} */ (event.target);
      const typing = target.closest("input, select, textarea, summary");
      if (typing || document.querySelector("dialog[open]")) return;
      if (event.key.length === 1 && !(settings().letters && target.closest(".desk"))) return;
      const inHand = Boolean(target.closest(".hand"));
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (key === "Enter" && target.closest("a, button") && !inHand) return; // that button's own
      if (key.startsWith("Arrow") && (inHand || target.closest(".log, .segments"))) return;
      const act = latest.current.keys[key];
      if (act) act();
      else if (/^[1-9]$/.test(key)) latest.current.digit(Number(key));
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}

const HOMES = ['.own .hand button[tabindex="0"]', ".desk", "#main h1"];

/** Move the focus into the own hand, or to the first of these that there is. */
export function focusHand(homes = HOMES) {
  const home = homes.map((where) => document.querySelector(where)).find(Boolean);
  /** @type {HTMLElement | null | undefined} */ (home)?.focus({ preventScroll: true });
}

/** The focus goes back to the hand where what had it is no longer there.
 * @param {{ current: HTMLElement | null }} root */
export function useFocus(root) {
  useEffect(() => {
    const area = root.current;
    if (!area) return undefined;
    const isLost = () => document.activeElement === document.body;
    /** @type {Node | null} what had the focus last, unless it was left for the page's background */
    let last = null;
    const focused = (/** @type {FocusEvent} */ { target }) => { last = /** @type {Node} */ (target); };
    const blurred = () => queueMicrotask(() => { if (isLost() && last?.isConnected) last = null; });
    const watcher = new MutationObserver(() => isLost() && last && !last.isConnected && focusHand());
    watcher.observe(area, { childList: true, subtree: true });
    document.addEventListener("focusin", focused);
    document.addEventListener("focusout", blurred);
    if (isLost()) focusHand(HOMES.slice(1));
    return () => {
      watcher.disconnect();
      document.removeEventListener("focusin", focused);
      document.removeEventListener("focusout", blurred);
    };
  }, []);
}
