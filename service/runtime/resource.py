"""What is opened before its use and closed after it: stores, indexes, clocks."""

from typing import Protocol, Self


class Resource(Protocol):
    """A resource, as a block or by calls; one in memory has nothing to open or to close."""

    async def open(self) -> None:
        """Connect, or begin to work; raises a sentence for the operator."""
        return

    async def close(self) -> None:
        """Finish what is under way, and close every connection, also where opening has failed."""
        return

    async def __aenter__(self) -> Self:
        try:
            await self.open()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()
