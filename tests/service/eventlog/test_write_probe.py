"""The write that says whether the log can be written: what it needs, and what it leaves."""

import asyncio
import itertools
from collections.abc import Iterator

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from phaseledger.service.database.setup import upgrade
from phaseledger.service.eventlog import write_probe
from phaseledger.service.eventlog.errors import StoreFull, StoreUnavailable
from phaseledger.service.eventlog.side_connection import SideConnection
from phaseledger.service.eventlog.write_probe import TABLES, WriteProbe
from phaseledger.service.settings import Settings
from tests.support.service.database_locks import locked_log
from tests.support.service.faulty_proxy import wired_database


@pytest.fixture
def owner(settings: Settings) -> Iterator[psycopg.Connection]:
    """A connection of the tables' owner, which finds them by their names."""
    with psycopg.connect(settings.database_url, autocommit=True) as conn:
        conn.execute(SQL("SET search_path = {}").format(Identifier(settings.schema)))
        yield conn


def tried(dsn: str, schema: str, times: int = 1) -> None:
    async def scene() -> None:
        connection = SideConnection(dsn)
        try:
            for _ in range(times):
                await WriteProbe(connection, schema).try_write()
        finally:
            await connection.close()

    asyncio.run(scene())


def test_it_commits_takes_a_new_page_each_time_and_leaves_no_row(
    settings: Settings, owner: psycopg.Connection
) -> None:
    """A change within a page may go well long after the disk is full."""
    look = SQL(
        "SELECT tried_at, pg_current_wal_insert_lsn() - '0/0', "
        "pg_relation_size('write_probe_pages'), (SELECT count(*) FROM write_probe_pages) "
        "FROM write_probe"
    )
    owner.execute("ALTER TABLE write_probe_pages SET (autovacuum_enabled = false)")
    rows = []
    for _ in range(4):
        rows.append(owner.execute(look).fetchone() or ())
        tried(settings.database_url, settings.schema, 3)
    for before, after in itertools.pairwise(rows):
        assert after[0] > before[0]
        assert after[1] > before[1]
        assert after[2] >= before[2] + 3 * 8192
        assert after[3] == 0


@pytest.mark.parametrize("by", ["probe", "migrate"])
def test_sequences_behind_what_is_stored_are_raised(
    settings: Settings, owner: psycopg.Connection, by: str
) -> None:
    """As after a logical replication or a COPY of the tables, which bring no sequence along."""

    def following() -> dict[str, int]:
        if by == "probe":
            tried(settings.database_url, settings.schema)
        else:
            upgrade(settings)
        names = ("stored_events_notification_id_seq", "admin_events_id_seq")
        select = "SELECT last_value + is_called::int FROM {}"
        rows = [owner.execute(SQL(select).format(Identifier(name))).fetchone() for name in names]
        return dict(zip(names, (row[0] for row in rows if row), strict=True))

    before = following()
    owner.execute("INSERT INTO stored_events VALUES (gen_random_uuid(), 1, 'T/1', '', 7)")
    assert following() == {**before, "stored_events_notification_id_seq": 8}
    owner.execute("INSERT INTO restored_games VALUES (11, gen_random_uuid())")
    owner.execute(
        "INSERT INTO admin_events (id, key, actor, action, reason, details) "
        "OVERRIDING SYSTEM VALUE VALUES (5, gen_random_uuid(), 'a', 'drain', 'r', '{}')"
    )
    assert [*following().values()] == [12, 6]
    owner.execute(
        "UPDATE notification_tracking SET notification_id = 20 "
        "WHERE application_name = 'projections'"
    )
    assert [*following().values()] == [21, 6]
    owner.execute("SELECT setval('admin_events_id_seq', 100)")  # one that ran ahead stays
    assert [*following().values()] == [21, 101]


@pytest.mark.parametrize("table", TABLES)
def test_a_full_disk_is_told(settings: Settings, owner: psycopg.Connection, table: str) -> None:
    owner.execute(
        SQL(
            "CREATE FUNCTION refuse_probe() RETURNS trigger LANGUAGE plpgsql AS "
            "$$BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END$$; "
            "CREATE TRIGGER refused BEFORE INSERT OR UPDATE ON {} "
            "FOR EACH ROW EXECUTE FUNCTION refuse_probe()"
        ).format(Identifier(table))
    )
    with pytest.raises(StoreFull):
        tried(settings.database_url, settings.schema)


def test_a_read_only_server_is_told(settings: Settings) -> None:
    dsn = make_conninfo(settings.database_url, options="-c default_transaction_read_only=on")
    with pytest.raises(StoreUnavailable, match="read-only: connect to the primary"):
        tried(dsn, settings.schema)


def test_a_locked_log_is_told(settings: Settings) -> None:
    with (
        locked_log(settings.database_url, settings.schema),
        pytest.raises(StoreUnavailable, match="The log is locked by another session"),
    ):
        tried(settings.database_url, settings.schema)


def test_a_server_that_swallows_its_answer_is_given_up(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with wired_database(settings.database_url) as proxy:

        async def scene() -> None:
            connection = SideConnection(proxy.dsn)
            probe = WriteProbe(connection, settings.schema)
            await probe.try_write()
            proxy.swallows = True
            with monkeypatch.context() as impatient:
                impatient.setattr(write_probe, "SECONDS", 0.2)
                with pytest.raises(StoreUnavailable):
                    await probe.try_write()
            proxy.swallows = False
            await probe.try_write()
            await connection.close()

        asyncio.run(scene())
