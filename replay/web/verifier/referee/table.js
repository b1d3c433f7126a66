// The table as the referee keeps it: who holds what, what lies where, and what must come next.

import { cardText, faces, fullDeck, readCard, sameCounts, surplus, wordsOf } from "./cards.js";
import { either, phrase, wordOf } from "../words.js";

// The rules do not allow an event; `matter` is a key of CITATIONS.
export class Foul extends Error {
  constructor(matter, text) {
    super(text.code);
    Object.assign(this, { matter, text });
  }
}

export function foul(matter, text) {
  throw new Foul(matter, text);
}

// A hidden text of an event, which has to be hidden for exactly that audience.
export function hiddenText(event, audience, field) {
  const text = event.hidden.get(`${audience}`)?.[field] ?? "";
  return text || foul("hidden", phrase("unsaid", { audience, field }));
}

export class RefereeTable {
  constructor(ruleset, seats, dealer) {
    this.ruleset = { ...ORDINARY, revision: 0, ...ruleset };
    this.ruleset.options = { ...USUAL, ...ruleset.options };
    this.options = this.ruleset.options;
    this.letter = ""; // with which the catalogue begins the numbers of this game's rules
    this.notation = ruleset.deck.notation;
    // Hands are in order of arrival, so that J2 is the second joker in it; `phase` is the one to
    // attempt, `laid` the one laid in this round (0 before), `front` has skips that lie before it.
    this.seats = Array.from({ length: seats }, (_, number) => ({
      name: phrase("seat", { seat: number }), hand: [], phase: 1, made: new Set(), laid: 0, points: 0,
      turnsToLose: 0, hasJustLostATurn: false, front: [], pawn: 0, kept: null,
    }));
    this.dealer = dealer;
    this.next = "seats";
    Object.assign(this, { round: 0, isReplay: false, tied: [], players: [], active: -1, turn: 0 });
    // `passes`: turns that were passed since a card last moved.
    Object.assign(this, { turnsOfRound: 0, passes: 0, shuffles: 0 });
    // The stock from its top; the discard pile, its top last.
    Object.assign(this, { stock: [], pile: [], groups: [] });
    // `taken`: cards taken from the discard pile in this turn; `wanted`: how many cards are still to
    // be taken; `gifts`: seats to which a card off the stock comes by itself.
    Object.assign(this, { taken: new Map(), dice: [], rolls: 0, playsAgain: false });
    Object.assign(this, { wanted: 0, gifts: [], askedValue: 0 });
    // Who went out, once the round is over; null where a limit ends it.
    Object.assign(this, { out: null, lastOut: null, keepers: [], winners: [] });
  }

  player(number) {
    return this.seats[number] ?? foul("seat", phrase("seat.none", { value: number }));
  }

  // The rules want one of these steps now.
  expect(...steps) {
    if (steps.includes(this.next)) return;
    const matter = this.next === "round end" ? "round_end" : "turn_order";
    const others = either(steps.map((step) => wordOf("step", step)));
    foul(matter, phrase("due_now", { step: wordOf("step", this.next), other_step: others }));
  }

  // The seat of that number, whose turn it has to be.
  expectActive(number) {
    if (number !== this.active) foul("turn", phrase("turn.of", { name: this.name(this.active) }));
    return this.seats[number];
  }

  name(number) {
    return this.seats[number]?.name ?? phrase("seat", { seat: number });
  }

  // A phase in words: its number, and the catalogue's ID where a variant leaves out some.
  phase(number) {
    const isComplete = ["none", "ten_rounds"].includes(this.options.variant);
    const rule = isComplete ? "" : (this.ruleset.phases[number - 1]?.rule ?? "");
    return phrase("phase", { value: `${number}${rule && ` [${rule}]`}` });
  }

  words(cards) {
    return cardText(cards, this.notation);
  }

  read(text) {
    return wordsOf(text).map(
      (word) => readCard(word, this.notation) ?? foul("card", phrase("card.foreign", { card: text })),
    );
  }

  isJokerName(word) {
    return this.notation === "coloured" && word.startsWith("J");
  }

  // The cards of its hand that a player names, jokers as J1, J2 in order of arrival.
  nameCards(seat, text) {
    const jokers = seat.hand.filter((held) => held.isJoker), names = wordsOf(text);
    const named = names.flatMap((word) => {
      if (!this.isJokerName(word)) return this.read(word);
      const number = /^J[1-9][0-9]*$/.test(word) ? Number(word.slice(1)) : 0;
      return jokers[number - 1] ?? foul("hand", phrase("joker.not_held", { name: seat.name, card: word }));
    });
    const byNumber = names.filter((word) => this.isJokerName(word));
    if (byNumber.length > new Set(byNumber).size) {
      foul("hand", phrase("joker.twice", { name: seat.name, cards: text }));
    }
    return named;
  }

  // Takes the named cards out of the hand.
  takeFromHand(seat, text) {
    const named = this.nameCards(seat, text);
    const jokers = [...seat.hand.keys()].filter((place) => seat.hand[place].isJoker);
    const places = wordsOf(text).filter((word) => this.isJokerName(word))
      .map((word) => jokers[Number(word.slice(1)) - 1]);
    for (const place of places.sort((one, other) => other - one)) seat.hand.splice(place, 1);
    for (const card of named) {
      if (card.isJoker) continue;
      const place = seat.hand.indexOf(card);
      if (place < 0) foul("hand", phrase("not_held", { name: seat.name, cards: this.words([card]) }));
      seat.hand.splice(place, 1);
    }
    return named;
  }

  // How many cards the stock can give, the reshuffle of the discard pile counted.
  fromStock() {
    return this.stock.length + this.toReshuffle();
  }

  // How many cards of the discard pile would become a new stock (O-01).
  toReshuffle() {
    const { length } = this.pile;
    const counts = { reshuffle_all_but_top: Math.max(0, length - 1), reshuffle_all: length };
    return counts[this.options.stock_exhausted] ?? 0;
  }

  // The round is over for everybody; somebody went out, or a limit ended it (null).
  endRound(out) {
    this.out = out;
    this.next = "round end";
  }

  // The next player after a seat, clockwise, of those dealt in.
  after(number) {
    return this.players[(this.players.indexOf(number) + 1) % this.players.length];
  }

  // All cards are there, once each (N-03).
  countCards() {
    const held = this.seats.flatMap((seat) => [...seat.hand, ...seat.front]);
    const laid = this.groups.flatMap((group) => group.cards);
    const inPlay = faces([...this.stock, ...this.pile, ...held, ...laid]);
    const deck = fullDeck(this.ruleset.deck);
    if (sameCounts(inPlay, deck)) return;
    const missing = this.words(surplus(deck, inPlay)), tooMany = this.words(surplus(inPlay, deck));
    foul("deck", phrase("missing", { cards: missing, other_cards: tooMany }));
  }
}
