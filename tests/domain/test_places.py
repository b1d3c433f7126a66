"""The order of finish: winners first, the others as they would have won."""

from itertools import islice

from msgspec.structs import replace

from phaseledger.domain.names import is_pseudonym
from phaseledger.domain.options import OptionValue
from phaseledger.domain.policies import places
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.scenario import decisions
from tests.support.table import GAME

TEN: dict[str, OptionValue] = {"variant": "ten_rounds"}


def over(name: str, options: dict[str, OptionValue], **columns: tuple[int, ...]) -> State:
    """A game of three that seat 2 has won, and what each seat has."""
    *_, (state, _) = islice(decisions(GAME, 3, "places", options, "greedy", name), 5)
    seats = tuple(
        replace(seat, **{field: values[number] for field, values in columns.items()})
        for number, seat in enumerate(state.seats)
        if seat
    )
    return replace(state, stage="ended", winners=(2,), seats=seats)


@looped(
    ("name", "options", "columns", "expected"),
    [
        ("classic", {}, {"made": (1, 3, 7), "points": (5, 90, 0)}, (3, 2, 1)),
        ("classic", {}, {"made": (3, 3, 7), "points": (5, 90, 0)}, (2, 3, 1)),
        ("classic", {}, {"made": (3, 3, 7), "points": (5, 5, 0)}, (2, 2, 1)),
        ("classic", TEN, {"made": (3, 7, 0), "points": (5, 5, 90)}, (3, 2, 1)),
        ("classic", TEN, {"made": (3, 7, 0), "points": (4, 5, 90)}, (2, 3, 1)),
        (
            "classic",
            {**TEN, "final_tie_10rounds": "shared"},
            {"made": (3, 7, 0), "points": (5, 5, 90)},
            (2, 2, 1),
        ),
        ("board", {}, {"phase": (2, 4, 11)}, (3, 2, 1)),
    ],
)
def test_the_seats_behind_the_winner_are_in_the_order_of_the_rules(
    name: str,
    options: dict[str, OptionValue],
    columns: dict[str, tuple[int, ...]],
    expected: tuple[int, ...],
) -> None:
    assert places(over(name, options, **columns)) == expected


def test_a_pseudonym_is_told_from_a_name() -> None:
    assert is_pseudonym("player-" + "a2" * 10)
    for name in ("player-" + "a" * 19, "player-" + "a" * 21, "Player-" + "a2" * 10, "player-1"):
        assert not is_pseudonym(name)
