"""The embedded server: it keeps its data, is shared, and comes back from a crash."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from phaseledger.service.database.embedded import default_data_dir, embedded_postgres
from phaseledger.service.database.errors import EmbeddedPostgresError
from phaseledger.service.eventlog.migrations import migrate
from phaseledger.service.eventlog.postgres import PostgresStore, Row, StoreUnavailable
from tests.support.crash_campaign import kill_database, postmaster


def query(dsn: str, statement: str) -> list:
    with psycopg.connect(dsn, autocommit=True) as conn:
        cursor = conn.execute(statement)
        return cursor.fetchall() if cursor.description else []


def test_data_stay_private_and_survive_stops_and_crashes(short_dir: Path) -> None:
    with embedded_postgres(short_dir) as dsn:
        query(dsn, "CREATE TABLE kept AS SELECT 1 AS n")
        settings = "SELECT current_setting(n) FROM unnest(%s::text[]) n"
        durable = ["fsync", "full_page_writes", "synchronous_commit"]
        with psycopg.connect(dsn) as conn:
            assert conn.execute(settings, (durable,)).fetchall() == [("on",)] * 3
        assert query(dsn, "SHOW listen_addresses") == [("",)]
        assert (short_dir / "cluster" / ".s.PGSQL.5432").stat().st_mode & 0o777 == 0o700
        assert (short_dir / "cluster").stat().st_mode & 0o777 == 0o700
    assert not (short_dir / "cluster" / "postmaster.pid").exists()

    with embedded_postgres(short_dir) as dsn:
        query(dsn, "INSERT INTO kept VALUES (2)")
        kill_database(short_dir)
        # the next user recovers it, while this one still holds on
        with embedded_postgres(short_dir) as again:
            assert again == dsn
            assert query(again, "SELECT n FROM kept ORDER BY n") == [(1,), (2,)]
        assert query(dsn, "SELECT count(*) FROM kept") == [(2,)]


def test_a_store_outlives_a_crash_of_its_server(
    short_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phaseledger.service.eventlog.reader.PATIENCE", 2.0)
    monkeypatch.setattr("phaseledger.service.eventlog.group_commit.PATIENCE", 2.0)
    game = UUID(int=1)

    async def scenario(dsn: str) -> None:
        async with PostgresStore(dsn) as store:
            await store.append(game, [Row(1, "T/1", b"x")])
            await store.head(game)
            kill_database(short_dir)
            with pytest.raises(StoreUnavailable, match=r"check that it runs .* is not known"):
                await store.append(game, [Row(2, "T/1", b"y")])
            with embedded_postgres(short_dir):
                await store.append(game, [Row(2, "T/1", b"y")])
                assert await store.head(game) == 2

    with embedded_postgres(short_dir) as dsn:
        migrate(dsn)
        asyncio.run(scenario(dsn))


HOLDER = """
import sys, time
from pathlib import Path
from phaseledger.service.postgres import embedded_postgres
with embedded_postgres(Path(sys.argv[1])) as dsn:
    print(dsn, flush=True)
    sys.stdin.read()
"""


def test_processes_share_one_server_and_a_killed_one_does_not_count(short_dir: Path) -> None:
    def holder() -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(short_dir)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[3],
        )

    with holder() as first, holder() as second:  # started together: one of them makes the data
        dsn = first.stdout.readline().strip()
        assert second.stdout.readline().strip() == dsn
        server = postmaster(short_dir)
        first.stdin.close()
        assert first.wait(60) == 0
        assert query(dsn, "SELECT 1") == [(1,)]
        second.kill()
        second.wait(60)
        assert query(dsn, "SELECT 1") == [(1,)]
        with embedded_postgres(short_dir):
            assert postmaster(short_dir) == server
        with pytest.raises(psycopg.OperationalError):
            query(dsn, "SELECT 1")


def test_data_of_another_major_version_are_left_alone(short_dir: Path) -> None:
    (short_dir / "cluster").mkdir()
    (short_dir / "cluster" / "PG_VERSION").write_text("13\n")
    with (
        pytest.raises(EmbeddedPostgresError, match=r"by PostgreSQL 13; .*pg_dumpall.*psql"),
        embedded_postgres(short_dir),
    ):
        pass
    assert [path.name for path in (short_dir / "cluster").iterdir()] == ["PG_VERSION"]


@pytest.mark.skipif(not Path("/proc/self/comm").exists(), reason="process names are in /proc")
def test_a_pid_that_now_belongs_to_another_program_is_no_server(short_dir: Path) -> None:
    with embedded_postgres(short_dir):
        lines = (short_dir / "cluster" / "postmaster.pid").read_text().splitlines()
    lines[0] = str(os.getpid())
    (short_dir / "cluster" / "postmaster.pid").write_text("\n".join(lines) + "\n")
    with embedded_postgres(short_dir) as dsn:
        assert query(dsn, "SELECT 1") == [(1,)]


def test_a_server_that_does_not_start_says_why(short_dir: Path) -> None:
    with embedded_postgres(short_dir):
        pass
    with (short_dir / "cluster" / "postgresql.conf").open("a") as conf:
        conf.write("no_such_setting = 1\n")
    begun = time.monotonic()
    with (
        pytest.raises(EmbeddedPostgresError, match=r"does not start: .*(its log is .*/log)"),
        embedded_postgres(short_dir),
    ):
        pass
    assert time.monotonic() - begun < 60


def test_paths_that_cannot_be_used(short_dir: Path) -> None:
    with (
        pytest.raises(EmbeddedPostgresError, match=r"bytes too long .* choose a shorter one"),
        embedded_postgres(short_dir / ("x" * 100)),
    ):
        pass
    (short_dir / "file").write_text("")
    with (
        pytest.raises(EmbeddedPostgresError, match="cannot be used by this user"),
        embedded_postgres(short_dir / "file" / "data"),
    ):
        pass


def test_a_space_in_the_path_is_no_trouble(short_dir: Path) -> None:
    with embedded_postgres(short_dir / "Application Support" / "it's") as dsn:
        assert query(dsn, "SELECT 1") == [(1,)]


def test_the_default_place_is_the_users_own() -> None:
    assert default_data_dir().is_absolute()
    assert "phaseledger" in default_data_dir().parts
