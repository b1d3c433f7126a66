// The replay of the file that was judged: the screen of the other pages, in a tree of its own, so that
// neither style reaches into the other.

import { html, render } from "../vendor/preact.js";
import { Replay } from "../replay/replay.js";
import { learn, speak } from "../words.js";
import { sourceOf } from "./positions.js";

for (const [lang, table] of Object.entries(REPLAY_WORDS)) learn(lang, table);

let replay = null;

// The tree of an element in which the replay stands, with its style.
function treeOf(home) {
  if (home.shadowRoot) return home.shadowRoot;
  const tree = home.attachShadow({ mode: "open" }), style = new CSSStyleSheet();
  style.replaceSync(REPLAY_STYLE);
  tree.adoptedStyleSheets = [style];
  return tree;
}

// Shows the game of a bundle in the element, and whether there is anything to show.
export function playBack(home, bundle, answer, lang) {
  speak(lang);
  const source = sourceOf(bundle, answer), tree = treeOf(home);
  render(null, tree);
  if (!source) return false;
  const kept = (made) => { replay = made ?? replay; };
  render(html`<${Replay} source=${source} within=${tree} ref=${kept} />`, tree);
  return true;
}

// Goes to the position after an event.
export const goTo = (seq) => replay?.seek(seq);

// Says the replay in another language.
export const translate = (lang) => replay?.translate(lang);
