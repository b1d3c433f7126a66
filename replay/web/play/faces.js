/**
 * What the pages have in common: an answer that is on its way, away or refused, and a sheet.
 */

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Away, Refusal, randomHex } from "./api.js";

/**
 * @typedef {object} Answer
 * @property {any} data the last answer; null before there is one
 * @property {Refusal | Away | null} fault why there is no newer one
 * @property {boolean} busy
 * @property {number} wait seconds until it is asked again by itself; 0: it is not
 * @property {() => void} again ask now
 */

const AWAY_WAIT = 4; // seconds until a service that is away is asked again
const LIMITED_WAIT = 5; // seconds, where a refusal for haste names none

/**
 * Ask when the page is shown, and again by itself where that makes sense.
 *
 * @param {() => Promise<any>} ask
 * @param {unknown[]} on asked anew when one of these changes
 * @param {number} [every] seconds after which it is asked again anyway; 0: never
 * @returns {Answer}
 */
export function useAnswer(ask, on, every = 0) {
  const [state, set] = useState({ data: null, fault: null, busy: true, wait: 0 });
  const [round, start] = useState(0);
  const shown = useRef("");
  const key = JSON.stringify(on);
  useEffect(() => {
    let current = true;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    if (shown.current !== key) set({ data: null, fault: null, busy: true, wait: 0 });
    shown.current = key;
    const later = (/** @type {number} */ seconds) => {
      if (seconds) timer = setTimeout(() => start((before) => before + 1), 1000 * seconds);
    };
    ask().then(
      (data) => {
        if (!current) return;
        set({ data, fault: null, busy: false, wait: 0 });
        later(every);
      },
      (fault) => {
        if (!current) return;
        const known = fault instanceof Refusal || fault instanceof Away;
        if (!known) throw fault;
        const limited = fault instanceof Refusal && (fault.status === 429 || fault.status === 503);
        const wait = fault instanceof Away ? AWAY_WAIT : limited ? fault.wait || LIMITED_WAIT : 0;
        set((/** @type {any} */ before) => ({ ...before, fault, busy: false, wait }));
        later(wait);
      },
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, round]);
  return { ...state, again: () => start(round + 1) };
}

/** The face of an answer that is not there, or no longer new.
 * @param {{ answer: Answer }} props */
export function Face({ answer }) {
  const { fault, busy, data, wait, again } = answer;
  if (!fault) return busy && !data ? html`<p class="face" role="status">${t("face.loading")}</p>` : null;
  const away = fault instanceof Away;
  const title = away ? t("face.away") : wait ? t("face.limited") : t("face.refused");
  return html`<div class="face fault" role="alert">
    <b>${title}</b>
    <p>${away ? t("face.away.more") : fault.message}</p>
    ${wait ? html`<p>${t("face.wait", { count: wait })}</p>` : null}
    <button type="button" onClick=${again}>${t("face.again")}</button>
  </div>`;
}

/** The sentence of a refusal, for a form.
 * @param {{ fault: Error | null }} props */
export function Fault({ fault }) {
  if (!fault) return null;
  const text = fault instanceof Away ? t("face.away.write") : unfit(fault) ?? fault.message;
  return html`<p class="fault" role="alert">${text}</p>`;
}

/** What of a form the service could not even read, in a form's words. @param {Error} fault */
function unfit(fault) {
  if (!(fault instanceof Refusal) || fault.code !== "invalid_body") return null;
  const field = fault.problem.errors?.[0]?.name.split(/\W+/).filter(Boolean).at(-1) ?? "";
  return ["name", "code"].includes(field) ? t(`fault.${field}`) : t("fault.field", { field });
}

/**
 * What a press sends: whether it is under way, why it was refused, and `run` for the sending, which
 * resolves to true where the page is left.
 */
export function usePress() {
  const [fault, setFault] = useState(/** @type {Error | null} */ (null));
  const [busy, setBusy] = useState(false);
  /** @param {() => Promise<unknown>} send */
  const run = async (send) => {
    setBusy(true);
    setFault(null);
    try {
      setBusy((await send()) === true);
    } catch (refused) {
      setFault(/** @type {Error} */ (refused));
      setBusy(false);
    }
  };
  return { busy, fault, run };
}

/** The Idempotency-Key of a request: the same when the same is sent again, a new one for another.
 * @returns {(request: unknown) => string} */
export function useKey() {
  const last = useRef({ text: "", key: "" });
  return (request) => {
    const text = JSON.stringify(request);
    if (text !== last.current.text) last.current = { text, key: randomHex(32) };
    return last.current.key;
  };
}

/**
 * A sheet over the page, closed by its button, by Escape, or by a tap beside it. The focus begins at what
 * is marked `data-first`, else at the button, and goes back to where it was.
 *
 * @param {{ title: string, close: () => void, children?: any, wide?: boolean }} props
 */
export function Sheet({ title, close, children, wide = false }) {
  /** @type {{ current: HTMLDialogElement | null }} */
  const dialog = useRef(null);
  useEffect(() => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    dialog.current?.showModal();
    /** @type {HTMLElement | null | undefined} */ (dialog.current?.querySelector("[data-first]"))?.focus();
    return () => queueMicrotask(() => before?.isConnected && before.focus()); // once the sheet is gone
  }, []);
  return html`<dialog ref=${dialog} class="sheet ${wide ? "wide" : ""}" aria-label=${title}
    onClose=${close}
    onClick=${(/** @type {MouseEvent} */ event) => event.target === dialog.current && close()}>
    <div class="sheet-body">
      <header><h2>${title}</h2>
        <button type="button" class="quiet" onClick=${close}>${t("sheet.close")}</button></header>
      ${children}
    </div>
  </dialog>`;
}

/** Seconds that count down to a time, anew each second. @param {number} until in milliseconds */
export function useSeconds(until) {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    if (!until) return undefined;
    const timer = setInterval(() => set(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return until ? Math.ceil((until - now) / 1000) : 0;
}
