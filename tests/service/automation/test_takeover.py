"""Games that a process leaves while another one runs: somebody has to move their bots."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.domain.evidence.codec import Chain
from phaseledger.domain.terms import Clock
from phaseledger.service.app import in_postgres
from phaseledger.service.automation import takeover
from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.eventlog.connection import Connection
from phaseledger.service.eventlog.continuity import Lineage
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.games.game import Game, Snapshot
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest, new_game, new_key, opening
from phaseledger.service.settings import Settings
from tests.support.ledgers import own_ledger
from tests.support.polling import comes_about, eventually
from tests.support.service.dealt_tables import table_of
from tests.support.service.server import serving


@pytest.fixture
def settings(
    postgres_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Settings]:
    monkeypatch.setattr(takeover, "EVERY", 0.2)
    with own_ledger(postgres_dsn, tmp_path, projections=False) as ledger:
        yield ledger


async def _left(settings: Settings, *games: tuple[list[SeatRequest], Clock | None]) -> list[UUID]:
    """Games that a process has begun and that nobody there moves on."""
    async with PostgresStore(settings.database_url, schema=settings.schema) as store:
        service = GameService(store)
        return [await table_of(service, seats, clock=clock) for seats, clock in games]


def _await_event(settings: Settings, game: UUID, topic: str) -> None:
    """Wait for such an event of the game, and ask nobody but the database."""
    select = SQL("SELECT count(*) FROM {} WHERE originator_id = %s AND topic LIKE %s").format(
        Identifier(settings.schema, "stored_events")
    )
    with psycopg.connect(settings.database_url, autocommit=True) as conn:
        eventually(
            lambda: conn.execute(select, (game, f"{topic}/%")).fetchone(),
            lambda row: row != (0,),
        )


def test_bots_and_clocks_of_games_that_were_left_go_on(settings: Settings) -> None:
    bots, people = [SeatRequest("greedy")] * 2, [SeatRequest()] * 2
    with serving(in_postgres(settings)):
        played, timed = asyncio.run(_left(settings, (bots, None), (people, Clock(seconds=1))))
        _await_event(settings, played, "CardDiscarded")
        _await_event(settings, timed, "TurnTimedOut")


async def test_bots_move_on_where_only_a_repeated_command_was_seen(settings: Settings) -> None:
    """The process that took the command is gone, and its caller repeats it here."""
    dsn, schema = settings.database_url, settings.schema
    async with PostgresStore(dsn, schema=schema) as store:
        games = GameService(store)
        bots = Autoplay(games)
        looking = asyncio.create_task(takeover.adopt(dsn, games, bots, schema=schema))
        await asyncio.sleep(0.5)
        seats, key = [SeatRequest("greedy")] * 2, new_key()
        game = new_game(key)
        acts = opening(game, "classic", seats, options={}, dealer=0, start=True)
        async with PostgresStore(dsn, schema=schema) as other:
            await GameService(other).open(acts, game, key)
        answer = await games.open(acts, game, key)
        # This asks the log alone.
        await comes_about(lambda: store.head(game), lambda head: head > answer.version)
        await bots.close()
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


END_SESSIONS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND query LIKE %s AND query LIKE '%%max(notification_id)%%'
"""


async def test_all_games_are_looked_at_again_on_a_server_with_another_history(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What moved there may never have moved here, and nobody else wakes its bots and clocks."""
    real, timelines = takeover.lineage_of, [1, 1, 2, 2]
    resumed: list[int] = []

    async def lineage(conn: Connection, schema: str) -> Lineage:
        return (await real(conn, schema))._replace(timeline=timelines.pop(0))

    class Resuming(Autoplay):
        async def resume(self) -> None:
            resumed.append(len(timelines))

    monkeypatch.setattr(takeover, "lineage_of", lineage)
    dsn, schema = settings.database_url, settings.schema
    async with PostgresStore(dsn, schema=schema) as store:
        games = GameService(store)
        adopting = takeover.adopt(dsn, games, Resuming(games), schema=schema)
        looking = asyncio.create_task(adopting)
        for left in (3, 2, 1, 0):
            await comes_about(lambda: _now(timelines), lambda now, left=left: len(now) == left)
            if left:
                await comes_about(lambda: asyncio.to_thread(_end_sessions, dsn, schema))
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
    assert resumed == [3, 1]


def _end_sessions(dsn: str, schema: str) -> int:
    with psycopg.connect(dsn, autocommit=True) as conn:
        return len(conn.execute(END_SESSIONS, (f"%{schema}%",)).fetchall())


async def _now(values: list[int]) -> list[int]:
    return list(values)


def test_what_was_seen_is_known_for_two_spans() -> None:
    sightings, game = takeover.GameSightings(), Game(uuid4())
    game.now = _at(3)
    sightings.note(game)
    for expected in (True, True, False):
        assert sightings.has(game.id, 3) == expected
        assert not sightings.has(game.id, 4)
        sightings.turn()


def _at(version: int) -> Snapshot:
    state = SimpleNamespace(stage="lobby")
    return Snapshot(state, Chain("", b"", version, ""))  # type: ignore[arg-type]
