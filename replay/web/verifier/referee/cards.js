// Cards as they lie on a table, read from the text of the log (docs/reference/format.md). Two cards are equal
// where they are the same object. Ranks are 1 to 12 (2 to K in the french notation), colours 1 to
// 4.

import { phrase } from "../words.js";

const SUITS = { coloured: "RBGY", french: "HSDC" };
const FRENCH_RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const CARDS = new Map();

// A joker is a number card held the wrong way round: it replaces any number and any colour (B-29).
function cardOf(kind, rank = 0, colour = 0, isJoker = false) {
  const key = `${kind} ${rank} ${colour} ${isJoker}`;
  if (!CARDS.has(key)) CARDS.set(key, Object.freeze({ kind, rank, colour, isJoker }));
  return CARDS.get(key);
}

export const WILD = cardOf("wild");
export const SKIP = cardOf("skip");

// Whether a card stands for itself, and whether it may stand for any number card.
export const isNatural = (card) => card.kind === "number" && !card.isJoker;
export const replacesAny = (card) => card.kind === "wild" || card.isJoker;
export const faceOf = (card) => (card.isJoker ? cardOf("number", card.rank, card.colour) : card);
export const asJoker = (card) => cardOf(card.kind, card.rank, card.colour, true);

function cardWord(card, notation) {
  if (card.kind !== "number") {
    return { coloured: "WS", french: "A*" }[notation][card.kind === "skip" ? 1 : 0];
  }
  const colour = SUITS[notation][card.colour - 1];
  if (notation === "french") return FRENCH_RANKS[card.rank - 1] + colour;
  return card.isJoker ? `J(${colour}${card.rank})` : `${colour}${card.rank}`;
}

// Every card that the log can name, by its text.
function cardsByWord(notation) {
  const cards = [WILD, SKIP];
  for (let rank = 1; rank <= 12; rank++) {
    for (let colour = 1; colour <= 4; colour++) {
      cards.push(cardOf("number", rank, colour));
      if (notation === "coloured") cards.push(cardOf("number", rank, colour, true));
    }
  }
  return new Map(cards.map((card) => [cardWord(card, notation), card]));
}

const BY_WORD = { coloured: cardsByWord("coloured"), french: cardsByWord("french") };

export const readCard = (word, notation) => BY_WORD[notation].get(word);
// A player may part the cards of a command by any space there is, as Python's `str.split` does.
const SPACES = /[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
export const wordsOf = (text) => text.split(SPACES).filter(Boolean);
export const cardText = (cards, notation) =>
  cards.map((card) => cardWord(card, notation)).join(" ") || phrase("no_card");

// Cards by how many there are of each.
export function counted(cards) {
  const counts = new Map();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return counts;
}

export const faces = (cards) => counted(cards.map(faceOf));

// The cards that one count has more of than the other.
export function surplus(counts, others) {
  return [...counts].flatMap(([card, count]) =>
    Array(Math.max(0, count - (others.get(card) ?? 0))).fill(card),
  );
}

export const sameCounts = (one, other) => !surplus(one, other).length && !surplus(other, one).length;
export const sameList = (one, other) =>
  one.length === other.length && one.every((item, place) => item === other[place]);

// All cards of a deck: twelve ranks in four colours so many times, the wilds and the skips.
export function fullDeck(deck) {
  const counts = new Map();
  for (let rank = 1; rank <= 12; rank++) {
    for (let colour = 1; colour <= 4; colour++) {
      counts.set(cardOf("number", rank, colour), deck.copies);
    }
  }
  return counts.set(WILD, deck.wilds).set(SKIP, deck.skips);
}
