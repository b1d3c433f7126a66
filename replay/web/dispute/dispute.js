// A finding beside the cards and the rule: what was recorded, what it should be, who answers for it
// and what that proves. The position before it stands below, in the replay.
//
//   html`<${Dispute} source=${source} index=${0} seq=${521} before=${521} onFind=${(by) => ...} />`

import { html } from "../vendor/preact.js";
import { number, t } from "../words.js";
import { Cards } from "../parts/card.js";
import { names, split } from "../parts/face.js";

const LONGEST_WORD = 30; // characters; what is longer is a hash or a signature

/** @typedef {import("../types.js").DisputedEvent} Finding */
/** @typedef {import("../types.js").EventClaim} Claim */

/**
 * @param {{ source: import("../feed/document.js").Source, index: number, seq: number, before: number,
 *   onFind: (by: number) => void }} props
 */
export function Dispute({ source, index, seq, before, onFind }) {
  const finding = source.findings[index];
  if (!finding) return null;
  const { recorded, expected } = finding;
  const count = source.findings.length;
  const here = seq === before;
  return html`<section class="dispute" aria-labelledby="finding">
    <div class="panel title">
      <div>
        <p class="where">${t("finding.place", { index: index + 1, count })}</p>
        <h2 id="finding" tabindex="-1">${title(finding)}</h2>
        <p>${finding.text}</p>
      </div>
      <div class="steps">
        ${count > 1 && html`<button type="button"
          onClick=${() => onFind(-1)}>${t("finding.last")} <kbd>P</kbd></button>`}
        <button type="button" class=${here ? "" : "primary"} onClick=${() => onFind(1)}>
          ${t(here && count > 1 ? "finding.next" : "finding.go")} <kbd>N</kbd></button>
      </div>
    </div>
    <div class="claims">
      <${Side} claim=${recorded} other=${expected} mark="wrong" title=${t("finding.recorded")} />
      <${Side} claim=${expected} other=${recorded} mark="due" title=${t("finding.expected")} />
    </div>
    <div class="reasons">
      <${Reason} title=${t("finding.rule")} lines=${[finding.rule_text]} code=${finding.rule} />
      <${Reason} title=${t("finding.proves")} lines=${[finding.proves]} code=${finding.code} />
      <${Reason} title=${t("finding.blame")} lines=${[finding.blame]} />
      <${Reason} title=${t("finding.vouch")} lines=${finding.vouch ?? []} />
      <${Reason} title=${t("finding.todo")} lines=${[finding.todo]} />
      <${Chain} chain=${finding.chain} />
    </div>
  </section>`;
}

/** What the finding is about; an event of number 0 is none. @param {Finding} finding */
function title({ seq, turn }) {
  if (seq === 0) return t("finding.title_file");
  return turn ? t("finding.title_turn", { seq, turn }) : t("finding.title", { seq });
}

/**
 * One side of the comparison: a sentence, cards with those marked that the other side lacks, and
 * the bytes behind it.
 * @param {{ claim?: Claim, other?: Claim, mark: string, title: string }} props
 */
function Side({ claim, other, mark, title }) {
  if (!claim) return null;
  const marks = differing(split(claim.cards), split(other?.cards), mark);
  const bytes = claim.sentence.split(" ").some((word) => word.length > LONGEST_WORD);
  const spoken = names(claim.cards).join(", ");
  return html`<section class=${`panel side ${mark}`}>
    <h3>${title}</h3>
    <p class=${bytes ? "bytes" : "sentence"}>
      <${Words} text=${claim.sentence} other=${other?.sentence ?? ""} /></p>
    ${claim.cards && html`<${Cards} cards=${claim.cards} marks=${marks} label=${title} />
      <p class="soft names">${spoken}</p>`}
    ${claim.raw && html`<p><code>${claim.raw}</code></p>`}
  </section>`;
}

/**
 * A sentence with the words marked that the other one has not; the whole of it where little is alike.
 * @param {{ text: string, other: string }} props
 */
function Words({ text, other }) {
  const words = text.split(" ");
  const marks = differing(words, other.split(" "), "mark");
  const places = Object.keys(marks).length;
  if (places === 0 || places > words.length / 2) return text;
  return words.map((word, place) => [place > 0 && " ", marks[place] ? html`<mark>${word}</mark>` : word]);
}

/**
 * Marks for the cards that the other side has not, card by card.
 * @param {string[]} cards
 * @param {string[]} others
 * @param {string} mark
 * @returns {Record<number, string>}
 */
export function differing(cards, others, mark) {
  const rest = [...others];
  return Object.fromEntries(cards.flatMap((card, place) => {
    const there = rest.indexOf(card);
    if (there < 0) return [[place, mark]];
    rest.splice(there, 1);
    return [];
  }));
}

/** @param {{ title: string, lines: (string | undefined)[], code?: string }} props */
function Reason({ title, lines, code }) {
  const said = lines.filter(Boolean);
  if (!said.length && !code) return null;
  return html`<section class="panel"><h3>${title}</h3>
    ${code && html`<p><code class="badge">${code}</code></p>`}
    ${said.map((line) => html`<p key=${line}>${line}</p>`)}
  </section>`;
}

/** The event's place in the chain of hashes. @param {{ chain?: Finding["chain"] }} props */
function Chain({ chain }) {
  if (!chain || (!chain.leaf && !chain.prev)) return null;
  const { leaf, prev, index } = chain;
  return html`<section class="panel chain"><h3>${t("finding.chain")}</h3>
    <dl>
      ${prev && html`<div><dt>${t("finding.prev")}</dt><dd><code>${prev}</code></dd></div>`}
      ${leaf && html`<div><dt>${t("finding.leaf")}</dt><dd><code>${leaf}</code></dd></div>`}
      ${typeof index === "number" && html`<div><dt>${t("finding.index")}</dt><dd>${number(index)}</dd></div>`}
    </dl>
  </section>`;
}
