"""Following the log: exactly once, through crashes, lost wake-ups, rivals and bad events."""

import asyncio
import os
from collections.abc import Sequence
from typing import Any, Self
from uuid import UUID

import pytest
from psycopg.conninfo import make_conninfo

from phaseledger.projections.store import pending
from phaseledger.service.cli import serve as commands_of_the_service
from phaseledger.service.database.setup import upgrade
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import SchemaError
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.readmodels import follower
from phaseledger.service.readmodels.follower import rebuild
from phaseledger.service.readmodels.views import Views
from phaseledger.service.settings import Settings
from tests.support.polling import ENDLESS, LONG, comes_about
from tests.support.progress import unhurried
from tests.support.projection_logs import VIEWS, append_all, commands, game_id
from tests.support.service.followed_logs import (
    execute,
    following,
    games,
    is_right,
    logs,
    reached,
    run,
)

SOON = LONG
SEQUENCE = "stored_events_notification_id_seq"


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BATCH", 40), ("LINGER", 0.001), ("RETRY", 0.01)):
        monkeypatch.setattr(follower, name, value)


CRASHES = """
    CREATE FUNCTION {s}.strike() RETURNS trigger LANGUAGE plpgsql AS $strike$
    BEGIN
      IF nextval(TG_ARGV[0]) IN (1, 3) THEN
        PERFORM pg_terminate_backend(pg_backend_pid());
      END IF;
      RETURN NULL;
    END
    $strike$;
"""


def test_a_crash_inside_a_batch_counts_nothing_twice(postgres_dsn: str, schema: str) -> None:
    """The server ends the follower's session right after a write to each of the views, twice."""
    execute(postgres_dsn, schema, CRASHES)
    for view in VIEWS:
        execute(
            postgres_dsn,
            schema,
            f"CREATE SEQUENCE {{s}}.{view}_strokes; "
            f"CREATE TRIGGER strike AFTER INSERT OR UPDATE ON {{s}}.{view} "
            "FOR EACH STATEMENT EXECUTE FUNCTION {s}.strike({sequence})",
            sequence=f"{schema}.{view}_strokes",
        )

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        async with following(store, postgres_dsn, schema) as task:
            await reached(views, await store.position(), task)
        for view in VIEWS:
            strokes = f"SELECT last_value > 3 FROM {{s}}.{view}_strokes"
            assert execute(postgres_dsn, schema, strokes) == [(True,)], view
        await is_right(store, views, postgres_dsn, schema)

    run(postgres_dsn, schema, scenario)


def test_views_follow_command_by_command(postgres_dsn: str, schema: str) -> None:
    """Awake by NOTIFY alone, with reads that wait for their version."""
    game, rows = game_id(1), games()[game_id(1)][1]

    async def scenario(store: PostgresStore, views: Views) -> None:
        async with following(store, postgres_dsn, schema, poll=ENDLESS):
            for batch in commands(rows)[:40]:
                await store.append(game, batch)
                view = await views.table(game, at_least=batch[-1].version, wait=ENDLESS)
                assert view is not None
                assert view.content.version == batch[-1].version

    run(postgres_dsn, schema, scenario)


def test_a_lost_wake_up_costs_only_time(postgres_dsn: str, schema: str) -> None:
    """Rows that come without a NOTIFY are found by looking."""
    rows = games()[game_id(1)][1][:20]

    async def scenario(store: PostgresStore, views: Views) -> None:
        async with following(store, postgres_dsn, schema, poll=0.1):
            await asyncio.sleep(0.2)
            for row in rows:
                execute(
                    postgres_dsn,
                    schema,
                    "INSERT INTO {s}.stored_events VALUES ({game}, {version}, {topic}, {state})",
                    game=game_id(1), version=row.version, topic=row.topic, state=row.state,
                )  # fmt: skip
            assert await views.table(game_id(1), at_least=20, wait=ENDLESS)

    run(postgres_dsn, schema, scenario)


GO_BACK = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND datname = current_database() AND pid IN (
        SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
          AND (classid::bigint << 32 | objid::bigint) = hashtextextended({lock}, 0));
    ALTER TABLE {s}.stored_events DISABLE TRIGGER USER;
    DELETE FROM {s}.stored_events WHERE notification_id > {head};
    ALTER TABLE {s}.stored_events ENABLE ALWAYS TRIGGER append_only;
    ALTER TABLE {s}.stored_events ENABLE ALWAYS TRIGGER archived;
    SELECT setval({sequence}, {head});
    UPDATE {s}.notification_tracking SET notification_id = {head}
      WHERE application_name = 'projections';
    DELETE FROM {s}.games WHERE version > 0 AND ended > {head};
    TRUNCATE {s}.leaderboard;
"""
"""What a failover to a standby that lagged leaves: the log and its views as they were before."""


def test_events_in_place_of_lost_ones_are_projected(
    postgres_dsn: str, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The place at which a lost game ended is none that the views have reached."""
    passes = 0

    async def counted(*arguments: Any) -> tuple[int, Sequence[UUID]]:
        nonlocal passes
        passes += 1
        return await pending(*arguments)

    monkeypatch.setattr(follower, "pending", counted)
    before, lost, after = (games()[game_id(number)][1] for number in (4, 1, 3))

    async def scenario(store: PostgresStore, views: Views) -> None:
        head = await store.append(game_id(4), before)
        async with following(store, postgres_dsn, schema, poll=0.01) as task:
            await reached(views, head, task)
            end = await store.append(game_id(1), lost)
            await reached(views, end, task)
            start = passes
            await comes_about(lambda: _now(passes), lambda count: count > start + 1)
            parts = {"lock": f"follow {schema}", "sequence": f"{schema}.{SEQUENCE}", "head": head}
            execute(postgres_dsn, schema, GO_BACK, **parts)
            start = passes
            await comes_about(lambda: _now(passes), lambda count: count > start + 2)
            end = await store.append(game_id(3), after)
            await reached(views, end, task)
            table = await views.table(game_id(3))
        assert table is not None
        assert table.content.version == len(after)

    run(postgres_dsn, schema, scenario)


async def _now(count: int) -> int:
    return count


def test_of_two_followers_one_works_and_the_other_takes_over(
    postgres_dsn: str, schema: str
) -> None:
    halves = [{g: rows[:100] for g, rows in logs().items()}]
    halves.append({g: rows[100:] for g, rows in logs().items() if rows[100:]})
    holders = """
        SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
          AND (classid::bigint << 32 | objid::bigint) = hashtextextended({key}, 0)
    """

    def leaders() -> list[tuple[object, ...]]:
        return execute(postgres_dsn, schema, holders, key=f"follow {schema}")

    async def scenario(store: PostgresStore, views: Views) -> None:
        async with following(store, postgres_dsn, schema) as task:
            await append_all(store, halves[0])
            await reached(views, await store.position(), task)
            async with following(store, postgres_dsn, schema) as other:
                (first,) = leaders()
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                await append_all(store, halves[1])
                await reached(views, await store.position(), other)
                (second,) = leaders()
                assert first != second
        await is_right(store, views, postgres_dsn, schema)

    run(postgres_dsn, schema, scenario)


def test_a_follower_without_the_lock_can_do_no_harm(postgres_dsn: str, schema: str) -> None:
    """Two that both believe to lead (a pooler that mixes sessions): positions keep them apart."""

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(follower._Follower, "lead", lambda *_: asyncio.sleep(0, True))
            async with (
                following(store, postgres_dsn, schema) as task,
                following(store, postgres_dsn, schema) as other,
            ):
                await reached(views, await store.position(), task)
                assert not task.done()
                assert not other.done()
        await is_right(store, views, postgres_dsn, schema)

    run(postgres_dsn, schema, scenario)


def test_states_that_were_dropped_are_read_again(
    postgres_dsn: str, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game's own events are read again, and nothing else of the log."""
    monkeypatch.setattr(follower, "CACHED_STATES", 1)
    asked: list[tuple[UUID, int]] = []
    plain = PostgresStore.read

    async def read(
        self: PostgresStore, game: UUID, after: int = 0, limit: int | None = None
    ) -> Sequence[Row]:
        rows = await plain(self, game, after, limit)
        asked.append((game, len(rows)))
        return rows

    monkeypatch.setattr(PostgresStore, "read", read)

    async def scenario(store: PostgresStore, views: Views) -> None:
        await append_all(store, logs())
        async with following(store, postgres_dsn, schema) as task:
            await reached(views, await store.position(), task)
        assert asked
        longest = {game: len(rows) for game, rows in logs().items()}
        assert all(0 < size < longest[game] for game, size in asked)
        await is_right(store, views, postgres_dsn, schema)

    run(postgres_dsn, schema, scenario)


def test_stop_is_heard_while_nothing_happens(postgres_dsn: str, schema: str) -> None:
    async def scenario(store: PostgresStore, views: Views) -> None:
        async with following(store, postgres_dsn, schema, poll=3600):
            await asyncio.sleep(0.3)

    began = unhurried()
    run(postgres_dsn, schema, scenario)
    assert unhurried() - began < SOON


def test_the_projection_role_is_enough(postgres_dsn: str, empty_schema: str) -> None:
    role = f"r_{os.getpid()}_{empty_schema}"
    execute(postgres_dsn, role, "CREATE ROLE {s} LOGIN PASSWORD 'x'")
    try:
        upgrade(Settings(database_url=postgres_dsn, schema=empty_schema), projection_role=role)
        limited = make_conninfo(postgres_dsn, user=role, password="x")

        async def scenario(store: PostgresStore, views: Views) -> None:
            await append_all(store, logs())
            await rebuild(store, limited, schema=empty_schema)
            await is_right(store, views, limited, empty_schema)

        run(postgres_dsn, empty_schema, scenario)
    finally:
        execute(postgres_dsn, role, "DROP OWNED BY {s}; DROP ROLE {s}")


class _Nothing:
    """A log that can be opened."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None


@pytest.mark.parametrize("error", [StoreUnavailable("it is away"), SchemaError("no tables")])
def test_the_command_says_what_ended_it(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    async def stopped(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(commands_of_the_service, "follow", stopped)
    monkeypatch.setattr(commands_of_the_service, "PostgresStore", lambda *_, **__: _Nothing())
    with pytest.raises(type(error)):  # and no group of exceptions, which nobody explains
        asyncio.run(commands_of_the_service._follow(Settings(database_url="dbname=x")))
