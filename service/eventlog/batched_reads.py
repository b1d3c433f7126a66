"""Reads of many keys by one statement: questions during a statement wait for the next one.

A statement is sent after its questions were asked, so no answer is older than its question.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import copy_context
from typing import Generic, NamedTuple, TypeVar

from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.runtime.work import CURRENT, RequestWork, spend

AT_ONCE = 64  # keys that are read by one statement

K = TypeVar("K")
V = TypeVar("V")


class _Reading(NamedTuple, Generic[V]):
    """The answer to one question."""

    value: V
    work: float
    """The share of the statement's work, in seconds."""


class BatchedReads(Generic[K, V]):
    """Reads of values by their keys, of which ``read`` reads many at once.

    After ``patience`` seconds without an answer, later questions go by another statement over
    another connection; None: there is one at a time.
    """

    def __init__(
        self,
        read: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]],
        name: str,
        patience: float | None = None,
    ) -> None:
        self._read = read
        self._name = name
        self._patience = patience
        self._waiting: dict[K, list[asyncio.Future[_Reading[V]]]] = {}
        self._task: asyncio.Task[None] | None = None
        self._under_way: set[asyncio.Task[None]] = set()

    async def read(self, key: K) -> V:
        """The value of the key, now or later.

        Raises:
            StoreUnavailable: the database is away.

        """
        done: asyncio.Future[_Reading[V]] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, []).append(done)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name=self._name)
        reading = await done
        spend(reading.work)
        return reading.value

    async def _run(self) -> None:
        while self._waiting:
            await asyncio.sleep(0)  # one turn of the loop: others may ask as well
            batch = {key: self._waiting.pop(key) for key in [*self._waiting][:AT_ONCE]}
            total, context = RequestWork(), copy_context()
            context.run(CURRENT.set, total)  # of all callers, and not of the first one
            answering = self._answer(batch, total)
            task = asyncio.create_task(answering, name=self._name, context=context)
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
            await asyncio.wait((task,), timeout=self._patience)

    async def _answer(
        self, batch: Mapping[K, Sequence[asyncio.Future[_Reading[V]]]], total: RequestWork
    ) -> None:
        waiting = [done for futures in batch.values() for done in futures]
        try:
            by_key = await self._read([*batch])
            values = [(by_key[key], futures) for key, futures in batch.items()]
        except Exception as error:  # noqa: BLE001 - every caller gets it
            for done in waiting:
                if not done.done():
                    done.set_exception(_own(error))
        except asyncio.CancelledError:
            for done in waiting:
                done.cancel()
            raise
        else:
            share = total.seconds / len(waiting)
            for value, futures in values:
                for done in futures:
                    if not done.done():
                        done.set_result(_Reading(value, share))


def _own(error: Exception) -> Exception:
    """The error for one of many: an outage that all had would collect all their tracebacks."""
    if isinstance(error, StoreUnavailable):
        return type(error)(str(error), error.retry_after)
    return error
