"""The moves of an event's cards: from place to place, as one viewer may know them.

A place is ``stock``, ``discard``, ``hand:1`` (of a seat), ``front:1`` (skips before a seat),
``group:0`` (a laid group), ``group:0:low`` and ``group:0:high`` (the ends of a run).
"""

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, Struct, field

from phaseledger.domain import events as e
from phaseledger.domain.cards import TURNED, owner_names, show
from phaseledger.domain.state import State
from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.card_text import (
    cards_added,
    held_text,
    lying_text,
    visible_secret,
)

UNKNOWN = "?"


class CardMove(Struct, frozen=True, gc=False):
    """Cards that go from one place to another at once."""

    cards: Annotated[
        str,
        Meta(
            description="The cards in their order, a ``?`` for one that you may not know; a "
            "single ``?`` where that is so of all of them."
        ),
    ]
    count: int
    origin: str = field(name="from")
    to: str


def moves(state: State, event: e.Event, viewer: Viewer) -> tuple[CardMove, ...]:
    """The moves of an event's cards; ``state`` is the one after it.

    Cards that leave the table at a new deal are not among them, nor cards that stay in place.
    """
    moved = _MOVED.get(type(event))
    return tuple(moved(state, event, viewer)) if moved else ()


def _move(cards: str, origin: str, to: str) -> CardMove:
    words = cards.split()
    text = UNKNOWN if {*words} == {UNKNOWN} else " ".join(words)
    return CardMove(text, len(words), origin, to)


def _unknown(count: int) -> str:
    return " ".join([UNKNOWN] * count)


def _round_dealt(state: State, event: e.RoundDealt, viewer: Viewer) -> list[CardMove]:
    dealt = []
    for seat in event.players:
        kept = event.kept[seat] if event.kept else 0
        cards = _unknown(event.hands[seat] - kept)
        if viewer in ("all", seat):
            cards = " ".join(held_text(state, state.seat(seat).hand, viewer).split()[kept:])
        dealt.append(_move(cards, "stock", f"hand:{seat}"))
    turned_up = show(state.discard, state.ruleset.deck.notation)
    if viewer != "all":
        turned_up = f"{_unknown(event.covered)} {event.discard}"
    dealt.append(_move(turned_up, "stock", "discard"))
    return [move for move in dealt if move.count]


def _skip_served(_: State, event: e.SkipServed, __: Viewer) -> list[CardMove]:
    return [_move(event.card, f"front:{event.seat}", "discard")] if event.to else []


def _stock_shuffled(_: State, event: e.StockShuffled, __: Viewer) -> list[CardMove]:
    return [CardMove(UNKNOWN, event.count, "discard", "stock")]


def _card_drawn(_: State, event: e.CardDrawn, viewer: Viewer) -> list[CardMove]:
    secret = visible_secret(event, viewer)
    card = secret.card if secret else event.card or UNKNOWN
    origin = "stock" if event.source == "stock" else "discard"
    return [_move(card, origin, f"hand:{event.seat}")]


def _card_turned(state: State, event: e.CardTurned, viewer: Viewer) -> list[CardMove]:
    """A joker under its owner's name for it, or under its face for viewers who see it (B-29)."""
    hand = state.seat(event.seat).hand
    card = hand[-1:] if visible_secret(event, viewer) else bytes([TURNED])
    if viewer == event.seat:
        card = owner_names(hand)[-1:]
    return [_move(show(card, state.ruleset.deck.notation), "stock", f"hand:{event.seat}")]


def _cards_swapped(state: State, event: e.CardsSwapped, viewer: Viewer) -> list[CardMove]:
    secret = visible_secret(event, viewer)
    cards = secret.said if secret else f"{_unknown(event.count - 1)} {event.top}".strip()
    if viewer == "all":
        cards = show(state.discard[-event.count :], state.ruleset.deck.notation)
    return [_move(cards, f"hand:{event.seat}", "discard")]


def _card_given(_: State, event: e.CardGiven, viewer: Viewer) -> list[CardMove]:
    """The giver of a joker does not learn its face (B-36)."""
    secret = visible_secret(event, viewer)
    card = secret.card if secret else "J" if event.joker else UNKNOWN
    if event.joker and viewer == event.seat:
        card = event.joker
    return [_move(card, f"hand:{event.seat}", f"hand:{event.to}")]


def _phase_laid(state: State, event: e.PhaseLaid, viewer: Viewer) -> list[CardMove]:
    first = len(state.groups) - len(event.groups)
    return [
        _move(lying_text(state, group.cards, viewer), f"hand:{event.seat}", f"group:{number}")
        for number, group in enumerate(state.groups[first:], first)
    ]


def _cards_hit(state: State, event: e.CardsHit, viewer: Viewer) -> list[CardMove]:
    place = f"group:{event.group}:{event.end}" if event.end else f"group:{event.group}"
    cards = lying_text(state, cards_added(state, event), viewer)
    return [_move(cards, f"hand:{event.seat}", place)]


def _card_discarded(state: State, event: e.CardDiscarded, _: Viewer) -> list[CardMove]:
    cards = show(state.discard[-len(event.cards.split()) :], state.ruleset.deck.notation)
    return [_move(cards, f"hand:{event.seat}", "discard")]


def _skip_placed(_: State, event: e.SkipPlaced, __: Viewer) -> list[CardMove]:
    return [_move(event.card, f"hand:{event.seat}", f"front:{event.target}")]


_MOVED: dict[type[e.Event], Callable[[State, Any, Viewer], list[CardMove]]] = {
    e.RoundDealt: _round_dealt,
    e.SkipServed: _skip_served,
    e.StockShuffled: _stock_shuffled,
    e.CardDrawn: _card_drawn,
    e.CardTurned: _card_turned,
    e.CardsSwapped: _cards_swapped,
    e.CardGiven: _card_given,
    e.PhaseLaid: _phase_laid,
    e.CardsHit: _cards_hit,
    e.CardDiscarded: _card_discarded,
    e.SkipPlaced: _skip_placed,
}
