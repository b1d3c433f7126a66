"""The group-commit writer, where it differs from any other store."""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier
from structlog.testing import capture_logs

from phaseledger.service.eventlog import postgres
from phaseledger.service.eventlog.errors import (
    Conflict,
    StoreFull,
    StoreUnavailable,
    StoreUnfit,
    require_fit,
    require_replicated,
)
from phaseledger.service.eventlog.group_commit import APPEND, GroupWriter
from phaseledger.service.eventlog.library import recorder_factory
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
from tests.support.damage import damage
from tests.support.service.database_locks import locked_log, until_blocked
from tests.support.service.faulty_proxy import wired_database

with pytest.MonkeyPatch.context() as patch:
    # The library's tests import its cipher, which needs a package that nothing here uses.
    cipher = ModuleType("eventsourcing.cipher")
    cipher.AESCipher = None  # type: ignore[attr-defined]
    patch.setitem(sys.modules, "eventsourcing.cipher", cipher)
    from eventsourcing.tests import persistence

GAME = UUID(int=1)
FIRST = [Row(1, "T/1", b"first")]


class GroupRecorder(PostgresApplicationRecorder):
    """The library's recorder, appending by the server's function instead of its own statements."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int] | None:
        if not stored_events:
            return []
        fields = ("originator_id", "originator_version", "topic", "state")
        columns = [[getattr(event, name) for event in stored_events] for name in fields]
        nothing = [None for _ in stored_events]
        statement = APPEND.format(Identifier(self.datastore.schema)).as_bytes()
        with self.datastore.get_connection() as conn, conn.cursor() as cursor:
            cursor.execute(statement, (*columns, nothing, nothing), prepare=True)
            row = cursor.fetchone()
        assert row is not None
        return list(row["append_events"])


class TestContract(persistence.ApplicationRecorderTestCase[GroupRecorder]):
    """The library's own demands on a recorder."""

    @pytest.fixture(autouse=True)
    def _database(self, postgres_dsn: str, fresh_schema: str) -> None:
        self.dsn, self.schema = postgres_dsn, fresh_schema

    def create_recorder(self) -> GroupRecorder:
        return made_recorder(self)


class TestNotInterleaving(persistence.NonInterleavingNotificationIDsBaseCase):
    _database = TestContract._database

    def create_recorder(self) -> GroupRecorder:
        return made_recorder(self)


def made_recorder(case: TestContract | TestNotInterleaving) -> GroupRecorder:
    factory = recorder_factory(case.dsn, schema=case.schema, recorder=GroupRecorder)
    case.addCleanup(factory.close)
    recorder = factory.application_recorder()
    assert isinstance(recorder, GroupRecorder)
    return recorder


def test_stray_environment_variables_change_nothing(
    monkeypatch: pytest.MonkeyPatch, postgres_dsn: str, fresh_schema: str
) -> None:
    for name, value in {
        "PERSISTENCE_MODULE": "eventsourcing.popo",
        "POSTGRES_ENABLE_DB_FUNCTIONS": "y",
        "POSTGRES_SCHEMA": "elsewhere",
        "POSTGRES_DBNAME": "elsewhere",
        "ORIGINATOR_ID_TYPE": "text",
        "CREATE_TABLE": "y",
    }.items():
        monkeypatch.setenv(name, value)
    with recorder_factory(postgres_dsn, schema=fresh_schema) as factory:
        recorder = factory.application_recorder()
        assert isinstance(recorder, PostgresApplicationRecorder)
        assert recorder.datastore.schema == fresh_schema
        assert recorder.datastore.originator_id_type == "uuid"
        assert not recorder.datastore.enable_db_functions
        assert not factory.env_create_table()
        assert recorder.max_notification_id() is None


WRITER = """
import asyncio, sys, uuid
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
async def main(dsn, schema):
    async with PostgresStore(dsn, schema=schema) as store:
        async def caller():
            game = uuid.uuid4()
            for first in range(1, 61, 2):
                await store.append(game, [Row(v, "T/1", b"x" * 200) for v in (first, first + 1)])
        await asyncio.gather(*(caller() for _ in range(4)))
asyncio.run(main(*sys.argv[1:]))
"""


def test_a_reader_that_follows_the_log_misses_nothing(postgres_dsn: str, fresh_schema: str) -> None:
    """Of two writers; a position that appears late would be missed."""

    async def scenario() -> tuple[list[int], list[int]]:
        async with PostgresStore(postgres_dsn, schema=fresh_schema) as store:
            writers = [
                subprocess.Popen(
                    [sys.executable, "-c", WRITER, postgres_dsn, fresh_schema],
                    cwd=Path(__file__).parents[3],
                )
                for _ in range(2)
            ]
            positions = [0]
            while None in [writer.poll() for writer in writers]:
                positions += [notice.position for notice in await store.tail(positions[-1])]
            assert [writer.returncode for writer in writers] == [0] * 2
            while more := await store.tail(positions[-1]):
                positions += [notice.position for notice in more]
            everything = await store.tail(0, limit=10_000)
            return positions[1:], [notice.position for notice in everything]

    positions, everything = asyncio.run(scenario())
    assert len(everything) == 2 * 4 * 60
    assert positions == everything


async def test_commands_share_commits(postgres_dsn: str, fresh_schema: str) -> None:
    """With a receipt or without."""
    games = [uuid4() for _ in range(20)]

    async with PostgresStore(postgres_dsn, schema=fresh_schema) as store:
        await asyncio.gather(
            *(store.append_receipted(game, FIRST, None, game.bytes * 2) for game in games[::2]),
            *(store.append(game, FIRST) for game in games[1::2]),
        )
    with psycopg.connect(postgres_dsn) as conn:
        count = SQL("SELECT count(DISTINCT xmin::text), count(*) FROM {}.stored_events")
        ((transactions, events),) = conn.execute(count.format(Identifier(fresh_schema))).fetchall()
    assert events == len(games)
    assert transactions < len(games)


async def test_only_the_guilty_member_of_a_batch_is_refused(
    postgres_dsn: str, fresh_schema: str
) -> None:
    async with PostgresStore(postgres_dsn, schema=fresh_schema) as store:
        await store.append(GAME, FIRST)
        with locked_log(postgres_dsn, fresh_schema):
            blocked = asyncio.create_task(store.append(uuid4(), FIRST))
            await until_blocked(postgres_dsn)
            games = [*(uuid4() for _ in range(5)), GAME, *(uuid4() for _ in range(5))]
            batch = asyncio.gather(
                *(store.append(game, FIRST) for game in games), return_exceptions=True
            )
            await asyncio.sleep(0)
        await blocked
        answers = dict(zip(games, await batch, strict=True))
        assert isinstance(answers.pop(GAME), Conflict)
        log = await store.tail(2)
        assert {notice.game: notice.position for notice in log} == answers


async def test_positions_go_on_from_the_newest_whatever_the_sequence_says(
    postgres_dsn: str, fresh_schema: str
) -> None:
    """A copy of the tables may lack it, and no follower would see an event below the others."""
    async with PostgresStore(postgres_dsn, schema=fresh_schema) as store:
        for position in (1, 2):
            assert await store.append(uuid4(), FIRST) == position
        damage(postgres_dsn, fresh_schema, "DELETE FROM {} WHERE notification_id = 1")
        with psycopg.connect(postgres_dsn) as conn:
            restart = SQL("ALTER SEQUENCE {} RESTART 1")
            named = Identifier(fresh_schema, "stored_events_notification_id_seq")
            conn.execute(restart.format(named))
        assert await store.append(uuid4(), FIRST) == 3


async def test_the_queue_is_bounded_and_closing_stores_what_waits(
    postgres_dsn: str, fresh_schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "QUEUE", 3)
    store = PostgresStore(postgres_dsn, schema=fresh_schema)
    async with store:
        with locked_log(postgres_dsn, fresh_schema):
            waiting = [asyncio.create_task(store.append(uuid4(), FIRST))]
            await until_blocked(postgres_dsn)
            waiting += [asyncio.create_task(store.append(uuid4(), FIRST)) for _ in range(3)]
            await asyncio.sleep(0)
            with pytest.raises(StoreFull, match="3 commands wait"):
                await store.append(uuid4(), FIRST)
            closing = asyncio.create_task(store.close())
            await asyncio.sleep(0.05)
        await closing
        assert sorted(await asyncio.gather(*waiting)) == [1, 2, 3, 4]
        with pytest.raises(StoreUnavailable, match="closed"):
            await store.append(uuid4(), FIRST)
        with pytest.raises(StoreUnavailable, match="closed"):
            await store.head(GAME)


async def test_a_caller_that_goes_away_harms_nobody(postgres_dsn: str, fresh_schema: str) -> None:
    async with PostgresStore(postgres_dsn, schema=fresh_schema) as store:
        with locked_log(postgres_dsn, fresh_schema):
            sent = asyncio.create_task(store.append(GAME, FIRST))
            await until_blocked(postgres_dsn)
            dropped, kept = (asyncio.create_task(store.append(UUID(int=n), FIRST)) for n in (2, 3))
            await asyncio.sleep(0)
            sent.cancel()
            dropped.cancel()
            with suppress(asyncio.CancelledError):
                await sent
        assert await kept == 2
        # sent before it was cancelled: stored; still in the queue: not
        assert [notice.game.int for notice in await store.tail(0)] == [1, 3]


async def test_an_answer_lost_after_the_commit_is_a_success(
    postgres_dsn: str, fresh_schema: str
) -> None:
    with wired_database(postgres_dsn) as wire:
        lost = list[bytes]()
        async with PostgresStore(wire.dsn, schema=fresh_schema) as store:
            await store.append(GAME, FIRST)
            wire.lose = lambda answer: not lost and lost.append(answer) is None
            games = [uuid4() for _ in range(20)]
            positions = await asyncio.gather(*(store.append(game, FIRST) for game in games))
            assert lost
            assert positions == list(range(2, 22))
            assert [notice.game for notice in await store.tail(1)] == games


@pytest.mark.parametrize("theirs", [b"somebody else's", None])
async def test_a_connection_lost_before_the_commit(
    postgres_dsn: str, fresh_schema: str, theirs: bytes | None
) -> None:
    """The command is sent again; it is a conflict only when another has taken its version."""
    async with PostgresStore(postgres_dsn, schema=fresh_schema) as store:
        with locked_log(postgres_dsn, fresh_schema) as conn:
            command = asyncio.create_task(store.append(GAME, FIRST))
            conn.execute("SELECT pg_terminate_backend(%s)", (await until_blocked(postgres_dsn),))
            if theirs is not None:
                conn.execute(
                    SQL("INSERT INTO {}.stored_events VALUES (%s, 1, 'T/1', %s)").format(
                        Identifier(fresh_schema)
                    ),
                    (GAME, theirs),
                )
        if theirs is None:
            assert await command == (await store.position())
            assert await store.read(GAME) == FIRST
        else:
            with pytest.raises(Conflict):
                await command
            assert await store.read(GAME) == [Row(1, "T/1", theirs)]


async def test_connections_ended_between_commands_are_replaced(
    postgres_dsn: str, fresh_schema: str
) -> None:
    async with PostgresStore(postgres_dsn, schema=fresh_schema) as store:
        for version in (1, 2):
            await store.append(GAME, [Row(version, "T/1", b"x")])
            assert await store.head(GAME) == version
            with psycopg.connect(postgres_dsn) as conn:
                conn.execute(
                    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                    "WHERE application_name = 'phaseledger'"
                )
        assert await store.head(GAME) == 2


REFUSALS = (
    ("53100", StoreFull, "disk is full: make room"),
    ("25006", StoreUnavailable, "read-only: connect to the primary"),
    ("42501", StoreUnavailable, "role may not do this: run `phaseledger admin migrate` as"),
    ("57P03", StoreUnavailable, "starting or stopping"),
    ("XX000", StoreUnavailable, "does not answer"),
)


async def test_a_command_does_not_wait_for_a_database_that_is_away() -> None:
    tried = []

    async def connect() -> Any:
        tried.append(1)
        raise StoreUnavailable("It is away.")

    unused: Any = None
    writer = GroupWriter(connect, "unused", unused, 1)
    with pytest.raises(StoreUnavailable, match="away"):
        await writer.append(GAME, FIRST, None)
    await writer.close()
    assert len(tried) == 1


async def test_what_the_server_refuses_is_explained_and_passes(
    postgres_dsn: str, fresh_schema: str
) -> None:
    trigger = (
        "CREATE FUNCTION {0}.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION 'no' USING ERRCODE = {1}; END $$; CREATE TRIGGER fail BEFORE INSERT "
        "ON {0}.stored_events FOR EACH STATEMENT EXECUTE FUNCTION {0}.fail()"
    )
    drop = SQL("DROP FUNCTION {}.fail CASCADE").format(Identifier(fresh_schema))

    async with PostgresStore(postgres_dsn, schema=fresh_schema) as store:
        for code, kind, sentence in REFUSALS:
            with psycopg.connect(postgres_dsn) as conn:
                conn.execute(SQL(trigger).format(Identifier(fresh_schema), code))
            answers = await asyncio.gather(
                *(store.append(uuid4(), FIRST) for _ in range(5)), return_exceptions=True
            )
            for answer in answers:
                assert type(answer) is kind
                assert sentence in str(answer)
                assert answer.retry_after >= 1
            with psycopg.connect(postgres_dsn) as conn:
                conn.execute(drop)
            await store.append(uuid4(), FIRST)


async def test_the_writer_outlives_an_error_that_nobody_foresaw(
    postgres_dsn: str, fresh_schema: str
) -> None:
    async with PostgresStore(postgres_dsn, schema=fresh_schema) as store:
        with capture_logs() as logs, pytest.raises(StoreUnavailable, match="the same key"):
            await store.append(GAME, [Row(1, "\ud800", b"x")])
        assert [(entry["log_level"], "error" in entry) for entry in logs] == [("critical", True)]
        assert await store.append(uuid4(), FIRST) == 1


def opened(store: PostgresStore) -> None:
    async def scenario() -> None:
        async with store:
            await store.append(GAME, FIRST)

    asyncio.run(scenario())


def test_a_server_that_may_lose_events_is_refused_unless_told_so(
    postgres_dsn: str, fresh_schema: str
) -> None:
    loose = make_conninfo(postgres_dsn, options="-c synchronous_commit=off")
    with pytest.raises(StoreUnfit, match="runs with synchronous_commit=off, so a crash may lose"):
        opened(PostgresStore(loose, schema=fresh_schema))
    opened(PostgresStore(loose, schema=fresh_schema, unsafe=True))


def test_what_a_server_must_be() -> None:
    require_fit(150000, {"fsync": "on", "synchronous_commit": "remote_apply"})
    with pytest.raises(StoreUnfit, match="is PostgreSQL 14; phaseledger needs 15 or newer"):
        require_fit(140011, {})
    with pytest.raises(StoreUnfit, match="fsync=off and full_page_writes=off"):
        require_fit(150000, {"fsync": "off", "full_page_writes": "off"})


def test_standbys_that_no_commit_waits_for_are_warned_of() -> None:
    on, local = (
        {"synchronous_standby_names": "ANY 1 (*)", "synchronous_commit": commit}
        for commit in ("on", "local")
    )
    for settings, standbys, warned in (({}, 0, False), ({}, 2, True), (local, 1, True)):
        assert bool(require_replicated(settings, standbys, synchronous=False)) == warned
        with pytest.raises(StoreUnfit, match="wait for no standby"):
            require_replicated(settings, standbys, synchronous=True)
    for synchronous in (False, True):
        assert require_replicated(on, 2, synchronous=synchronous) == ""


def test_a_server_is_warned_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    warnings = list[str]()
    log = SimpleNamespace(warning=lambda _, reason: warnings.append(reason))
    monkeypatch.setattr("phaseledger.service.eventlog.postgres.log", log)
    store = PostgresStore("")
    for warning in ("a", "a", "b", "", "b"):
        store._warn(warning)
    assert warnings == ["a", "b", "b"]


def test_a_demanded_standby_is_demanded_of_the_server(postgres_dsn: str, fresh_schema: str) -> None:
    with pytest.raises(StoreUnfit, match="synchronous_standby_names"):
        opened(PostgresStore(postgres_dsn, schema=fresh_schema, synchronous=True))


def test_a_read_only_session_is_refused(postgres_dsn: str, fresh_schema: str) -> None:
    standby = make_conninfo(postgres_dsn, options="-c default_transaction_read_only=on")
    with pytest.raises(StoreUnavailable, match="read-only"):
        opened(PostgresStore(standby, schema=fresh_schema))


def test_no_sentence_holds_the_password() -> None:
    with pytest.raises(StoreUnavailable, match="check that it runs") as caught:
        opened(PostgresStore("postgresql://u:hush@127.0.0.1:1/db"))
    assert "hush" not in str(caught.value)
    with pytest.raises(ValueError, match="not understood") as misspelt:
        PostgresStore("postgresqll://u:hush@127.0.0.1:1/db")
    assert "hush" not in str(misspelt.value)
    assert misspelt.value.__suppress_context__
