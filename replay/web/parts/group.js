// A laid group as a shelf: its cards, whose it is, its kind in words, what its wilds stand for and,
// for a run, the ends where a card may go.
//
//   html`<${Group} group=${view} legend=${entry} owner="Ada" onPlace=${(place, event) => ...} />`
//
// Places are `group:0`, `group:0:low` and `group:0:high`. `open` is a Set of the places that take
// what is selected now; `refused` outlines the group.

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { Cards } from "./card.js";

/** @typedef {import("../types.js").GroupView} GroupView */
/** @typedef {import("../types.js").GroupLegend} GroupLegend */
/** @typedef {import("../types.js").Places} Places */

/**
 * @param {Places & { group: GroupView, legend?: GroupLegend, owner: string, refused?: boolean,
 *   marks?: Record<number, string> }} props
 */
export function Group({ group, legend, owner, onPlace, open, refused, marks = {} }) {
  const place = `group:${group.group}`;
  const notes = Object.fromEntries((legend?.wilds ?? []).map((wild) => [wild.at, wild.stands_for]));
  const words = legend?.words ?? group.kind;

  /** @param {"low" | "high"} side */
  const end = (side) => {
    const label = legend?.ends?.[side];
    if (label === undefined) return null;
    const there = `${place}:${side}`;
    const state = open?.has(there) ? "run-end open" : "run-end";
    const name = t(`group.end_${side}`, { card: label });
    if (!onPlace) {
      return html`<span class=${state} data-place=${there} role="img" aria-label=${name}>${label}</span>`;
    }
    return html`<button type="button" class=${state} data-place=${there} aria-label=${name}
      onClick=${(/** @type {Event} */ event) => onPlace(there, event)}>${label}</button>`;
  };
  const caption = html`<span class="owner"><bdi>${owner}</bdi></span> <span class="kind">${words}</span>`;
  const kind = `group${open?.has(place) ? " open" : ""}${refused ? " refused" : ""}`;
  return html`<li class=${kind} data-place=${place}>
    <div class="row">${end("low")}<${Cards} cards=${group.cards} class="fanned" label=${words} notes=${notes}
      marks=${marks} />${end("high")}</div>
    ${onPlace
      ? html`<button type="button" class="caption"
        onClick=${(/** @type {Event} */ event) => onPlace(place, event)}>${caption}</button>`
      : html`<p class="caption">${caption}</p>`}
  </li>`;
}

/**
 * All groups of the table, in the order in which they were laid.
 * @param {Places & { position: import("../types.js").Position, refused?: number | null,
 *   marks?: Record<number, Record<number, string>> }} props
 */
export function Groups({ position, onPlace, open, refused, marks = {} }) {
  const { table, legend } = position;
  const names = table.seats.map((seat) => seat?.name ?? "");
  return html`<section class="groups" aria-label=${t("groups")}>
    ${table.groups.length === 0 && html`<p class="nothing">${t("groups.none")}</p>`}
    <ul>${table.groups.map((view) => {
      const { group, owner } = view;
      return html`<${Group} key=${group} group=${view} legend=${legend.groups[group]}
        owner=${names[owner] ?? ""} onPlace=${onPlace} open=${open} refused=${refused === group}
        marks=${marks[group]} />`;
    })}</ul>
  </section>`;
}
