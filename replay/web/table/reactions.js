/** The six things that a player may say: to choose one, to see one, and not to see those of a player. */

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { call } from "../play/api.js";
import { Fault, usePress } from "../play/faces.js";
import { load, save } from "../play/storage.js";
import { membership } from "../play/tokens.js";
import { folded, t } from "../words.js";

/** @typedef {import("../play/types").GameView["table"]} Table */
/** @typedef {import("../play/types").Reacted} Reacted */
/** @typedef {import("./said.js").Said} Said */

/** Each with its sign, in the order of their digits. @type {Record<string, string>} */
const SIGNS = {
  well_played: "👏", good_luck: "🍀", thanks: "🙏", ouch: "😖", oops: "🙈", one_moment: "⏳",
};
const SHOWN = 4000; // milliseconds
const MUTED = "phaseledger.muted";
const MOST = 100; // names that are kept
let heard = 0; // so that a sentence that is said again is another element, and is read out again

/** Whose reactions are not shown, by their names. @returns {string[]} */
function muted() {
  try {
    const names = JSON.parse(load(MUTED) || "[]");
    return Array.isArray(names) ? names : [];
  } catch {
    return [];
  }
}

/** @param {string} name @param {boolean} on */
function mute(name, on) {
  const others = muted().filter((one) => one !== folded(name));
  save(MUTED, JSON.stringify(on ? [...others, folded(name)].slice(-MOST) : others));
}

/**
 * Show a reaction at its seat for a while.
 *
 * @param {Reacted} reaction @param {Table} table
 * @param {(change: (said: Said) => Said) => void} set
 */
export function hear({ seat, reaction }, table, set) {
  const name = table.seats[seat]?.name;
  const sign = SIGNS[reaction];
  if (!name || !sign) return; // of a newer service
  const own = table.you === seat;
  const silent = !own && muted().includes(folded(name));
  const text = t(`reaction.${reaction}`);
  const words = t("reaction.said", { name, text });
  const sentence = silent ? "" : html`<span key=${heard += 1}>${words}</span>`;
  const shown = html`<${AtSeat} key=${name} name=${name} own=${own} said=${`${sign} ${text}`} />`;
  const quiet = html`<${AtSeat} key=${name} name=${name} own=${own} />`;
  set(({ seats }) => ({ seats: { ...seats, [seat]: shown }, sentence }));
  setTimeout(() => set(({ seats, sentence: last }) => ({
    seats: seats[seat] === shown ? { ...seats, [seat]: quiet } : seats,
    sentence: last === sentence ? "" : last,
  })), SHOWN);
}

/** What a player says, and the switch for what that player says.
 * @param {{ name: string, own: boolean, said?: string }} props */
function AtSeat({ name, own, said }) {
  const [silent, set] = useState(muted().includes(folded(name)));
  const turn = () => {
    mute(name, !silent);
    set(!silent);
  };
  return html`${said && (own || !silent) && html`<p class="bubble" aria-hidden="true">${said}</p>`}
    ${!own && html`<button type="button" class="mute" aria-pressed=${String(silent)}
      aria-label=${t("reaction.mute", { name })} onClick=${turn}>${silent ? "🔇" : "🔈"}</button>`}`;
}

/** @param {{ game: string, close: () => void }} props */
export function Picker({ game, close }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const { busy, fault, run } = usePress();
  const codes = Object.keys(SIGNS);
  const buttons = () => [...(list.current?.querySelectorAll("button") ?? [])];
  const say = (/** @type {string | undefined} */ reaction) => !busy && run(async () => {
    const { token = "" } = membership(game);
    await call("POST", `/games/${game}/reactions`, { token, body: { reaction } });
    close();
    return true;
  });
  useEffect(() => {
    buttons()[0]?.focus();
    const pressed = (/** @type {Event} */ { target }) => {
      if (!/** @type {Element} */ (target).closest(".say")) close();
    };
    document.addEventListener("pointerdown", pressed);
    return () => document.removeEventListener("pointerdown", pressed);
  }, []);
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (event.key === "Escape") return;
    event.stopPropagation(); // no key of the table
    const at = buttons().findIndex((button) => button === document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) buttons().at((at + step) % codes.length)?.focus();
    else if (/^[1-6]$/.test(event.key)) say(codes[Number(event.key) - 1]);
    else return;
    event.preventDefault();
  };
  return html`<div onKeyDown=${pressed}><ul ref=${list} aria-label=${t("react")}>
    ${codes.map((code) => html`<li key=${code}><button type="button" data-reaction=${code}
      onClick=${() => say(code)}><span aria-hidden="true">${SIGNS[code]}</span>
      ${t(`reaction.${code}`)}</button></li>`)}
  </ul><${Fault} fault=${fault} /></div>`;
}
