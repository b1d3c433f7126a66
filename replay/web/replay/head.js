// The bar above the replay: what is shown, in which language, and help.

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { Languages } from "../parts/languages.js";

/**
 * @param {{ source: import("../feed/document.js").Source, rules: import("../types.js").RulesetInfo,
 *   lang: string, onLanguage: (lang: string) => void, onHelp: () => void, actions?: unknown }} props
 */
export function Head({ source, rules, lang, onLanguage, onHelp, actions }) {
  const { events, stage, title } = source;
  const seats = t("head.seats", { count: source.seats.filter(Boolean).length });
  const facts = [rules.title, seats, t("head.events", { count: events }), t(`stage.${stage}`)];
  return html`<header class="bar">
    <h1><bdi>${title}</bdi></h1><p class="soft facts">${facts.join(" · ")}</p>
    <div class="end">
      ${actions}
      <${Languages} lang=${lang} onLanguage=${onLanguage} />
      <button type="button" class="round" aria-label=${t("keys")} title=${t("keys")}
        onClick=${onHelp}>?</button>
    </div>
  </header>`;
}
