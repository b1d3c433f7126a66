"""The automatic steps: the deal, the next turn, lost turns, the end of a round and of a game."""

import hashlib
from collections.abc import Callable
from typing import Literal

from msgspec.structs import replace

from phaseledger.domain import deal
from phaseledger.domain import events as e
from phaseledger.domain.cards import SKIP, WILD, face_up, is_skip, jokers_of, remove
from phaseledger.domain.draft import Draft
from phaseledger.domain.evolve import evolve
from phaseledger.domain.options import Options
from phaseledger.domain.policies import FINISH, NEXT_PHASE, SCORING, ender, has_open_replay
from phaseledger.domain.ruleset import fingerprint
from phaseledger.domain.script import arranged, thrown
from phaseledger.domain.state import Question, State


def _key(state: State) -> bytes:
    return deal.deal_key(bytes.fromhex(state.server_secret), bytes.fromhex(state.transcript))


def open_deal(draft: Draft) -> None:
    """Fix the deal by all secrets and deal the first round (docs/reference/deal.md)."""
    state = draft.now
    seats = [(seat.commit, seat.secret) for seat in map(state.seat, range(len(state.seats)))]
    text = deal.transcript(
        state.game, state.ruleset.name, fingerprint(state.ruleset), state.server_commit, seats
    )
    draft.emit(e.DealOpened(transcript=hashlib.sha256(text.encode()).hexdigest()))
    deal_first(draft)


def deal_first(draft: Draft) -> None:
    """Deal the first round, by the transcript that the state has."""
    deal_round(draft, tuple(range(len(draft.now.seats))), draft.now.dealer)


def left_of(seat: int, among: tuple[int, ...]) -> tuple[int, ...]:
    """The seats of ``among`` in turn order, starting with the next one after ``seat``."""
    ahead = sorted(number for number in among if number > seat)
    return tuple(ahead + sorted(number for number in among if number <= seat))


def _turned_up(stock: bytes, count: int, options: Options) -> tuple[bytes, bytes, bytes]:
    """The stock, the initial discard pile, and what went back under the stock (O-11, O-12)."""
    pile, stock, returned = stock[:count], stock[count:], b""
    is_returned = {
        SKIP: options.initial_skip == "return_and_redraw",
        WILD: options.initial_wild == "return_and_redraw",
    }
    # Each card of the stock is turned up at most once: where none will do, the last one stays.
    for _ in range(len(stock)):
        top = pile[-1]
        if is_returned.get(top):
            returned += pile[-1:]
            pile, stock = pile[:-1] + stock[:1], stock[1:] + pile[-1:]
        elif is_skip(top) and options.initial_skip == "cover":
            pile, stock = pile + stock[:1], stock[1:]
        else:
            break
    return stock, pile, returned


def deal_round(draft: Draft, among: tuple[int, ...], dealer: int, *, replay: bool = False) -> None:
    """Shuffle the deck less the kept cards, deal one card at a time from the dealer's left, full
    hands passed over, and begin (C-05, B-77..B-79).
    """
    state, ruleset, options = draft.now, draft.ruleset, draft.options
    number, key = state.round + 1, _key(state)
    everybody = range(len(state.seats))
    kept = [state.seat(seat).kept or b"" for seat in everybody]
    deck = remove(ruleset.deck.cards(), face_up(b"".join(kept)))
    assert deck is not None
    stock = deal.shuffled(key, number, 0, deck)
    order = left_of(dealer, among)
    places = [
        seat
        for row in range(ruleset.hand)
        for seat in order
        if len(kept[seat]) + row < ruleset.hand
    ]
    stock = arranged(stock, state.script, number, places, ruleset)
    hands: dict[int, bytearray] = {seat: bytearray() for seat in order}
    for seat, card in zip(places, stock, strict=False):
        hands[seat].append(card)
    stock, pile, returned = _turned_up(stock[len(places) :], ruleset.initial_discards, options)
    players = _in_turn(state, order, key)
    skips = [state.seat(s).skips if options.skip_survives_round else 0 for s in everybody]
    if is_skip(pile[-1]) and options.initial_skip == "skip_first_player":
        skips[players[0]] = max(1, skips[players[0]])
    hidden = {
        str(seat): e.Secret(hand=draft.text(bytes(hand)), kept=_revealed_jokers(draft, kept[seat]))
        for seat, hand in hands.items()
    }
    jokers = [_kept_jokers(draft, cards) for cards in kept]
    for seat, cards in enumerate(jokers):
        if cards:
            hidden[f"not:{seat}"] = e.Secret(kept=draft.text(cards))
    open_count = 1 if ruleset.pile == "covered" else len(pile)
    covered = pile[: len(pile) - open_count]
    draft.emit(
        e.RoundDealt(
            round=number,
            dealer=dealer,
            players=players,
            hands=tuple(len(kept[seat]) + len(hands.get(seat, b"")) for seat in everybody),
            stock=len(stock),
            discard=draft.text(pile[len(covered) :]),
            returned=draft.text(returned),
            phases=tuple(
                len(ruleset.phases) if replay and seat in among else state.seat(seat).phase
                for seat in everybody
            ),
            skips=tuple(skips),
            replay=replay,
            kept=tuple(map(len, kept)) if any(kept) else (),
            jokers=tuple(map(len, jokers)) if any(jokers) else (),
            covered=len(covered),
            asks=(),
            hidden={
                **hidden,
                "stock": e.Secret(stock=draft.text(stock), pile=draft.text(covered)),
            },
        )
    )
    next_turn(draft, players[0])


def _in_turn(state: State, order: tuple[int, ...], key: bytes) -> tuple[int, ...]:
    """The seats in turn order from the first player; ``order`` begins at the dealer's left."""
    options, number = state.ruleset.options, state.round + 1
    start = {"left_of_dealer": 0, "dealer": len(order) - 1}.get(options.first_player)
    drawn = number == 1 and options.board_first_starter == "random"
    if start is None or drawn:
        start = deal.starter(key, number, len(order))
    return order[start:] + order[:start]


def _revealed_jokers(draft: Draft, kept: bytes) -> str:
    """The text of the cards that a seat kept, where its jokers become ordinary ones (O-28)."""
    faces = face_up(kept)
    becoming = draft.options.kept_joker == "becomes_normal" and faces != kept
    return draft.text(faces) if becoming else ""


def _kept_jokers(draft: Draft, kept: bytes) -> bytes:
    """The jokers among the cards that a seat has kept, for the others to see as before (B-82)."""
    return jokers_of(kept) if draft.options.kept_joker == "stays_joker" else b""


def next_seat(state: State, seat: int) -> int:
    """The seat whose turn follows the turn of ``seat``."""
    order = state.players
    return order[(order.index(seat) + 1) % len(order)]


def can_draw_discard(state: State) -> bool:
    """Whether the top of the discard pile may be drawn (C-15, C-16)."""
    pile = state.discard
    return bool(pile) and (state.ruleset.options.skip_drawable or not is_skip(pile[-1]))


def reshuffle_remainder(state: State) -> int:
    """The cards that stay on the pile when it becomes the stock; -1 if it may not (O-01)."""
    rule = state.ruleset.options.stock_exhausted
    kept = {"reshuffle_all_but_top": 1, "reshuffle_all": 0}.get(rule, len(state.discard))
    return kept if len(state.discard) > kept else -1


def can_draw_stock(state: State) -> bool:
    """Whether a draw from the stock gives a card, or ends the round (O-01)."""
    ends_round = state.ruleset.options.stock_exhausted == "end_round"
    return bool(state.stock) or ends_round or reshuffle_remainder(state) >= 0


def can_draw(state: State) -> bool:
    """Whether either pile gives a card."""
    return can_draw_discard(state) or can_draw_stock(state)


def available(state: State) -> int:
    """The number of cards that the stock can give, with the cards to shuffle into it (O-01)."""
    if state.ruleset.options.stock_exhausted == "end_round":
        # Asking for more ends the round, which no shortage prevents.
        return len(state.ruleset.deck.cards())
    kept = reshuffle_remainder(state)
    return len(state.stock) + (len(state.discard) - kept if kept >= 0 else 0)


def ready_stock(draft: Draft) -> bool:
    """Shuffle the discard pile into an empty stock; whether the stock then has a card.

    Under the option that an empty stock ends the round, end the round (O-01).
    """
    if not draft.now.stock:
        if draft.options.stock_exhausted == "end_round":
            end_round(draft, None)
            return False
        if reshuffle_remainder(draft.now) < 0:
            return False
        _shuffle_stock(draft)
    return True


def uncovered_top(draft: Draft, pile: bytes) -> str:
    """The new top of a covered discard pile, which no seat knew before; else empty (B-09, B-25)."""
    return draft.text(pile[-1:]) if draft.ruleset.pile == "covered" else ""


def turn_limit_reached(limit: int | Literal["none"], turns: int) -> bool:
    """Whether a round has had all the turns that `max_turns_per_round` gives it (O-39)."""
    return limit != "none" and turns >= limit


def next_turn(draft: Draft, seat: int) -> None:
    """Begin the turn of ``seat``, or of the first one after it that has no turn to lose."""
    ruleset = draft.ruleset
    while True:
        state = draft.now
        if turn_limit_reached(ruleset.options.max_turns_per_round, state.turn - state.round_turn):
            end_round(draft, None)
            return
        if not state.seat(seat).skips:
            break
        front = state.seat(seat).front[-1:]
        to = ruleset.skip_after_served if front else ""
        draft.emit(
            e.SkipServed(seat=seat, turn=state.turn + 1, card=draft.text(front), to=to, asks=())
        )
        seat = next_seat(state, seat)
    _BEGIN[ruleset.acquire](draft, seat)


def _begin_to_draw(draft: Draft, seat: int) -> None:
    """Ask for a draw, or go on without one where nothing can be drawn (C-13, C-20)."""
    state = draft.now
    if can_draw(state):
        draft.emit(e.TurnBegan(seat=seat, turn=state.turn + 1, asks=(Question(seat, "draw"),)))
    elif draft.options.no_card_to_draw == "end_round":
        end_round(draft, None)
    else:
        draft.emit(e.TurnBegan(seat=seat, turn=state.turn + 1, asks=(Question(seat, "play"),)))


def _begin_to_move(draft: Draft, seat: int) -> None:
    """Throw the dice, which no seat may refuse (B-14, B-15)."""
    draft.emit(e.TurnBegan(seat=seat, turn=draft.now.turn + 1, asks=()))
    roll_dice(draft, seat, 0)


_BEGIN: dict[str, Callable[[Draft, int], None]] = {
    "draw": _begin_to_draw,
    "actions": _begin_to_move,
}
"""``RuleSet.acquire`` to the function that begins a turn."""


def roll_dice(draft: Draft, seat: int, roll: int) -> None:
    """Throw the dice for the ``roll``-th time in this turn, and ask for a move (B-27, B-28)."""
    state = draft.now
    scripted = thrown(state.script, state.round, state.throws)
    dice = scripted or tuple(deal.dice(_key(state), state.turn, roll))
    asks = (Question(seat, "move"),)
    draft.emit(e.DiceRolled(seat=seat, roll=roll, dice=dice, asks=asks))


def _shuffle_stock(draft: Draft) -> None:
    """Make the discard pile the stock, by the next shuffle of this round (C-19)."""
    state, kept = draft.now, reshuffle_remainder(draft.now)
    cards = state.discard[: len(state.discard) - kept]
    stock = deal.shuffled(_key(state), state.round, state.shuffles + 1, cards)
    draft.emit(
        e.StockShuffled(
            shuffle=state.shuffles + 1,
            count=len(stock),
            kept=kept,
            hidden={"stock": e.Secret(stock=draft.text(stock))},
        )
    )


def end_round(draft: Draft, out: int | None) -> None:
    """Score the hands, advance the phases, and end the game or go on (C-61..C-72, B-70..B-76)."""
    state, ruleset = draft.now, draft.ruleset
    score, advance = SCORING[ruleset.scoring], NEXT_PHASE[ruleset.progress]
    results = []
    for number in range(len(state.seats)):
        seat = state.seat(number)
        counted = number != out and not state.replay
        # The hands of a replay may break a tie (O-24).
        shown = counted or (number != out and has_open_replay(ruleset))
        points = score(ruleset, seat.hand) if counted else 0
        results.append(
            e.Result(
                points=points,
                total=seat.points + points,
                laid=seat.laid,
                phase=advance(state, number, out),
                hand=draft.text(seat.hand) if shown and ruleset.scoring != "none" else "",
            )
        )
    round_ended = e.RoundEnded(round=state.round, results=tuple(results), out=out, asks=())
    state_after = evolve(state, round_ended)
    verdict = FINISH[ruleset.finish](state_after)
    keepers = keeping_seats(state_after) if verdict.follows == "round" else ()
    if keepers:
        asked_seats = keepers if draft.options.keep_choice == "simultaneous_secret" else keepers[:1]
        round_ended = replace(
            round_ended, asks=tuple(Question(n, "keep", ruleset.keep) for n in asked_seats)
        )
    draft.emit(round_ended)
    if verdict.follows == "win":
        draft.emit(e.GameEnded(winners=verdict.seats, secret=state.server_secret, asks=()))
    elif verdict.follows == "replay":
        deal_next(draft, verdict.seats, replay=True)
    elif not keepers:
        deal_next(draft)


def keeping_seats(state: State) -> tuple[int, ...]:
    """The seats that may keep cards for the next round, in turn order from its starter (B-72)."""
    if not state.ruleset.keep:
        return ()
    order = left_of(ender(state), state.players)
    return tuple(n for n in order if not state.seat(n).laid and state.seat(n).hand)


def deal_next(draft: Draft, among: tuple[int, ...] | None = None, *, replay: bool = False) -> None:
    """Deal the next round, to all seats or to the seats that replay for the win."""
    state = draft.now
    playing = tuple(range(len(state.seats))) if among is None else among
    dealer = ender(state) if draft.ruleset.succession == "ender" else state.dealer
    if draft.options.dealer_rotation == "left" or dealer not in playing:
        dealer = left_of(dealer, playing)[0]
    deal_round(draft, playing, dealer, replay=replay)
