// Stock and discard pile; the last ten of the discard pile open on a tap.
//
//   html`<${Piles} table=${view} onPlace=${(place, event) => ...} open=${set} />`
//
// With `onPlace` the two piles are buttons for `stock` and `discard`; `open` is a Set of those that
// can be drawn from or discarded to now.

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Card, Cards } from "./card.js";
import { face, split } from "./face.js";

const LAST = 10;

/** @typedef {import("../types.js").Places} Places */

/** @param {Places & { table: import("../types.js").TableView, marks?: Record<string, string> }} props */
export function Piles({ table, onPlace, open, marks = {} }) {
  const [shown, setShown] = useState(false);
  const last = split(table.pile).slice(-LAST).reverse();
  return html`<section class="piles" aria-label=${t("piles")}>
    <${Pile} place="stock" top=${table.stock ? "?" : null} count=${table.stock} onPlace=${onPlace}
      open=${open} mark=${marks.stock} />
    <${Pile} place="discard" top=${table.discard} count=${table.discards} onPlace=${onPlace}
      open=${open} mark=${marks.discard} />
    ${last.length > 1 && html`<div class="last">
      <button type="button" class="quiet" aria-expanded=${String(shown)}
        onClick=${() => setShown(!shown)}>${t("piles.last", { count: last.length })}</button>
      ${shown && html`<${Cards} cards=${last.join(" ")} label=${t("piles.last_label")} class="fanned" />`}
    </div>`}
  </section>`;
}

/** @param {Places & { place: string, top: string | null, count: number, mark?: string }} props */
function Pile({ place, top, count, onPlace, open, mark }) {
  const name = t(`pile.${place}`);
  const label = t(`pile.${place}_of`, { count, card: top === null ? t("pile.empty") : face(top).name });
  const card = top === null
    ? html`<span class="card empty" role="img" aria-label=${t("pile.empty")}></span>`
    : html`<${Card} text=${top} mark=${mark} />`;
  const kind = `pile${open?.has(place) ? " open" : ""}${count > 1 ? " thick" : ""}`;
  const caption = html`<span class="caption"><span>${name}</span> <b>${count}</b></span>`;
  if (onPlace) {
    return html`<button type="button" class=${kind} data-place=${place} aria-label=${label}
      onClick=${(/** @type {Event} */ event) => onPlace(place, event)}>${card}${caption}</button>`;
  }
  return html`<div class=${kind} data-place=${place} role="group" aria-label=${label}>
    ${card}${caption}</div>`;
}
