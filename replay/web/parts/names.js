// Several names in a sentence, each in its own direction of writing.
//
//   html`<${Names} names=${["Ada", "Bo"]} />`

import { html } from "../vendor/preact.js";
import { listed } from "../words.js";

/** @param {{ names: string[] }} props */
export function Names({ names }) {
  const parts = listed(names);
  return html`${parts.map(({ type, value }) => (type === "element" ? html`<bdi>${value}</bdi>` : value))}`;
}
