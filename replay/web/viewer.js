// The viewer in one file: it plays back the document that lies in the page.

import { html, render } from "./vendor/preact.js";
import { documentSource, readDocument } from "./feed/document.js";
import { preferred, speak } from "./words.js";
import { Fault } from "./replay/fault.js";
import { Replay } from "./replay/replay.js";

const app = /** @type {HTMLElement} */ (document.getElementById("app"));
document.documentElement.lang = speak(preferred());
app.replaceChildren();
try {
  const recorded = readDocument(document.getElementById("document")?.textContent ?? "");
  if (recorded.lang) document.documentElement.lang = speak(recorded.lang);
  const source = documentSource(recorded);
  document.title = source.title;
  render(html`<${Replay} source=${source} />`, app);
} catch (fault) {
  render(html`<header class="bar"><h1>phaseledger</h1></header>
    <main class="page"><${Fault} fault=${fault} /></main>`, app);
}
