// What the keys do, in a dialog.

import { html, useLayoutEffect, useRef } from "../vendor/preact.js";
import { t } from "../words.js";

/** Keys and what they do, by the keys of the words. @type {[string[], string][]} */
const KEYS = [
  [["←", "→"], "keys.event"],
  [["Shift ←", "Shift →"], "keys.turn"],
  [["Page ↑", "Page ↓"], "keys.round"],
  [["Home", "End"], "keys.ends"],
  [["Space"], "keys.play"],
  [["+", "−"], "keys.speed"],
  [["1", "…", "6"], "keys.chair"],
  [["0", "9"], "keys.all"],
  [["N", "P"], "keys.finding"],
  [["?"], "keys.help"],
];

/** @param {{ open: boolean, onClose: () => void }} props */
export function Help({ open, onClose }) {
  const root = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    if (open && !root.current?.open) root.current?.showModal();
    if (!open && root.current?.open) root.current.close();
  }, [open]);
  // Escape is known at once, for who asks again: the dialog says only later that it was closed.
  const closed = () => root.current?.open || onClose();
  return html`<dialog class="help" ref=${root} onCancel=${onClose} onClose=${closed} aria-labelledby="keys">
    <h2 id="keys">${t("keys")}</h2>
    <dl>${KEYS.map(([keys, words]) => html`<div key=${words}>
      <dt>${keys.map((key) => html`<kbd key=${key}>${key}</kbd> `)}</dt><dd>${t(words)}</dd></div>`)}</dl>
    <button type="button" class="primary" onClick=${onClose}>${t("keys.close")}</button>
  </dialog>`;
}
