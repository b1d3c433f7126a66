"""The embedded server: it keeps its data, is shared, and comes back from a crash."""

import asyncio
import fcntl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import psutil
import psycopg
import pytest
from structlog.testing import CapturingLogger

from phaseledger.service.database import embedded
from phaseledger.service.database.embedded import (
    EmbeddedPostgresError,
    embedded_postgres,
)
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import migrate
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
from tests.support.crash_campaign import kill_database, postmaster
from tests.support.polling import eventually


def query(dsn: str, statement: str) -> list:
    with psycopg.connect(dsn, autocommit=True) as conn:
        cursor = conn.execute(statement)
        return cursor.fetchall() if cursor.description else []


def test_data_stay_private_and_survive_stops_and_crashes(short_dir: Path) -> None:
    short_dir = short_dir / "Application Support" / "it's"
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
        with embedded_postgres(short_dir) as second_dsn:
            assert second_dsn == dsn
            assert query(second_dsn, "SELECT n FROM kept ORDER BY n") == [(1,), (2,)]
        assert query(dsn, "SELECT count(*) FROM kept") == [(2,)]


@pytest.mark.system
def test_a_store_outlives_a_crash_of_its_server(
    short_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phaseledger.service.eventlog.pool.PATIENCE", 2.0)
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
from phaseledger.service.database.embedded import embedded_postgres
with embedded_postgres(Path(sys.argv[1])) as dsn:
    print(dsn, flush=True)
    sys.stdin.read()
"""


def holder(short_dir: Path) -> subprocess.Popen[str]:
    """A process that uses the server until its standard input ends."""
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(short_dir)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )


def has_stopped(short_dir: Path) -> bool:
    return not (short_dir / "cluster" / "postmaster.pid").exists()


@pytest.mark.system
def test_processes_share_one_server_which_ends_with_the_last_however_that_dies(
    short_dir: Path,
) -> None:
    # started together: one of them makes the data
    with holder(short_dir) as first, holder(short_dir) as second, holder(short_dir) as third:
        dsn = first.stdout.readline().strip()
        assert {process.stdout.readline().strip() for process in (second, third)} == {dsn}
        server = postmaster(short_dir)
        first.stdin.close()
        assert first.wait() == 0
        assert query(dsn, "SELECT 1") == [(1,)]
        second.kill()
        second.wait()
        assert query(dsn, "SELECT 1") == [(1,)]
        with embedded_postgres(short_dir):
            assert postmaster(short_dir) == server
        query(dsn, "CREATE TABLE kept AS SELECT 1 AS n")
        third.kill()
        third.wait()
        eventually(lambda: has_stopped(short_dir))
    server_log = short_dir / "cluster" / "log"  # its last line follows the pid file's end
    eventually(lambda: "database system is shut down" in server_log.read_text())
    with embedded_postgres(short_dir) as dsn:
        assert query(dsn, "SELECT n FROM kept") == [(1,)]


def test_data_of_another_major_version_are_left_alone(short_dir: Path) -> None:
    (short_dir / "cluster").mkdir()
    (short_dir / "cluster" / "PG_VERSION").write_text("13\n")
    with (
        pytest.raises(EmbeddedPostgresError, match=r"by PostgreSQL 13, .*backup.*restore"),
        embedded_postgres(short_dir),
    ):
        pass
    assert [path.name for path in (short_dir / "cluster").iterdir()] == ["PG_VERSION"]


def name_process(short_dir: Path, pid: int) -> None:
    """Leave pid files behind that name the process, as a power cut does and a restart later."""
    with embedded_postgres(short_dir):
        kept = {
            name: (short_dir / "cluster" / name).read_text()
            for name in ("postmaster.pid", ".s.PGSQL.5432.lock")
        }
    for name, text in kept.items():
        _, _, rest = text.partition("\n")
        (short_dir / "cluster" / name).write_text(f"{pid}\n{rest}")


@pytest.mark.system
def test_a_pid_that_now_belongs_to_the_server_of_other_data_is_a_strangers(
    short_dir: Path,
) -> None:
    with embedded_postgres(short_dir / "other") as other:
        stranger = postmaster(short_dir / "other")
        name_process(short_dir / "ours", stranger)
        with embedded_postgres(short_dir / "ours") as dsn:
            assert query(dsn, "SELECT 1") == [(1,)]
            assert postmaster(short_dir / "ours") != stranger
        assert query(other, "SELECT 1") == [(1,)]
        assert postmaster(short_dir / "other") == stranger


@contextmanager
def started_beside(short_dir: Path, lines: list[str]) -> Iterator[None]:
    """Another user of the server, who may have to wait for it and says so."""

    def use() -> None:
        with embedded_postgres(short_dir, say=lines.append) as dsn:
            query(dsn, "SELECT 1")

    with ThreadPoolExecutor(1) as pool:
        used = pool.submit(use)
        yield
        used.result()


@pytest.mark.system
def test_a_wait_for_a_server_that_does_not_answer_yet_is_told(short_dir: Path) -> None:
    lines: list[str] = []
    with embedded_postgres(short_dir):
        server = psutil.Process(postmaster(short_dir))
        server.suspend()  # as one that recovers takes its time
        try:
            with started_beside(short_dir, lines):
                notices = eventually(lambda: list(lines))
                server.resume()
        finally:
            server.resume()
    assert f"waiting for the embedded server on {short_dir}/cluster" in notices[0]
    assert "its log says last: " in notices[0]


def test_a_wait_for_another_process_that_starts_the_server_is_told(short_dir: Path) -> None:
    lines: list[str] = []
    with (short_dir / "using.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with started_beside(short_dir, lines):
            notices = eventually(lambda: list(lines))
            fcntl.flock(lock, fcntl.LOCK_UN)
    assert "waiting for another process, which starts or stops the server" in notices[0]


# --- the watch ------------------------------------------------------------------------------------


def answers(dsn: str) -> bool:
    try:
        return query(dsn, "SELECT 1") == [(1,)]
    except psycopg.OperationalError:
        return False


def watching() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "postgres"]


def test_a_watched_server_is_started_again_as_often_as_it_dies(short_dir: Path) -> None:
    with embedded_postgres(short_dir, watch=True) as dsn:
        query(dsn, "CREATE TABLE kept AS SELECT 1 AS n")
        for _ in range(2):
            killed = postmaster(short_dir)
            kill_database(short_dir)
            eventually(lambda: answers(dsn))
            assert postmaster(short_dir) != killed
        assert query(dsn, "SELECT n FROM kept") == [(1,)]
    assert has_stopped(short_dir)
    assert not watching()


@pytest.mark.system
def test_a_watch_ends_while_the_server_is_down(short_dir: Path) -> None:
    with embedded_postgres(short_dir, watch=True):
        with (short_dir / "cluster" / "postgresql.conf").open("a") as conf:
            conf.write("no_such_setting = 1\n")
        kill_database(short_dir)
        eventually(lambda: "no_such_setting" in (short_dir / "cluster" / "log").read_text())
    assert not watching()


@pytest.mark.system
def test_a_watch_makes_no_new_data_where_there_were_some(
    short_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logger = CapturingLogger()
    monkeypatch.setattr(embedded, "log", logger)
    with embedded_postgres(short_dir, watch=True) as dsn:
        (short_dir / "cluster" / "PG_VERSION").rename(short_dir / "kept")
        kill_database(short_dir)
        eventually(lambda: any("not there any more" in str(call) for call in logger.calls))
        assert not (short_dir / "cluster" / "PG_VERSION").exists()
        (short_dir / "kept").rename(short_dir / "cluster" / "PG_VERSION")
        eventually(lambda: logger.calls[-1].args == ("the embedded server runs again",))
        assert answers(dsn)
    died = [call for call in logger.calls if call.args == ("the embedded server has died",)]
    assert len(died) == 1


@pytest.mark.system
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
