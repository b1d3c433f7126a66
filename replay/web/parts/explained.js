// A text whose rule is told when it is pointed at, focused or tapped, where somebody tells it (`explains`);
// elsewhere it is a text like others.
//
//   html`<${Explained} of="skips" explains=${true} class="badge note">loses 1 turn</${Explained}>`

import { html } from "../vendor/preact.js";

/** @param {{ of: string, explains?: boolean, class?: string, children?: unknown }} props */
export function Explained({ of, explains = false, class: kind = "", children }) {
  if (!explains) return html`<span class=${kind}>${children}</span>`;
  return html`<button type="button" class=${`why ${kind}`} data-why=${of}>${children}</button>`;
}
