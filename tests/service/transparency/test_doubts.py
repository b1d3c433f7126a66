"""A publisher that finds the log behind what was published doubts it for its whole process."""

import asyncio
from pathlib import Path

import pytest

from phaseledger.replay.formats.signing.keys import load, load_or_new
from phaseledger.service.eventlog.continuity import Continuity, Lineage
from phaseledger.service.eventlog.errors import LedgerBehind
from phaseledger.service.transparency.publisher import Publisher
from phaseledger.service.transparency.signer import LogSigner, LogWentBack, signer
from tests.support.service.memory_store import MemoryStore
from tests.support.service.memory_tree import MemoryTree
from tests.support.service.public_log import GAME, published, publishing, rows

OLD = Lineage(system=1, timeline=1, database=5, table=16_384, epoch=0, started=1)
NEW = OLD._replace(timeline=2)


async def publish(log: MemoryStore, by: LogSigner) -> None:
    """Publish all of the log, as another node does."""
    async with publishing(log, MemoryTree(log, by.origin), by) as publisher:
        await published(publisher.tree, await log.position())


async def test_a_node_that_only_stands_by_finds_out_that_the_log_went_back(tmp_path: Path) -> None:
    """Fault model: it had compared the new server with what was published, when a node whose
    connection was to the old one published more. Seed 3707 of the simulation once found this.
    """
    load_or_new(tmp_path)
    by = signer(load(tmp_path), "test.log", tmp_path / "published")

    old, new = MemoryStore(), MemoryStore()
    for log in (old, new):
        await log.append(GAME, rows(1, 3))
    await publish(old, by)
    publisher, continuity = Publisher(new, MemoryTree(new, by.origin), by), Continuity()
    continuity.require = publisher.require_published
    publisher.doubted = continuity.doubt
    forgotten = list[Lineage]()
    continuity.watchers.append(lambda: forgotten.append(NEW))
    await continuity.admit(NEW)  # which has all that was published, at that time

    await old.append(GAME, rows(4, 5))
    await publish(old, by)
    await continuity.admit(NEW)
    assert not forgotten
    with pytest.raises(LogWentBack):
        await publisher.run(asyncio.Event())
    assert forgotten, "what was read of that log may never have been"
    with pytest.raises(LedgerBehind, match="Nothing is stored"):
        await continuity.admit(NEW)

    await new.append(GAME, rows(4, 5))  # they are back
    await continuity.admit(NEW)


async def test_a_doubt_that_comes_while_the_log_is_compared_is_not_lost() -> None:
    compared, continuity = list[int](), Continuity()

    async def compare() -> None:
        compared.append(len(compared))
        if len(compared) == 1:
            continuity.doubt()

    continuity.require = compare
    for count in (1, 2, 2):
        await continuity.admit(NEW)
        assert len(compared) == count
