"""Beginnings of games of every rule set, chosen to show many kinds of events in few lines."""

from functools import cache
from typing import NamedTuple

from phaseledger.domain.events import Event, GameOpened
from phaseledger.domain.evidence.codec import redact, seal_key
from phaseledger.domain.options import OptionValue
from tests.support.replay.log_edits import GAME
from tests.support.scenario import decisions, records

RING = (
    *("JOKER*", "TAKE1", "SEARCH", "ASK", "SWAP", "AGAIN", "EVERY", "JOKER"),
    *("TAKE2", "CHOOSE", "ASK", "JOKER", "SEARCH", "SWAP", "CHOOSE", "JOKER"),
    *("AGAIN", "ASK", "TAKE3", "JOKER", "EVERY", "SWAP", "ASK", "SEARCH"),
    *("JOKER", "CHOOSE", "AGAIN", "ASK", "TAKE2", "JOKER", "SWAP", "TAKE1"),
)
"""A ring with few spaces where nothing happens but a card or two."""


class Beginning(NamedTuple):
    """A game by random bots, up to the end of the decision that makes it so many events long."""

    ruleset: str
    seats: int
    seed: str
    events: int
    options: dict[str, OptionValue]


EASY: dict[str, OptionValue] = {
    "board_phases": ("set(2) + set(2)", "set(2)", *("set(3)",) * 8),
    "board_track": RING,
    "max_turns_per_round": 9,
}
BEGINNINGS = {
    "classic": Beginning("classic", 3, "classic", 60, {"max_turns_per_round": 12}),
    "standard-deck": Beginning(
        "standard-deck", 3, "deck 92", 70, {"style": "ten_rounds_free", "max_turns_per_round": 9}
    ),
    "express": Beginning(
        "express", 2, "pairs 77", 110, {"pairrun_hit": "single_cards", "max_turns_per_round": 12}
    ),
    "board": Beginning("board", 3, "board 205", 192, EASY),
    "board-open": Beginning(
        "board",
        3,
        "open 50",
        190,
        {**EASY, "keep_choice": "seat_order_open", "kept_joker": "becomes_normal"},
    ),
}


@cache
def begun(name: str) -> tuple[Event, ...]:
    """The events of one of the beginnings."""
    ruleset, seats, seed, least, options = BEGINNINGS[name]
    made: list[Event] = []
    for _, events in decisions(GAME, seats, seed, options, "random", ruleset):
        made += events
        if len(made) >= least:
            break
    return tuple(made)


def stored(name: str) -> list[bytes]:
    """The beginning's events as the log has them."""
    return [entry.stored for entry in records(list(begun(name)))]


def visible(name: str, viewer: int | None) -> list[bytes]:
    """The same as the viewer gets them while the game goes on."""
    opened = begun(name)[0]
    assert isinstance(opened, GameOpened)
    key = seal_key(GAME, opened.hidden["server"].secret)
    return [redact(line, key, viewer, opened=False) for line in stored(name)]
