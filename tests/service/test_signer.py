"""Whether the log may be signed: after a restore, after edits, and what the operator is told."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from litestar.testing import TestClient
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from replay import notes
from replay.keys import load, load_or_new
from replay.notes import Checkpoint
from service.app import in_postgres, routes
from service.database import prepare, upgrade
from service.settings import Settings, SettingsError, witnesses
from service.settings import load as load_settings
from service.signer import SigningRefused, last_published, require_unbroken, signer
from service.store import PostgresStore
from service.tree_postgres import PostgresTree
from tests.service.test_publisher import GAME, published, publishing, rows

LOG = "log.example"


@pytest.fixture
def settings(postgres_dsn: str, empty_schema: str, tmp_path: Path) -> Settings:
    """A log of 600 events, published at 300 and at 600."""
    given = Settings(
        database_url=postgres_dsn, schema=empty_schema, keys_dir=str(tmp_path), log_origin=LOG
    )
    prepare(given)
    load_or_new(tmp_path)
    asyncio.run(publish(given, 1, 300))
    asyncio.run(publish(given, 301, 600))
    return given


def tree_of(settings: Settings) -> PostgresTree:
    return PostgresTree(settings.database_url, settings.log_origin, schema=settings.schema)


async def publish(settings: Settings, first: int, last: int) -> None:
    """Append so many events and see them published."""
    folder = Path(settings.keys_dir)
    by = signer(load(folder), settings.log_origin, folder)
    store = PostgresStore(settings.database_url, schema=settings.schema)
    async with store, publishing(store, tree_of(settings), by) as it:
        if first <= last:
            await store.append(GAME, rows(first, last))
        await published(it.tree, last)


def refusal(settings: Settings) -> str:
    """Why the log must not be signed; empty if it may."""

    async def check() -> None:
        folder, tree = Path(settings.keys_dir), tree_of(settings)
        async with PostgresStore(settings.database_url, schema=settings.schema) as store:
            await tree.open()
            try:
                by = signer(load(folder), settings.log_origin, folder)
                await require_unbroken(store, tree, by)
            finally:
                await tree.close()

    try:
        asyncio.run(check())
    except SigningRefused as refused:
        return str(refused)
    return ""


def as_owner(settings: Settings, *statements: str) -> None:
    """Change what nobody should, with the triggers off."""
    with psycopg.connect(settings.database_url) as conn:
        for statement in statements:
            conn.execute("SET LOCAL session_replication_role = replica")
            conn.execute(f"SET search_path = {settings.schema}")
            conn.execute("ALTER TABLE stored_events DISABLE TRIGGER USER")
            conn.execute(statement)
            conn.execute("ALTER TABLE stored_events ENABLE ALWAYS TRIGGER append_only")


RESTORED = (
    "DELETE FROM checkpoints WHERE size > 300",
    "DELETE FROM tree_tiles WHERE number > 1 OR level > 1",
    "UPDATE tree_tiles SET hashes = substr(hashes, 1, 44 * 32) WHERE level = 0 AND number = 1",
    "UPDATE tree_tiles SET hashes = substr(hashes, 1, 32) WHERE level = 1",
    "DELETE FROM stored_events WHERE originator_version > 300",
)
"""To what the database was when 300 events were published."""


def test_what_was_published_may_go_on(settings: Settings) -> None:
    assert refusal(settings) == ""
    asyncio.run(publish(settings, 601, 601))


def test_a_restore_that_lost_what_was_published_is_found(settings: Settings) -> None:
    as_owner(settings, *RESTORED)
    said = refusal(settings)
    assert said.startswith(
        f"The public log '{LOG}' is not signed: it was published with 600 events"
    )
    assert "but this database has it with 300" in said
    assert "PHASELEDGER_LOG_ORIGIN" in said


def test_the_restore_alone_is_whole(settings: Settings) -> None:
    """So what is refused above is that it lost something, and nothing else."""
    as_owner(settings, *RESTORED)
    (Path(settings.keys_dir) / f"{LOG}.checkpoint").unlink()
    assert refusal(settings) == ""


def test_a_restore_that_went_another_way_since_is_found(settings: Settings) -> None:
    kept = (Path(settings.keys_dir) / f"{LOG}.checkpoint").read_text()
    as_owner(settings, *RESTORED)
    (Path(settings.keys_dir) / f"{LOG}.checkpoint").unlink()
    other = rows(301, 700)[0]._replace(leaf=b"\7" * 32)

    async def go_on() -> None:
        async with PostgresStore(settings.database_url, schema=settings.schema) as store:
            await store.append(GAME, [other, *rows(302, 700)])

    asyncio.run(go_on())
    asyncio.run(publish(settings, 701, 700))
    (Path(settings.keys_dir) / f"{LOG}.checkpoint").write_text(kept)
    assert "its first 600 events are not those that were published" in refusal(settings)


@pytest.mark.parametrize(
    "edit",
    [
        "DELETE FROM stored_events WHERE originator_version = 600",
        "DELETE FROM stored_events WHERE originator_version BETWEEN 550 AND 560",
        "DELETE FROM stored_events WHERE originator_version > 300",
        r"UPDATE stored_events SET leaf = '\x" + "07" * 32 + "' WHERE originator_version = 599",
        "UPDATE stored_events SET leaf = NULL, state = 'x' WHERE originator_version = 513",
        r"UPDATE checkpoints SET root = '\x" + "07" * 32 + "' WHERE size = 600",
        "DELETE FROM checkpoints WHERE size = 600",
        "UPDATE checkpoints SET position = position - 1 WHERE size = 600",
        "DELETE FROM tree_tiles WHERE level = 0 AND number = 2",
        "DELETE FROM tree_tiles WHERE level = 1",
        r"UPDATE tree_tiles SET hashes = overlay(hashes PLACING '\x07' FROM 32) WHERE number = 2",
        r"UPDATE tree_tiles SET hashes = overlay(hashes PLACING '\x07' FROM 32) WHERE level = 1",
        "UPDATE tree_tiles SET first = first + 1 WHERE number = 2",
        "UPDATE tree_tiles SET hashes = substr(hashes, 1, 64) WHERE number = 2",
    ],
    ids=[
        *("last event", "some events", "half of the events", "a leaf", "an event"),
        *("the root", "the last checkpoint", "its position", "the last tile", "the upper tile"),
        *("in the last tile", "in the upper tile", "a position", "the end of a tile"),
    ],
)
def test_a_database_that_contradicts_itself_is_found(settings: Settings, edit: str) -> None:
    as_owner(settings, edit)
    assert "is not signed" in refusal(settings)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[:-9],
        lambda text: "",
        lambda text: text.replace(LOG, "other.example", 1),
        lambda text: text + "\N{EM DASH} w AAAA\n",
    ],
    ids=["cut", "empty", "another log", "damaged"],
)
def test_a_damaged_file_of_what_was_published_is_found(
    settings: Settings, spoil: Callable[[str], str]
) -> None:
    file = Path(settings.keys_dir) / f"{LOG}.checkpoint"
    file.write_text(spoil(file.read_text()))
    assert "Restore the file from a backup" in refusal(settings)


def test_a_long_or_odd_name_has_a_file(tmp_path: Path) -> None:
    ring, _ = load_or_new(tmp_path)
    for name in ("a/b", "..", "a" * 200, "/" * 200):
        by = signer(ring, name, tmp_path)
        text = Checkpoint(name, 1, b"\0" * 32).text()
        by.keep(str(notes.Note(text, (notes.signature(text, ring.current),))))
        assert by.kept.parent == tmp_path
        assert last_published(by) == (name, 1, b"\0" * 32)


def serve(settings: Settings, **more: str) -> subprocess.CompletedProcess[str]:
    plain = {name: text for name, text in os.environ.items() if "PHASELEDGER" not in name}
    own = {
        f"PHASELEDGER_{name.upper()}": str(getattr(settings, name))
        for name in ("database_url", "schema", "keys_dir", "log_origin")
    }
    command = [sys.executable, "-m", "service.cli", "serve", "--port", "0"]
    return subprocess.run(
        command,
        env=plain | own | more,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_serve_says_what_happened_and_a_new_log_can_be_named(settings: Settings) -> None:
    as_owner(settings, *RESTORED)
    run = serve(settings)
    assert (run.returncode, run.stdout) == (3, "")
    assert run.stderr.startswith(f"phaseledger: The public log '{LOG}' is not signed: ")
    assert len(run.stderr.splitlines()) == 1
    anew = replace(settings, log_origin="log.example/2")
    asyncio.run(publish(anew, 301, 302))
    kept = (Path(settings.keys_dir) / "log.example%2F2.checkpoint").read_text()
    assert notes.checkpoint(notes.note(kept).text)[:2] == ("log.example/2", 302)
    assert refusal(settings) != ""


def test_a_service_that_cannot_sign_says_so_and_plays_on(settings: Settings) -> None:
    as_owner(settings, "DELETE FROM stored_events WHERE originator_version = 600")
    without = replace(settings, projections=False)  # which would stumble over these events
    with TestClient(routes(in_postgres(without))) as client:
        for _ in range(100):
            if (ready := client.get("/health/ready")).status_code != 200:
                break
            time.sleep(0.05)
        assert (ready.status_code, ready.json()["code"]) == (503, "log_unsigned")
        bots = {"ruleset": "classic", "seats": [{"kind": "bot"}] * 2}
        assert client.post("/v1/games", json=bots).status_code == 201
        assert "\n600\n" in client.get("/v1/log/checkpoint").text


def test_roles_write_the_tree_through_its_functions_or_not_at_all(settings: Settings) -> None:
    roles = {kind: f"r_{kind}_{uuid4().hex[:8]}" for kind in ("application", "projection")}
    with psycopg.connect(settings.database_url, autocommit=True) as conn:
        for role in roles.values():
            conn.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(role)))
        try:
            upgrade(
                settings,
                application_role=roles["application"],
                projection_role=roles["projection"],
            )
            weak = replace(
                settings,
                database_url=psycopg.conninfo.make_conninfo(
                    settings.database_url, user=roles["application"]
                ),
            )
            asyncio.run(publish(weak, 601, 602))
            for role in roles.values():
                conn.execute(SQL("SET ROLE {}").format(Identifier(role)))
                for table in ("tree_tiles", "checkpoints", "cosignatures"):
                    for edit in (
                        "INSERT INTO {} (log) VALUES ('x')",
                        "DELETE FROM {}",
                        "UPDATE {} SET log = 'x'",
                        "TRUNCATE {} CASCADE",
                    ):
                        with pytest.raises(psycopg.errors.InsufficientPrivilege):
                            conn.execute(SQL(edit).format(Identifier(settings.schema, table)))
            for call in ("sign_checkpoint('l', 600, 'x')", "cosign_checkpoint('l', 600, 'k', 'x')"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    conn.execute(SQL("SELECT {}." + call).format(Identifier(settings.schema)))
        finally:
            conn.execute("RESET ROLE")
            for role in roles.values():
                conn.execute(SQL("DROP OWNED BY {}").format(Identifier(role)))
                conn.execute(SQL("DROP ROLE {}").format(Identifier(role)))


def test_witnesses_are_keys_of_their_kind() -> None:
    witness = str(notes.SigningKey.new("w", notes.COSIGNATURE).public)
    given = load_settings({"PHASELEDGER_WITNESSES": f" {witness}\n{witness} "})
    assert [str(key) for key in witnesses(given)] == [witness, witness]
    for wrong in ("nonsense", str(notes.SigningKey.new("w").public), witness[:-4]):
        with pytest.raises(SettingsError, match="PHASELEDGER_WITNESSES is not usable"):
            witnesses(load_settings({"PHASELEDGER_WITNESSES": wrong}))
    with pytest.raises(SettingsError, match="PHASELEDGER_LOG_ORIGIN"):
        load_settings({"PHASELEDGER_LOG_ORIGIN": "two words"})
