"""A public log over PostgreSQL: its store, its tree, its signer and what was published."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Identifier

from phaseledger.domain.evidence import merkle
from phaseledger.replay.formats.signing.keys import load, load_or_new
from phaseledger.service.database import public_log
from phaseledger.service.database.sealing import open_sealing
from phaseledger.service.eventlog.migrations import migrate
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.operations import ADMIN
from phaseledger.service.settings import Settings
from phaseledger.service.transparency.publisher import Publisher
from phaseledger.service.transparency.signer import (
    LogSigner,
    SigningRefused,
    require_unbroken,
    signer,
)
from phaseledger.service.transparency.tree import Tree, TreeHead
from phaseledger.service.transparency.tree_sql import TREE
from tests.support import forked
from tests.support.polling import comes_about

GAME = UUID(int=1)
LOG = "log.example"
SERVE = ("serve", "--port", "0")


def rows(first: int, last: int) -> list[Row]:
    return [
        Row(v, "T/1", b"%d" % v, merkle.node_hash(b"", b"%d" % v)) for v in range(first, last + 1)
    ]


class Place:
    """A database and a folder of keys, and what stands on them."""

    def __init__(self, dsn: str, schema: str, folder: Path) -> None:
        migrate(dsn, schema=schema, extra=(*TREE, *ADMIN))
        load_or_new(folder)
        self.dsn, self.schema, self.folder = dsn, schema, folder
        self.file = folder / "published" / "test.log.checkpoint"

    def signer(self) -> LogSigner:
        return signer(load(self.folder), "test.log", self.file.parent)

    def tree(self) -> Tree:
        return Tree(self.dsn, "test.log", schema=self.schema)

    def store(self) -> PostgresStore:
        return PostgresStore(self.dsn, schema=self.schema)

    def heads(self) -> dict[int, tuple[bytes, str | None]]:
        """Root and note of every size."""
        select = SQL("SELECT size, root, note FROM {}.checkpoints ORDER BY size")
        with psycopg.connect(self.dsn) as conn:
            heads = conn.execute(select.format(Identifier(self.schema))).fetchall()
        return {size: (bytes(root), note) for size, root, note in heads}

    def kept(self) -> str:
        return self.file.read_text()


@asynccontextmanager
async def publishing(
    store: Store, tree: Tree, by: LogSigner, interval: float = 0.1
) -> AsyncIterator[Publisher]:
    publisher, stop = Publisher(store, tree, by), asyncio.Event()
    await tree.open()
    task = asyncio.create_task(publisher.run(stop, interval))
    try:
        yield publisher
    finally:
        stop.set()
        try:
            await task
        finally:
            await tree.close()


async def published(tree: Tree, size: int) -> TreeHead:
    """The newest checkpoint once it covers so many events."""
    head = await comes_about(tree.newest, lambda newest: newest and newest.size >= size)
    assert head is not None
    return head


def signer_of(settings: Settings) -> LogSigner:
    return public_log.signer_of(settings, load(Path(settings.keys_dir)))


def file_of(settings: Settings) -> Path:
    """What keeps the last published checkpoint."""
    return Path(settings.published_dir) / f"{LOG}.checkpoint"


def tree_of(settings: Settings) -> Tree:
    origin = signer_of(settings).origin
    return Tree(settings.database_url, origin, schema=settings.schema)


async def publish(settings: Settings, first: int, last: int) -> None:
    """Append so many events and see them published."""
    store = PostgresStore(settings.database_url, schema=settings.schema)
    async with store, publishing(store, tree_of(settings), signer_of(settings)) as it:
        if first <= last:
            await store.append(GAME, rows(first, last))
        await published(it.tree, last)


def refusal(settings: Settings) -> str:
    """Why the log must not be signed; empty if it may."""

    async def check() -> None:
        tree = tree_of(settings)
        async with PostgresStore(settings.database_url, schema=settings.schema) as store:
            await tree.open()
            try:
                await require_unbroken(store, tree, signer_of(settings))
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


def serve(settings: Settings, **more: str) -> subprocess.CompletedProcess[str]:
    """What serve says that does not come to serve."""
    return forked.phaseledger(*SERVE, env=environment(settings) | more)


def environment(settings: Settings) -> dict[str, str]:
    """The environment of the service over the log. What seals is there already."""
    open_sealing(settings)
    plain = {name: text for name, text in os.environ.items() if "PHASELEDGER" not in name}
    own = {
        f"PHASELEDGER_{name.upper()}": str(getattr(settings, name))
        for name in ("database_url", "schema", "keys_dir", "published_dir", "log_origin")
    }
    return plain | own
