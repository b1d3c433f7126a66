"""The limits that `benchmarks/siege.py` attacks, and how each of them is taken out."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from phaseledger.service.settings import Settings

SHORTENED = {"event_burst": "2000", "bots_alone_minutes": "0.5"}
MINUTES = 1.25  # of limits a minute, in an attack of less than a quarter of one


DEFENCES: Mapping[str, tuple[str, ...]] = {
    "requests": ("read_rate", "write_rate"),
    "work": ("work_rate",),
    "events": ("event_rate",),
    "tables": ("tables_per_address",),
    "bot_games": ("bot_games_per_address",),
    "pauses": ("bots_alone_minutes",),
    "guesses": ("join_guesses",),
    "pings": ("webhook_pings",),
    "lobbies": ("lobby_events",),
    "streams": ("max_streams_per_address",),
}
"""What can be taken out, and the settings that do it."""
TAKEN_OUT = {"max_streams_per_address": "2000"}
"""What such a setting is then, where it is not 0."""
ZEROED = (
    *("read_rate", "write_rate", "work_rate", "event_rate"),
    *("tables_per_address", "bot_games_per_address"),
)
"""What `service_environment` takes out for other benchmarks."""


class Limits(NamedTuple):
    """How often an attack may have an answer in an attack of so many seconds."""

    answer: str
    """A pattern of what `attacks.py` counts."""
    most: Callable[[Settings, float], float]


MOST: Mapping[str, Limits] = {
    "costly_rules": Limits("201 open", lambda settings, seconds: settings.tables_per_address),
    "guesses": Limits("404 guess", lambda settings, seconds: MINUTES * settings.join_guesses),
    "pings": Limits("202 ping", lambda settings, seconds: MINUTES * 5 * settings.webhook_pings),
    "endless_bots": Limits("201 bots", lambda settings, seconds: settings.bot_games_per_address),
    "left_tables": Limits("201 open", lambda settings, seconds: settings.tables_per_address),
    "restless_lobby": Limits("201 sit", lambda settings, seconds: settings.lobby_events),
}


def settings_without(defences: tuple[str, ...]) -> dict[str, str]:
    """The settings of the service: its defaults, but for the defences that are taken out."""
    plain = Settings()
    given = {name: str(getattr(plain, name)) for name in ZEROED} | SHORTENED
    taken_out = {
        name: TAKEN_OUT.get(name, "0") for defence in defences for name in DEFENCES[defence]
    }
    return given | {"trusted_proxies": "127.0.0.1", "webhook_allow_private": "true"} | taken_out
