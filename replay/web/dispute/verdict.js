// The verdict on a game: one line where all is well, a banner where it is not.

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { Shape } from "../parts/shapes.js";

/**
 * @param {{ verdict: import("../types.js").ViewerVerdict, findings: number, onFind: () => void }} props
 */
export function VerdictBanner({ verdict, findings, onFind }) {
  const [first, ...rest] = verdict.lines;
  return html`<section class=${`banner ${verdict.sound ? "good" : "bad"}`} aria-label=${t("verdict")}>
    <${Shape} of=${verdict.sound ? "good" : "warn"} />
    <div>
      <h2>${verdict.headline}</h2>
      ${first && html`<p>${first}</p>`}
      ${rest.length > 0 && html`<details><summary>${t("verdict.more", { count: rest.length })}</summary>
        <ul>${rest.map((line) => html`<li key=${line}>${line}</li>`)}</ul></details>`}
    </div>
    ${findings > 0 && html`<button type="button" class="primary" onClick=${onFind}>
      ${t("verdict.findings", { count: findings })} <kbd>N</kbd></button>`}
  </section>`;
}

/** Open what the verdict stands on. */
export function openGrounds() {
  const grounds = document.querySelector(".banner details");
  if (grounds instanceof HTMLDetailsElement) grounds.open = true;
  const line = document.querySelector(".banner summary");
  if (line instanceof HTMLElement) line.focus();
}
