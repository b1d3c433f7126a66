"""The fold of events into the state: what each event changes. It applies no rule, no seed and no
check, so an old stream folds for ever (law 2).
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from phaseledger.domain import events as e
from phaseledger.domain.cards import (
    CODES,
    OWN,
    SINGLES,
    TURNED,
    UNKNOWN,
    face_up,
    jokers_of,
    meant,
    owner_names,
    parse,
)
from phaseledger.domain.state import Group, SeatState, State
from phaseledger.domain.terms import OPEN

_JOKER = bytes((TURNED,))
"""The lowest of a joker's codes, for comparisons."""
_Seats = tuple[SeatState | None, ...]
_SPURNED_AT_MOST = 16
"""Cards remembered as spurned by a seat: a long round would gather more and more."""


def _with_seat(seats: _Seats, number: int, seat: SeatState) -> _Seats:
    changed = list(seats)
    changed[number] = seat
    return tuple(changed)


def _waits_after(state: State, event: e.Event) -> Any:  # noqa: ANN401 - typed by the field it fills
    return state.waits if event.asks is None else event.asks


def _game_opened(_: State | None, event: e.GameOpened) -> State:
    terms, secret = event.table or OPEN, event.hidden.get("server", e.Secret())
    return State(
        game=event.game,
        ruleset=event.ruleset,
        server_commit=event.server_commit,
        server_secret=secret.secret,
        dealer=event.dealer,
        seats=(None,) * event.seats,
        terms=terms,
        script=secret.script,
        reserved=terms.reserved,
    )


def _unreserved(state: State, seat: int) -> tuple[int, ...]:
    return tuple(number for number in state.reserved if number != seat)


def _seat_taken(state: State, event: e.SeatTaken) -> State:
    secret = event.hidden["server"].secret if event.hidden else ""
    seat = SeatState(
        name=event.name, bot=event.bot, commit=event.commit, secret=secret, key=event.key
    )
    seats = _with_seat(state.seats, event.seat, seat)
    return replace(state, seats=seats, reserved=_unreserved(state, event.seat))


def _seat_freed(state: State, event: e.SeatFreed) -> State:
    return replace(
        state,
        seats=(*state.seats[: event.seat], None, *state.seats[event.seat + 1 :]),
        reserved=_unreserved(state, event.seat),
    )


def _seat_handed_over(state: State, event: e.SeatHandedOver) -> State:
    seat = replace(state.seat(event.seat), bot=event.bot, stand_in="", key="")
    return replace(state, seats=_with_seat(state.seats, event.seat, seat))


def _seat_named(state: State, event: e.SeatNamed) -> State:
    seat = replace(state.seat(event.seat), name=event.name)
    return replace(state, seats=_with_seat(state.seats, event.seat, seat))


def _turn_timed_out(state: State, event: e.TurnTimedOut) -> State:
    seat = replace(state.seat(event.seat), stand_in=event.bot)
    return replace(state, seats=_with_seat(state.seats, event.seat, seat))


def _table_sealed(state: State, event: e.TableSealed) -> State:
    return replace(state, stage="sealed", waits=_waits_after(state, event))


def _seat_secret_revealed(state: State, event: e.SeatSecretRevealed) -> State:
    seat = replace(state.seat(event.seat), secret=event.secret)
    return replace(
        state, seats=_with_seat(state.seats, event.seat, seat), waits=_waits_after(state, event)
    )


def _deal_opened(state: State, event: e.DealOpened) -> State:
    return replace(state, stage="playing", transcript=event.transcript)


def _dealt(state: State, event: e.RoundDealt, number: int) -> bytes:
    """A hand after the deal: the cards kept, then those dealt. Others see the jokers kept."""
    secret, jokers_secret = event.hidden.get(str(number)), event.hidden.get(f"not:{number}")
    if secret:
        kept = parse(secret.kept) if secret.kept else state.seat(number).kept or b""
        return kept + parse(secret.hand)
    backs = bytes([TURNED]) * (event.jokers[number] if event.jokers else 0)
    jokers = parse(jokers_secret.kept) if jokers_secret else backs
    return jokers + bytes(event.hands[number] - len(jokers))


def _round_dealt(state: State, event: e.RoundDealt) -> State:
    hidden = event.hidden
    seats = [
        replace(
            state.seat(number),
            hand=_dealt(state, event, number),
            kept=None,
            phase=event.phases[number],
            laid=0,
            skips=event.skips[number],
            served=False,
            front=b"",
            taken=b"",
            spurned=b"",
        )
        for number in range(len(state.seats))
    ]
    below = parse(hidden["stock"].pile) if "stock" in hidden else bytes(event.covered)
    return replace(
        state,
        seats=tuple(seats),
        round=event.round,
        replay=event.replay,
        dealer=event.dealer,
        players=event.players,
        round_turn=state.turn,
        throws=0,
        shuffles=0,
        passes=0,
        stock=parse(hidden["stock"].stock) if "stock" in hidden else bytes(event.stock),
        discard=below + parse(event.discard),
        groups=(),
        out=None,
        waits=_waits_after(state, event),
    )


def _turn_began(state: State, event: e.TurnBegan) -> State:
    number, seats, asks = event.seat, state.seats, event.asks
    seat = seats[number]
    assert seat is not None
    if seat.served or seat.stand_in:
        seats = _with_seat(seats, number, replace(seat, served=False, stand_in=""))
    return replace(
        state,
        seats=seats,
        active=number,
        turn=event.turn,
        taken=b"",
        waits=state.waits if asks is None else asks,
    )


def _skip_served(state: State, event: e.SkipServed) -> State:
    seat = state.seat(event.seat)
    card, discard = parse(event.card), state.discard
    if event.to:
        discard = discard + card if event.to == "top" else card + discard
    seat = replace(
        seat, skips=seat.skips - 1, served=True, front=seat.front[: len(seat.front) - len(card)]
    )
    return replace(
        state,
        seats=_with_seat(state.seats, event.seat, seat),
        active=event.seat,
        turn=event.turn,
        discard=discard,
        waits=_waits_after(state, event),
    )


def _stock_shuffled(state: State, event: e.StockShuffled) -> State:
    hidden, pile = event.hidden, state.discard
    return replace(
        state,
        stock=parse(hidden["stock"].stock) if hidden else bytes(event.count),
        discard=pile[len(pile) - event.kept :],
        shuffles=event.shuffle,
    )


def _dice_rolled(state: State, event: e.DiceRolled) -> State:
    return replace(
        state,
        dice=event.dice,
        rolls=event.roll + 1,
        throws=state.throws + 1,
        action="",
        taken=b"",
        waits=_waits_after(state, event),
    )


def _pawn_moved(state: State, event: e.PawnMoved) -> State:
    seat = replace(state.seat(event.seat), pawn=event.space)
    return replace(
        state,
        seats=_with_seat(state.seats, event.seat, seat),
        action=event.action,
        waits=_waits_after(state, event),
    )


def _card_drawn(state: State, event: e.CardDrawn) -> State:
    number, hidden, asks = event.seat, event.hidden, event.asks
    stock, discard, seats = state.stock, state.discard, list(state.seats)
    seat = seats[number]
    assert seat is not None
    secret = hidden.get(str(number)) if hidden else None
    card, taken = SINGLES[CODES[secret.card if secret else event.card or "?"]], state.taken
    round_taken, spurned = seat.taken, seat.spurned
    if event.source == "stock":
        stock, spurned = stock[1:], (spurned + discard[-1:])[-_SPURNED_AT_MOST:]
    elif event.source == "discard":
        discard, taken, round_taken = discard[:-1], taken + card, round_taken + card
    else:
        place = secret.place if secret else 0
        discard, taken = discard[:place] + discard[place + 1 :], taken + card
    if event.top:
        discard = discard[:-1] + parse(event.top)
    seats[number] = replace(seat, hand=seat.hand + card, taken=round_taken, spurned=spurned)
    return replace(
        state,
        seats=tuple(seats),
        stock=stock,
        discard=discard,
        taken=taken,
        passes=0,
        waits=state.waits if asks is None else asks,
    )


def _card_turned(state: State, event: e.CardTurned) -> State:
    faces = [CODES[secret.card] for secret in event.hidden.values()]
    seat = state.seat(event.seat)
    seat = replace(seat, hand=seat.hand + bytes((TURNED | (faces or [0])[0],)))
    return replace(
        state,
        seats=_with_seat(state.seats, event.seat, seat),
        stock=state.stock[1:],
        passes=0,
        waits=_waits_after(state, event),
    )


def _cards_swapped(state: State, event: e.CardsSwapped) -> State:
    seat, secret = state.seat(event.seat), event.hidden.get(str(event.seat))
    named_cards = parse(secret.said) if secret else parse(event.jokers)
    cards = bytes(event.count - len(named_cards)) + named_cards
    hand, taken, spent = _spent(seat, cards)
    pile = state.discard + face_up(spent)
    seat = replace(seat, hand=hand, taken=taken)
    return replace(
        state,
        seats=_with_seat(state.seats, event.seat, seat),
        discard=pile[:-1] + parse(event.top),
        passes=0,
        waits=_waits_after(state, event),
    )


def _card_asked(state: State, event: e.CardAsked) -> State:
    return replace(state, waits=_waits_after(state, event))


def _card_given(state: State, event: e.CardGiven) -> State:
    giver, receiver = state.seat(event.seat), state.seat(event.to)
    faces = [CODES[secret.card] for secret in event.hidden.values()]
    face = faces[0] if faces else 0
    card = parse(event.joker) or bytes((face,))
    hand, taken, _ = _spent(giver, card)
    seats = _with_seat(state.seats, event.seat, replace(giver, hand=hand, taken=taken))
    seats = _with_seat(seats, event.to, replace(receiver, hand=receiver.hand + bytes((face,))))
    return replace(state, seats=seats, passes=0, waits=_waits_after(state, event))


def _cards_kept(state: State, event: e.CardsKept) -> State:
    seat, secret = state.seat(event.seat), event.hidden.get(str(event.seat))
    kept = meant(seat.hand, parse(secret.said if secret else event.cards))
    seats = _with_seat(state.seats, event.seat, replace(seat, kept=kept))
    return replace(state, seats=seats, waits=_waits_after(state, event))


def _without(hand: bytes, cards: bytes) -> bytes:
    """The hand less the cards that its owner names. A joker leaves from its own place, since two
    jokers of one face leave the same hand as two of different faces. In a log for one viewer, an
    unknown card leaves in place of a named one and, where all are known, the last that is no joker.
    """
    if not jokers_of(cards):
        hand_left = hand
        for card in cards:
            hand_left = hand_left.replace(SINGLES[card], b"", 1)
        if len(hand_left) + len(cards) == len(hand):
            return hand_left  # the common case: all cards are in the hand, and none is a joker
    names, remaining = bytearray(owner_names(hand)), bytearray(hand)
    for card in cards:
        place = names.find(card)
        if place < 0:
            place = names.find(UNKNOWN)
        if place < 0:
            place = max(i for i, name in enumerate(bytes(names)) if name < OWN)
        del names[place], remaining[place]
    return bytes(remaining)


def _spent(seat: SeatState, cards: bytes) -> tuple[bytes, bytes, bytes]:
    """The hand and the openly taken cards, both without the cards that their owner names, and the
    named cards with their faces.
    """
    hand, taken = seat.hand, seat.taken
    faces, hand_left = cards, hand.replace(cards, b"", 1)
    if len(cards) != 1 or cards >= _JOKER or len(hand_left) == len(hand):  # not the common case
        faces, hand_left = meant(hand, cards), _without(hand, cards)
    return hand_left, _still_taken(taken, faces) if taken else taken, faces


def _still_taken(taken: bytes, spent: bytes) -> bytes:
    """The cards taken from the pile, less copies that have left the hand: copies are equal."""
    for card in spent if taken else b"":
        taken = taken.replace(SINGLES[card], b"", 1)
    return taken


def _phase_laid(state: State, event: e.PhaseLaid) -> State:
    needs = state.ruleset.phases[event.phase - 1].needs
    seat = state.seat(event.seat)
    group_cards = [parse(group.cards) for group in event.groups]
    groups = tuple(
        Group(event.seat, need, meant(seat.hand, cards), group.low, group.high)
        for need, group, cards in zip(needs, event.groups, group_cards, strict=True)
    )
    cards = b"".join(group_cards)
    hand, taken, _ = _spent(seat, cards)
    seat = replace(
        seat,
        hand=hand,
        taken=taken,
        laid=event.phase,
        made=seat.made | 1 << event.phase - 1 if event.credited else seat.made,
    )
    return replace(
        state,
        seats=_with_seat(state.seats, event.seat, seat),
        groups=state.groups + groups,
        taken=_still_taken(state.taken, cards),
        passes=0,
        waits=_waits_after(state, event),
    )


def _cards_hit(state: State, event: e.CardsHit) -> State:
    group, seat = state.groups[event.group], state.seat(event.seat)
    hand, taken, cards = _spent(seat, parse(event.cards))
    group_cards = cards[::-1] + group.cards if event.end == "low" else group.cards + cards
    group = replace(group, cards=group_cards, low=event.low, high=event.high, half=event.half)
    seat = replace(seat, hand=hand, taken=taken)
    return replace(
        state,
        seats=_with_seat(state.seats, event.seat, seat),
        groups=(*state.groups[: event.group], group, *state.groups[event.group + 1 :]),
        taken=_still_taken(state.taken, cards),
        passes=0,
        waits=_waits_after(state, event),
    )


def _card_discarded(state: State, event: e.CardDiscarded) -> State:
    number, target, asks = event.seat, event.target, event.asks
    seats = list(state.seats)
    seat = seats[number]
    assert seat is not None
    hand, taken, cards = _spent(seat, parse(event.cards))
    seats[number] = replace(
        seat,
        hand=hand,
        taken=taken,
        spurned=(seat.spurned + cards)[-_SPURNED_AT_MOST:],
    )
    if target is not None:
        target_seat = seats[target]
        assert target_seat is not None
        seats[target] = replace(target_seat, skips=target_seat.skips + 1)
    return replace(
        state,
        seats=tuple(seats),
        discard=state.discard + (parse(event.faces) if event.faces else cards),
        passes=0,
        waits=state.waits if asks is None else asks,
    )


def _skip_placed(state: State, event: e.SkipPlaced) -> State:
    card, seat, target = parse(event.card), state.seat(event.seat), state.seat(event.target)
    hand, taken, _ = _spent(seat, card)
    seats = _with_seat(state.seats, event.seat, replace(seat, hand=hand, taken=taken))
    target = replace(target, skips=target.skips + 1, front=target.front + card)
    seats = _with_seat(seats, event.target, target)
    return replace(state, seats=seats, passes=0, waits=_waits_after(state, event))


def _turn_passed(state: State, event: e.TurnPassed) -> State:
    return replace(state, passes=state.passes + 1, waits=_waits_after(state, event))


def _round_ended(state: State, event: e.RoundEnded) -> State:
    seats = tuple(
        replace(seat, points=result.total, phase=result.phase)
        for seat, result in zip(state.seats, event.results, strict=True)
        if seat
    )
    return replace(state, seats=seats, out=event.out, waits=_waits_after(state, event))


def _game_ended(state: State, event: e.GameEnded) -> State:
    return replace(
        state,
        stage="ended",
        active=-1,
        winners=event.winners,
        server_secret=event.secret,
        waits=(),
    )


def _game_voided(state: State, event: e.GameVoided) -> State:
    return replace(state, stage="voided", active=-1, server_secret=event.secret, waits=())


_APPLY: dict[type[e.Event], Callable[[Any, Any], State]] = {
    e.GameOpened: _game_opened,
    e.SeatTaken: _seat_taken,
    e.SeatFreed: _seat_freed,
    e.SeatHandedOver: _seat_handed_over,
    e.SeatNamed: _seat_named,
    e.TurnTimedOut: _turn_timed_out,
    e.TableSealed: _table_sealed,
    e.SeatSecretRevealed: _seat_secret_revealed,
    e.DealOpened: _deal_opened,
    e.RoundDealt: _round_dealt,
    e.TurnBegan: _turn_began,
    e.SkipServed: _skip_served,
    e.StockShuffled: _stock_shuffled,
    e.DiceRolled: _dice_rolled,
    e.PawnMoved: _pawn_moved,
    e.CardDrawn: _card_drawn,
    e.CardTurned: _card_turned,
    e.CardsSwapped: _cards_swapped,
    e.CardAsked: _card_asked,
    e.CardGiven: _card_given,
    e.CardsKept: _cards_kept,
    e.PhaseLaid: _phase_laid,
    e.CardsHit: _cards_hit,
    e.CardDiscarded: _card_discarded,
    e.SkipPlaced: _skip_placed,
    e.TurnPassed: _turn_passed,
    e.RoundEnded: _round_ended,
    e.GameEnded: _game_ended,
    e.GameVoided: _game_voided,
}


def evolve(state: State | None, event: e.Event) -> State:
    """The state after the event; None is the state before `GameOpened`."""
    return _APPLY[type(event)](state, event)


def fold(events: Iterable[e.Event], state: State | None = None) -> State | None:
    """The state after all the events; None where there are none."""
    apply = _APPLY
    for event in events:
        state = apply[type(event)](state, event)
    return state
