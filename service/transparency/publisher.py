"""The publisher of the public log: appends new leaves to the tree, and publishes checkpoints.

A checkpoint cannot be taken back, so the order is: size and root into the database, the signed
note into a file apart from the database, and only then the note to the world.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID

import structlog

from phaseledger.domain.evidence.tiles import WIDTH, Edge, extend_edge
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import VerifierKey
from phaseledger.service.eventlog.errors import LedgerBehind, StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.runtime.tasks import wait_unless
from phaseledger.service.transparency.leaves import LeafReader
from phaseledger.service.transparency.signer import (
    COUNTED,
    LogSigner,
    LogWentBack,
    NoPublishedCheckpoint,
    PublicationOvertaken,
    SigningRefused,
    require_counted,
    require_unbroken,
    tiles_of,
)
from phaseledger.service.transparency.tree import Growth, Tree, TreeHead, Writer

INTERVAL = 2.0  # seconds between checkpoints; five is what is promised
POLL = 1.0  # seconds between looks at the log, or at the lock, when nothing wakes the signer
RETRY = 0.5  # seconds before a lost database or a full disk is tried again
BATCH = 4096  # events

log = structlog.get_logger("phaseledger.publisher")


class Publisher:
    """Keeps the tree up with the log, and a checkpoint over it published.

    Of several publishers of one log one works, and the others stand by.
    """

    def __init__(self, store: Store, tree: Tree, signer: LogSigner) -> None:
        self.tree = tree
        self.signer = signer
        self._store = store
        self._leaves = LeafReader(store)
        self._requested = asyncio.Event()
        self._published = asyncio.Event()
        self._edge = Edge()
        self.doubted: Callable[[], None] = lambda: None
        """Called when the log may lack what is kept: it was not published before the database was
        lost, or another process has kept what this database never had.
        """
        self.is_behind = False
        """Whether the database lacked events that were published, when that was last looked at."""
        self.waiting = ""
        """Why publishing waits, for other reasons than the database; empty where it does not."""

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
            except LogWentBack:
                self.is_behind = True
                self.doubted()
                raise
            except PublicationOvertaken:
                log.warning("the public log was published by somebody else meanwhile")
            except NoPublishedCheckpoint as missing:
                self._wait(str(missing))
            except OSError as error:
                why = error.strerror or str(error)
                self._wait(f"{self.signer.kept}, the last checkpoint, cannot be written: {why}.")
            await wait_unless(asyncio.sleep(RETRY), stop)

    async def require_published(self) -> None:
        """Check that the log still has all that was published, before anything is added to it.

        What else is wrong with the tree stops its signing and not the games.

        Raises:
            LedgerBehind: it has not.

        """
        try:
            await require_unbroken(self._store, self.tree, self.signer)
            self.is_behind = False
        except LogWentBack as refused:
            self.is_behind = True
            raise LedgerBehind(f"Nothing is stored. {refused}") from None
        except SigningRefused as refused:
            log.warning("what was published is not known", reason=str(refused))

    def _wait(self, reason: str) -> None:
        if reason != self.waiting:
            log.error("the public log waits for the file of what was published", reason=reason)
        self.waiting = reason

    async def _stand_by(self, writer: Writer, stop: asyncio.Event) -> None:
        while not stop.is_set() and not await writer.lead():
            await wait_unless(asyncio.sleep(POLL), stop)

    async def _work(self, writer: Writer, stop: asyncio.Event, interval: float) -> None:
        head, self._edge, last = await require_unbroken(self._store, self.tree, self.signer)
        self.is_behind = False
        uncounted = tiles_of(head.size) - COUNTED
        while not stop.is_set():
            if uncounted > 0:  # older ones, a part at a time
                await require_counted(self.tree, self.signer, uncounted - COUNTED, uncounted)
                uncounted -= COUNTED
            await writer.word(0)  # what was announced so far is in the log already
            self._requested.clear()
            head = await self._grow(writer, head, stop)
            # After a failover the tree may have to grow again to what was published.
            is_behind = last is not None and head.size < last.size
            if head.size and not is_behind and head.note != (note := self.signer.note(head)):
                # A size that was written and not published, or with other keys, is signed as well.
                await asyncio.to_thread(self.signer.keep, note, last)
                last = notes.checkpoint(notes.note(note).text)
                try:
                    await writer.sign(head.size, note)
                except BaseException:
                    self.doubted()
                    raise
                head = head._replace(note=note)
                self._published.set()
                self._published = asyncio.Event()
                self.waiting = ""
                await wait_unless(asyncio.sleep(interval), stop, self._requested)
            else:
                self.waiting = ""
                await wait_unless(writer.word(POLL), stop, self._requested)

    async def _grow(self, writer: Writer, head: TreeHead, stop: asyncio.Event) -> TreeHead:
        """Append the leaves that the log has beyond the head; returns the new head."""
        while not stop.is_set():
            notices = await self._store.leaves(head.position, BATCH)
            if not notices:
                break
            leaves = [await self._leaves.of(notice) for notice in notices]
            right_edge, tiles = extend_edge(self._edge, leaves)
            after = TreeHead(right_edge.size, right_edge.root, notices[-1].position)
            starts = range(-head.size % WIDTH, len(notices), WIDTH)
            firsts = {(head.size + at) // WIDTH: notices[at].position for at in starts}
            await writer.extend(head.size, Growth(after, tiles, firsts))
            self._edge, head = right_edge, after
            await asyncio.sleep(0)
        return head

    async def covered(self, game: UUID, seq: int, seconds: float) -> bool:
        """Whether the newest checkpoint covers the event; waits at most ``seconds`` for it."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + seconds
        while True:
            published = self._published
            index, newest = await self.tree.index(game, seq), await self.tree.newest()
            if index is not None and newest is not None and index < newest.size:
                return True
            remaining = deadline - clock()
            if remaining <= 0:
                return False
            self._requested.set()
            # Another process may be the one that publishes.
            await wait_unless(asyncio.sleep(min(remaining, RETRY)), published)


class PublicLog(NamedTuple):
    """The public log, and the keys of the witnesses whose cosignatures it accepts."""

    publisher: Publisher
    witnesses: tuple[VerifierKey, ...] = ()

    @property
    def tree(self) -> Tree:
        """The tree that is published."""
        return self.publisher.tree
