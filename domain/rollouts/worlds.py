"""Worlds: the states that a game may be in, by what one seat can know.

A seat knows what it sees (`sight`) and which cards others openly took from the discard pile and
still hold. The other cards of the deck may lie anywhere in other hands, the stock, a covered pile
and on the other sides of jokers: a world is drawn uniformly from all ways to lay them there, and
its future, shuffles and dice, is as unknown. A choice of cards to keep that the seat has not seen
is asked for again.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from phaseledger.domain import deal
from phaseledger.domain.cards import OWN, TURNED, UNKNOWN, meant, remove
from phaseledger.domain.hashing import hmac_sha256
from phaseledger.domain.sight import backs, jokers_seen, pile_seen, remembers_pile
from phaseledger.domain.state import Question, SeatState, State, cards_in_play

_MOST_DRAWS = 10_000
"""The most draws for one world: one in some tens has the card that a seat is asked to give."""
_BLANKS = bytes((UNKNOWN, TURNED))
"""A card and a joker with unknown faces."""


class NoWorld(ValueError):
    """No world was found that fits what the seat knows: the state has not the cards of its deck."""


def knowledge(state: State, viewer: int) -> State:
    """The state with all blank that the seat cannot know: cards 0, other sides of jokers too.

    States that look the same to the seat have equal knowledge.
    """
    openly = state.ruleset.options.keep_choice == "seat_order_open"
    numbers = range(len(state.seats))
    hidden = [n for n in numbers if n != viewer and state.seat(n).kept is not None and not openly]
    is_public = remembers_pile(state)
    return replace(
        state,
        server_commit="",
        server_secret="",
        seats=tuple([_seat_knowledge(state, n, viewer, choosing=n in hidden) for n in numbers]),
        waits=state.waits + tuple([Question(n, "keep", state.ruleset.keep) for n in hidden]),
        stock=bytes(len(state.stock)),
        discard=pile_seen(state, viewer),
        groups=tuple([replace(group, cards=backs(group.cards)) for group in state.groups]),
        taken=state.taken if is_public or state.active == viewer else b"",
    )


def _seat_knowledge(state: State, number: int, viewer: int, *, choosing: bool) -> SeatState:
    seat, is_public, kept = state.seat(number), remembers_pile(state), state.seat(number).kept
    jokers = bytes([TURNED | face for face in jokers_seen(state, number, viewer)])
    if number == viewer:
        left = iter(jokers)
        hand = bytes([next(left) if card & TURNED else card for card in seat.hand])
        kept = _unknown_jokers(kept) if kept and TURNED in jokers else kept
    else:
        kept = None if choosing else kept
        # Openly kept cards are shown; openly taken cards are still in hand.
        shown = bytes([card for card in kept or b"" if not card & TURNED])
        cards = shown or (seat.taken if is_public else b"")
        hand = cards + bytes(len(seat.hand) - len(jokers) - len(cards)) + jokers
    return replace(
        seat,
        commit="",
        secret="",
        hand=hand,
        kept=kept,
        taken=seat.taken if is_public else b"",
        spurned=seat.spurned if is_public else b"",
    )


def _unknown_jokers(kept: bytes) -> bytes:
    """The kept cards, jokers by their owner's names: jokers with unknown faces are all alike."""
    plain = bytes([card for card in kept if not card & TURNED])
    return plain + bytes([OWN | n for n in range(1, len(kept) - len(plain) + 1)])


def world(state: State, viewer: int, key: bytes, number: int) -> State:
    """The world of a number (from 0) under a key of 32 bytes; equal knowledge gives equal worlds.

    Raises:
        NoWorld: no draw fits.

    """
    blanked = knowledge(state, viewer)
    blanks = cards_in_play(blanked).count(UNKNOWN)
    rest = remove(state.ruleset.deck.cards(), cards_in_play(blanked)[blanks:])
    if rest is None or len(rest) != blanks:
        raise NoWorld("the state has not the cards of its deck")
    for attempt in range(_MOST_DRAWS):
        # A shuffle's stream takes two numbers, both free here.
        cards = iter(deal.shuffled(key, number, attempt, rest))
        drawn = _filled(blanked, cards)
        if _can_give(drawn):
            secret = hmac_sha256(key, b"p10-world/v1 %d" % number)
            return replace(drawn, server_secret=secret.hex())
    raise NoWorld("nobody can have the card that was asked for")


def _filled(blanked: State, cards: Iterator[int]) -> State:
    """The state with its blanks filled by the cards, in order."""

    def fill(pile: bytes) -> bytes:
        return bytes([card | next(cards) if card in _BLANKS else card for card in pile])

    def deal_in(seat: SeatState) -> SeatState:
        hand = fill(seat.hand)
        return replace(seat, hand=hand, kept=seat.kept and meant(hand, seat.kept))

    return replace(
        blanked,
        seats=tuple([deal_in(blanked.seat(number)) for number in range(len(blanked.seats))]),
        stock=fill(blanked.stock),
        discard=fill(blanked.discard),
        groups=tuple([replace(group, cards=fill(group.cards)) for group in blanked.groups]),
    )


def _can_give(state: State) -> bool:
    """Whether every seat that is asked for a card of a value has one (B-37)."""
    asked = [question for question in state.waits if question.kind == "give"]
    return all(
        any(card < TURNED and card & 15 == q.number for card in state.seat(q.seat).hand)
        for q in asked
    )
