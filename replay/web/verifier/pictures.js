// The cards that a finding names, as pictures.

import { html, render } from "../vendor/preact.js";
import { differing } from "../dispute/dispute.js";
import { Cards } from "../parts/card.js";
import { cardsIn } from "./words.js";

const BEFORE = 4; // cards shown of what is alike before two rows of cards begin to differ
const MOST = 20;

function drawn(cards, marks) {
  return (label) => {
    const row = document.createElement("div");
    render(html`<${Cards} cards=${cards.join(" ")} marks=${marks} label=${label} />`, row);
    return row;
  };
}

// What draws the cards of a finding's rows, by the names of these: a function of a row's label. Two
// rows of cards are drawn from where they begin to differ, what one has and the other has not marked.
export function cardRows({ move, text, expected, recorded }) {
  const wanted = cardsIn(expected), found = cardsIn(recorded), rows = {};
  const differ = wanted.findIndex((card, place) => card !== found[place]);
  const from = found.length ? Math.max(0, differ - BEFORE) : 0;
  const [due, there] = [wanted, found].map((cards) => cards.slice(from, from + MOST));
  const put = (name, cards, marks) => {
    if (cards.length) rows[name] = drawn(cards, marks);
  };
  put("move", cardsIn(move));
  put("what", cardsIn(text));
  put("expected", due, there.length ? differing(due, there, "due") : {});
  put("recorded", there, due.length ? differing(there, due, "wrong") : {});
  return rows;
}
