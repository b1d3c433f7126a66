// The shapes that say a colour without colour, on a field of ten by ten.

import { html } from "../vendor/preact.js";

/** @type {Record<string, string>} */
const PATHS = {
  r: "M5 .7 9.7 9.2H.3z",
  b: "M5 .4a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 0 1 0-9.2z",
  g: "M.8 1.6Q.8.8 1.6.8h6.8q.8 0 .8.8v6.8q0 .8-.8.8H1.6q-.8 0-.8-.8z",
  y: "M5-.1 9.5 5 5 10.1.5 5z",
  w: "m5 .2 1.45 3.15 3.35.4-2.5 2.35.7 3.4L5 7.85 2 9.5l.7-3.4L.2 3.75l3.35-.4z",
  s: "M5 .3a4.7 4.7 0 1 0 0 9.4A4.7 4.7 0 0 0 5 .3zm0 1.6c.65 0 1.25.2 1.75.5L2.4 6.75A3.1 3.1 0 0 1 5 1.9z"
    + "m0 6.2c-.65 0-1.25-.2-1.75-.5L7.6 3.25A3.1 3.1 0 0 1 5 8.1z",
  hearts: "M5 9.5C1.3 6.6.2 5 .2 3.2.2 1.7 1.3.7 2.6.7c1 0 1.9.6 2.4 1.5C5.5 1.3 6.4.7 7.4.7"
    + "c1.3 0 2.4 1 2.4 2.5C9.8 5 8.7 6.6 5 9.5z",
  diamonds: "M5 .1Q6.7 3 9.1 5 6.7 7 5 9.9 3.3 7 .9 5 3.3 3 5 .1z",
  spades: "M5 .2C6 2.2 9.6 4 9.6 6.3c0 1.3-1 2.2-2.1 2.2-.8 0-1.5-.4-1.9-1.1.1 1 .4 1.8 1.1 2.5H3.3"
    + "c.7-.7 1-1.5 1.1-2.5-.4.7-1.1 1.1-1.9 1.1C1.4 8.5.4 7.6.4 6.3.4 4 4 2.2 5 .2z",
  clubs: "M5 .2a2.3 2.3 0 0 1 1.9 3.65A2.3 2.3 0 1 1 5.7 7.2c.1 1.2.4 2 1 2.7H3.3"
    + "c.6-.7.9-1.5 1-2.7a2.3 2.3 0 1 1-1.2-3.35A2.3 2.3 0 0 1 5 .2z",
};

/** Signs of what a card or a seat does, drawn with the same pen. @type {Record<string, string>} */
const SIGNS = {
  first: "M1 1h1.6v8H1zM9 1v8L3.2 5z",
  back: "M7.8 1v8L2 5z",
  play: "M2.2.8v8.4L9 5z",
  pause: "M1.8 1h2.4v8H1.8zM5.8 1h2.4v8H5.8z",
  forward: "M2.2 1v8L8 5z",
  last: "M1 1v8l5.8-4zM7.4 1H9v8H7.4z",
  lock: "M2 4.4h.7V3.2a2.3 2.3 0 0 1 4.6 0v1.2H8v5H2zm2 0h2V3.2a1 1 0 0 0-2 0z",
  warn: "M5 .6 9.9 9.4H.1zM4.4 3.6v3h1.2v-3zm0 3.7v1.1h1.2V7.3z",
  good: "M3.7 8.8.6 5.5l1-1 2.1 2.1L8.4 1.7l1 1z",
};

/**
 * A shape or sign. It says nothing by itself, so that whoever listens hears only the words beside it.
 * @param {{ of: string, class?: string }} props
 */
export function Shape(props) {
  const path = PATHS[props.of] ?? SIGNS[props.of] ?? "";
  return html`<svg class=${props.class ?? "shape"} viewBox="0 0 10 10" aria-hidden="true" focusable="false">
    <path d=${path} fill="currentColor" fill-rule="evenodd" />
  </svg>`;
}
