"""`phaseledger serve` as operators run it: a process of its own over a real PostgreSQL."""

import signal
from uuid import UUID, uuid4

import psycopg
import pytest
from litestar.testing import TestClient
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from phaseledger.service.app import in_postgres, routes
from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.cli.serve import is_free
from phaseledger.service.database.setup import prepare
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import SchemaError
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest
from phaseledger.service.settings import Settings, SettingsError, load
from tests.support.children import finished
from tests.support.polling import eventually
from tests.support.service.api_tables import PERSON, SHORT
from tests.support.service.dealt_tables import table_of
from tests.support.service.memory_store import MemoryStore
from tests.support.service.nodes import await_ready
from tests.support.service.processes import command, launched
from tests.support.service.server import FREE


def test_nothing_keeps_the_port_of_a_killed_service(settings, port):
    """The worker ends itself once SIGKILL has taken the process that started it."""
    process = launched(settings, port)
    await_ready(process, port)
    process.kill()
    eventually(lambda: is_free("127.0.0.1", port))  # the worker has logged, and ends
    _, output = finished(process)
    assert b"the process that started this one is gone" in output
    second = launched(settings, port)
    try:
        await_ready(second, port)
    finally:
        second.send_signal(signal.SIGTERM)
        _, output = finished(second)
    assert second.returncode == 0, output.decode()


async def test_bots_of_a_dead_process_move_again_without_a_request(settings):
    """The first process stops in the middle; the second resumes from the log alone, past a game
    that it cannot read.
    """
    async with PostgresStore(settings.database_url, schema=settings.schema) as store:
        for number in (0, 2**128 - 1):  # whichever way they are gone through
            await store.append(UUID(int=number), [Row(1, "NoSuchEvent/1", b"{}")])
        await table_of(GameService(store), [SeatRequest("greedy")] * 2, options=SHORT)
    ended = SQL("SELECT FROM {} WHERE topic = 'GameEnded/1'").format(
        Identifier(settings.schema, "stored_events")
    )
    with (
        TestClient(routes(in_postgres(replace(settings, projections=False)), FREE)),
        psycopg.connect(settings.database_url, autocommit=True) as conn,
    ):
        eventually(lambda: conn.execute(ended).rowcount)


async def test_bots_wait_for_a_log_that_is_away_at_the_start():
    class Away(MemoryStore):
        asked = 0

        async def unfinished(self) -> list[UUID]:
            self.asked += 1
            if self.asked == 1:
                raise StoreUnavailable("not now")
            return await super().unfinished()

    store = Away()
    await Autoplay(GameService(store)).resume()
    assert store.asked == 2


UNWRITABLE = """
    CREATE FUNCTION {s}.refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'nobody writes views'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON {s}.games
      FOR EACH STATEMENT EXECUTE FUNCTION {s}.refuse();
"""


def test_readiness_tells_of_projections_that_fail_until_they_go_on(settings):
    schema = Identifier(settings.schema)
    with (
        TestClient(routes(in_postgres(settings), FREE)) as client,
        psycopg.connect(settings.database_url, autocommit=True) as conn,
    ):
        assert client.get("/health/ready").status_code == 200
        conn.execute(SQL(UNWRITABLE).format(s=schema))
        body = {"ruleset": "classic", "seats": [PERSON, PERSON]}
        assert client.post("/v1/games", json=body).status_code == 201

        def projections():
            answer = client.get("/health/ready")
            assert answer.status_code == 200  # games are played, so no proxy is to leave it
            return answer.json()["checks"]["projections"]

        failing = eventually(projections, lambda check: not check["ok"])
        assert "the projections have stopped" in failing["reason"]
        assert client.get("/health/live").status_code == 200
        assert client.get("/v1/games").json()["games"] == []
        assert client.get("/v1/games?ruleset=%00").json()["games"] == []
        conn.execute(SQL("DROP TRIGGER refuse ON {}.games").format(schema))
        eventually(projections, lambda check: check["ok"])
        assert len(client.get("/v1/games").json()["games"]) == 1


# --- one sentence and an exit code ----------------------------------------------------------------

MALFORMED = "postgres//user:sEcret@h/db"


MENDED: list[tuple[list[str], dict[str, str], int, str]] = [
    (["serve"], {"PHASELEDGER_PROT": "1"}, 2, "did you mean PHASELEDGER_PORT?"),
    (["serve"], {"PHASELEDGER_PORT": "x"}, 2, "PHASELEDGER_PORT is not usable"),
    (["demo", "--ruleset", "nope"], {}, 2, "There is no rule set 'nope'"),
    (["serve", "--port", "70000"], {}, 2, "--port is not usable"),
    (["serve", "--host", "192.0.2.1"], {}, 2, "cannot be listened on"),
    (["serve"], {"PHASELEDGER_SCHEMA": "abc\n"}, 2, "PHASELEDGER_SCHEMA is not usable"),
    (["serve", "--database-url", MALFORMED], {}, 2, "database_url is not usable"),
    (["admin", "migrate"], {"PHASELEDGER_DATABASE_URL": MALFORMED}, 2, "database_url is not"),
    (
        ["admin", "migrate"],
        {"PHASELEDGER_OWNER_DATABASE_URL": MALFORMED},
        2,
        "take it as --database-url",
    ),
    (["worker"], {"PHASELEDGER_DATABASE_URL": "host=127.0.0.1 port=1"}, 3, "does not answer"),
    (["serve", "--port", "0"], {"PHASELEDGER_DATABASE_URL": "host=127.0.0.1 port=1"}, 3, "not"),
    (["worker", "--schema", "not_there"], {}, 3, "run `phaseledger admin migrate`"),
    (["admin", "rebuild", "--schema", "not_there"], {}, 3, "run `phaseledger admin migrate`"),
    (["audit", "--all"], {"PHASELEDGER_DATABASE_URL": "", "HOME": "/nowhere"}, 3, "no store"),
]


def test_what_an_operator_can_mend_is_one_sentence(settings):
    for arguments, variables, code, words in MENDED:
        run = command(settings, *arguments, **variables)
        assert run.returncode == code, run.stderr
        assert words in run.stderr, arguments
        assert "Traceback" not in run.stderr
        assert "sEcret" not in run.stderr
        assert len(run.stderr.strip().splitlines()) == 1, run.stderr


def test_migrate_twice(postgres_dsn, empty_schema):
    given = Settings(database_url=postgres_dsn, schema=empty_schema)
    assert "seats/5" in command(given, "admin", "migrate").stdout
    assert "already" in command(given, "admin", "migrate").stdout


# --- settings -------------------------------------------------------------------------------------


def test_flags_go_before_variables_and_what_makes_no_sense_is_named():
    given = load(
        {"PHASELEDGER_PORT": "9", "PHASELEDGER_PROJECTIONS": "false", "HOME": "x"},
        {"port": 10, "host": None},
    )
    assert (given.port, given.projections, given.host) == (10, False, "127.0.0.1")
    for name, value in {"SCHEMA": "No Name", "PROJECTIONS": "maybe", "X": "1"}.items():
        with pytest.raises(SettingsError, match=f"PHASELEDGER_{name}"):
            load({f"PHASELEDGER_{name}": value})
    with pytest.raises(SettingsError, match="--database-url is empty"):
        load({}, {"database_url": ""})
    assert load({"PHASELEDGER_DATABASE_URL": ""}).database_url == ""


# --- credentials ----------------------------------------------------------------------------------


def test_a_role_that_may_not_make_tables_is_told_so(postgres_dsn, empty_schema):
    role = f"r_none_{uuid4().hex[:8]}"
    with psycopg.connect(postgres_dsn, autocommit=True) as conn:
        conn.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(role)))
        weak = Settings(
            database_url=psycopg.conninfo.make_conninfo(postgres_dsn, user=role),
            schema=empty_schema,
        )
        try:
            with pytest.raises(SchemaError, match="owner's DSN"):
                prepare(weak)
        finally:
            conn.execute(SQL("DROP ROLE {}").format(Identifier(role)))
