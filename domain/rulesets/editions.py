"""The editions of each game: house rules that are often played together, under one name."""

from collections.abc import Mapping

from msgspec import Struct

from phaseledger.domain.options import OptionValue


class Edition(Struct, frozen=True, gc=False):
    """House rules under one name, which the message ``edition.NAME`` says in words."""

    name: str
    options: Mapping[str, OptionValue]
    """The house rules that differ from the rule book."""
    minutes: tuple[int, ...]
    """How long a game takes, by the number of seats from the fewest on: the mean of 40 games of
    ``expert`` (`phaseledger simulate --seed len`) at 4 seconds a decision.
    """


EDITIONS: Mapping[str, tuple[Edition, ...]] = {
    "classic": (
        Edition("box", {}, (30, 38, 47, 57, 69)),
        Edition("quick", {"variant": "even_phases"}, (13, 16, 20, 25, 28)),
        Edition("ten_rounds", {"variant": "ten_rounds"}, (27, 30, 34, 36, 41)),
        Edition("twist", {"initial_skip": "cover"}, (29, 40, 47, 57, 73)),
    ),
    "standard-deck": (
        Edition("box", {}, (38, 46, 57)),
        Edition("free", {"style": "complete_free"}, (29, 37, 44)),
        Edition("ten_rounds", {"style": "ten_rounds_ordered"}, (31, 33, 36)),
    ),
    "express": (
        Edition("box", {}, (20, 25, 30, 37, 43)),
        Edition("quick", {"variant": "n_phases(3)"}, (3, 4, 4, 5, 6)),
        Edition("ten_rounds", {"variant": "ten_rounds"}, (19, 21, 24, 27, 154)),
    ),
    "board": (Edition("box", {}, (18, 22, 25, 30, 37)),),
}
"""By the name of the game; the first one is as the rule book has it."""
