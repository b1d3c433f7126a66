/** The keys of the table. */

import { useEffect, useRef } from "../vendor/preact.js";

/** @typedef {{ [key: string]: () => void }} Keys what a key does; letters are lower case */

/**
 * Do what keys say, unless the person is writing or a sheet is open.
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
      if (target.closest("input, select, textarea, dialog, summary")) return;
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

/** Move the focus into the own hand. */
export function focusHand() {
  /** @type {HTMLElement | null} */
  const card = document.querySelector('.own .hand button[tabindex="0"]');
  card?.focus();
}
