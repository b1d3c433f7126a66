"""The roles of a PostgreSQL of one's own: docs/how-to/run-it-for-others.md, rights, and cures."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

import httpx2
import psycopg
import pytest
from litestar.testing import TestClient
from msgspec.structs import replace
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from phaseledger.service.app import in_postgres, routes
from phaseledger.service.database import programs
from phaseledger.service.database.rights import PROJECTIONS, SERVICE
from phaseledger.service.database.setup import require_owner, require_rights, upgrade
from phaseledger.service.eventlog.migrations import SchemaError
from phaseledger.service.settings import Settings
from tests.support.children import finished
from tests.support.environment import plain_environment
from tests.support.polling import eventually
from tests.support.ports import await_answer, free_port
from tests.support.service.api_tables import BOT
from tests.support.service.processes import command
from tests.support.service.server import FREE

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "run-it-for-others.md").read_text()
RECIPE = re.findall(
    r"^```sh\n(.*?)^```$", PAGE.partition("<!-- recipe")[2], re.MULTILINE | re.DOTALL
)[:4]
BOTS = {"ruleset": "classic", "seats": [BOT, BOT], "start": True}


@contextmanager
def own_server(folder: Path) -> Iterator[tuple[Path, int]]:
    """A new PostgreSQL that asks for passwords, Debian's where it is: its programs and its port."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    bin_folder = installed[0].parent if installed else programs.wheel_folder()
    cluster = folder / "cluster"
    cluster.mkdir()
    user = None
    if os.geteuid() == 0:
        programs.give_to_server(cluster)
        programs.let_through(cluster, bin_folder)
        user = programs.SYSTEM_USER

    def run(program: str, *arguments: str) -> None:
        command = [str(bin_folder / program), "-D", str(cluster), *arguments]
        subprocess.run(
            command, user=user, group=user, cwd="/", check=True, stdout=subprocess.DEVNULL
        )

    run("initdb", "--username=postgres", "--auth=trust", "--no-sync", "--no-instructions")
    rules = "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
    (cluster / "pg_hba.conf").write_text(rules)
    with free_port() as port:
        options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories="
        run("pg_ctl", "start", "--wait", "-l", str(cluster / "log"), "-o", options)
        try:
            yield bin_folder, port
        finally:
            run("pg_ctl", "stop", "--wait", "--mode=immediate")


@pytest.mark.system
def test_the_recipe_of_the_page_works_word_for_word(short_dir: Path) -> None:
    """A2: until the service is ready, and lists a game that was played."""
    roles, migrate, serve, worker = RECIPE
    with own_server(short_dir) as (bin_folder, port), free_port() as api, ExitStack() as stack:
        path = f"{Path(sys.executable).parent}:{bin_folder}:{os.environ['PATH']}"
        own = {"HOME": str(short_dir), "XDG_STATE_HOME": "", "PHASELEDGER_PORT": str(api)}
        environment = plain_environment() | own | {"PATH": path}

        def shell(block: str) -> subprocess.Popen[bytes]:
            here = block.replace("127.0.0.1:5432", f"127.0.0.1:{port}")
            return subprocess.Popen(["bash", "-ec", here], env=environment)

        for block in (roles, migrate):
            assert shell(block).wait() == 0
        for block in (worker, serve):
            process = shell(block)
            stack.callback(finished, process)
            stack.callback(process.terminate)
        client = stack.enter_context(httpx2.Client(base_url=f"http://127.0.0.1:{api}"))
        await_answer(f"http://127.0.0.1:{api}/health/ready")
        opened = client.post("/v1/games", json=BOTS)
        assert opened.status_code == 201, opened.text

        def played() -> bool:
            games = client.get("/v1/games").json()["games"]
            return [game["game"] for game in games if game["version"] > 20] == [
                opened.json()["game"]
            ]

        eventually(played)
        eventually(lambda: client.get("/health/ready").status_code == 200)
        query = "SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = 'phaseledger'"
        with psycopg.connect(f"postgresql://postgres@127.0.0.1:{port}/postgres") as conn:
            connected = {name for (name,) in conn.execute(query)}
        assert connected == {"phaseledger_service", "phaseledger_worker"}


@pytest.fixture
def role(postgres_dsn: str) -> Iterator[str]:
    """A role with an odd name."""
    name = f'r "{uuid4().hex[:8]}" É'
    with psycopg.connect(postgres_dsn, autocommit=True) as conn:
        conn.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(name)))
        yield name
        conn.execute(SQL("DROP ROLE {}").format(Identifier(name)))


@pytest.fixture
def limited(settings: Settings, role: str) -> Iterator[Settings]:
    """The settings of a service that has the role."""
    yield replace(settings, database_url=make_conninfo(settings.database_url, user=role))
    as_owner(settings, "DROP OWNED BY {}", role)


def as_owner(settings: Settings, statement: str, *names: str) -> None:
    with psycopg.connect(settings.database_url) as conn:
        conn.execute(SQL(statement).format(*map(Identifier, names)))


@pytest.mark.system
@pytest.mark.parametrize(
    "runs",
    [
        [{"application_role"}],
        [{"application_role", "projection_role"}],
        [{"application_role"}, {"projection_role"}, set()],
    ],
    ids=["alone", "in both parts", "in one after the other"],
)
def test_one_role_may_have_both_parts(
    settings: Settings, limited: Settings, role: str, runs: list[set[str]]
) -> None:
    """A3, and A2 where there is no worker."""
    for named in runs:
        upgrade(settings, **dict.fromkeys(named, role))
    require_rights(limited, SERVICE, PROJECTIONS)
    with TestClient(routes(in_postgres(limited), FREE)) as client:
        assert client.post("/v1/games", json=BOTS).status_code == 201
        eventually(lambda: client.get("/v1/games").json()["games"])
        assert client.get("/health/ready").status_code == 200


def test_rights_reach_what_a_role_is_a_member_of_and_new_tables(
    settings: Settings, limited: Settings, role: str
) -> None:
    member = f"m_{uuid4().hex[:8]}"
    as_owner(settings, "CREATE ROLE {} LOGIN IN ROLE {}", member, role)
    try:
        upgrade(settings, application_role=role)
        as_owner(settings, "REVOKE INSERT ON phaseledger.webhooks FROM {}", role)  # as if it is new
        inheriting = replace(limited, database_url=make_conninfo(limited.database_url, user=member))
        with pytest.raises(SchemaError, match=rf"'{member}' lacks rights \(INSERT on webhooks\)"):
            require_rights(inheriting, SERVICE)
        upgrade(settings)
        require_rights(inheriting, SERVICE, PROJECTIONS)
    finally:
        as_owner(settings, "DROP ROLE {}", member)


def test_the_owner_keeps_all_its_rights(settings: Settings) -> None:
    """A3: earlier releases took them from an owner that was named as a role."""
    with psycopg.connect(settings.database_url) as conn:
        owner = conn.info.user
        assert conn.execute("SELECT count(*) FROM pg_roles WHERE rolname = %s", (owner,)).rowcount
    as_owner(settings, "REVOKE INSERT ON phaseledger.stored_events FROM {}", owner)
    upgrade(settings, application_role=owner, projection_role=owner)
    with psycopg.connect(settings.database_url) as conn:
        query = "SELECT relacl::text FROM pg_class WHERE relname = 'stored_events'"
        assert conn.execute(query).fetchall() == [(f"{{{owner}=arwdDxtm/{owner}}}",)]
    require_owner(settings)


def test_what_is_no_role_is_refused(settings: Settings) -> None:
    for flag, named, reason in (
        ("--application-role", "public", "public is no role, but every user"),
        ("--projection-role", "nobody_here", "no database role 'nobody_here': create it"),
        ("--projection-role", "", "no database role ''"),
    ):
        run = command(settings, "admin", "migrate", flag, named)
        assert (run.returncode, reason in run.stderr) == (3, True), run.stderr


def test_a_right_that_is_missing_is_told_with_its_cure(
    settings: Settings, limited: Settings, role: str
) -> None:
    """A2: at the start, and in readiness where it is lost later; nothing is retried for ever."""
    upgrade(settings, application_role=role)
    revoke = "REVOKE INSERT ON phaseledger.games FROM {}"
    cure = f"run `phaseledger admin migrate --application-role {shlex.quote(role)}`"
    with TestClient(routes(in_postgres(limited), FREE)) as client:
        assert client.get("/health/ready").status_code == 200
        as_owner(settings, revoke, role)
        ready = eventually(
            lambda: client.get("/health/ready"), lambda answer: answer.status_code != 200
        )
        assert cure in ready.json()["checks"]["writer"]["reason"]
        upgrade(settings, application_role=role)
        eventually(lambda: client.get("/health/ready").status_code == 200)
    as_owner(settings, revoke, role)
    for arguments, words in (
        (
            ("serve", "--port", "0"),
            f"lacks rights (INSERT on games): as the owner of the tables {cure}",
        ),
        (("serve", "--port", "0"), "set PHASELEDGER_PROJECTIONS=false"),
        (("worker",), f"phaseledger admin migrate --projection-role {shlex.quote(role)}"),
        (("admin", "keys", "seal"), "give the owner's DSN as PHASELEDGER_DATABASE_URL"),
        (("admin", "backup", "none"), "or that of a member of pg_read_all_data"),
        (("admin", "rebuild"), "run this as the role of `phaseledger worker`, or as the owner"),
    ):
        run = command(limited, *arguments)
        assert (run.returncode, words in run.stderr) == (3, True), run.stderr
        assert len(run.stderr.splitlines()) == 1
