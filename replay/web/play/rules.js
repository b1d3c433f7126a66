/** A rule of the book, whose text opens at a press. */

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { call } from "./api.js";
import { Face, Sheet, useAnswer } from "./faces.js";

/** A sign that opens a rule's text; whoever listens hears its ID. @param {{ rule: string }} props */
export function RuleLink({ rule }) {
  const [open, setOpen] = useState(false);
  return html`<button type="button" class="rule" aria-haspopup="dialog" aria-label=${t("rule.open", { rule })}
      title=${t("rule.title", { rule })} onClick=${() => setOpen(true)}>
      <span aria-hidden="true">§</span></button>
    ${open && html`<${RuleSheet} rule=${rule} close=${() => setOpen(false)} />`}`;
}

/** @param {{ rule: string, close: () => void }} props */
function RuleSheet({ rule, close }) {
  const answer = useAnswer(() => call("GET", `/rules/${encodeURIComponent(rule)}`), [rule]);
  return html`<${Sheet} title=${t("rule.title", { rule })} close=${close}>
    <${Face} answer=${answer} />${answer.data && html`<p>${answer.data.text}</p>`}</${Sheet}>`;
}
