// Cards as numbers (docs/reference/deal.md), and how they are dealt.

const WILD = 14;
const SKIP = 15;
export const TURNED = 0x40;
export const OWN = 0x80;
const COLOURS = { coloured: "RBGY", french: "HSDC" };
const RANKS = {
  coloured: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
  french: ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"],
};

// Text to card code and back, for one notation.
export function cardNames(notation) {
  const codes = new Map(), colours = COLOURS[notation];
  for (const [colour, letter] of [...colours].entries()) {
    for (const [i, rank] of RANKS[notation].entries()) {
      codes.set(notation === "french" ? rank + letter : letter + rank, colour * 16 + i + 1);
    }
  }
  for (const [name, code] of [...codes]) codes.set(`J(${name})`, code | TURNED);
  codes.set(notation === "french" ? "A" : "W", WILD);
  codes.set(notation === "french" ? "*" : "S", SKIP);
  for (let n = 1; n < 64; n++) codes.set(`J${n}`, OWN | n);
  return { codes, names: new Map([...codes].map(([name, code]) => [code, name])) };
}

export function fullDeck({ copies, wilds, skips }) {
  const cards = [];
  for (let colour = 0; colour < 4; colour++) {
    for (let rank = 1; rank <= 12; rank++) cards.push(...Array(copies).fill(colour * 16 + rank));
  }
  return [...cards, ...Array(wilds).fill(WILD), ...Array(skips).fill(SKIP)].sort((a, b) => a - b);
}

export const faceUp = (cards) => cards.map((card) => card & 0x3f);

// A hand as its owner names it: jokers by their order of arrival.
export function ownNames(hand) {
  let count = 0;
  return hand.map((card) => (card & TURNED ? OWN | ++count : card));
}

// The seats in turn order from the left of `seat`.
export function leftOf(seat, among) {
  const sorted = [...among].sort((a, b) => a - b);
  return [...sorted.filter((n) => n > seat), ...sorted.filter((n) => n <= seat)];
}

// What is turned up after the deal: [stock, pile, returned] (docs/reference/deal.md).
export function turnedUp(rest, count, options) {
  let pile = rest.slice(0, count), stock = rest.slice(count);
  const returned = [];
  for (let left = stock.length; left > 0; left--) {
    const top = pile.at(-1);
    const back =
      (top === SKIP && options.initial_skip === "return_and_redraw") ||
      (top === WILD && options.initial_wild === "return_and_redraw");
    if (back) {
      returned.push(top);
      pile = [...pile.slice(0, -1), stock[0]];
      stock = [...stock.slice(1), top];
    } else if (top === SKIP && options.initial_skip === "cover") {
      pile = [...pile, stock[0]];
      stock = stock.slice(1);
    } else break;
  }
  return [stock, pile, returned];
}

// The seat that each card goes to: one at a time from the dealer's left, full hands passed over.
export function placesOf(order, size, kept) {
  const rows = Array.from({ length: size }, (_, row) => row);
  return rows.flatMap((row) => order.filter((seat) => kept[seat].length + row < size));
}

// The hands by seat, and the rest.
export function dealt(cards, order, places) {
  const hands = new Map(order.map((seat) => [seat, []])), given = cards.slice(0, places.length);
  for (const [i, card] of given.entries()) hands.get(places[i]).push(card);
  return [hands, cards.slice(given.length)];
}

// The shuffled cards with those of a test table's script in their places (docs/reference/deal.md).
export function arranged(cards, { hands = [], discard, stock }, places, turned, read) {
  const undealt = places.length + turned, top = read(discard), wanted = [];
  for (const [seat, hand] of hands.entries()) {
    const own = [...places.keys()].filter((place) => places[place] === seat);
    wanted.push(...read(hand).slice(0, own.length).map((card, i) => [own[i], card]));
  }
  wanted.push(...top.map((card, i) => [undealt - top.length + i, card]));
  wanted.push(...read(stock).map((card, i) => [undealt + i, card]));
  const rest = [...cards], fixed = new Map();
  for (const [place, card] of wanted) {
    const at = rest.indexOf(card);
    if (at < 0 || place >= cards.length) continue;
    fixed.set(place, card);
    rest.splice(at, 1);
  }
  return cards.map((_, place) => fixed.get(place) ?? rest.shift());
}
