"""The terms of a table, which its opener sets beside the rules: the players and watchers it admits,
the time for a turn. The rules of play never read them.
"""

import re
from typing import Annotated, Literal

from msgspec import Meta, Struct

from phaseledger.domain.words import Phrase

LONGEST_TURN = 30 * 24 * 3_600
"""Seconds."""
LONGEST_GRACE = 24 * 3_600
"""Seconds."""
LONGEST_DELAY = 10_000
"""Events."""
LONGEST_PACE = 60
"""Seconds."""

Overdue = Literal["bot_move", "bot_for_good", "void"]
Spectators = Literal["open", "delayed", "round", "none"]
Pace = Annotated[
    int,
    Meta(
        ge=0,
        le=LONGEST_PACE,
        description="How many seconds a bot waits before it moves, so that people can follow.",
    ),
]

_GAME_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Clock(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The time of a seat for each answer, and the fate of an overdue seat.

    ``bot_move``: a bot answers for it until its next turn begins. ``bot_for_good``: a bot has the
    seat from then on. ``void``: the game is broken off and names the seat.
    """

    seconds: Annotated[
        int, Meta(ge=1, le=LONGEST_TURN, description="From the moment that the seat is asked.")
    ]
    grace: Annotated[
        int,
        Meta(
            ge=0,
            le=LONGEST_GRACE,
            description="Seconds after that, in which the seat is late and may answer still.",
        ),
    ] = 0
    then: Overdue = "bot_move"


class Terms(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A table's terms; omitted ones are those of a public table without a clock."""

    private: Annotated[
        bool, Meta(description="Whether it is in no list, and whoever sits down needs its code.")
    ] = False
    spectators: Annotated[
        Spectators,
        Meta(
            description="What who has no seat may see: all that is public at once, all but the "
            "last ``delay`` events, all before the round that is being played, or nothing. What "
            "came before the first deal is seen in any case but the last, and a game that is "
            "over is seen whole."
        ),
    ] = "open"
    delay: Annotated[
        int,
        Meta(
            ge=0, le=LONGEST_DELAY, description="How many events ``delayed`` spectators are behind."
        ),
    ] = 0
    clock: Clock | None = None
    stand_in: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=40,
            description="The bot that plays for seats that are overdue or have left.",
        ),
    ] = "greedy"
    rematch_of: Annotated[str, Meta(description="The game that this one follows on.")] = ""
    reserved: Annotated[
        tuple[int, ...],
        Meta(max_length=16, description="Seats kept for those who played that game."),
    ] = ()
    pace: Pace = 0
    test: Annotated[
        bool,
        Meta(
            description="Whether it is a table for tests of an application: its deals may be "
            "scripted and its clock turned on, so it is in no list, and counts for nothing."
        ),
    ] = False


OPEN = Terms()
"""The terms of a table whose opener set none."""


def is_game_id(text: str) -> bool:
    """Whether it is a UUID in lower-case text."""
    return _GAME_ID.fullmatch(text) is not None


def terms_fault(terms: Terms, seats: int) -> str:
    """The sentence on the fault in the terms of a table of ``seats`` seats; empty if valid."""
    clock = terms.clock
    if clock and not (1 <= clock.seconds <= LONGEST_TURN and 0 <= clock.grace <= LONGEST_GRACE):
        return Phrase("detail.terms.turn", n=LONGEST_TURN, m=LONGEST_GRACE)
    if not 0 <= terms.delay <= LONGEST_DELAY or (terms.delay > 0) != (
        terms.spectators == "delayed"
    ):
        return Phrase("detail.terms.spectators", n=LONGEST_DELAY)
    if not 0 <= terms.pace <= LONGEST_PACE:
        return Phrase("detail.terms.pace", n=LONGEST_PACE)
    if terms.rematch_of and not is_game_id(terms.rematch_of):
        return Phrase("detail.terms.rematch")
    reserved = terms.reserved
    if list(reserved) != sorted(set(reserved)) or any(not 0 <= seat < seats for seat in reserved):
        return Phrase("detail.terms.order")
    if reserved and not terms.rematch_of:
        return Phrase("detail.terms.reserved")
    return ""
