"""What the database of a sealed ledger shows, and what it hides."""

import subprocess
from pathlib import Path
from uuid import UUID

import msgspec
import psycopg
from psycopg.sql import SQL, Identifier

from phaseledger.replay.records import sealing
from phaseledger.service.database.programs import path_of
from phaseledger.service.settings import Settings


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
        [path_of("pg_dump"), f"--schema={settings.schema}", f"--dbname={settings.database_url}"],
        capture_output=True,
        check=True,
    )
    text = done.stdout.decode()
    # A dump has bytes in hex.
    words = [bytes.fromhex(word[3:]) for word in text.split() if word.startswith("\\\\x")]
    return text + "\n" + "\n".join(word.decode("latin-1") for word in words)
