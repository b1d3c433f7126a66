// What stands on a card, read from its text: `R5`, `W`, `S`, `10H`, `A`, `*`, `?`, `J`, `J2`,
// `J(R5)`. Both notations are read at once, since no text means two cards.

import { t } from "../words.js";

/**
 * A card's face. `suit` picks colour and shape; `rank` is what is written large; `letter` says the
 * colour in a letter; `name` is the card in words.
 * @typedef {{ suit: string, rank: string, letter: string, name: string, back: boolean,
 *   under?: string }} Face
 */

/** @type {Record<string, string>} */
const SUITS = { H: "hearts", S: "spades", D: "diamonds", C: "clubs" };

/**
 * @param {string} text
 * @returns {Face}
 */
export function face(text) {
  const coloured = /^([RBGY])(\d{1,2})$/.exec(text);
  if (coloured) {
    const [, letter = "", rank = ""] = coloured;
    const suit = letter.toLowerCase();
    return { suit, rank, letter, name: t(`card.${suit}`, { rank }), back: false };
  }
  const french = /^(10|[2-9JQK])([HSDC])$/.exec(text);
  if (french) {
    const [, rank = "", letter = ""] = french;
    const suit = SUITS[letter] ?? "";
    const spoken = "JQK".includes(rank) ? t(`rank.${rank}`) : rank;
    return { suit, rank, letter: "", name: t(`card.${suit}`, { rank: spoken }), back: false };
  }
  if (text === "W") return special("w", "W", "card.wild");
  if (text === "S") return special("s", "S", "card.skip");
  if (/^A[HSDC]?$/.test(text)) return special("w", "A", "card.ace");
  if (text === "*") return special("s", "*", "card.star");
  return back(text);
}

/** @param {string} suit @param {string} rank @param {string} key @returns {Face} */
function special(suit, rank, key) {
  return { suit, rank, letter: "", name: t(key), back: false };
}

/** @param {string} text @returns {Face} */
function back(text) {
  const plain = { suit: "back", letter: "", back: true };
  const turned = /^J\((.+)\)$/.exec(text);
  if (turned) {
    const under = turned[1] ?? "";
    return { ...plain, rank: "J", under, name: t("card.turned", { card: face(under).name }) };
  }
  const own = /^J(\d*)$/.exec(text);
  if (!own) return { ...plain, rank: "", name: t("card.back") };
  const count = own[1] ?? "";
  return { ...plain, rank: `J${count}`, name: t(count ? "card.own_joker" : "card.joker", { n: count }) };
}

/** The cards of a text such as `R5 B6 W`. @param {string | null | undefined} text @returns {string[]} */
export function split(text) {
  return text ? text.split(" ") : [];
}

/**
 * A key for each card by which it is known when others come and go: its text, and which of its kind.
 * @param {string[]} texts
 */
export function keys(texts) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return texts.map((text) => {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return `${text} ${count}`;
  });
}

/** The cards of a text, each in words. @param {string | null | undefined} text */
export function names(text) {
  return split(text).map((card) => face(card).name);
}
