"""What a refusal says besides its code: the card, the seat, or how it is done."""

from collections.abc import Callable

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.table import board, refused, table

COLOURED = "; cards are written as in R4, B10, G12, W or S"
FRENCH = "; cards are written as in 5H, JS, KD, A or *"


def skipping(lost: int = 0) -> State:
    """Seat 0 holds a skip at a table of three; seat 1 has so many turns to lose."""
    state = table(["S R1", "R2", "R3"])
    first, second, third = state.seats
    return replace(state, seats=(first, replace(second, skips=lost), third))


def of_one(cards: str) -> c.Lay:
    return c.Lay((c.GroupToLay(cards), c.GroupToLay(cards)))


CASES = [
    (lambda: table(["R1", "R2"]), c.Discard("2H"), ("unknown_card", f"2H{COLOURED}")),
    (lambda: table(["R1", "R2"]), of_one("R1 J"), ("unknown_card", f"J{COLOURED}")),
    (
        lambda: table(["2H", "3H"], ruleset=preset("standard-deck")),
        c.Discard("R2"),
        ("unknown_card", f"R2{FRENCH}"),
    ),
    (
        lambda: board(["R1 J(R5)", "R2"]),
        c.Discard("J"),
        ("unknown_card", "J; name your jokers as your hand shows them, such as J1"),
    ),
    (
        lambda: board(["R1 J(R5)", "R2"]),
        c.Discard("2H"),
        ("unknown_card", "2H; cards are written as in R4, B10, G12 or J1"),
    ),
    (lambda: table(["R1 R2", "R3"]), c.Discard("R1 R2"), ("one_card", "one card is discarded")),
    (skipping, c.Discard("S", 0), ("target_self", "")),
    (skipping, c.Discard("S", 5), ("target_not_playing", "")),
    (lambda: skipping(1), c.Discard("S", 1), ("target_already_skipped", "")),
    (skipping, c.Discard("S"), ("target_needed", "S")),
    (skipping, c.Discard("R1", 1), ("target_not_allowed", "R1")),
]


@looped(("laid_out", "command", "expected"), CASES, ids=range(len(CASES)))
def test_what_a_refusal_names(
    laid_out: Callable[[], State], command: c.Command, expected: tuple[str, str]
) -> None:
    """The detail that the sentence at the edge ends with."""
    code, _, detail = refused(laid_out(), 0, command)
    assert (code, detail) == expected
