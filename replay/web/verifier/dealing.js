// Check of the cards: every shuffle, draw and throw computed again from the secrets.

import { dealKey, dice, shuffled, starter } from "./deal.js";
import {
  OWN, TURNED, arranged, cardNames, dealt, faceUp, fullDeck, leftOf, ownNames, placesOf, turnedUp,
} from "./deck.js";
import { Finding, at, same } from "./finding.js";
import { hiddenOf } from "./secrets.js";
import { canonical, within } from "./values.js";
import { amount, phrase, sentences } from "./words.js";

// The table as far as cards go: where every card lies. Whether a move was lawful it does not know.
class Table {
  constructor(bundle, key) {
    const { data } = bundle.events[0].value;
    Object.assign(this, { key, rules: data.ruleset, options: data.ruleset.options ?? {} });
    this.event = bundle.events[0];
    const { deck, hand, initial_discards: turned = 1 } = this.rules;
    // No real game is larger, and a forged one should not keep anybody waiting.
    const sizes = [deck.copies, deck.wilds, deck.skips, hand, turned, data.seats];
    if (!sizes.every(within(0, 99)) || data.seats > 16) {
      this.wrong("cards", phrase("about.size"), phrase("due.size"), phrase("there.more"));
    }
    const { codes, names } = cardNames(deck.notation);
    Object.assign(this, { codes, names, deck: fullDeck(deck) });
    this.seats = Array.from({ length: data.seats }, () => ({ hand: [], kept: null, front: [] }));
    Object.assign(this, { dealer: data.dealer, players: [], out: undefined, stock: [], pile: [] });
    Object.assign(this, { round: 0, shuffles: 0, turn: 0, rolls: 0, throws: 0 });
    this.script = hiddenOf(this.event, "server")?.script ?? [];
    if (this.script.length && !data.table?.test) {
      this.wrong("cards", phrase("about.script"), phrase("due.no_script"), phrase("there.a_script"));
    }
    this.counts = { deals: 0, reshuffles: 0, draws: 0, dice: 0, chosen: 0, moved: 0 };
  }

  read(text) {
    return (text ?? "").split(" ").filter(Boolean).map((word) => {
      const code = this.codes.get(word);
      if (code === undefined) this.wrong("cards", phrase("about.card_name"), phrase("due.deck_card"), word);
      return code;
    });
  }

  show(cards) {
    return cards.map((card) => this.names.get(card) ?? "?").join(" ") || phrase("no_card");
  }

  wrong(code, text, expected, recorded) {
    throw new Finding(code, text, at(this.event, expected, recorded));
  }

  // Cards as they must be against their recorded text.
  agrees(code, text, expected, recorded) {
    if (expected.join() !== this.read(recorded).join()) {
      this.wrong(code, text, this.show(expected), recorded || phrase("no_card"));
    }
  }

  counted(code, text, expected, recorded) {
    const shown = recorded === undefined ? phrase("nothing") : canonical(recorded);
    if (canonical(expected) !== shown) this.wrong(code, text, canonical(expected), shown);
  }

  seat(number) {
    return this.seats[number] ?? this.wrong(
      "cards", phrase("about.the_seat"), phrase("due.table_seat"), number
    );
  }

  hidden(audience) {
    const value = hiddenOf(this.event, `${audience}`), what = phrase("about.hidden_part", { audience });
    return value ?? this.wrong("cards", what, phrase("due.sealed"), phrase("there.missing"));
  }

  // Takes cards out of a seat's hand as their owner names them, and gives their codes.
  take(seat, named, hand = this.seat(seat).hand) {
    const names = ownNames(hand);
    return named.map((name) => {
      const place = names.indexOf(name);
      if (place < 0) {
        const there = phrase("due.held", { cards: this.show(names) });
        this.wrong("cards", phrase("about.card_of", { seat }), there, this.show([name]));
      }
      names.splice(place, 1);
      this.counts.moved++;
      return hand.splice(place, 1)[0];
    });
  }

  fromStock(card) {
    if (!this.stock.length) {
      this.wrong("draw", phrase("about.stock"), phrase("due.in_stock"), phrase("there.empty_stock"));
    }
    this.agrees("draw", phrase("about.stock_top"), [this.stock[0]], card);
    this.counts.draws++;
    return this.stock.shift();
  }

  async apply(event) {
    this.event = event;
    const name = event.value.type;
    const act = Object.hasOwn(ACTS, name) ? ACTS[name] : null;
    if (!act) this.wrong("order", phrase("about.type"), phrase("due.type"), name);
    await act(this, event.value.data);
  }
}

export const nothing = () => {};

async function roundDealt(table, data) {
  const { rules, options, seats, key } = table, round = table.round + 1;
  table.counted("order", phrase("about.round"), round, data.round);
  const all = seats.map((_, n) => n);
  const among = data.replay ? all.filter((n) => data.players.includes(n)) : all;
  let dealer = table.dealer;
  if (round > 1) {
    if (rules.succession === "ender") dealer = table.out ?? table.players[0];
    const rotates = (options.dealer_rotation ?? "left") === "left";
    if (rotates || !among.includes(dealer)) [dealer] = leftOf(dealer, among);
  }
  table.counted("first_player", phrase("about.dealer"), dealer, data.dealer);
  const order = leftOf(dealer, among), first = options.first_player ?? "left_of_dealer";
  let start = first === "dealer" ? order.length - 1 : 0;
  if (first === "random" || (round === 1 && options.board_first_starter === "random")) {
    start = await starter(key, round, order.length);
    table.counts.chosen++;
  }
  const players = [...order.slice(start), ...order.slice(0, start)];
  table.counted("first_player", phrase("about.turn_order"), players, data.players);

  const kept = seats.map((seat) => seat.kept ?? []), deck = [...table.deck];
  for (const card of faceUp(kept.flat())) deck.splice(deck.indexOf(card), 1);
  const places = placesOf(order, rules.hand, kept), turned = rules.initial_discards ?? 1;
  const script = table.script[round - 1] ?? {}, read = (text) => table.read(text);
  const cards = arranged(await shuffled(key, round, 0, deck), script, places, turned, read);
  const [hands, rest] = dealt(cards, order, places);
  const [stock, pile, returned] = turnedUp(rest, turned, options);
  const covered = rules.pile === "covered" ? pile.slice(0, -1) : [];
  for (const [seat, cards] of hands) {
    const words = phrase("about.dealt_to", { seat, round });
    table.agrees("shuffle", words, cards, table.hidden(seat).hand);
  }
  table.agrees("shuffle", phrase("about.discards"), pile.slice(covered.length), data.discard);
  table.agrees("shuffle", phrase("about.returned"), returned, data.returned);
  table.agrees("shuffle", phrase("about.stock_cards"), stock, table.hidden("stock").stock);
  table.agrees("shuffle", phrase("about.covered"), covered, table.hidden("stock").pile);
  const sizes = all.map((n) => kept[n].length + (hands.get(n)?.length ?? 0));
  table.counted("cards", phrase("about.hand_sizes"), sizes, data.hands);
  table.counted("cards", phrase("about.stock_size"), stock.length, data.stock);
  table.counted("cards", phrase("about.covered_size"), covered.length, data.covered ?? 0);
  const lengths = (some) => (some.some((cards) => cards.length) ? some.map((c) => c.length) : []);
  table.counted("cards", phrase("about.kept_sizes"), lengths(kept), data.kept ?? []);
  const stays = (options.kept_joker ?? "stays_joker") === "stays_joker";
  const jokers = kept.map((cards) => (stays ? cards.filter((card) => card & TURNED) : []));
  table.counted("cards", phrase("about.joker_sizes"), lengths(jokers), data.jokers ?? []);
  for (const n of all) {
    if (jokers[n].length) {
      const seen = table.hidden(`not:${n}`).kept;
      table.agrees("cards", phrase("about.kept_jokers", { seat: n }), jokers[n], seen);
    }
    if (!stays && kept[n].some((card) => card & TURNED)) {
      kept[n] = faceUp(kept[n]);
      table.agrees("cards", phrase("about.kept_by", { seat: n }), kept[n], table.hidden(n).kept);
    }
    Object.assign(seats[n], { hand: [...kept[n], ...(hands.get(n) ?? [])], kept: null, front: [] });
  }
  Object.assign(table, { round, stock, pile, dealer, players, out: undefined, shuffles: 0, throws: 0 });
  table.counts.deals++;
}

async function stockShuffled(table, data) {
  const left = { reshuffle_all: 0 }[table.options.stock_exhausted] ?? 1;
  table.counted("shuffle", phrase("about.reshuffle"), table.shuffles + 1, data.shuffle);
  table.counted("shuffle", phrase("about.stay"), left, data.kept);
  table.counted("shuffle", phrase("about.left"), 0, table.stock.length);
  const cards = faceUp(table.pile.slice(0, table.pile.length - left));
  const stock = await shuffled(table.key, table.round, data.shuffle, cards);
  table.agrees("shuffle", phrase("about.new_stock"), stock, table.hidden("stock").stock);
  table.counted("shuffle", phrase("about.reshuffled"), stock.length, data.count);
  const pile = table.pile.slice(table.pile.length - left);
  Object.assign(table, { stock, pile, shuffles: data.shuffle });
  table.counts.reshuffles++;
}

function newTurn(table, data) {
  table.counted("order", phrase("about.turn"), table.turn + 1, data.turn);
  table.turn++;
  table.rolls = 0;
}

function skipServed(table, data) {
  newTurn(table, data);
  const { front } = table.seat(data.seat);
  table.agrees("cards", phrase("about.skip_front"), front.slice(-1), data.card);
  if (!front.length) return;
  const card = front.pop();
  if (data.to === "bottom") table.pile.unshift(card);
  else if (data.to === "top") table.pile.push(card);
  else table.wrong(
    "cards", phrase("about.skip_goes"), phrase("due.pile_end"), data.to ?? phrase("there.nowhere")
  );
}

async function diceRolled(table, data) {
  table.counted("die", phrase("about.throw_number"), table.rolls, data.roll);
  const scripted = table.script[table.round - 1]?.dice?.[table.throws++];
  const values = scripted ?? await dice(table.key, table.turn, table.rolls);
  const words = phrase("about.throw", { count: table.rolls, turn: table.turn });
  table.counted("die", words, values, data.dice);
  table.rolls++;
  table.counts.dice += 2;
}

// On a covered pile the card that comes to light is said.
function uncovered(table, recorded) {
  const top = table.rules.pile === "covered" ? table.pile.slice(-1) : [];
  table.agrees("cards", phrase("about.now_top"), top, recorded);
}

function cardDrawn(table, data) {
  const { hand } = table.seat(data.seat), { pile } = table;
  if (data.source === "stock") {
    hand.push(table.fromStock(table.hidden(data.seat).card));
    return;
  }
  const secret = data.source === "pile" ? table.hidden(data.seat) : null;
  const place = secret ? secret.place ?? 0 : pile.length - 1;
  if (!within(0, pile.length - 1)(place)) {
    table.wrong("draw", phrase("about.place"), phrase("due.place", { last: pile.length - 1 }), place);
  }
  const words = secret ? phrase("about.pile_card", { place }) : phrase("about.pile_top");
  table.agrees("draw", words, [pile[place]], secret ? secret.card : data.card);
  hand.push(...pile.splice(place, 1));
  uncovered(table, data.top);
  table.counts.draws++;
}

function cardTurned(table, data) {
  const { hand } = table.seat(data.seat);
  hand.push(table.fromStock(table.hidden(`not:${data.seat}`).card) | TURNED);
}

function cardsSwapped(table, data) {
  const said = table.read(table.hidden(data.seat).said);
  const cards = faceUp(table.take(data.seat, said));
  table.counted("cards", phrase("about.swapped"), cards.length, data.count);
  table.agrees("cards", phrase("about.jokers"), said.filter((card) => card & OWN), data.jokers);
  table.pile.push(...cards);
  table.agrees("cards", phrase("about.on_top"), cards.slice(-1), data.top);
}

function cardGiven(table, data) {
  const both = [data.seat, data.to].sort((a, b) => a - b).join();
  const audience = data.joker ? `not:${data.seat}` : both;
  const { card } = table.hidden(audience);
  const taken = table.take(data.seat, table.read(data.joker || card));
  table.agrees("cards", phrase("about.given"), faceUp(taken), card);
  table.seat(data.to).hand.push(...faceUp(taken));
}

function cardsKept(table, data) {
  const said = table.read(table.hidden(data.seat).said), seat = table.seat(data.seat);
  if (data.cards !== undefined) table.agrees("cards", phrase("about.cards_kept"), said, data.cards);
  seat.kept = table.take(data.seat, said, [...seat.hand]);
}

function phaseLaid(table, data) {
  table.take(data.seat, data.groups.flatMap((group) => table.read(group.cards)));
}

function cardDiscarded(table, data) {
  const cards = table.take(data.seat, table.read(data.cards)), faces = faceUp(cards);
  if (data.faces !== undefined) table.agrees("cards", phrase("about.faces"), faces, data.faces);
  table.pile.push(...faces);
}

function skipPlaced(table, data) {
  table.seat(data.target).front.push(...table.take(data.seat, table.read(data.card)));
}

function roundEnded(table, data) {
  table.counted("order", phrase("about.round"), table.round, data.round);
  for (const [n, result] of data.results.entries()) {
    if (!result.hand) continue;
    const words = phrase("about.hand_left", { seat: n });
    table.agrees("cards", words, table.seat(n).hand, result.hand);
  }
  table.out = data.out;
}

const ACTS = {
  "GameOpened/1": nothing, "SeatTaken/1": nothing, "SeatFreed/1": nothing,
  "TableSealed/1": nothing, "TurnTimedOut/1": nothing, "SeatHandedOver/1": nothing, "SeatNamed/1": nothing,
  "SeatSecretRevealed/1": nothing, "DealOpened/1": nothing, "RoundDealt/1": roundDealt,
  "TurnBegan/1": newTurn, "SkipServed/1": skipServed, "StockShuffled/1": stockShuffled,
  "DiceRolled/1": diceRolled, "PawnMoved/1": nothing, "CardDrawn/1": cardDrawn,
  "CardTurned/1": cardTurned, "CardsSwapped/1": cardsSwapped, "CardAsked/1": nothing,
  "CardGiven/1": cardGiven, "CardsKept/1": cardsKept, "PhaseLaid/1": phaseLaid,
  "CardsHit/1": (table, data) => table.take(data.seat, table.read(data.cards)),
  "CardDiscarded/1": cardDiscarded, "SkipPlaced/1": skipPlaced, "TurnPassed/1": nothing,
  "RoundEnded/1": roundEnded, "GameEnded/1": nothing, "GameVoided/1": nothing,
};

export async function checkCards(bundle, breathe) {
  if (bundle.secret === undefined) {
    return ["skipped", phrase(bundle.over ? "checked.cards_secret" : "checked.cards_later")];
  }
  const { events } = bundle, opened = events.find((one) => one.value.type === "DealOpened/1");
  const transcript = `${opened?.value.data.transcript ?? "00"}`;
  const table = new Table(bundle, await dealKey(bundle.secret, transcript));
  for (const [i, event] of events.entries()) {
    if (i % 200 === 0) await breathe(0.6 + i / events.length / 4);
    const early = event.value.type === "RoundDealt/1" && !(opened?.value.seq < event.value.seq);
    if (early) {
      same("order", phrase("about.deal"), event, phrase("due.after_opening"), phrase("there.before_opening"));
    }
    try {
      await table.apply(event);
    } catch (wrong) {
      if (wrong instanceof Finding) throw wrong;
      same(
        "cards",
        phrase("about.facts"),
        event,
        phrase("due.documented_facts"),
        phrase("there.malformed_facts"),
      );
    }
  }
  const { deals, reshuffles, draws, dice: thrown, chosen, moved } = table.counts;
  const number = (what, count) => phrase(`number.${what}`, { count: amount(count) });
  const lie = phrase("checked.cards", {
    deals: number("deals", deals), reshuffles: number("reshuffles", reshuffles),
    draws: number("cards", draws), moved: number("cards", moved),
  });
  const fell = phrase(thrown ? "checked.dice" : "checked.no_dice", { count: amount(thrown) });
  const lots = phrase(chosen ? "checked.lots" : "checked.no_lots", { count: amount(chosen) });
  return ["passed", lie, sentences(fell, lots)];
}
