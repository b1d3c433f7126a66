/** The terms of a table: who may come, who may watch, how long an answer may take. */

import { html } from "../vendor/preact.js";
import { withValue } from "../parts/field.js";
import { t } from "../words.js";

const SPECTATORS = ["open", "round", "delayed", "none"];
const CLOCKS = [0, 30, 60, 180, 600, 86400];
const THEN = ["bot_move", "bot_for_good", "void"];
const PACES = [0, 1, 2, 4];
const DELAY = 20; // events that spectators are behind, where they are

/** @typedef {{ private: boolean, spectators: string, seconds: number, then: string, pace: number }} Chosen */

/** @type {Chosen} */
export const NO_TERMS = { private: false, spectators: "open", seconds: 0, then: "bot_move", pace: 0 };

/** The terms as the service takes them; what is usual is left out. @param {Chosen} chosen */
export function termsBody(chosen) {
  return {
    ...(chosen.private ? { private: true } : {}),
    ...(chosen.spectators === "open" ? {} : { spectators: chosen.spectators }),
    ...(chosen.spectators === "delayed" ? { delay: DELAY } : {}),
    ...(chosen.seconds ? { clock: { seconds: chosen.seconds, grace: 10, then: chosen.then } } : {}),
    ...(chosen.pace ? { pace: chosen.pace } : {}),
  };
}

/** @param {{ terms: Chosen, change: (terms: Chosen) => void, children?: unknown }} props */
export function TermsForm({ terms, change, children }) {
  const set = (/** @type {Partial<Chosen>} */ part) => change({ ...terms, ...part });
  const usual = JSON.stringify(terms) === JSON.stringify(NO_TERMS);
  return html`<details class="panel">
    <summary><b>${t("terms.title")}</b>
      <span class="soft"> ${usual ? t("terms.usual") : t("terms.changed")}</span></summary>
    <div class="options">
      <label class="check"><input type="checkbox" checked=${terms.private}
        onChange=${() => set({ private: !terms.private })} /> ${t("terms.private")}</label>
      <${Choice} label=${t("terms.spectators")} of="terms.spectators" values=${SPECTATORS}
        value=${terms.spectators} set=${(/** @type {string} */ value) => set({ spectators: value })} />
      <${Choice} label=${t("terms.clock")} of="terms.clock" values=${CLOCKS} value=${terms.seconds}
        set=${(/** @type {string} */ value) => set({ seconds: Number(value) })} />
      ${terms.seconds > 0 && html`<${Choice} label=${t("terms.then")} of="terms.then" values=${THEN}
        value=${terms.then} set=${(/** @type {string} */ value) => set({ then: value })} />`}
      <${Choice} label=${t("terms.pace")} of="terms.pace" values=${PACES} value=${terms.pace}
        set=${(/** @type {string} */ value) => set({ pace: Number(value) })} />
      ${children}
    </div>
  </details>`;
}

/** @param {{ label: string, of: string, values: (string | number)[], value: string | number,
 *   set: (value: string) => void }} props */
function Choice({ label, of, values, value, set }) {
  return html`<label>${label}
    <select value=${String(value)} onChange=${withValue(set)}>
      ${values.map((each) => html`<option key=${each} value=${String(each)}>${t(`${of}.${each}`)}</option>`)}
    </select></label>`;
}
