"""The signer of the public log at work: what is published, when, by whom, and after what."""

import asyncio
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import pairwise
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.domain.evidence import merkle
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.keys import load, new
from phaseledger.replay.formats.signing.notes import Checkpoint
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.transparency.leaves import UnknownLeaf
from phaseledger.service.transparency.proofs import consistency
from phaseledger.service.transparency.signer import LogSigner, signer
from phaseledger.service.transparency.tree import Tree
from tests.support.campaigns import sampled
from tests.support.children import run
from tests.support.polling import ENDLESS, LONG, comes_about
from tests.support.progress import unhurried
from tests.support.projection_logs import game_id, played
from tests.support.service.public_log import GAME, Place, published, publishing, rows

SOON = LONG  # promised are 5 seconds, where nothing else keeps the machine busy


async def test_a_checkpoint_covers_every_event_in_time(place: Place) -> None:
    async with (
        place.store() as store,
        publishing(store, place.tree(), place.signer(), 2.0) as it,
    ):
        leaves = []
        for first, last in ((1, 3), (4, 300), (301, 301)):
            await store.append(GAME, rows(first, last))
            leaves += [row.leaf or b"" for row in rows(first, last)]
            newest = await published(it.tree, last)
            text = notes.note(newest.note)
            assert notes.checkpoint(text.text) == ("test.log", last, merkle.root_of(leaves))
            assert notes.signed_by(text, load(place.folder).current.public)
            assert place.kept() == newest.note


async def test_whoever_waits_for_an_event_is_not_kept_waiting(place: Place) -> None:
    async with (
        place.store() as store,
        publishing(store, place.tree(), place.signer(), 3600) as it,
    ):
        await store.append(GAME, rows(1, 1))
        await published(it.tree, 1)
        await store.append(GAME, rows(2, 2))
        began = unhurried()
        assert await it.covered(GAME, 2, ENDLESS)
        assert unhurried() - began < SOON / 2
        assert (await it.tree.newest()).size == 2
        began, began_at = unhurried(), time.monotonic()
        assert not await it.covered(GAME, 3, 0.3)
        assert unhurried() - began < SOON / 2
        assert time.monotonic() - began_at >= 0.3


async def test_nothing_is_published_before_it_is_stored_and_kept(place: Place) -> None:
    """Its size is committed when the note goes into the file; it is served when that has it."""
    kept: list[tuple[int, bool]] = []

    class Watched(LogSigner):
        def keep(self, note: str, last: Checkpoint | None) -> None:
            size = notes.checkpoint(notes.note(note).text).size
            root, served = place.heads()[size]
            assert root == notes.checkpoint(notes.note(note).text).root
            kept.append((size, served is not None))
            super().keep(note, last)

    by = Watched(*place.signer())
    async with place.store() as store, publishing(store, place.tree(), by) as it:
        for version in (1, 2, 3):
            await store.append(GAME, rows(version, version))
            await published(it.tree, version)
    assert kept == [(1, False), (2, False), (3, False)]


def test_a_log_without_stored_leaves_has_the_same_root(place: Place, fresh_schema: str) -> None:
    """The log of a database from before leaves were stored."""
    _, given = played(1)

    async def root_of(events: Sequence[Row], name: str) -> bytes:
        with psycopg.connect(place.dsn) as conn:
            clear = SQL(
                "ALTER TABLE {0}.stored_events DISABLE TRIGGER USER; DELETE FROM {0}.stored_events;"
                "ALTER TABLE {0}.checkpoints DISABLE TRIGGER USER; DELETE FROM {0}.checkpoints"
            )
            conn.execute(clear.format(Identifier(place.schema)))
        tree = Tree(place.dsn, name, schema=place.schema)
        by = signer(load(place.folder), name, place.folder)
        store = PostgresStore(place.dsn, schema=place.schema)
        async with store, publishing(store, tree, by):
            for row in events:
                await store.append(game_id(1), [row])
            return (await published(tree, len(events))).root

    bare = [row._replace(leaf=None) for row in given]
    roots = {asyncio.run(root_of(given, "with")), asyncio.run(root_of(bare, "without"))}
    assert roots == {merkle.root_of([row.leaf or b"" for row in given])}


def test_an_event_whose_leaf_cannot_be_known_stops_the_log(place: Place) -> None:
    async def scenario() -> None:
        async with place.store() as store, publishing(store, place.tree(), place.signer(), 1) as it:
            await store.append(GAME, [Row(1, "GameOpened/1", b'{"hidden":')])
            await it.run(asyncio.Event(), 0.1)

    with pytest.raises(UnknownLeaf, match=f"Event 1 of game {GAME}"):
        asyncio.run(scenario())


def test_every_key_that_is_not_retired_signs(place: Place) -> None:
    async def scenario(size: int, signers: int) -> None:
        async with place.store() as store, publishing(store, place.tree(), place.signer()) as it:
            if size:
                await store.append(GAME, rows(1, size))
            await published(it.tree, 3)
            newest = await comes_about(
                it.tree.newest,
                lambda head: head and len(notes.note(head.note).signatures) == signers,
            )
            note = notes.note(newest.note)
            assert all(notes.signed_by(note, key.public) for key in load(place.folder).signers)
            assert place.kept() == str(note)

    asyncio.run(scenario(3, 1))
    new(place.folder)
    asyncio.run(scenario(0, 2))  # the newest checkpoint is signed anew, without a new event


async def test_of_two_signers_one_works_and_the_other_takes_over(place: Place) -> None:
    async with place.store() as store, AsyncExitStack() as leading, AsyncExitStack() as standby:
        first = await leading.enter_async_context(publishing(store, place.tree(), place.signer()))
        await store.append(GAME, rows(1, 1))
        await published(first.tree, 1)
        second = await standby.enter_async_context(publishing(store, place.tree(), place.signer()))
        for version in (2, 3, 4):
            await store.append(GAME, rows(version, version))
            assert await second.covered(GAME, version, ENDLESS)
        await leading.aclose()
        await store.append(GAME, rows(5, 5))
        await published(second.tree, 5)
    leaves = [row.leaf or b"" for row in rows(1, 5)]
    assert {size: root for size, (root, _) in place.heads().items()} == {
        size: merkle.root_of(leaves[:size]) for size in place.heads()
    }


async def test_a_lost_database_is_waited_for(place: Place) -> None:
    async with place.store() as store, publishing(store, place.tree(), place.signer()) as it:
        await store.append(GAME, rows(1, 1))
        await published(it.tree, 1)
        with psycopg.connect(place.dsn) as conn:
            conn.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE application_name = 'phaseledger'"
            )
        await store.append(GAME, rows(2, 2))
        await published(it.tree, 2)


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from phaseledger.replay.formats.signing.keys import load
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.transparency import publisher, signer, tree as trees

dsn, schema, folder, moment = sys.argv[1:]

def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)

real = {"extend": trees.Writer.extend, "sign": trees.Writer.sign}

async def extend(self, old, growth):
    if moment == "before it is stored":
        kill()
    await real["extend"](self, old, growth)
    if moment == "once it is stored":
        kill()

async def sign(self, size, note):
    if moment == "once it is kept":
        kill()
    await real["sign"](self, size, note)
    if moment == "once it is published":
        kill()

trees.Writer.extend, trees.Writer.sign = extend, sign
by = signer.signer(load(Path(folder)), "test.log", Path(folder) / "published")

async def main():
    tree = trees.Tree(dsn, by.origin, schema=schema)
    async with PostgresStore(dsn, schema=schema) as store:
        await tree.open()
        await publisher.Publisher(store, tree, by).run(asyncio.Event())

asyncio.run(main())
"""
MOMENTS = ("before it is stored", "once it is stored", "once it is kept", "once it is published")


@pytest.mark.parametrize("moment", sampled(MOMENTS, "once it is kept", rest="system"))
def test_a_killed_signer_never_leaves_two_roots_for_a_size(place: Place, moment: str) -> None:
    noted: dict[int, bytes] = {}

    def look() -> None:
        """What anybody may have seen by now: each size has one root, for ever."""
        for size, (root, note) in place.heads().items():
            assert noted.setdefault(size, root) == root
            if note:
                assert notes.checkpoint(notes.note(note).text) == ("test.log", size, root)
        if place.file.exists():
            kept = notes.checkpoint(notes.note(place.kept()).text)
            assert noted.setdefault(kept.size, kept.root) == kept.root

    async def append(game: UUID, version: int) -> None:
        async with place.store() as store:
            await store.append(game, rows(version, version + 1))

    async def recover(size: int) -> None:
        async with place.store() as store, publishing(store, place.tree(), place.signer()) as it:
            await published(it.tree, size)
            for first, second in pairwise(sorted(noted)):
                path = await consistency(it.tree, first, second)
                old, new = noted[first], noted[second]
                assert merkle.proves_consistency(first, old, second, new, path)

    for version in (1, 3):
        asyncio.run(append(GAME, version))
        command = [sys.executable, "-c", KILLED, place.dsn, place.schema, str(place.folder), moment]
        ended = run(command, cwd=Path(__file__).parents[3])
        assert ended.returncode == -signal.SIGKILL
        look()
        if version == 3:
            asyncio.run(append(game_id(9), 1))  # meanwhile, another game goes on
        asyncio.run(recover(version + 1))
        look()
