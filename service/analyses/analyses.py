"""The analyses of finished games, kept ones and ones under way, which are made one at a time.

The loop stays free: the kernel computes in a thread, without the interpreter's lock. One thread
alone, since other cores are the database's and the games'. What it takes is charged to the request
that began it while it is taken, so that a caller's allowance refills meanwhile.
"""

import asyncio
from collections import OrderedDict
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from time import thread_time
from typing import TypeAlias
from uuid import UUID

import msgspec

from phaseledger.analysis import AnalysisPlan, StoredGame, analyse
from phaseledger.domain.kernel import is_compiled
from phaseledger.domain.words import Amount, Phrase
from phaseledger.service.analyses.errors import AnalysisNotCovered
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.reader import GameReader
from phaseledger.service.runtime.tasks import cancel_and_wait
from phaseledger.service.runtime.work import in_daemon_thread, spend
from phaseledger.service.schemas.analyses import AnalysisProgress

PLAN = AnalysisPlan(worlds=50)
"""How games are analysed here. One of 700 decisions takes some ten seconds of a core, half of which
an address gets back meanwhile, of the ten that it may use at once.
"""
MOST_EVENTS = 5_000
"""The events of a game, at most; a long one has 1,500."""
LONGEST = 120
"""Seconds of a core after which an analysis is given up: house rules may make any game slow."""
KEPT = 64
"""The number of analyses that are kept; one takes half a megabyte."""
KEPT_BYTES = 64 << 20
"""The bytes of all kept analyses, at most."""
CHARGED = 1.0
"""Seconds between two charges of an analysis that is being made."""

Key: TypeAlias = tuple[UUID, str]
"""A game and the hash of its last event: another history of the log has another one."""
Outcome: TypeAlias = bytes | Exception
"""The document as JSON, or why there is none."""


class _Stopped(Exception):
    """The analysis is wanted no more."""


class Analyses:
    """The analyses of the games of a process."""

    def __init__(self, games: GameReader) -> None:
        self._games = games
        self._kept: OrderedDict[Key, Outcome] = OrderedDict()
        self._pending: dict[Key, _Pending] = {}
        self._turn = asyncio.Lock()

    def find(self, game: UUID, now: Snapshot) -> bytes | AnalysisProgress | None:
        """The analysis of a finished game, or how far it is; None where it has to begin.

        Raises:
            AnalysisNotCovered: it takes too long.
            the exception of one that failed, once.

        """
        key = (game, now.chain.head)
        if pending := self._pending.get(key):
            return pending.progress()
        outcome = self._kept.pop(key, None)
        if isinstance(outcome, Exception) and not isinstance(outcome, AnalysisNotCovered):
            raise outcome  # and another request begins anew
        if outcome is not None:
            self._kept[key] = outcome
        if isinstance(outcome, AnalysisNotCovered):
            raise AnalysisNotCovered(outcome.detail)
        return outcome

    async def begin(
        self, game: UUID, now: Snapshot, slot: AbstractAsyncContextManager[None]
    ) -> AnalysisProgress:
        """Begin the analysis of a finished game, which holds the slot until its end."""
        key, pending, held = (game, now.chain.head), _Pending(), AsyncExitStack()
        self._pending[key] = pending
        try:
            await held.enter_async_context(slot)
        except BaseException:
            del self._pending[key]
            raise
        make = self._make(key, now.version, pending, held)
        pending.task = asyncio.create_task(make, name=f"analyse {game}")
        return pending.progress()

    async def _make(self, key: Key, events: int, pending: "_Pending", slot: AsyncExitStack) -> None:
        try:
            async with slot, self._turn:
                pending.has_begun = True
                rows = await self._games.rows(key[0], 0, events)
                raw = [(row.topic, row.state) for row in rows]
                self._keep(key, await self._charged(pending, raw))
        except AnalysisNotCovered as refusal:
            self._keep(key, AnalysisNotCovered(refusal.detail))  # without frames, which have rows
        except Exception as error:  # noqa: BLE001 - the next request gets it
            self._keep(key, error)
        finally:
            del self._pending[key]

    async def _charged(self, pending: "_Pending", raw: StoredGame) -> bytes:
        """What the thread makes, whose time is charged to the request that began it."""
        making = asyncio.create_task(in_daemon_thread(lambda: pending.make(raw)))
        charged = 0.0
        try:
            while not making.done():
                await asyncio.wait({making}, timeout=CHARGED)
                spend(pending.spent - charged)
                charged = pending.spent
            return making.result()
        finally:
            pending.is_stopped = True
            await cancel_and_wait(making)

    def _keep(self, key: Key, outcome: Outcome) -> None:
        self._kept[key] = outcome
        size = sum(len(kept) for kept in self._kept.values() if isinstance(kept, bytes))
        while len(self._kept) > KEPT or (size > KEPT_BYTES and len(self._kept) > 1):
            _, dropped = self._kept.popitem(last=False)
            size -= len(dropped) if isinstance(dropped, bytes) else 0

    async def close(self) -> None:
        """End those under way; a thread ends by itself, with its next part or fitted game."""
        tasks = [pending.task for pending in self._pending.values() if pending.task]
        await cancel_and_wait(*tasks)


class _Pending:
    """An analysis under way; the thread that makes it writes, and the loop reads."""

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.has_begun = False
        self.is_stopped = False
        """Whether its result is wanted no more."""
        self.done = 0.0
        """The share of the decisions that are judged."""
        self.spent = 0.0
        """Seconds of a core."""

    def progress(self) -> AnalysisProgress:
        return AnalysisProgress("running" if self.has_begun else "queued", round(self.done, 2))

    def make(self, raw: StoredGame) -> bytes:
        """The document.

        Raises:
            AnalysisNotCovered: it takes too long.

        """
        began = thread_time()

        def watch(done: float) -> None:
            self.done, self.spent = done, thread_time() - began
            if self.is_stopped:
                raise _Stopped
            if self.spent > LONGEST:
                raise AnalysisNotCovered(Phrase("adds.analysis.time", count=Amount(LONGEST)))

        try:
            return msgspec.json.encode(analyse(raw, PLAN, watch=watch))
        finally:
            self.spent = thread_time() - began


def require_analysable(now: Snapshot) -> None:
    """Require that a game that is over can be analysed here.

    Raises:
        AnalysisNotCovered: it was broken off or is too long, or the kernel is not compiled.

    """
    if now.state.stage != "ended":
        raise AnalysisNotCovered(Phrase("adds.analysis.voided"))
    if now.version > MOST_EVENTS:
        raise AnalysisNotCovered(Phrase("adds.analysis.events", count=Amount(MOST_EVENTS)))
    require_kernel()


def require_kernel() -> None:
    """Require that the kernel is compiled. Raises AnalysisNotCovered."""
    if not is_compiled():
        raise AnalysisNotCovered(Phrase("adds.analysis.kernel"))
