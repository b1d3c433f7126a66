// The deal of a round, its end with points and phases, and the cards that are kept for the next.

import { SKIP, WILD, faceOf, faces, sameCounts, sameList, wordsOf } from "./cards.js";
import { sheetFault } from "./sheets.js";
import { foul, hiddenText } from "./table.js";
import { canDraw } from "./turns.js";
import { decide, pointsOf } from "./winners.js";
import { phrase } from "../words.js";

// A table is opened for as many players as the rules allow, by the rule set of its game.
export function openGame(table, event) {
  const { seats_min: fewestSeats, seats_max: mostSeats } = table.ruleset;
  if (!(event.seats >= fewestSeats && event.seats <= mostSeats)) {
    foul("seats", phrase("seats", { least: fewestSeats, most: mostSeats, count: event.seats }));
  }
  if (!table.seats[event.dealer]) foul("seats", phrase("dealer.none", { seat: event.dealer }));
  const { type, ruleset, options = {} } = event.command;
  if (type !== "open_game") foul("seats", phrase("nobody_opened"));
  const sheet = SHEETS.find(({ name }) => name === ruleset.split("@")[0]);
  if (!sheet) return; // a game that the catalogue does not have
  table.letter = sheet.letter;
  const fault = sheetFault(sheet, options, table.ruleset);
  if (fault) foul("sheet", fault);
}

// A round begins: who deals, who plays and starts, full hands, the first discard, the stock.
export function deal(table, event) {
  table.expect("seats", "deal");
  if (event.round !== table.round + 1) foul("deal", phrase("round.number", { round: table.round + 1 }));
  if (event.replay !== table.tied.length > 0) foul("replay", phrase("round.replay"));
  const dealtIn = seatsDealtIn(table);
  seeDealer(table, event, dealtIn);
  seeFirst(table, event, dealtIn);
  dealHands(table, event);
  turnUp(table, event);
  table.countCards();
  seePhases(table, event);
  seeLostTurns(table, event);
  const { round, replay, players } = event;
  Object.assign(table, { round, isReplay: replay, players: [...players], active: -1 });
  Object.assign(table, { turnsOfRound: 0, passes: 0, shuffles: 0 });
  Object.assign(table, { lastOut: null, out: null, next: "turn" });
}

// Everybody; in a replay only those who are tied, unless everybody is to play (O-24).
function seatsDealtIn(table) {
  const isTied = table.tied.length && table.options.final_tie_replay === "tied_only";
  return isTied ? [...table.tied].sort((one, other) => one - other) : [...table.seats.keys()];
}

const leftNeighbour = (number, seats) => seats.find((seat) => seat > number) ?? seats[0];

// The deal passes to the left; where nobody deals, the left neighbour of who ended the round before
// starts (B-81).
function seeDealer(table, event, dealtIn) {
  let due = table.dealer;
  if (table.round) {
    const isFixed = table.options.dealer_rotation === "fixed" && dealtIn.includes(due);
    if (table.ruleset.succession === "ender") {
      due = leftNeighbour(table.lastOut ?? table.players[0], dealtIn);
    } else if (!isFixed) due = leftNeighbour(due, dealtIn);
  }
  if (event.dealer !== due) {
    foul("dealer", phrase("round.dealer", { name: table.name(due), other_name: table.name(event.dealer) }));
  }
  table.dealer = due;
}

// The first player, and the others clockwise from there.
function seeFirst(table, event, dealtIn) {
  const { first_player: rule, board_first_starter: starts } = table.options;
  let first = leftNeighbour(event.dealer, dealtIn);
  if (rule === "random" || (starts === "random" && !table.round)) first = event.players[0] ?? -1;
  else if (rule === "dealer") first = event.dealer;
  const place = dealtIn.indexOf(first);
  if (place < 0) foul("first_player", phrase("round.not_in", { name: table.name(first) }));
  if (!sameList(event.players, [...dealtIn.slice(place), ...dealtIn.slice(0, place)])) {
    foul("first_player", phrase("round.first", { name: table.name(first) }));
  }
}

// Full hands for all who play, kept cards counted, jokers among them by O-28.
function dealHands(table, event) {
  const count = table.seats.length;
  if ([event.kept, event.jokers].some(({ length }) => length !== 0 && length !== count)) {
    foul("deal", phrase("round.kept_counted"));
  }
  for (const [number, seat] of table.seats.entries()) {
    const size = event.hands[number], due = event.players.includes(number) ? table.ruleset.hand : 0;
    if (size !== due) foul("hand_size", phrase("round.holds_count", { name: seat.name, count: size }));
    let kept = seat.kept ?? [];
    if (table.options.kept_joker === "becomes_normal") kept = kept.map(faceOf);
    if (kept.length !== (event.kept[number] ?? 0)) {
      foul("kept", phrase("round.kept", { name: seat.name, count: kept.length }));
    }
    const jokers = kept.filter((card) => card.isJoker);
    if (jokers.length !== (event.jokers[number] ?? 0)) {
      foul("kept", phrase("round.kept_jokers", { name: seat.name, count: jokers.length }));
    }
    const dealt = size - kept.length, text = dealt ? hiddenText(event, number, "hand") : "";
    const given = wordsOf(text).length;
    if (given !== dealt) {
      foul("hand_size", phrase("round.dealt", { name: seat.name, count: given, n: dealt }));
    }
    Object.assign(seat, { hand: [...kept, ...table.read(text)], kept: null, laid: 0, front: [] });
  }
}

// The first discards, the top one open; what a skip or a wild there does (O-11, O-12).
function turnUp(table, event) {
  const stock = event.stock ? table.read(hiddenText(event, "stock", "stock")) : [];
  const covered = event.covered ? table.read(hiddenText(event, "stock", "pile")) : [];
  const shown = table.read(event.discard), returned = table.read(event.returned);
  if (stock.length !== event.stock || covered.length !== event.covered) {
    foul("deal", phrase("round.numbers"));
  }
  Object.assign(table, { stock, pile: [...covered, ...shown], groups: [] });
  const { initial_skip: skipped, initial_wild: wild } = table.options;
  const { deck, initial_discards: due } = table.ruleset;
  const covers = skipped === "cover" && deck.skips > 0;
  while (covers && shown[0] === SKIP && shown.length > 1) shown.shift();
  if (covered.length + shown.length !== due) foul("first_discard", phrase("round.turned", { count: due }));
  const top = shown.at(-1), goesBack = (rule) => rule === "return_and_redraw";
  if (top === SKIP && (skipped === "cover" || goesBack(skipped))) {
    foul("first_discard", phrase("round.skip_top"));
  }
  if (top === WILD && goesBack(wild)) foul("first_discard", phrase("round.wild_top"));
  for (const card of returned) {
    if (!((card === SKIP && goesBack(skipped)) || (card === WILD && goesBack(wild)))) {
      foul("first_discard", phrase("round.not_under", { cards: table.words([card]) }));
    }
  }
  if (!sameList(stock.slice(stock.length - returned.length), returned)) {
    foul("first_discard", phrase("round.not_beneath"));
  }
}

function seePhases(table, event) {
  for (const [number, seat] of table.seats.entries()) {
    const plays = event.players.includes(number), attempted = event.phases[number];
    const due = event.replay && plays ? table.ruleset.phases.length : seat.phase;
    if (plays && attempted !== due) {
      foul(
        "phase",
        phrase("round.attempts", { name: seat.name, phase: table.phase(due), due: table.phase(attempted) }),
      );
    }
  }
}

// Turns that are still to be lost, and the first player's where a skip was turned up.
function seeLostTurns(table, event) {
  const { skip_survives_round: survives, initial_skip: rule } = table.options;
  for (const [number, seat] of table.seats.entries()) {
    seat.hasJustLostATurn = false;
    if (!survives || !event.players.includes(number)) seat.turnsToLose = 0;
  }
  const isSkip = table.pile.at(-1) === SKIP && table.ruleset.deck.skips > 0;
  if (isSkip && rule === "skip_first_player") {
    table.seats[event.players[0]].turnsToLose = 1; // one that is due already is no second
  }
  const due = table.seats.map((seat) => seat.turnsToLose);
  if (!sameList(event.skips, due)) {
    foul("initial_skip", phrase("round.skips", { value: due.join(" "), other_value: event.skips.join(" ") }));
  }
}

// A round is over: points for what is left in hand, and the phases for the next one.
export function endRound(table, event) {
  if (table.next !== "round end" && !isCutShort(table, event)) table.expect("round end");
  if (event.out !== table.out || event.round !== table.round) {
    const { out, round } = table;
    foul(
      "round_end",
      out === null
        ? phrase("round.out_nobody", { round })
        : phrase("round.out", { name: table.name(out), round }),
    );
  }
  if (event.results.length !== table.seats.length) foul("round_end", phrase("round.results"));
  table.countCards();
  table.lastOut = table.out;
  for (const [number, result] of event.results.entries()) {
    settle(table, number, table.seats[number], result);
  }
  table.next = whatFollows(table);
}

// Whether a limit ends the round now: a card is wanted from an empty stock, or none is left.
function isCutShort(table, event) {
  if (event.out !== null) return false;
  const wants = ["draw", "joker", "gift"].includes(table.next), { options, ruleset } = table;
  if (options.stock_exhausted === "end_round" && wants && !table.stock.length) return true;
  const due = table.active < 0 ? table.players[0] : table.after(table.active);
  return table.next === "turn" && ruleset.acquire === "draw" &&
    options.no_card_to_draw === "end_round" && !table.seats[due].turnsToLose && !canDraw(table);
}

function settle(table, number, seat, result) {
  if (result.laid !== seat.laid) {
    const laid = table.phase(seat.laid);
    foul("round_end", phrase("round.laid", { name: seat.name, phase: laid, due: table.phase(result.laid) }));
  }
  seePoints(table, number, seat, result);
  advance(table, number, seat);
  if (result.phase !== seat.phase) {
    const due = table.phase(seat.phase), following = table.phase(result.phase);
    foul("progress", phrase("round.goes_on", { name: seat.name, phase: due, due: following }));
  }
}

// Points of the cards left in hand; none for who went out, none where nobody counts.
function seePoints(table, number, seat, result) {
  const scores = table.ruleset.scoring === "points" && !table.isReplay && number !== table.out;
  const points = scores ? pointsOf(table, seat.hand) : 0;
  seat.points += points;
  if (result.points !== points || result.total !== seat.points) {
    foul("points", phrase("round.scores", {
      name: seat.name, points, cards: table.words(seat.hand), sum: seat.points, n: result.points,
      m: result.total,
    }));
  }
  const shown = table.read(result.hand);
  if ((scores || shown.length) && !sameCounts(faces(shown), faces(seat.hand))) {
    foul("points", phrase("holds", { name: seat.name, cards: table.words(seat.hand) }));
  }
}

// The phase to attempt next: by the marker, by the round, or the lowest that is not made.
function advance(table, number, seat) {
  const last = table.ruleset.phases.length, { progress } = table.ruleset;
  if (table.isReplay) return;
  if (progress === "marker") {
    // What each has earned is written down, also of those who come after the winner (B-74).
    seat.phase = Math.min(seat.phase + (number === table.out ? 2 : seat.laid ? 1 : 0), last + 1);
  } else if (progress === "by_round") seat.phase = Math.min(table.round, last) + 1;
  else if (progress === "free") {
    seat.phase = 1;
    while (seat.made.has(seat.phase)) seat.phase += 1;
  } else if (seat.laid) seat.phase += 1;
}

// The end of the game, cards to keep, or the next deal.
function whatFollows(table) {
  table.winners = decide(table);
  if (table.winners.length) return "game end";
  if (!table.ruleset.keep) return "deal";
  const last = table.out ?? table.players[0], order = [table.after(last)];
  while (order.at(-1) !== last) order.push(table.after(order.at(-1)));
  for (const number of order) {
    const seat = table.seats[number];
    if (seat.laid || !seat.hand.length) seat.kept = [];
  }
  table.keepers = order.filter((number) => table.seats[number].kept === null);
  return table.keepers.length ? "keep" : "deal";
}

// A player who has not laid keeps some cards for the next round; jokers too (B-72, B-83).
export function keepCards(table, event) {
  table.expect("keep");
  const openly = table.options.keep_choice === "seat_order_open";
  const allowed = openly ? table.keepers.slice(0, 1) : table.keepers, { keep } = table.ruleset;
  if (!allowed.includes(event.seat)) {
    foul("keep", phrase("keep.none", { name: table.name(event.seat) }));
  }
  const seat = table.seats[event.seat];
  const named = event.hidden.get(`${event.seat}`)?.said ?? "", text = openly ? event.cards : named;
  if (!openly && event.cards) foul("keep", phrase("keep.unseen"));
  if (!sameList(wordsOf(text), wordsOf(named))) foul("hand", phrase("keep.others"));
  const count = wordsOf(text).length;
  if (count > keep) foul("keep_count", phrase("keep.count", { count, most: keep }));
  seat.kept = table.takeFromHand(seat, text);
  table.keepers = table.keepers.filter((number) => number !== event.seat);
  if (!table.keepers.length) table.next = "deal";
}
