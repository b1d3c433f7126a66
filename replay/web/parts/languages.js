// The choice of a language, where there are several, each by its own name.
//
//   html`<${Languages} lang="en" onLanguage=${(lang) => ...} />`

import { html } from "../vendor/preact.js";
import { NAMES, t } from "../words.js";

import { withValue } from "./field.js";
/** @param {{ lang: string, onLanguage: (lang: string) => void }} props */
export function Languages({ lang, onLanguage }) {
  const names = Object.entries(NAMES);
  if (names.length < 2) return null;
  return html`<label class="inline"><span class="unseen">${t("language")}</span>
    <select value=${lang} onChange=${withValue(onLanguage)}>
      ${names.map(([tag, name]) => html`<option key=${tag} value=${tag} lang=${tag} selected=${tag === lang}>
        ${name}</option>`)}
    </select></label>`;
}
