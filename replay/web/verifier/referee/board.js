// The ring of action spaces: dice, pawns, and the actions (RULES.md 5.2, 5.3).

import { asJoker, faceOf, isNatural, sameList, wordsOf } from "./cards.js";
import { foul, hiddenText } from "./table.js";
import { taken, topOfStock } from "./turns.js";
import { phrase } from "../words.js";

// How many cards the player adds to the hand.
const TAKE = { TAKE1: 1, TAKE2: 2, TAKE3: 3 };

// What an action asks its player for.
const STEPS = { JOKER: "joker", SEARCH: "search", SWAP: "swap", ASK: "ask", CHOOSE: "choose" };

// Two dice are thrown at the start of a turn, and of each further one by AGAIN.
export function roll(table, event) {
  table.expectActive(event.seat);
  table.expect("dice");
  if (event.roll !== table.rolls) foul("dice", phrase("board.throw", { count: table.rolls }));
  if (event.dice.length !== 2 || !event.dice.every((die) => die >= 1 && die <= 6)) {
    foul("dice", phrase("board.dice"));
  }
  Object.assign(table, { dice: event.dice, rolls: table.rolls + 1, next: "move" });
  table.taken = new Map();
}

// The pawn goes on by a die, or to the action that was chosen; its space says what to do.
export function move(table, event) {
  const seat = table.expectActive(event.seat), { type, steps, action } = event.command;
  table.expect("move", "choose");
  let due;
  if (table.next === "move") {
    if (type !== "move") foul("move", phrase("board.how_far"));
    const [first, second] = table.dice;
    if (![first, second, ...(first === second ? [2 * first] : [])].includes(steps)) {
      foul("move", phrase("board.steps", { n: first, m: second, count: steps }));
    }
    due = nthFree(table, event.seat, steps);
  } else {
    if (type !== "choose") foul("choose", phrase("board.which"));
    due = chosenSpace(table, event.seat, action);
  }
  if (event.space !== due) foul("pawn", phrase("board.space", { n: due, m: event.space }));
  const there = table.ruleset.track[due];
  if (there !== event.action) {
    foul("pawn", phrase("board.action", { n: due, type: there, value: event.action }));
  }
  seat.pawn = due;
  beginAction(table, event.seat, event.action);
}

function takenSpaces(table, number) {
  return table.seats.filter((_, other) => other !== number).map((seat) => seat.pawn);
}

// The space so many free ones on: others' pawns are jumped over and not counted (B-17).
function nthFree(table, number, steps) {
  const occupied = takenSpaces(table, number), { length } = table.ruleset.track;
  if (new Set(occupied).size >= length) foul("pawn", phrase("board.none_free"));
  let space = table.seats[number].pawn;
  for (let left = steps; left > 0;) {
    space = (space + 1) % length;
    if (!occupied.includes(space)) left -= 1;
  }
  return space;
}

// The first free space of another action, clockwise (B-39..B-42).
function chosenSpace(table, number, action) {
  const { track } = table.ruleset, byType = table.options.choose_take_by === "type";
  if (action === "CHOOSE") foul("choose_itself", phrase("board.choose"));
  const isTake = byType && action === "TAKE";
  if (!track.includes(action) && !isTake) {
    foul("choose", phrase("board.no_action", { type: action }));
  }
  if (byType && action in TAKE) foul("choose", phrase("board.take"));
  const occupied = takenSpaces(table, number), here = table.seats[number].pawn;
  for (let step = 1; step < track.length; step++) {
    const space = (here + step) % track.length;
    const isMeant = isTake ? track[space] in TAKE : track[space] === action;
    if (isMeant && !occupied.includes(space)) return space;
  }
  return foul("occupied", phrase("board.occupied", { type: action }));
}

// What the action asks for; where there are too few cards, what is left of it (O-34).
function beginAction(table, number, action) {
  table.next = "play";
  if (action in TAKE || action === "AGAIN") {
    table.playsAgain = action === "AGAIN";
    const wanted = TAKE[action] ?? 1, { pile, stock } = table;
    const loose = endsWithStock(table) ? wanted : pile.length + stock.length;
    const needed = table.options.short_supply === "cancel" ? wanted : 1;
    if (loose >= needed) Object.assign(table, { next: "draw", wanted });
  } else if (action === "EVERY") {
    if (!isCalledOff(table, table.players.length)) {
      handOut(table, [number, ...otherPlayers(table, number)]);
    }
  } else if (canBegin(table, number, action)) table.next = STEPS[action];
}

// Whether there are the cards that the action begins with.
function canBegin(table, number, action) {
  if (action === "JOKER") return table.fromStock() > 0 || endsWithStock(table);
  if (action === "SEARCH") return table.pile.length > 0;
  if (action === "ASK") return !isCalledOff(table, 1); // somebody gets a card off the stock
  return action !== "SWAP" || canSwap(table, table.seats[number]);
}

// Whether there is a card to put down, and not too few for one more than that. What is put down
// comes back with the reshuffle, so that it is the same for one card and for four.
function canSwap(table, seat) {
  const jokersToo = table.options.joker_discard !== "forbidden";
  if (!seat.hand.some((card) => jokersToo || !card.isJoker)) return false;
  table.pile.push(seat.hand[0]);
  const isOff = isCalledOff(table, 2);
  table.pile.pop();
  return !isOff;
}

// Whether the stock has too few cards for all that is wanted of it (O-34). Where an empty stock
// ends the round, nothing is called off: wanting its card does that.
function isCalledOff(table, wanted) {
  const isShort = table.options.short_supply === "cancel" && table.fromStock() < wanted;
  return isShort && !endsWithStock(table);
}

// Whether a card wanted from an empty stock ends the round (O-01).
const endsWithStock = (table) => table.options.stock_exhausted === "end_round";

// The other players in turn order from the left neighbour.
function otherPlayers(table, number) {
  const others = [];
  for (let seat = table.after(number); seat !== number; seat = table.after(seat)) others.push(seat);
  return others;
}

// So many cards come off the stock by themselves, as far as there are any (B-85).
function handOut(table, seats) {
  const isEmpty = !table.fromStock() && !endsWithStock(table);
  Object.assign(table, isEmpty ? { gifts: [], next: "play" } : { gifts: seats, next: "gift" });
}

// The top card of the stock comes into the hand as a joker, its face to all others (B-29).
export function turnJoker(table, event) {
  const seat = table.expectActive(event.seat);
  table.expect("joker");
  const text = hiddenText(event, `not:${event.seat}`, "card");
  const always = table.options.joker_memory === "owner_sees_always";
  if (event.hidden.has(`${event.seat}`) !== always) foul("joker_seen", phrase("board.back"));
  seat.hand.push(asJoker(topOfStock(table, text)));
  table.next = "play";
}

// The player takes one card out of the discard pile, whose order does not change (B-23).
export function search(table, event) {
  const seat = table.expectActive(event.seat);
  table.expect("search");
  const card = hiddenText(event, event.seat, "card");
  const { said, place } = event.hidden.get(`${event.seat}`);
  if (event.card) foul("hidden", phrase("board.unseen"));
  if (event.command.type === "search" && !sameList(wordsOf(said), wordsOf(card))) {
    foul("hand", phrase("board.other_taken"));
  }
  if (!(place >= 0 && place < table.pile.length)) {
    foul("search", phrase("board.no_place", { count: place }));
  }
  if (!sameList(table.read(card), [table.pile[place]])) {
    foul("search", phrase("board.in_place", { count: place, card }));
  }
  const [found] = table.pile.splice(place, 1), top = table.pile.slice(-1);
  if (!sameList(table.read(event.top), top)) {
    foul("search", phrase("board.on_top", { cards: table.words(top) }));
  }
  seat.hand.push(found);
  table.taken.set(found, taken(table, found) + 1);
  table.next = "play";
}

// One to four cards go on the discard pile, one card more comes off the stock (B-25, B-26).
export function swap(table, event) {
  const seat = table.expectActive(event.seat);
  table.expect("swap");
  const said = hiddenText(event, event.seat, "said"), named = wordsOf(said);
  if (event.command.type !== "swap") foul("swap", phrase("board.swap_unsaid"));
  if (!(named.length >= 1 && named.length <= 4) || event.count !== named.length) {
    foul("swap", phrase("board.swap_count", { count: named.length, n: event.count }));
  }
  const cards = table.takeFromHand(seat, said);
  const jokers = named.filter((word) => word.startsWith("J"));
  if (jokers.length && table.options.joker_discard === "forbidden") {
    foul("joker_discard", phrase("joker_discard"));
  }
  if (!sameList(wordsOf(event.jokers), jokers)) {
    foul("swap", phrase("board.jokers", { cards: jokers.join(" ") || phrase("none") }));
  }
  const shown = cards.map(faceOf), last = shown.slice(-1);
  if (!sameList(table.read(event.top), last)) {
    foul("swap", phrase("board.last_seen", { cards: table.words(last) }));
  }
  table.pile.push(...shown);
  const wanted = cards.length + 1;
  if (isCalledOff(table, wanted)) foul("short_supply", phrase("board.too_few"));
  handOut(table, Array(wanted).fill(event.seat));
}

// The player asks the others one by one for a value, until somebody has it (B-32).
export function ask(table, event) {
  table.expectActive(event.seat);
  table.expect("ask");
  const { type, value, direction = "left" } = event.command;
  if (type !== "ask" || value !== event.value || direction !== event.direction) {
    foul("ask", phrase("board.asked_else"));
  }
  if (!(event.value >= 1 && event.value <= 12)) foul("ask", phrase("board.no_value", { value: event.value }));
  const others = otherPlayers(table, event.seat);
  if (event.direction === "right") others.reverse();
  table.askedValue = event.value;
  const giver = others.find((other) =>
    table.seats[other].hand.some((card) => card.rank === event.value),
  );
  if (giver === undefined) handOut(table, [event.seat]);
  else Object.assign(table, { gifts: [giver], next: "give" });
}

// The first who has the value gives a card of it, a joker only where there is no other.
export function give(table, event) {
  table.expect("give");
  if (!sameList(table.gifts, [event.seat]) || event.to !== table.active) {
    foul("give", phrase("board.must_give", { name: table.name(table.gifts[0]) }));
  }
  const giver = table.seats[event.seat], asker = table.seats[event.to];
  asker.hand.push(faceOf(givenCard(table, giver, event)));
  Object.assign(table, { gifts: [], next: "play" });
  if (!isCalledOff(table, 1)) handOut(table, [event.seat]);
}

function givenCard(table, giver, event) {
  const value = table.askedValue;
  const ordinary = giver.hand.filter((card) => card.rank === value && isNatural(card));
  let card;
  if (event.joker) {
    if (ordinary.length) foul("give_joker", phrase("board.has_natural", { name: giver.name }));
    card = oneOf(table.takeFromHand(giver, event.joker));
    const face = table.read(hiddenText(event, `not:${event.seat}`, "card"));
    if (!sameList(face, [faceOf(card)])) foul("give", phrase("board.face"));
  } else {
    const audience = [event.seat, event.to].sort((one, other) => one - other).join();
    const text = hiddenText(event, audience, "card"), read = table.read(text);
    if (read.length !== 1 || read[0].isJoker) foul("give", phrase("board.one_given"));
    card = oneOf(table.takeFromHand(giver, text));
    const { said } = event.hidden.get(audience);
    if (event.command.type === "give" && said && !sameList(wordsOf(said), [text])) {
      foul("hand", phrase("board.other_given"));
    }
    if (!table.options.ask_giver_chooses && card !== ordinary[0]) {
      foul("give", phrase("board.first_given"));
    }
  }
  if (card.rank !== value) foul("give", phrase("board.asked_for", { value, card: card.rank }));
  return card;
}

const oneOf = (cards) => (cards.length === 1 ? cards[0] : foul("give", phrase("board.one_given")));
