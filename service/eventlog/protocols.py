"""The ports of the event store, whatever the backend."""

from collections.abc import Collection, Sequence
from typing import Protocol
from uuid import UUID

from phaseledger.replay.formats.sealing import NO_SEALING, SealingKeys
from phaseledger.replay.formats.signing.receipts import TreeSignature
from phaseledger.service.eventlog.archive import Tombstone
from phaseledger.service.eventlog.rows import DueGame, Notice, Row, UnfinishedGame
from phaseledger.service.runtime.resource import Resource

QUEUE = 10_000  # commands; at some thousand commits a second, a second or two of waiting


class Store(Resource, Protocol):
    """An event log, whose hidden facts are sealed under the last of the ``sealing`` keys."""

    sealing: SealingKeys = NO_SEALING

    async def append(self, game: UUID, rows: Sequence[Row], prev: bytes | None = None) -> int:
        """Store all rows or none, durably; returns the position of the last one.

        The rows are consecutive and go on from the caller's idea of the game's head, whose leaf is
        ``prev``; None is not compared.

        Raises:
            Conflict: one of the versions is taken.
            PredecessorMissing: the log lacks the row before the first, or has another there.

        """
        ...

    async def append_receipted(
        self, game: UUID, rows: Sequence[Row], prev: bytes | None, entry: bytes
    ) -> TreeSignature | None:
        """As `append`, of a command whose receipt's entry has the leaf hash ``entry``; returns the
        signature that was stored with it over this entry and others, None where none was.
        """
        await self.append(game, rows, prev)
        return None

    async def signature_over(self, game: UUID, version: int, entry: bytes) -> TreeSignature | None:
        """Return what `append_receipted` returned for the command that ends with that version."""
        return None

    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        """Return the game's rows with versions above `after`, oldest first."""
        ...

    async def head(self, game: UUID) -> int:
        """Return the game's highest version, 0 when the game is unknown."""
        ...

    async def unfinished(self) -> list[UUID]:
        """Return the games whose last event does not end them, in no particular order."""
        ...

    async def due_games(self, overlong: int = 0) -> list[tuple[UUID, int]]:
        """Return the unfinished games that need the service, each with the time, in ms since 1970.

        The time is 0 for a game without a note for its last event, and from ``overlong`` events on
        (0: any number).
        """
        ...

    async def note_due(self, games: Collection[DueGame], over: Collection[UUID] = ()) -> None:
        """Note when the games are due, and drop the notes of games that are ``over``.

        The notes are a cache: without them, more games are due.
        """
        ...

    async def archived(self, game: UUID) -> Tombstone | None:
        """Return the tombstone of a game whose events are in a file now; None for any other."""
        return None

    async def is_ahead(self) -> bool:
        """Whether a newer release has migrated the log, whose events this one need not know."""
        return False

    async def restorations(self, game: UUID) -> Sequence[int]:
        """Return when the game's log went on from a restore that had lost events, in ms since 1970,
        oldest first.
        """
        return ()

    async def tail(self, after: int, limit: int = 1000) -> list[Notice]:
        """Return the log's events with positions above `after`, in log order.

        Nothing with a lower position turns up later.
        """
        ...

    async def leaves(self, after: int, limit: int = 1000) -> list[Notice]:
        """Return what `tail` does, and the events of archived games.

        Events whose leaf is stored may lack their bytes.
        """
        ...

    async def opened(self, after: int, until: int) -> list[UUID]:
        """Return the games whose first event has a position above `after`, and none above `until`.

        It costs as much as there are events between the two.
        """
        ...

    async def unfinished_games(self, games: Collection[UUID]) -> list[UnfinishedGame]:
        """Return those of the games whose last event does not end them, with their times, in no
        particular order.
        """
        ...

    async def position(self) -> int:
        """Return the log's last position, 0 when it is empty."""
        ...


def require_consecutive(rows: Sequence[Row]) -> None:
    """Check that the rows may be appended: at least one, consecutive. Raises ValueError."""
    if not rows or rows[0].version < 1:
        raise ValueError("an append holds at least one row, and versions count from 1")
    if any(row.version != version for version, row in enumerate(rows, rows[0].version)):
        raise ValueError("the versions of one append are consecutive")
