"""Games as the read models tell of them, folded from the log: what is stored is held against it."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple
from uuid import UUID

from phaseledger.domain.evidence.codec import decode
from phaseledger.projections.games import Chapter
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.readmodels.views import folded
from phaseledger.service.runtime.work import beside_loop

KEPT = 200
"""Games whose chapter is kept: some kilobytes each."""


class _Fold(NamedTuple):
    chapter: Chapter
    leaf: str
    """The leaf hash (hex) of its last event."""


class Chapters:
    """The whole chapters of the games that were asked for last.

    ``rows`` reads the rows of a game above a version up to another one, as they were stored.
    """

    def __init__(self, rows: Callable[[UUID, int, int], Awaitable[Sequence[Row]]]) -> None:
        self._rows = rows
        self._kept: OrderedDict[UUID, _Fold] = OrderedDict()

    async def at(self, game: UUID, version: int, leaf: str) -> Chapter:
        """The game up to the version; only what is new since the last time is read.

        ``leaf`` is the hash (hex) of the last event, which stands for all that led to it.

        Raises:
            LogDamaged: the log has other events there than were stored.

        """
        kept = self._kept.get(game)
        if kept and kept.leaf == leaf:
            return kept.chapter
        before, rows = None, list[Row]()
        if kept and kept.chapter.version < version:
            rows = [*await self._rows(game, kept.chapter.version, version)]
            if decode(rows[0].topic, rows[0].state)[0].prev == kept.leaf:
                before = kept.chapter  # else the log has gone back since
        if before is None:
            rows = [*await self._rows(game, 0, version)]
        chapter = await beside_loop(partial(folded, before, rows), len(rows))
        if kept is None or kept.chapter.version <= chapter.version:
            self._kept[game] = _Fold(chapter, leaf)
            self._kept.move_to_end(game)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return chapter
