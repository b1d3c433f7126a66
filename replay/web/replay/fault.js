// A fault as a sentence: what is wrong, and what can be done about it. Never a blank page.

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { Unreadable } from "../feed/frames.js";
import { Shape } from "../parts/shapes.js";

/** @param {{ fault: unknown }} props */
export function Fault({ fault }) {
  const code = fault instanceof Unreadable ? fault.code : "fault.damaged";
  const detail = fault instanceof Unreadable ? fault.detail : String(fault);
  return html`<section class="banner bad" role="alert"><${Shape} of="warn" />
    <div><h2>${t(code)}</h2><p>${t(`${code}_todo`)}</p>${detail && html`<p><code>${detail}</code></p>`}</div>
  </section>`;
}
