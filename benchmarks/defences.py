"""The limits that `benchmarks/siege.py` attacks, and how each of them is taken out."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from phaseledger.service.settings import Settings

SHORTENED = {"event_burst_seconds": 100, "bots_alone_seconds": 30}
"""Constants of long spans, which a run of minutes meets so."""
MINUTES = 1.25  # of limits a minute, in an attack of less than a quarter of one


DEFENCES: Mapping[str, Mapping[str, float]] = {
    "requests": {"burst_seconds": 1_000_000},
    "work": {"work_per_write": 0},
    "events": {"events_per_write": 1_000_000},
    "tables": {"tables_per_write": 0},
    "bot_games": {"bot_games_per_write": 0},
    "pauses": {"bots_alone_seconds": 0},
    "guesses": {"join_guesses": 1_000_000},
    "lobbies": {"lobby_events": 0},
    "streams": {"max_streams_per_address": 2_000},
}
"""What can be taken out, and the constants that do it."""


class Limits(NamedTuple):
    """How often an attack may have an answer in an attack of so many seconds."""

    answer: str
    """A pattern of what `attacks.py` counts."""
    most: Callable[[Settings, float], float]


def tables(settings: Settings) -> float:
    """The tables that an address may have open."""
    return settings.tables_per_write * settings.write_rate


MOST: Mapping[str, Limits] = {
    "costly_rules": Limits("201 open", lambda settings, seconds: tables(settings)),
    "guesses": Limits("404 guess", lambda settings, seconds: MINUTES * settings.join_guesses),
    "endless_bots": Limits(
        "201 bots", lambda settings, seconds: settings.bot_games_per_write * settings.write_rate
    ),
    "left_tables": Limits("201 open", lambda settings, seconds: tables(settings)),
    "restless_lobby": Limits("201 sit", lambda settings, seconds: settings.lobby_events),
}


def constants_without(defences: tuple[str, ...]) -> dict[str, float]:
    """The constants of the service that differ, with the defences taken out."""
    return {**SHORTENED, **dict(pair for name in defences for pair in DEFENCES[name].items())}
