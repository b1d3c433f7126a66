"""The public log's one signer at work: takes new leaves into the tree, and publishes it.

What is published cannot be taken back, so the order is: size and root into the database, the
signed note into a file apart from the database, and only then the note to everybody.
"""

import asyncio
from typing import NamedTuple
from uuid import UUID

import structlog

from phaseledger.domain.evidence.tiles import WIDTH, Edge, extend_edge
from phaseledger.replay.signing import notes
from phaseledger.replay.signing.keys import Keyring
from phaseledger.replay.signing.notes import VerifierKey
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.runtime.tasks import wait_unless
from phaseledger.service.transparency.leaves import LeafReader
from phaseledger.service.transparency.signer import (
    LogSigner,
    NoPublishedCheckpoint,
    PublicationOvertaken,
    require_unbroken,
    signer,
)
from phaseledger.service.transparency.tree import Growth, MemoryTree, Tree, TreeHead, Writer

INTERVAL = 2.0  # seconds between checkpoints; five is what is promised
POLL = 1.0  # seconds between looks at the log, or at the lock, when nothing wakes the signer
RETRY = 0.5  # seconds before a lost database or a full disk is tried again
BATCH = 4096  # events

log = structlog.get_logger("phaseledger.publisher")


class Publisher:
    """Keeps the tree up with the log, and a checkpoint over it published.

    Of several over one log one works, and the others stand by.
    """

    def __init__(self, store: Store, tree: Tree, signer: LogSigner) -> None:
        self.tree = tree
        self.signer = signer
        self._store = store
        self._leaves = LeafReader(store)
        self._hurry = asyncio.Event()
        self._published = asyncio.Event()
        self._edge = Edge()
        self.waiting = ""
        """What publishing waits for, beside the database; empty where nothing is in its way."""

    async def run(self, stop: asyncio.Event, interval: float = INTERVAL) -> None:
        """Publish until ``stop`` is set. A database or a disk that goes away is waited for.

        Raises:
            SigningRefused: signing might contradict what was published.
            UnknownLeaf: an event cannot be taken in.

        """
        while not stop.is_set():
            try:
                async with self.tree.writer() as writer:
                    await self._stand_by(writer, stop)
                    await self._work(writer, stop, interval)
            except StoreUnavailable as lost:
                log.warning("the public log waits for the database", reason=str(lost))
            except PublicationOvertaken:
                log.warning("the public log was published by somebody else meanwhile")
            except NoPublishedCheckpoint as missing:
                self._wait(str(missing))
            except OSError as error:
                why = error.strerror or str(error)
                self._wait(f"{self.signer.kept}, the last checkpoint, cannot be written: {why}.")
            await wait_unless(asyncio.sleep(RETRY), stop)

    def _wait(self, reason: str) -> None:
        if reason != self.waiting:
            log.error("the public log waits for the file of what was published", reason=reason)
        self.waiting = reason

    async def _stand_by(self, writer: Writer, stop: asyncio.Event) -> None:
        while not stop.is_set() and not await writer.lead():
            await wait_unless(asyncio.sleep(POLL), stop)

    async def _work(self, writer: Writer, stop: asyncio.Event, interval: float) -> None:
        head, self._edge, kept = await require_unbroken(self._store, self.tree, self.signer)
        while not stop.is_set():
            await writer.word(0)  # what was announced so far is in the log already
            self._hurry.clear()
            head = await self._grown(writer, head, stop)
            if head.size and head.note != (note := self.signer.note(head)):
                # A size that was written and not published, or with other keys, is signed as well.
                await asyncio.to_thread(self.signer.keep, note, kept)
                kept = notes.checkpoint(notes.note(note).text)
                await writer.sign(head.size, note)
                head = head._replace(note=note)
                self._published.set()
                self._published = asyncio.Event()
                self.waiting = ""
                await wait_unless(asyncio.sleep(interval), stop, self._hurry)
            else:
                self.waiting = ""
                await wait_unless(writer.word(POLL), stop, self._hurry)

    async def _grown(self, writer: Writer, head: TreeHead, stop: asyncio.Event) -> TreeHead:
        """Take in what the log has beyond the head; the head after it."""
        while not stop.is_set():
            notices = await self._store.leaves(head.position, BATCH)
            if not notices:
                break
            leaves = [await self._leaves.of(notice) for notice in notices]
            right, tiles = extend_edge(self._edge, leaves)
            after = TreeHead(right.size, right.root, notices[-1].position)
            starts = range(-head.size % WIDTH, len(notices), WIDTH)
            firsts = {(head.size + at) // WIDTH: notices[at].position for at in starts}
            await writer.extend(head.size, Growth(after, tiles, firsts))
            self._edge, head = right, after
            await asyncio.sleep(0)
        return head

    async def covered(self, game: UUID, seq: int, seconds: float) -> bool:
        """Whether the newest checkpoint covers the event; waits at most so long until it does."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + seconds
        while True:
            published = self._published
            index, newest = await self.tree.index(game, seq), await self.tree.newest()
            if index is not None and newest is not None and index < newest.size:
                return True
            left = deadline - clock()
            if left <= 0:
                return False
            self._hurry.set()
            # Another process may be the one that publishes.
            await wait_unless(asyncio.sleep(min(left, RETRY)), published)


class PublicLog(NamedTuple):
    """The public log, and whose cosignatures it takes."""

    publisher: Publisher
    witnesses: tuple[VerifierKey, ...] = ()

    @property
    def tree(self) -> Tree:
        """The tree that is published."""
        return self.publisher.tree


def in_memory_log(store: Store, keys: Keyring) -> PublicLog:
    """The public log of a store that is gone with its process."""
    by = signer(keys)
    return PublicLog(Publisher(store, MemoryTree(store, by.origin), by))
