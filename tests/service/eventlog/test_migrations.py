"""Migrations, what `check` says, and who may touch the log."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import product
from threading import Thread
from typing import Any
from uuid import uuid4

import msgspec
import psycopg
import pytest
from psycopg.sql import SQL, Identifier, Literal

from phaseledger.domain.events import EVENTS
from phaseledger.service.database.rights import PROJECTIONS, SERVICE, grant
from phaseledger.service.database.setup import upgrade
from phaseledger.service.eventlog import connection
from phaseledger.service.eventlog.library import recorder_factory
from phaseledger.service.eventlog.migrations import LOG, SchemaError, check, migrate
from phaseledger.service.eventlog.reader import _DUE_GAMES, _UNFINISHED
from phaseledger.service.eventlog.rows import FINAL
from phaseledger.service.eventlog.write_probe import TABLES as PROBE
from phaseledger.service.settings import Settings
from tests.support.service.faulty_proxy import wired_database

VIEWS = (
    ("views/1", "CREATE TABLE {schema}.board (game uuid PRIMARY KEY)"),
    ("views/2", "ALTER TABLE {schema}.board ADD COLUMN round int"),
)
APPEND = (
    "SELECT {}.append_events(ARRAY[%s::uuid], ARRAY[1::bigint], ARRAY['T/1'], ARRAY['x'::bytea], "
    "ARRAY[NULL::bytea], ARRAY[NULL::bytea])"
)
APPEND_SIGNED = (
    "SELECT {}.append_signed_events(ARRAY[%s::uuid], ARRAY[1::bigint], ARRAY['T/1'], "
    "ARRAY['x'::bytea], ARRAY[NULL::bytea], ARRAY[NULL::bytea], 'key', "
    "decode(repeat('ab', 64), 'hex'), decode(repeat('cd', 64), 'hex'))"
)


FORBIDDEN = (
    "INSERT INTO {}.stored_events VALUES (gen_random_uuid(), 1, 'T/1', 'x', 99)",
    "DELETE FROM {}.stored_events",
    "DELETE FROM {}.receipt_trees",
    "SELECT {}.archive_game(gen_random_uuid(), ARRAY[''::bytea], 'f', '', true, '1')",
    "SELECT {}.unarchive_game(gen_random_uuid())",
    "INSERT INTO {}.archived_games DEFAULT VALUES",
    "DELETE FROM {}.archived_events",
    *(
        edit.replace("TABLE", table)
        for table in ("tree_tiles", "checkpoints", "cosignatures", *PROBE)
        for edit in (
            "INSERT INTO {}.TABLE DEFAULT VALUES",
            "DELETE FROM {}.TABLE",
            "TRUNCATE {}.TABLE CASCADE",
        )
    ),
    *(f"UPDATE {{}}.{table} SET log = 'x'" for table in ("tree_tiles", "checkpoints")),
    "UPDATE {}.cosignatures SET log = 'x'",
)
"""What no role of a service or of its views may do."""


def run(conn: psycopg.Connection, statement: str, schema: str, *parameters: object) -> list:
    schemas = [Identifier(schema)] * statement.count("{}")
    cursor = conn.execute(SQL(statement).format(*schemas), parameters or None)
    return cursor.fetchall() if cursor.description else []


def test_migrating_twice_changes_nothing(postgres_dsn: str, empty_schema: str) -> None:
    assert migrate(postgres_dsn, schema=empty_schema) == [name for name, _ in LOG]
    assert migrate(postgres_dsn, schema=empty_schema) == []
    check(postgres_dsn, schema=empty_schema)


def test_a_look_at_a_server_that_falls_silent_ends(
    postgres_dsn: str,
    fresh_schema: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connect, errors = psycopg.connect, list[type[Exception]]()

    def then_silent(*arguments: Any, **options: Any) -> Any:
        conn = connect(*arguments, **options)
        wire.swallows = True
        return conn

    def looking() -> None:
        try:
            check(wire.dsn, schema=fresh_schema)
        except psycopg.Error as error:
            errors.append(type(error))

    monkeypatch.setattr(psycopg, "connect", then_silent)
    monkeypatch.setattr(connection, "DEADLINE", 0.5)
    with wired_database(postgres_dsn) as wire:
        thread = Thread(target=looking, daemon=True)
        thread.start()
        thread.join(20)
        assert errors == [psycopg.OperationalError]


def test_other_parts_add_their_own(postgres_dsn: str, fresh_schema: str) -> None:
    assert migrate(postgres_dsn, schema=fresh_schema, extra=VIEWS) == ["views/1", "views/2"]
    check(postgres_dsn, schema=fresh_schema, extra=VIEWS)
    # who does not know the other part does not stumble over it
    check(postgres_dsn, schema=fresh_schema)
    assert migrate(postgres_dsn, schema=fresh_schema) == []


def test_games_that_are_over_are_left_out_by_indexes(postgres_dsn: str, fresh_schema: str) -> None:
    """Whatever topics end a game, the indexes have to know them: a start walks nothing else."""
    game = uuid4()
    with psycopg.connect(postgres_dsn, autocommit=True) as conn:
        run(conn, APPEND, fresh_schema, game)
        conn.execute("SET enable_seqscan = off")
        conn.execute("SET enable_bitmapscan = off")
        events = Identifier(fresh_schema, "stored_events")
        names = {
            "events": events,
            "due": Identifier(fresh_schema, "due_games"),
            "endings": SQL(", ").join(map(Literal, FINAL)),
        }
        for statement, parameters in ((_UNFINISHED, []), (_DUE_GAMES, [0])):
            query = SQL(statement).format(**names)
            assert [row[0] for row in conn.execute(query, parameters)] == [game]
            rows = conn.execute(SQL("EXPLAIN ") + query, parameters).fetchall()
            plan = "\n".join(line for (line,) in rows)
            for index in ("openings", "endings"):
                assert f"using stored_events_{index}_idx" in plan, plan


def test_concurrent_migrations_apply_each_step_once(postgres_dsn: str, empty_schema: str) -> None:
    def once(_: int) -> list[str]:
        return migrate(postgres_dsn, schema=empty_schema, extra=VIEWS)

    with ThreadPoolExecutor(8) as threads:
        applied = list(threads.map(once, range(8)))
    assert sorted(name for names in applied for name in names) == [
        "log/6",
        "log/7",
        "views/1",
        "views/2",
    ]


def test_a_failing_migration_leaves_nothing(postgres_dsn: str, empty_schema: str) -> None:
    broken = (*VIEWS, ("views/3", "SELECT 1/0"))
    with pytest.raises(psycopg.errors.DivisionByZero):
        migrate(postgres_dsn, schema=empty_schema, extra=broken)
    with pytest.raises(SchemaError, match="no schema"):
        check(postgres_dsn, schema=empty_schema)


def test_check_says_what_to_do(postgres_dsn: str, empty_schema: str) -> None:
    with pytest.raises(SchemaError, match=r"no schema 't_.*' yet: run `phaseledger admin migrate`"):
        check(postgres_dsn, schema=empty_schema)
    migrate(postgres_dsn, schema=empty_schema, extra=VIEWS[:1])
    with pytest.raises(
        SchemaError, match=r"older .* lacks views/2\): run `phaseledger admin migrate`"
    ):
        check(postgres_dsn, schema=empty_schema, extra=VIEWS)
    migrate(postgres_dsn, schema=empty_schema, extra=VIEWS)
    for step in (check, migrate):
        with pytest.raises(SchemaError, match=r"newer than this program \(it has views/2\)"):
            step(postgres_dsn, schema=empty_schema, extra=VIEWS[:1])


def test_odd_schema_names_are_refused(postgres_dsn: str) -> None:
    for step, name in product((check, migrate), ('x"; DROP', "Upper", "", "9")):
        with pytest.raises(ValueError, match="is no schema name"):
            step(postgres_dsn, schema=name)


def test_even_the_owner_cannot_edit_the_log_by_accident(
    postgres_dsn: str, fresh_schema: str
) -> None:
    edits = (
        "UPDATE {}.stored_events SET topic = 'Other/1'",
        "DELETE FROM {}.stored_events",
        "TRUNCATE {}.stored_events",
    )
    with psycopg.connect(postgres_dsn, autocommit=True) as conn:
        run(conn, APPEND, fresh_schema, uuid4())
        for replication, edit in product(("origin", "replica"), edits):
            conn.execute(f"SET session_replication_role = {replication}")
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
                run(conn, edit, fresh_schema)
        assert run(conn, "SELECT count(*) FROM {}.stored_events", fresh_schema) == [(1,)]


@pytest.fixture
def role(postgres_dsn: str) -> Iterator[str]:
    name = f"r_{uuid4().hex[:12]}"
    with psycopg.connect(postgres_dsn, autocommit=True) as conn:
        run(conn, "CREATE ROLE {}", name)
        yield name
        run(conn, "DROP OWNED BY {}", name)
        run(conn, "DROP ROLE {}", name)


def migrated(dsn: str, schema: str, role: str, part: str) -> None:
    upgrade(Settings(database_url=dsn, schema=schema))
    with psycopg.connect(dsn) as conn:
        grant(conn, schema, {role: {part}})


def test_the_application_role_may_read_and_append_only(
    postgres_dsn: str, empty_schema: str, role: str
) -> None:
    migrated(postgres_dsn, empty_schema, role, SERVICE)
    with psycopg.connect(postgres_dsn, autocommit=True) as conn:
        run(conn, "SET ROLE {}", role)
        assert run(conn, APPEND, empty_schema, uuid4()) == [([1],)]
        assert run(conn, APPEND_SIGNED, empty_schema, uuid4()) == [([2],)]
        assert run(conn, "SELECT count(*) FROM {}.stored_events", empty_schema) == [(2,)]
        assert run(conn, "SELECT last_position FROM {}.receipt_trees", empty_schema) == [(2,)]
        assert run(conn, "SELECT count(*) FROM {}.games", empty_schema) == [(0,)]
        run(conn, "DELETE FROM {}.due_games", empty_schema)
        run(conn, "SELECT {}.try_write()", empty_schema)
        for forbidden in (
            *FORBIDDEN,
            "TRUNCATE {}.due_games",
            "INSERT INTO {}.receipt_trees VALUES (9, 9, 'key', '', '')",
            "UPDATE {}.stored_events SET topic = 'Other/1'",
            "TRUNCATE {}.stored_events",
            "ALTER TABLE {}.stored_events DISABLE TRIGGER ALL",
            "DROP TABLE {}.stored_events",
            "INSERT INTO {}.migrations VALUES ('log/2')",
            "INSERT INTO {}.notification_tracking VALUES ('views', 7)",
            "CREATE TABLE {}.mine ()",
            "SELECT nextval('{}.stored_events_notification_id_seq')",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                run(conn, forbidden, empty_schema)


def test_the_projection_role_may_write_views_but_not_the_log(
    postgres_dsn: str, empty_schema: str, role: str
) -> None:
    migrated(postgres_dsn, empty_schema, role, PROJECTIONS)
    with psycopg.connect(postgres_dsn, autocommit=True) as conn:
        run(conn, "SET ROLE {}", role)
        run(conn, "TRUNCATE {}.games", empty_schema)
        run(conn, "INSERT INTO {}.notification_tracking VALUES ('views', 7)", empty_schema)
        run(conn, "SELECT FROM {}.logged_events", empty_schema)
        for forbidden in (
            *FORBIDDEN,
            "DELETE FROM {}.migrations",
            "DELETE FROM {}.due_games",
            "SELECT {}.try_write()",
            "SELECT {}.sign_checkpoint('l', 600, 'x')",
            "SELECT {}.cosign_checkpoint('l', 600, 'k', 'x')",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                run(conn, forbidden, empty_schema)
        for append in (APPEND, APPEND_SIGNED):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                run(conn, append, empty_schema, uuid4())


def test_the_objects_are_those_the_library_would_make(postgres_dsn: str, fresh_schema: str) -> None:
    theirs = f"{fresh_schema}_lib"
    factory = recorder_factory(postgres_dsn, schema=theirs)
    columns = (
        "SELECT table_name, ordinal_position, column_name, data_type "
        "FROM information_schema.columns WHERE table_schema = %s AND table_name = ANY(%s) "
        "ORDER BY 1, 2"
    )
    indexes = "SELECT replace(indexdef, %s, '') FROM pg_indexes WHERE schemaname = %s ORDER BY 1"
    tables = ["notification_tracking", "stored_event_uuid", "stored_events"]
    with psycopg.connect(postgres_dsn, autocommit=True) as conn:
        conn.execute("SET client_min_messages = warning")
        run(conn, "CREATE SCHEMA {}", theirs)
        try:
            with factory:
                factory.application_recorder().create_table()  # type: ignore[attr-defined]
                factory.tracking_recorder().create_table()
                assert factory.tracking_recorder().max_tracking_id("__migration__") == 1
            ours = conn.execute(columns, (fresh_schema, tables)).fetchall()
            ours.remove(("stored_events", 6, "leaf", "bytea"))  # the one column of our own
            assert ours == conn.execute(columns, (theirs, tables)).fetchall()
            assert {table for table, *_ in ours} == {"notification_tracking", "stored_events"}
            made = conn.execute(indexes, (theirs, theirs)).fetchall()
            assert set(made) <= set(conn.execute(indexes, (fresh_schema, fresh_schema)).fetchall())
        finally:
            run(conn, "DROP SCHEMA {} CASCADE", theirs)


def test_a_release_that_changes_events_migrates_the_log() -> None:
    """By that nodes of the release before see that what they cannot read may be no damage.

    Where this fails, add a migration to LOG, an empty one if need be, and note both here.
    """
    kinds = msgspec.json.schema_components(EVENTS.values(), ref_template="{name}")[1]
    shapes = msgspec.json.encode(_undescribed(kinds), order="sorted")
    assert (LOG[-1][0], sha256(shapes).hexdigest()[:16]) == ("log/7", "6492438230cbea98")


def _undescribed(tree: Any) -> Any:
    """The tree without what only people read."""
    if isinstance(tree, dict):
        return {name: _undescribed(part) for name, part in tree.items() if name != "description"}
    return [_undescribed(part) for part in tree] if isinstance(tree, list | tuple) else tree
