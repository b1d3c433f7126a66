"""Slots for requests that last: a number in all, and a few of them for one caller."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from phaseledger.domain.words import Phrase


class Slots:
    """``most`` slots, of which one caller holds ``most_each`` at most."""

    def __init__(self, most: int, most_each: int) -> None:
        self.most = most
        self.most_each = most_each
        self._free = asyncio.Semaphore(most)
        self._callers: dict[bytes, _Caller] = {}

    def reason_to_refuse(self, caller: bytes) -> str:
        """Why the caller would have to wait for a slot; empty where one is free."""
        own = self._callers.get(caller)
        if own and own.free.locked():
            return Phrase("adds.each", count=self.most_each)
        return Phrase("adds.fault.there", keys=self.most) if self._free.locked() else ""

    @asynccontextmanager
    async def held(self, caller: bytes) -> AsyncIterator[None]:
        """Hold a slot; wait for one of the caller's own first, so that it waits alone."""
        own = self._callers.setdefault(caller, _Caller(self.most_each))
        own.requests += 1
        try:
            async with own.free, self._free:
                yield
        finally:
            own.requests -= 1
            if not own.requests:
                del self._callers[caller]


class _Caller:
    """A caller's own share of the slots, and its requests that hold one or wait."""

    def __init__(self, most: int) -> None:
        self.free = asyncio.Semaphore(most)
        self.requests = 0
