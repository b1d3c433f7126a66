"""Files that arrive: each holds a slot meanwhile, and has less time for it where others wait."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from phaseledger.service.api.limits.slots import Slots

GRACE = 3.0
"""Seconds that a file has in any case."""
CONTENDED_RATE = 512 * 1024
"""Bytes a second at which it has to arrive besides, where others wait for a slot."""


class Upload:
    """A file that arrives; it has to be there at ``deadline``, by the loop's clock."""

    def __init__(self, uploads: "Uploads") -> None:
        self._uploads = uploads
        self._began = asyncio.get_running_loop().time()
        self._received = 0
        self.limit = asyncio.timeout_at(None)

    def receive(self, size: int) -> None:
        """Count so many bytes that have arrived."""
        self._received += size
        self.reschedule()

    def reschedule(self) -> None:
        """Set the deadline by what has arrived and whether others wait; one that is over stays."""
        if self.limit.expired():  # the task that receives the file does not know of it yet
            return
        seconds = self._uploads.seconds
        if self._uploads.slots.is_contended:
            seconds = min(seconds, GRACE + self._received / CONTENDED_RATE)
        now = asyncio.get_running_loop().time()
        self.limit.reschedule(max(now, self._began + seconds))


class Uploads:
    """The slots of files that arrive, for so many ``seconds`` each at most."""

    def __init__(self, most: int, most_each: int, seconds: float) -> None:
        self.slots = Slots(most, most_each, self._reschedule)
        self.seconds = seconds
        self._arriving = set[Upload]()

    @asynccontextmanager
    async def arriving(self) -> AsyncIterator[Upload]:
        """A file that arrives. Raises TimeoutError where it takes too long."""
        upload = Upload(self)
        async with upload.limit:
            self._arriving.add(upload)
            upload.reschedule()
            try:
                yield upload
            finally:
                self._arriving.discard(upload)

    def _reschedule(self) -> None:
        for upload in self._arriving:
            upload.reschedule()
