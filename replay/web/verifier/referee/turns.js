// The turn: whose it is, lost turns, drawing, discarding and skips.

import { SKIP, counted, faceOf, faces, sameCounts, sameList, wordsOf } from "./cards.js";
import { areFull } from "./groups.js";
import { foul, hiddenText } from "./table.js";
import { phrase, wordOf } from "../words.js";

// It is this seat's turn, and the turn is counted on.
function nextInTurn(table, number, turn) {
  table.expect("turn");
  const due = table.active < 0 ? table.players[0] : table.after(table.active);
  if (number !== due) foul("turn", phrase("turn.of", { name: table.name(due) }));
  if (turn !== table.turn + 1) foul("turn", phrase("turn.next", { n: table.turn + 1, m: turn }));
  Object.assign(table, { active: number, turn, turnsOfRound: table.turnsOfRound + 1 });
  return table.seats[number];
}

// A turn begins, unless the player has one to lose.
export function beginTurn(table, event) {
  const seat = nextInTurn(table, event.seat, event.turn);
  if (seat.turnsToLose) foul("skip_owed", phrase("turn.lose", { name: seat.name }));
  seat.hasJustLostATurn = false;
  Object.assign(table, { playsAgain: false, wanted: 0, taken: new Map(), rolls: 0 });
  if (table.ruleset.acquire === "actions") {
    table.next = "dice";
    return;
  }
  if (!canDraw(table) && table.options.no_card_to_draw === "end_round") {
    foul("no_card", phrase("turn.no_card"));
  }
  Object.assign(table, { next: "draw", wanted: 1 });
}

// A lost turn: nothing but putting the skip, where one lies in front, on or under the pile.
export function serveSkip(table, event) {
  const seat = nextInTurn(table, event.seat, event.turn), { front } = seat;
  if (!seat.turnsToLose) foul("skip_owed", phrase("turn.none_to_lose", { name: seat.name }));
  seat.turnsToLose -= 1;
  seat.hasJustLostATurn = true;
  if (Boolean(front.length) !== Boolean(event.card)) {
    foul("skip_served", phrase("turn.front", { name: seat.name, cards: table.words(front) }));
  }
  if (front.length) {
    const end = table.ruleset.skip_after_served;
    if (!sameList(table.read(event.card), front.slice(0, 1)) || event.to !== end) {
      foul("skip_served", wordOf("turn.skip", end, "_"));
    }
    if (event.to === "top") table.pile.push(front.shift());
    else table.pile.unshift(front.shift());
  }
  endTurn(table);
}

// Whether any pile gives a card: the stock, what would be reshuffled, or the top of the pile.
// Where an empty stock ends the round, asking for its card is possible at any time.
export function canDraw(table) {
  const { options, pile } = table;
  if (table.fromStock() || options.stock_exhausted === "end_round") return true;
  return pile.length > 0 && (pile.at(-1) !== SKIP || options.skip_drawable);
}

// The discard pile becomes the stock, only when a card is wanted from an empty one.
export function shuffle(table, event) {
  table.expect("draw", "joker", "gift");
  const left = table.stock.length;
  if (left) foul("reshuffle", phrase("stock.left", { count: left }));
  const count = table.toReshuffle();
  if (!count || event.count !== count || event.kept !== table.pile.length - count) {
    foul("reshuffle", phrase("stock.become", { count }));
  }
  if (event.shuffle !== table.shuffles + 1) {
    foul("reshuffle", phrase("stock.shuffle", { count: table.shuffles + 1 }));
  }
  const { type, source = "stock" } = event.command;
  if (type === "draw" && source !== "stock") foul("reshuffle", phrase("stock.nobody"));
  const stock = table.read(hiddenText(event, "stock", "stock"));
  if (!sameCounts(faces(stock), faces(table.pile.slice(0, count)))) {
    foul("reshuffle", phrase("stock.others"));
  }
  Object.assign(table, { shuffles: table.shuffles + 1, stock, pile: table.pile.slice(count) });
}

export function taken(table, card) {
  return table.taken.get(card) ?? 0;
}

// A player takes the top card of the stock or of the discard pile.
export function draw(table, event) {
  if (table.next === "gift") {
    takeGift(table, event);
    return;
  }
  const seat = table.expectActive(event.seat);
  table.expect("draw");
  const { type, source = "stock" } = event.command;
  if (event.source !== (type === "draw" ? source : "stock")) foul("draw", phrase("draw.pile"));
  if (event.source === "stock") {
    if (event.card) foul("hidden", phrase("draw.eyes"));
    seat.hand.push(topOfStock(table, hiddenText(event, event.seat, "card")));
  } else if (event.source === "discard") {
    const card = takeTop(table, event);
    seat.hand.push(card);
    table.taken.set(card, taken(table, card) + 1);
  } else foul("draw", phrase("draw.top"));
  table.wanted -= 1;
  if (table.wanted <= 0 || !canDraw(table)) table.next = "play";
}

// Takes the top card of the discard pile, which is no skip unless skips may be drawn.
function takeTop(table, event) {
  if (!table.pile.length) foul("draw_pile", phrase("draw.empty"));
  const top = table.pile.at(-1);
  if (top === SKIP && !table.options.skip_drawable) foul("draw_skip", phrase("draw.skip"));
  if (!sameList(table.read(event.card), [top])) {
    foul("draw_pile", phrase("draw.pile_top", { cards: table.words([top]) }));
  }
  table.pile.pop();
  // On a covered pile the card that lies on top afterwards is seen by all.
  const now = table.pile.slice(-1);
  if (table.ruleset.pile === "covered" && !sameList(table.read(event.top), now)) {
    foul("draw_pile", phrase("draw.now_top", { cards: table.words(now) }));
  }
  return top;
}

// Takes the top card of the stock, which has to be the one of the text.
export function topOfStock(table, text) {
  if (!table.stock.length) foul("draw", phrase("draw.no_stock"));
  const top = table.stock.slice(0, 1);
  if (!sameList(table.read(text), top)) {
    foul("draw", phrase("draw.stock_top", { cards: table.words(top), card: text }));
  }
  return table.stock.shift();
}

// A card off the stock that an action hands out, to the seat whose turn to get one it is.
function takeGift(table, event) {
  const [due] = table.gifts;
  if (event.seat !== due || event.source !== "stock" || event.card) {
    foul("gift", phrase("draw.for", { name: table.name(due) }));
  }
  const seat = table.player(event.seat);
  seat.hand.push(topOfStock(table, hiddenText(event, event.seat, "card")));
  table.gifts.shift();
  const endsRound = table.options.stock_exhausted === "end_round";
  if (!table.gifts.length || !(table.fromStock() || endsRound)) {
    Object.assign(table, { gifts: [], next: "play" });
  }
}

// The seat that is about to lay, hit or discard; it may go on without drawing where no pile gives a
// card.
export function atPlay(table, number) {
  const seat = table.expectActive(number);
  const cannot = table.ruleset.acquire === "draw" && !canDraw(table);
  if (table.next === "draw" && cannot) table.next = "play";
  table.expect("play");
  return seat;
}

// A player ends the turn with a card on the discard pile; a skip may name who loses a turn.
export function discard(table, event) {
  const seat = atPlay(table, event.seat);
  seeDiscardNamed(event, event.cards);
  const cards = table.takeFromHand(seat, event.cards);
  seeCount(table, seat, cards.length);
  if (cards.some((card) => card.isJoker) && table.options.joker_discard === "forbidden") {
    foul("joker_discard", phrase("joker_discard"));
  }
  seeTaken(table, cards);
  if (sameList(cards, [SKIP])) seeDiscardedSkip(table, seat, event);
  else if (event.target !== null) foul("target", phrase("discard.names"));
  const shown = cards.map(faceOf);
  if (cards.some((card) => card.isJoker) && !sameList(table.read(event.faces), shown)) {
    foul("joker_discard", phrase("discard.face_up", { cards: table.words(shown) }));
  }
  table.pile.push(...shown);
  afterDiscard(table, event.seat);
}

// The player named these cards, and who loses a turn; an ace perhaps with its suit.
function seeDiscardNamed(event, text) {
  const { type, target = null, cards = "" } = event.command;
  if (type !== "discard" || target !== event.target) foul("hand", phrase("discard.unsaid"));
  const named = wordsOf(cards), shown = wordsOf(text);
  const aces = named.filter((word) => !shown.includes(word) && word.startsWith("A"));
  if (!sameList(shown, named) && !sameList(shown, aces.map(() => "A"))) {
    foul("hand", phrase("discard.others"));
  }
}

function seeCount(table, seat, count) {
  const isMore = seat.laid && areFull(table.groups, table.ruleset);
  const most = isMore ? table.ruleset.discards_when_full : 1;
  if (!(count >= 1 && count <= most)) foul("one_card", phrase("discard.count", { count, most }));
}

// Whether a card that was just taken from the discard pile may go back (O-36).
function seeTaken(table, cards) {
  if (table.options.discard_taken_card) return;
  const hand = counted(table.seats[table.active].hand); // a joker is no card of its face (B-29)
  if (cards.some((card) => taken(table, card) > (hand.get(card) ?? 0))) {
    foul("taken_card", phrase("discard.taken"));
  }
}

function seeDiscardedSkip(table, seat, event) {
  seeLastSkip(table, seat);
  if (event.target === null) {
    const allowed = table.options.skip_plain_discard;
    const nobody = !table.players.some((other) => mayBeSkipped(table, event.seat, other));
    if (allowed === false || (allowed === "only_if_no_target" && !nobody)) {
      foul("target", phrase("skip.names"));
    }
    return;
  }
  if (table.ruleset.skip_placement !== "discard_pile") foul("target", phrase("skip.front"));
  skip(table, event.seat, event.target);
}

function seeLastSkip(table, seat) {
  if (!seat.hand.length && !table.options.skip_as_last_card) foul("last_skip", phrase("skip.last"));
}

// Whether a player may have this one lose a turn.
function mayBeSkipped(table, number, target) {
  if (target === number || !table.players.includes(target)) return false;
  const seat = table.seats[target];
  if (seat.turnsToLose || seat.front.length) return false;
  return !(table.options.skip_repeat === "until_normal_turn" && seat.hasJustLostATurn);
}

// Somebody is to lose the next turn.
function skip(table, number, target) {
  if (target === number) foul("target_self", phrase("skip.self"));
  if (!mayBeSkipped(table, number, target)) {
    foul("target_skipped", phrase("skip.cannot", { name: table.name(target) }));
  }
  table.seats[target].turnsToLose += 1;
}

// A player ends the turn with a skip in front of another.
export function placeSkip(table, event) {
  const seat = atPlay(table, event.seat);
  if (table.ruleset.skip_placement !== "in_front") foul("skip_placed", phrase("skip.pile"));
  if (!sameList(table.takeFromHand(seat, event.card), [SKIP])) {
    foul("skip_placed", phrase("skip.only"));
  }
  seeDiscardNamed(event, event.card);
  seeTaken(table, [SKIP]);
  seeLastSkip(table, seat);
  skip(table, event.seat, event.target);
  table.seats[event.target].front.push(SKIP);
  afterDiscard(table, event.seat);
}

// A player ends the turn without a discard: only where the rules leave none.
export function passTurn(table, event) {
  const seat = atPlay(table, event.seat);
  if (seat.hand.some((card) => mayDiscard(table, seat, card))) {
    foul("must_discard", phrase("pass.can", { name: seat.name }));
  }
  table.passes += 1;
  if (table.passes >= table.players.length) table.endRound(null);
  else endPart(table);
}

// Whether a card of the hand may be discarded in some way.
function mayDiscard(table, seat, card) {
  const { options } = table;
  if (card.isJoker && options.joker_discard === "forbidden") return false;
  const count = counted(seat.hand).get(card) ?? 0;
  if (!options.discard_taken_card && count > 0 && taken(table, card) >= count) return false;
  if (card !== SKIP) return true;
  if (seat.hand.length === 1 && !options.skip_as_last_card) return false;
  const hasTarget = table.players.some((other) => mayBeSkipped(table, table.active, other));
  return hasTarget || Boolean(options.skip_plain_discard);
}

// The discard of the last card ends the round; else the turn, or the first part of AGAIN.
function afterDiscard(table, number) {
  if (table.seats[number].hand.length) endPart(table);
  else table.endRound(number);
}

// The rest of the turn is the next throw after AGAIN, unless it has had all of them (O-39).
function endPart(table) {
  if (!table.playsAgain) endTurn(table);
  else if (isEnough(table, table.rolls)) table.endRound(null);
  else Object.assign(table, { playsAgain: false, taken: new Map(), next: "dice" });
}

// The left neighbour is next, unless the round has had all its turns (O-39).
function endTurn(table) {
  if (isEnough(table, table.turnsOfRound)) table.endRound(null);
  else table.next = "turn";
}

function isEnough(table, turns) {
  const limit = table.options.max_turns_per_round;
  return limit !== "none" && turns >= limit;
}
