"""Sealed ledgers that are played on, and what their databases show and hide."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import httpx2
import msgspec
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.replay.formats import sealing
from phaseledger.service.cli.main import app
from phaseledger.service.database.programs import wheel_folder
from phaseledger.service.settings import Settings
from tests.support.ledgers import own_ledger
from tests.support.service.api_tables import Table, bearer, mover, ok, started

DRAW = {"type": "draw"}
HOOK = {"url": "http://127.0.0.1:9/a", "types": ["turn.asked"]}
KEY = "a key of sixteen characters or more".replace(" ", "-")


@pytest.fixture
def settings(postgres_dsn: str, tmp_path: Path) -> Iterator[Settings]:
    """A ledger of the test's own, which may send to this machine."""
    with own_ledger(postgres_dsn, tmp_path, webhook_allow_private=True) as ledger:
        yield ledger


def played(client: httpx2.Client) -> tuple[Table, str]:
    """A game that goes on, and the secret of its webhook."""
    table = started(client)
    ok(table.send(mover(table), DRAW, Idempotency_Key=KEY))
    made = client.post(f"{table.path}/webhooks", json=HOOK, headers=bearer(table.host))
    assert made.status_code == 201, made.text
    return table, str(made.json()["secret"])


def webhooks(client: httpx2.Client, table: Table) -> list[tuple[str, str]]:
    """The table's webhooks, whatever has become of what was sent to them."""
    answer = client.get(f"{table.path}/webhooks", headers=bearer(table.host))
    return [(hook["id"], hook["url"]) for hook in answer.json()["webhooks"]]


def command(*arguments: str) -> int:
    """The exit code of a command."""
    try:
        code = app(arguments, exit_on_error=False)
    except SystemExit as ended:
        code = ended.code
    return int(code or 0)


def audit(settings: Settings, *more: str) -> int:
    named = ("--database-url", settings.database_url, "--schema", settings.schema)
    return command("audit", "--all", "--jobs", "1", *named, *more)


def stored(settings: Settings) -> list[tuple[UUID, int, str, bytes]]:
    with psycopg.connect(settings.database_url) as conn:
        query = SQL(
            "SELECT originator_id, originator_version, topic, state FROM {} "
            "ORDER BY notification_id"
        ).format(Identifier(settings.schema, "stored_events"))
        return [(*rest, bytes(state)) for *rest, state in conn.execute(query)]


def unsealed(settings: Settings) -> list[tuple[UUID, int, str, bytes]]:
    keys = sealing.load(Path(settings.keys_dir))
    return [
        (game, number, topic, keys.unseal_event(game, number, state))
        for game, number, topic, state in stored(settings)
    ]


def hidden(settings: Settings) -> dict[str, str]:
    """Whatever is hidden in the log, by its place."""
    secrets: dict[str, str] = {}
    for _, number, topic, state in unsealed(settings):
        parts = msgspec.json.decode(state).get("hidden", {})
        for audience, part in parts.items():
            text = part.get("secret") or msgspec.json.encode(part, order="sorted").decode()
            secrets[f"{number} {topic} {audience}"] = text
    return secrets


def dumped(settings: Settings) -> str:
    done = subprocess.run(
        [
            wheel_folder() / "pg_dump",
            f"--schema={settings.schema}",
            f"--dbname={settings.database_url}",
        ],
        capture_output=True,
        check=True,
    )
    text = done.stdout.decode()
    # A dump has bytes in hex.
    words = [bytes.fromhex(word[3:]) for word in text.split() if word.startswith("\\\\x")]
    return text + "\n" + "\n".join(word.decode("latin-1") for word in words)
