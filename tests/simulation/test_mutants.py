"""Defects of the shell, planted one at a time: the simulation has to find each within 200 seeds."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch
from uuid import UUID

import pytest
from msgspec.structs import replace

from phaseledger.domain.commands import Act
from phaseledger.projections.store import CURRENT, ViewConnection, ViewSet
from phaseledger.service.api.responses import events as event_responses
from phaseledger.service.automation import turn_clocks
from phaseledger.service.credentials.store import Credentials
from phaseledger.service.eventlog import connection
from phaseledger.service.eventlog.clock import LOCAL
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.reader import Reader
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

    async def look(self, game_id: UUID, *arguments: Any, **options: Any) -> Snapshot:
        return self.cached(game_id) or await super().look(game_id, *arguments, **options)


class ForgetfulService(GameService):
    """Carries a command out again whose key it knows."""

    _times = 0

    async def send(self, game_id: UUID, act: Act, key: str, *arguments: Any, **more: Any) -> Answer:
        self._times += 1
        return await super().send(game_id, act, f"{key}-{self._times}", *arguments, **more)


class ForgetfulStore(PostgresStore):
    """Does not know which games are running."""

    async def unfinished(self) -> list[UUID]:
        return []


@contextmanager
def patched(*places: tuple[object, str, object]) -> Iterator[None]:
    with ExitStack() as stack:
        for target, name, value in places:
            stack.enter_context(patch.object(target, name, value))
        yield


def planted(*places: tuple[object, str, object], **options: Any) -> Options:
    """A run with these attributes of the shell replaced."""
    return Options(planted=partial(patched, *places), **options)


async def skipping_write(
    conn: ViewConnection, schema: str, before: int, after: int, *of: Any
) -> None:
    await WRITE(conn, schema, before, after + 1, *of)


async def first_version(_reader: object, _game: UUID, _rows: object) -> int:
    return 1


def early_dues(now: Snapshot, seat: int | None = None) -> list[Due]:
    return [replace(due, grace_until=now.clock.now()) for due in DUES(now, seat)]


async def never(*_: object) -> bool:
    return False


async def forever(*_: object, **__: object) -> None:
    await asyncio.sleep(FOREVER)


@contextmanager
def remembered_position() -> Iterator[None]:
    reached = dict[str, int]()

    async def position(conn: ViewConnection, schema: str, views: ViewSet = CURRENT) -> int:
        if views is not CURRENT:
            return await POSITION(conn, schema, views)
        reached[schema] = max(reached.get(schema, 0), await POSITION(conn, schema, views))
        return reached[schema]

    with patch.object(follower, "tracked_position", position):
        yield


WRITE, DUES, POSITION = follower.write, time_limits.dues, follower.tracked_position
UNASKED = (connection, "SILENCE", FOREVER)


MUTANTS: dict[str, tuple[Options, str, int]] = {
    "no predecessor check": (
        Options(predecessors=False),
        "the log does not have|does not go on|should be|cannot be read|called damaged|is set aside",
        9,
    ),
    "acknowledgement before commit": (
        planted((nodes, "PostgresStore", PrematureStore)),
        "the log does not have it there",
        0,
    ),
    "cached reads": (Options(service=CachingService), "was read at .* had been seen", 1),
    # The follower notes a position that is one too far.
    "cursor that skips": (
        planted((follower, "write", skipping_write)),
        "the view .* is not that of the log|views or public log do not reach",
        0,
    ),
    # No wait on a connection ends by itself.
    "no deadline": (
        planted(UNASKED, (connection, "DEADLINE", FOREVER)),
        "acknowledges nothing|cannot be read|do not reach the head|does not stop|not over",
        10,
    ),
    # The server is not asked for missing answers: they are waited for up to the deadline.
    "missing answers not asked for": (planted(UNASKED), "acknowledges nothing", 10),
    "positions out of order": (
        Options(serializes=False),
        "the view|do not reach|checkpoint|cannot be read|called damaged|is set aside",
        1,
    ),
    "keys forgotten": (
        Options(service=ForgetfulService),
        "was answered twice|is refused when it is sent again",
        0,
    ),
    "a node's own clock": (
        planted((nodes, "DatabaseClock", lambda _: LOCAL)),
        "off the ledger's time",
        0,
    ),
    "time-outs too soon": (
        planted((turn_clocks, "dues", early_dues), (overdue, "dues", early_dues)),
        "times a seat out after",
        0,
    ),
    # A seat may answer until it is timed out.
    "answers too late": (
        planted((play, "require_in_time", lambda *_: None)),
        "is an answer that took",
        1,
    ),
    "token cache kept": (
        planted((Credentials, "distrust", lambda _: None)),
        "a token counts, which",
        9,
    ),
    # The follower goes on where it was before the database went back, past what came instead.
    "position remembered": (
        Options(planted=remembered_position),
        "the view|do not reach the head",
        9,
    ),
    # A stream goes on from a version by its number alone.
    "streams spliced": (
        planted(
            (KnownVersion, "fits", lambda version, number, _: version.number == number),
            (feed, "require_linked", lambda *_: None),
            (event_responses, "require_linked", lambda *_: None),
            watched=1.0,
        ),
        "from which it does not follow|tells of version|does not fit|does not come to",
        31,
    ),
    # The bots of a process that is gone are left alone.
    "bots abandoned": (
        planted((nodes, "adopt", forever), bots=1.0),
        "where bots are alone, does not go on",
        11,
    ),
    # After a restore that lost events, games go on whose cards may be known.
    "games not voided": (
        planted((restoration, "PostgresStore", ForgetfulStore)),
        "was not voided for it",
        14,
    ),
    # A node of the release before sets games aside whose events it does not know.
    "newer events called damage": (
        planted((Reader, "is_ahead", never), rare=0.6),
        "a sound game is set aside|called damaged",
        2,
    ),
    # A command whose answer was lost is taken for stored, whatever the log has.
    "doubt not resolved": (
        planted((Reader, "find", first_version), allowed=Allowed(False, False)),
        "was answered twice|the log does not have (it there|so)|called damaged",
        36,
    ),
}
"""Of each: how it is planted, what the simulation says of it, and the first seed that said so."""


QUICK = (
    *("acknowledgement before commit", "cached reads", "no deadline", "keys forgotten"),
    *("missing answers not asked for", "token cache kept", "position remembered"),
    "newer events called damage",
)


@pytest.mark.parametrize("name", sampled(MUTANTS, *QUICK, rest="system"))
def test_a_defect_is_found(name: str) -> None:
    options, why, first = MUTANTS[name]
    outcome = violated(options, first)
    assert re.search(why, outcome.violation)
