/** What players say at the table: where it is shown, and the button at the own seat. */

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { later } from "../play/later.js";
import { settings } from "../play/settings.js";
import { t } from "../words.js";

const Picker = later(async () => (await import("./reactions.js")).Picker);

/**
 * @typedef {object} Said
 * @property {Record<number, unknown>} seats what is drawn at a seat of which something was heard
 * @property {unknown} sentence what was heard last, until it goes
 */

/** What has been said in the last seconds. @param {import("./live.js").Live} live @returns {Said} */
export function useSaid(live) {
  const [said, set] = useState(/** @type {Said} */ ({ seats: {}, sentence: "" }));
  useEffect(() => {
    live.heard = async (reaction) => {
      const module = settings().reactions && (await import("./reactions.js").catch(() => null));
      if (module && live.view) module.hear(reaction, live.view.table, set);
    };
  }, [live]);
  return said;
}

/** The button that opens what may be said. @param {{ game: string }} props */
export function Say({ game }) {
  const [open, set] = useState(false);
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  const close = () => {
    set(false);
    button.current?.focus();
  };
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (!open || event.key !== "Escape") return;
    event.stopPropagation();
    close();
  };
  /** @param {FocusEvent} event */
  const left = ({ currentTarget, relatedTarget }) => {
    const box = /** @type {Element} */ (currentTarget);
    if (relatedTarget && !box.contains(/** @type {Node} */ (relatedTarget))) set(false);
  };
  return html`<div class="say" onKeyDown=${pressed} onfocusout=${left}>
    <button ref=${button} type="button" aria-expanded=${String(open)}
      aria-label=${t("react")} onClick=${() => set(!open)}>☺</button>
    ${open && html`<div class="says-what"><${Picker} game=${game} close=${close} /></div>`}</div>`;
}
