"""Defects of the shell, planted one at a time: the simulation has to find each within 200 seeds."""

import asyncio
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch
from uuid import UUID

import pytest
from msgspec.structs import replace

from phaseledger.domain.commands import Act
from phaseledger.projections.rows import MacKeys
from phaseledger.projections.store import CURRENT, Changes, ViewConnection, ViewSet
from phaseledger.service.api.responses import events as event_responses
from phaseledger.service.automation import turn_clocks
from phaseledger.service.credentials.postgres import PostgresCredentials
from phaseledger.service.eventlog import connection
from phaseledger.service.eventlog.clock import LOCAL
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games import overdue, play, time_limits
from phaseledger.service.games.game import Answer, Snapshot
from phaseledger.service.games.writer import GameService
from phaseledger.service.readmodels import follower
from phaseledger.service.schemas.terms import Due
from phaseledger.service.schemas.versions import KnownVersion
from phaseledger.service.streams import feed
from tests.simulation import nodes, restoration
from tests.simulation.faults import Allowed
from tests.simulation.simulation import Options, Outcome, simulate
from tests.support.campaigns import sampled

SEEDS = 200
FOREVER = 1e9  # seconds


def violated(options: Options, first: int) -> Outcome:
    """The outcome of the first seed that finds something, beginning with one that used to."""
    for seed in range(first, first + SEEDS):
        outcome = simulate(seed % SEEDS, options)
        if outcome.violation:
            return outcome
    raise AssertionError(f"{SEEDS} seeds have not found the defect")


class PrematureStore(PostgresStore):
    """Acknowledges, and stores a little later."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._late: set[asyncio.Task[None]] = set()

    async def append(self, game: UUID, *arguments: Any, **options: Any) -> int:
        task = asyncio.create_task(self._append_later(game, *arguments, **options))
        self._late.add(task)
        task.add_done_callback(self._late.discard)
        return 0

    append_receipted = Store.append_receipted

    async def _append_later(self, *arguments: Any, **options: Any) -> None:
        await asyncio.sleep(0.01)
        await super().append(*arguments, **options)


class CachingService(GameService):
    """Answers reads out of its memory, without a look at the log's head."""

    async def look(
        self,
        game_id: UUID,
        at_least: int = 0,
        reach: Callable[[Snapshot], int] = lambda now: now.version,
    ) -> Snapshot:
        return self.cached(game_id) or await super().look(game_id, at_least, reach)


class ForgetfulService(GameService):
    """Carries a command out again whose key it knows."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._times = 0

    async def send(
        self,
        game_id: UUID,
        act: Act,
        key: str,
        versions: Collection[int] | None = None,
        *arguments: Any,
        **options: Any,
    ) -> Answer:
        self._times += 1
        key = f"{key}-{self._times}"
        return await super().send(game_id, act, key, versions, *arguments, **options)


@contextmanager
def premature_acknowledgement() -> Iterator[None]:
    with patch.object(nodes, "PostgresStore", PrematureStore):
        yield


@contextmanager
def skipping_cursor() -> Iterator[None]:
    """The follower notes a position that is one too far."""
    write = follower.write

    async def skip(
        conn: ViewConnection,
        schema: str,
        before: int,
        after: int,
        changes: Changes,
        views: ViewSet = CURRENT,
        keys: MacKeys | None = None,
    ) -> None:
        await write(conn, schema, before, after + 1, changes, views, keys)

    with patch.object(follower, "write", skip):
        yield


@contextmanager
def no_deadline() -> Iterator[None]:
    """No wait on a connection ends by itself."""
    with unasked_questions(), patch.object(connection, "DEADLINE", FOREVER):
        yield


@contextmanager
def unasked_questions() -> Iterator[None]:
    """The server is not asked for missing answers: they are waited for up to the deadline."""
    with patch.object(connection, "SILENCE", FOREVER):
        yield


@contextmanager
def unresolved_doubt() -> Iterator[None]:
    """A command whose answer was lost is taken for stored, whatever the log has."""

    async def find(_: object, game: UUID, rows: Sequence[Row]) -> int | None:
        return 1

    with patch("phaseledger.service.eventlog.reader.Reader.find", find):
        yield


@contextmanager
def own_clock() -> Iterator[None]:
    """A node goes by its own clock."""
    with patch.object(nodes, "DatabaseClock", lambda _: LOCAL):
        yield


@contextmanager
def impatient_clock() -> Iterator[None]:
    """A clock is over before its time."""

    def dues(now: Snapshot, seat: int | None = None) -> list[Due]:
        return [replace(due, grace_until=now.clock.now()) for due in time_limits.dues(now, seat)]

    with patch.object(turn_clocks, "dues", dues), patch.object(overdue, "dues", dues):
        yield


@contextmanager
def late_answers() -> Iterator[None]:
    """A seat may answer as long as nobody has timed it out."""
    with patch.object(play, "require_in_time", lambda *_: None):
        yield


@contextmanager
def trusting_token_cache() -> Iterator[None]:
    """Tokens are remembered though the database has gone back."""
    with patch.object(PostgresCredentials, "distrust", lambda _: None):
        yield


@contextmanager
def remembered_position() -> Iterator[None]:
    """The follower goes on where it was before the database went back, past what came instead."""
    read, reached = follower.tracked_position, dict[str, int]()

    async def position(conn: ViewConnection, schema: str, views: ViewSet = CURRENT) -> int:
        if views is not CURRENT:
            return await read(conn, schema, views)
        reached[schema] = max(reached.get(schema, 0), await read(conn, schema, views))
        return reached[schema]

    with patch.object(follower, "tracked_position", position):
        yield


@contextmanager
def spliced_streams() -> Iterator[None]:
    """A stream goes on from a version by its number alone."""
    with (
        patch.object(KnownVersion, "fits", lambda version, number, _: version.number == number),
        patch.object(feed, "require_linked", lambda *_: None),
        patch.object(event_responses, "require_linked", lambda *_: None),
    ):
        yield


@contextmanager
def abandoned_bots() -> Iterator[None]:
    """Nobody takes over the bots of a process that is gone."""

    async def forever(*_: object, **__: object) -> None:
        await asyncio.sleep(FOREVER)

    with patch.object(nodes, "adopt", forever):
        yield


class ForgetfulStore(PostgresStore):
    """Does not know which games are running."""

    async def unfinished(self) -> list[UUID]:
        return []


@contextmanager
def surviving_games() -> Iterator[None]:
    """After a restore that lost events, games go on whose cards may be known."""
    with patch.object(restoration, "PostgresStore", ForgetfulStore):
        yield


SIMPLE = Allowed(go_back=False, stall_for_ever=False)


MUTANTS: dict[str, tuple[Options, str, int]] = {
    "no predecessor check": (
        Options(predecessors=False),
        "the log does not have|does not go on|should be|cannot be read|called damaged|is set aside",
        25,
    ),
    "acknowledgement before commit": (
        Options(planted=premature_acknowledgement),
        "the log does not have it there",
        0,
    ),
    "cached reads": (Options(service=CachingService), "was read at .* had been seen", 1),
    "cursor that skips": (
        Options(planted=skipping_cursor),
        "the view .* is not that of the log|views or public log do not reach",
        0,
    ),
    "no deadline": (
        Options(planted=no_deadline),
        "acknowledges nothing|cannot be read|do not reach the head|does not stop|not over",
        31,
    ),
    "missing answers not asked for": (
        Options(planted=unasked_questions),
        "acknowledges nothing",
        36,
    ),
    "positions out of order": (
        Options(serializes=False),
        "the view|do not reach|checkpoint|cannot be read|called damaged|is set aside",
        2,
    ),
    "keys forgotten": (
        Options(service=ForgetfulService),
        "was answered twice|is refused when it is sent again",
        0,
    ),
    "a node's own clock": (
        Options(planted=own_clock),
        "off the ledger's time|is wrong about its clock",
        0,
    ),
    "time-outs too soon": (Options(planted=impatient_clock), "times a seat out after", 0),
    "answers too late": (Options(planted=late_answers), "is an answer that took", 5),
    "token cache kept": (Options(planted=trusting_token_cache), "a token counts, which", 9),
    "position remembered": (
        Options(planted=remembered_position),
        "the view|do not reach the head|is not well",
        9,
    ),
    "streams spliced": (
        Options(planted=spliced_streams, watched=1.0),
        "from which it does not follow|tells of version|does not fit|does not come to",
        16,
    ),
    "bots abandoned": (
        Options(planted=abandoned_bots),
        "where bots are alone, does not go on",
        143,
    ),
    "games not voided": (Options(planted=surviving_games), "was not voided for it", 24),
    "doubt not resolved": (
        Options(planted=unresolved_doubt, allowed=SIMPLE),
        "was answered twice|the log does not have (it there|so)|called damaged",
        59,
    ),
}
"""Of each: how it is planted, what the simulation says of it, and the first seed that said so."""


QUICK = (
    *("acknowledgement before commit", "cached reads", "no deadline", "keys forgotten"),
    *("missing answers not asked for", "token cache kept", "position remembered"),
)


@pytest.mark.parametrize("name", sampled(MUTANTS, *QUICK, rest="system"))
def test_a_defect_is_found(name: str) -> None:
    options, why, first = MUTANTS[name]

    outcome = violated(options, first)

    assert re.search(why, outcome.violation)
