"""States that differ only in what a viewer may not know.

A card lies in a slot: a place in the stock, in a hand, in the pile, or a joker's face. A twin of a
state has other cards in the slots that the viewer cannot see, and the viewer must get equal bytes.
"""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from phaseledger.domain.cards import TURNED
from phaseledger.domain.sight import remembers_pile
from phaseledger.domain.state import State
from tests.support.chance import Pick

FACE = 0x3F


class Slot(NamedTuple):
    """Where a card lies: ``owner`` is a seat or a group, 0 elsewhere."""

    where: str
    owner: int
    place: int


def slots(state: State, viewer: int | None) -> dict[Slot, int]:
    """The slots whose cards the viewer may not see, and the cards (B-09, B-23, B-30, O-38)."""
    cards = {Slot("stock", 0, i): card for i, card in enumerate(state.stock)}
    always = state.ruleset.options.joker_memory == "owner_sees_always"
    for number in range(len(state.seats)):
        mine = number == viewer
        shown = [*state.seat(number).taken] if remembers_pile(state) and not mine else []
        for i, card in enumerate(state.seat(number).hand):
            if card in shown:
                shown.remove(card)
                continue
            turned = card >= TURNED
            if (turned and not always) if mine else (not turned or viewer is None):
                cards[Slot("hand", number, i)] = card & FACE
    searching = any(q.kind == "search" and q.seat == viewer for q in state.waits)
    if state.ruleset.pile == "covered" and not searching:
        cards |= {Slot("pile", 0, i): card for i, card in enumerate(state.discard[:-1])}
    for number, group in enumerate(state.groups):
        for i, card in enumerate(group.cards):
            if card >= TURNED:
                cards[Slot("group", number, i)] = card & FACE
    return cards


def mixed(pick: Pick, cards: Iterable[int]) -> list[int]:
    """The cards in another order."""
    left = list(cards)
    return [left.pop(pick(len(left))) for _ in range(len(left))]


def twin(
    state: State,
    viewer: int | None,
    pick: Pick,
    pinned: frozenset[Slot] = frozenset(),
    value: int = 0,
    *,
    recount: bool = True,
) -> State:
    """A state that differs only in what the viewer may not know.

    A slot that holds a card of the ``value`` goes on holding one. With ``recount`` the others'
    kept cards are of any number, for nobody may know how many they are until all have chosen.
    """
    free = {slot: card for slot, card in slots(state, viewer).items() if slot not in pinned}
    for same in (True, False):
        sort = [slot for slot, card in free.items() if (card & 15 == value) == same]
        free |= dict(zip(sort, mixed(pick, [free[slot] for slot in sort]), strict=True))

    def filled(where: str, owner: int, cards: bytes) -> bytes:
        return bytes(
            card & TURNED | free.get(Slot(where, owner, i), card & FACE)
            for i, card in enumerate(cards)
        )

    seats = []
    for number in range(len(state.seats)):
        seat = state.seat(number)
        hand, kept = filled("hand", number, seat.hand), seat.kept
        if kept is not None:
            places = positions_in(seat.hand, kept)
            if recount and number != viewer:
                places = mixed(pick, range(len(hand)))[: pick(min(5, len(hand)) + 1)]
            kept = bytes(hand[place] for place in places)
        seats.append(replace(seat, hand=hand, kept=kept))
    groups = tuple(
        replace(group, cards=filled("group", number, group.cards))
        for number, group in enumerate(state.groups)
    )
    return replace(
        state,
        stock=filled("stock", 0, state.stock),
        discard=filled("pile", 0, state.discard),
        seats=tuple(seats),
        groups=groups,
    )


def positions_in(hand: bytes, cards: bytes) -> list[int]:
    """Where in the hand the cards are."""
    left, places = bytearray(hand), []
    for card in cards:
        places.append(left.index(card))
        left[places[-1]] = 0xFF
    return places


def forgotten(state: State) -> State:
    """The state without what no seat remembers where the pile is covered."""
    if remembers_pile(state):
        return state
    seats = [seat and replace(seat, taken=b"", spurned=b"") for seat in state.seats]
    return replace(state, seats=tuple(seats))
