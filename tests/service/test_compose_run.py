"""The services of compose.yaml, run: their own commands and variables, only without containers."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import psycopg
import pytest
import yaml

from phaseledger.service.database import programs
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.settings import PREFIX
from tests.support.children import finished
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service import proxies

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())


def as_run_here(name: str, server: Path, **more: str) -> dict[str, Any]:
    """How to start a service as compose.yaml does, with the database on a socket in `server`."""
    given = COMPOSE["services"][name]
    place = f"@/phaseledger?host={quote(str(server), safe='')}&port=5432"
    own = {
        variable: value.replace("@postgres:5432/phaseledger", place)
        for variable, value in given["environment"].items()
    }
    rest = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    start = [sys.executable, "-m", "phaseledger.service.cli.main"] if "build" in given else []
    home = "/var/lib/phaseledger/"  # a volume is a folder beside the server's
    command = [part.replace(home, f"{server.parent}/") for part in given["command"]]
    own |= {name: text.replace(home, f"{server.parent}/") for name, text in own.items()}
    return {"args": start + command, "cwd": ROOT, "env": rest | own | more}


@contextmanager
def running(name: str, server: Path, **more: str) -> Iterator[None]:
    process = subprocess.Popen(**as_run_here(name, server, **more))
    try:
        yield
        process.terminate()
        finished(process)
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait()


@contextmanager
def proxied(port: int, front: int) -> Iterator[str]:
    """The address of compose.yaml's proxy before the service, with this machine's HAProxy."""
    given = COMPOSE["services"]["proxy"]
    configuration = given["volumes"][0].partition(":")[0]
    at = {"BIND": f"127.0.0.1:{front}", "SERVICE": f"127.0.0.1:{port}"}
    assert at.keys() == given["environment"].keys()
    url = f"http://127.0.0.1:{front}"
    with proxies.running("haproxy", ROOT / configuration, url, at):
        yield url


def is_healthy(name: str, server: Path) -> bool:
    """What the service's health check says."""
    _, _, *arguments = COMPOSE["services"][name]["healthcheck"]["test"]
    env = as_run_here(name, server)["env"]
    return subprocess.run([sys.executable, *arguments], env=env, check=False).returncode == 0


def test_the_services_do_with_the_rights_they_have(short_dir: Path) -> None:
    """Bots play a game through `service`, and `worker` shows it, neither as the owner."""
    server, keys = short_dir / "cluster", short_dir / "keys"
    with embedded_postgres(short_dir) as dsn:
        with psycopg.connect(dsn, autocommit=True) as conn:
            conn.execute("CREATE ROLE phaseledger_owner SUPERUSER LOGIN")
            conn.execute("CREATE DATABASE phaseledger")
        psql = {"PATH": f"{programs.wheel_folder()}:{os.environ['PATH']}", "PGHOST": str(server)}
        for _ in range(2):  # every `docker compose up` runs the one-shot services again
            subprocess.run(**as_run_here("roles", server, **psql), check=True)
            subprocess.run(**as_run_here("migrate", server), check=True, stdout=subprocess.DEVNULL)
        with (
            free_port() as port,
            free_port() as front,
            free_port() as operators,
            running(
                "service",
                server,
                PHASELEDGER_PORT=str(port),
                PHASELEDGER_ADMIN_HOST="127.0.0.1",
                PHASELEDGER_ADMIN_PORT=str(operators),
            ),
            running("worker", server),
            proxied(port, front) as url,
            httpx2.Client(base_url=url, timeout=None) as client,
        ):

            def succeeds(path: str) -> None:
                eventually(lambda: client.get(path), lambda answer: answer.is_success)

            succeeds("/v1/rulesets")
            bots = {"ruleset": "classic", "seats": [{"kind": "bot"}] * 2, "start": True}
            opened = client.post("/v1/games", json=bots)
            assert opened.status_code == 201, opened.text
            game = f"/v1/games/{opened.json()['game']}"
            succeeds(f"{game}/table?at_least=20")
            succeeds("/v1/log/checkpoint")
            admin = f"http://127.0.0.1:{operators}"
            who = {"Authorization": f"Bearer {(keys / 'admin.token').read_text().strip()}"}
            why = {"actor": "ann", "reason": "a test"}
            for action in (f"{game.removeprefix('/v1')}/host/revoke", "/drain", "/undrain"):
                done = httpx2.post(f"{admin}/admin{action}", json=why, headers=who, timeout=None)
                assert done.status_code == 200, done.text
            assert "phaseledger_log_position" in httpx2.get(f"{admin}/metrics").text
            assert is_healthy("worker", server)
            *shell, script = COMPOSE["services"]["proxy"]["healthcheck"]["test"][1:]
            check = [*shell, script.replace("8000", str(front))]
            eventually(lambda: subprocess.run(check), lambda ended: ended.returncode == 0)
        assert not is_healthy("worker", server)
        (short_dir / "backups").mkdir()
        backup = subprocess.run(
            **as_run_here("backup", server), check=True, capture_output=True, text=True
        )
        assert "1 games" in backup.stdout
        assert "It has all" in backup.stdout
        assert [path.name for path in (short_dir / "backups").iterdir()] == ["latest"]
        for name in ("service", "worker"):
            own = as_run_here(name, server)["env"]
            with psycopg.connect(own["PHASELEDGER_DATABASE_URL"], autocommit=True) as conn:
                for edit in ("UPDATE {} SET topic = ''", "DELETE FROM {}", "TRUNCATE {}"):
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        conn.execute(edit.format("phaseledger.stored_events"))
