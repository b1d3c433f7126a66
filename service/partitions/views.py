"""Views of several partitions: a game's come from its own partition, lists are merged from all.

A list that some partition cannot add to is refused, since the gap would not show.
"""

import asyncio
import time
from collections.abc import Sequence
from heapq import merge
from uuid import UUID

from typing_extensions import override

from phaseledger.projections import pages
from phaseledger.projections.games import GameEntry
from phaseledger.projections.pages import ALL, LAST, Filter, Standing
from phaseledger.projections.scoreboard import Scoreboard
from phaseledger.projections.store import PostgresViews as PostgresViews
from phaseledger.projections.store import Viewed
from phaseledger.projections.table import PublicTable
from phaseledger.service.partitions.routing import ByPartition
from phaseledger.service.readmodels.views import GameViews

SHARE = 20
"""The leaderboard is merged anew after so many times as long as merging it took."""


class PartitionedViews(GameViews):
    """The views of all partitions."""

    def __init__(self, parts: ByPartition[PostgresViews]) -> None:
        self._parts = parts
        self._ranked: list[tuple[tuple[int, float, str, str], Standing]] = []
        self._positions: list[int] = []
        self._next_ranking = 0.0
        self._ranking = asyncio.Lock()

    @override
    async def table(
        self, game: UUID, at_least: int = 0, wait: float = 2.0
    ) -> Viewed[PublicTable] | None:
        return await self._parts.of(game).table(game, at_least, wait)

    @override
    async def scoreboard(
        self, game: UUID, at_least: int = 0, wait: float = 2.0
    ) -> Viewed[Scoreboard] | None:
        return await self._parts.of(game).scoreboard(game, at_least, wait)

    @override
    async def games(
        self, limit: int = 50, after: str | None = None, wanted: Filter = ALL
    ) -> pages.GamePage:
        parts = self._parts.resources
        refusal = "This is no cursor of the games list."
        places = pages.joint_places(after, len(parts), LAST, refusal)
        listings = await asyncio.gather(
            *(
                views.listed(limit + 1, place, wanted)
                for views, place in zip(parts, places, strict=True)
            )
        )
        newest = merge(
            *(
                [(-entry.opened_at, number, place, entry) for place, entry in games]
                for number, games in enumerate(listings)
            ),
            key=lambda line: line[:2],
        )
        entries: list[GameEntry] = []
        has_more = False
        for _, number, place, entry in newest:
            if has_more := len(entries) == limit:
                break
            entries.append(entry)
            places[number] = place
        return pages.GamePage(tuple(entries), pages.joint_cursor(places) if has_more else None)

    @override
    async def leaderboard(self, limit: int = 50, after: str | None = None) -> pages.Leaderboard:
        place = pages.standing_place(after)
        async with self._ranking:
            await self._rank()
        standings = [line for rank, line in self._ranked if rank > place][: limit + 1]
        has_more = len(standings) > limit
        page = tuple(standings[:limit])
        return pages.Leaderboard(page, pages.standing_cursor(page[-1]) if has_more else None)

    async def _rank(self) -> None:
        """Merge the leaderboards of all partitions, unless nothing changed or it was just done."""
        parts = self._parts.resources
        positions = list(await asyncio.gather(*(views.position() for views in parts)))
        began = time.monotonic()
        if positions == self._positions or began < self._next_ranking:
            return
        boards = await asyncio.gather(*(views.leaderboard(LAST) for views in parts))
        self._ranked = await asyncio.to_thread(
            ranked_standings, [board.standings for board in boards]
        )
        self._positions = positions
        ended = time.monotonic()
        self._next_ranking = ended + SHARE * (ended - began)


def ranked_standings(
    boards: Sequence[Sequence[Standing]],
) -> list[tuple[tuple[int, float, str, str], Standing]]:
    """The standings of all boards in order, summed by player, each behind its sort key."""
    lines: dict[tuple[str, str], Standing] = {}
    for board in boards:
        for standing in board:
            line = lines.get((standing.name, standing.bot))
            lines[standing.name, standing.bot] = _sum(line, standing) if line else standing
    return sorted(
        ((-line.wins, line.mean_points, line.name, line.bot), line) for line in lines.values()
    )


def _sum(left: Standing, right: Standing) -> Standing:
    games, points = left.games + right.games, left.points + right.points
    return Standing(
        name=left.name,
        bot=left.bot,
        games=games,
        wins=left.wins + right.wins,
        points=points,
        phases=left.phases + right.phases,
        mean_points=points / games,
    )
