/** A text as a QR code, for another device's camera; the text itself stands beside it. */

import { html, useMemo } from "../vendor/preact.js";
import { t } from "../words.js";
import { generate } from "../vendor/lean_qr.js";

const QUIET = 4; // modules of margin (ISO/IEC 18004)

/** @param {{ text: string, label: string }} props */
export function QrCode({ text, label }) {
  const { path, size } = useMemo(() => drawn(text), [text]);
  const side = size + 2 * QUIET;
  return html`<svg class="qr" viewBox=${`${-QUIET} ${-QUIET} ${side} ${side}`} role="img"
    aria-label=${t("share.qr", { label })} shape-rendering="crispEdges">
    <path d=${path} fill="currentColor" /></svg>`;
}

/** The dark modules of a code as one path. @param {string} text */
function drawn(text) {
  const code = generate(text);
  let path = "";
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) path += `M${x} ${y}h1v1h-1z`;
  }
  return { path, size: code.size };
}
