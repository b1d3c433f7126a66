"""A state folded from a forged log is refused: compiled code does not look at bounds."""

from typing import Any

import pytest
from msgspec.structs import replace

from phaseledger.domain.kernel.pack import UnlawfulState, pack
from phaseledger.domain.state import Question, State
from tests.support.cases import looped
from tests.support.table import BOARD, table

HANDS = ["R1 R2", "B1 B2", "B3 B4"]
CARDS = table(HANDS)
RING = table(HANDS, ruleset=BOARD)


@looped(
    "state, changes",
    [
        (CARDS, {"waits": (Question(0, "move"),)}),
        (CARDS, {"taken": b"\1\2\3\4"}),
        (CARDS, {"waits": (Question(0, "draw", 1),)}),
        (CARDS, {"waits": (Question(0, "draw"),), "taken": b"\1\2\3"}),
        (RING, {"waits": (Question(0, "draw", 2),), "taken": b"\1\2"}),
        (RING, {"waits": (Question(0, "keep", -1),)}),
        (CARDS, {"action": "JOKER"}),
        (RING, {"waits": (Question(7, "give", 5),)}),
        (RING, {"waits": (Question(0, "keep", 9),)}),
        (RING, {"dice": (1, 7)}),
        (RING, {"dice": (1,)}),
        (RING, {"action": "NOTHING"}),
        (RING, {"discard": RING.discard * 97}),
    ],
)
def test_unlawful_states_are_refused(state: State, changes: dict[str, Any]) -> None:
    assert pack(state)
    with pytest.raises(UnlawfulState):
        pack(replace(state, **changes))


@looped("changes", [{"pawn": 32}, {"kept": bytes(6)}, {"hand": bytes([200])}])
def test_unlawful_seats_are_refused(changes: dict[str, Any]) -> None:
    seats = (replace(RING.seat(0), **changes), *RING.seats[1:])
    with pytest.raises(UnlawfulState):
        pack(replace(RING, seats=seats))
