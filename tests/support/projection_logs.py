"""Logs of whole games in a real database, and what the views of them hold."""

from collections.abc import Sequence
from itertools import zip_longest
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Identifier

from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.options import OptionValue
from phaseledger.domain.state import State
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row, row_of
from tests.support.scenario import play_random, records

VIEWS = (
    *("games", "table_views", "leaderboard", "rated_seats", "ratings"),
    "notification_tracking",
)
PHASES: dict[str, OptionValue] = {"variant": "n_phases(3)"}
"""Enough for several rounds, and for more events than are read or written at a time."""


def game_id(number: int) -> UUID:
    return UUID(int=number, version=4)


def played(
    number: int, seats: int = 2, bot: str = "greedy", names: Sequence[str] = (), at: int = 0
) -> tuple[State, list[Row]]:
    """A whole game of three phases: its last state and its stored events."""
    state, events = play_random(
        str(game_id(number)), seats, f"projections {number}", PHASES, bot, names=names
    )
    return state, [row_of(entry) for entry in records(events, at)]


def player(number: int) -> str:
    """The pseudonym of an application's player."""
    return f"player-{chr(ord('a') + number) * 20}"


def commands(rows: list[Row]) -> list[list[Row]]:
    """The rows of each command, which are appended together."""
    batches: list[list[Row]] = []
    for row in rows:
        if decode_event(row.topic, row.state).act is not None:
            batches.append([])
        batches[-1].append(row)
    return batches


async def append_all(store: Store, games: dict[UUID, list[Row]], slices: int = 40) -> None:
    """Append the games side by side, in so many slices each."""
    cut = {
        game: [
            rows[i : i + len(rows) // slices + 1]
            for i in range(0, len(rows), len(rows) // slices + 1)
        ]
        for game, rows in games.items()
    }
    for turn in zip_longest(*cut.values()):
        for game, part in zip(cut, turn, strict=True):
            if part:
                await store.append(game, part)


def dump(dsn: str, schema: str) -> dict[str, list[str]]:
    """Every row of the views and of the tracking table, as text, without its MAC."""
    with psycopg.connect(dsn) as conn:
        return {
            view: sorted(
                row
                for (row,) in conn.execute(
                    SQL(
                        r"SELECT regexp_replace(whole::text, 's1\.[^,)]*', '') FROM {}.{} AS whole"
                    ).format(Identifier(schema), Identifier(view))
                )
            )
            for view in VIEWS
        }
