"""Views of a ledger of several partitions: what goes by the game is asked of its own, and lists are
put together out of all.

A list that some partition cannot add to is refused, for what is missing in it would not show.
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
from phaseledger.projections.table import Table
from phaseledger.service.partitions.routing import ByPartition
from phaseledger.service.readmodels.views import GameViews

SHARE = 20
"""The leaderboard is put together again after so many times as long as that took."""


class PartitionedViews(GameViews):
    """The views of all partitions."""

    def __init__(self, parts: ByPartition[PostgresViews]) -> None:
        self._parts = parts
        self._ranked: list[tuple[tuple[int, float, str, str], Standing]] = []
        self._told: list[int] = []
        self._again = 0.0
        self._ranking = asyncio.Lock()

    @override
    async def table(self, game: UUID, at_least: int = 0, wait: float = 2.0) -> Table | None:
        return await self._parts.of(game).table(game, at_least, wait)

    @override
    async def scoreboard(
        self, game: UUID, at_least: int = 0, wait: float = 2.0
    ) -> Scoreboard | None:
        return await self._parts.of(game).scoreboard(game, at_least, wait)

    @override
    async def games(
        self, limit: int = 50, after: str | None = None, wanted: Filter = ALL
    ) -> pages.Games:
        each = self._parts.each
        refusal = "This is no cursor of the games list."
        places = pages.joint_places(after, len(each), LAST, refusal)
        found = await asyncio.gather(
            *(
                views.listed(limit + 1, place, wanted)
                for views, place in zip(each, places, strict=True)
            )
        )
        newest = merge(
            *(
                [(-entry.opened_at, number, place, entry) for place, entry in games]
                for number, games in enumerate(found)
            ),
            key=lambda line: line[:2],
        )
        taken: list[GameEntry] = []
        more = False
        for _, number, place, entry in newest:
            if more := len(taken) == limit:
                break
            taken.append(entry)
            places[number] = place
        return pages.Games(tuple(taken), pages.joint_cursor(places) if more else None)

    @override
    async def leaderboard(self, limit: int = 50, after: str | None = None) -> pages.Leaderboard:
        place = pages.standing_place(after)
        async with self._ranking:
            await self._rank()
        found = [line for rank, line in self._ranked if rank > place][: limit + 1]
        more = len(found) > limit
        page = tuple(found[:limit])
        return pages.Leaderboard(page, pages.standing_cursor(page[-1]) if more else None)

    async def _rank(self) -> None:
        """Add all lines of all partitions up, unless that is done already, or was just now."""
        each = self._parts.each
        told = list(await asyncio.gather(*(views.position() for views in each)))
        began = time.monotonic()
        if told == self._told or began < self._again:
            return
        boards = await asyncio.gather(*(views.leaderboard(LAST) for views in each))
        self._ranked = await asyncio.to_thread(
            ranked_standings, [board.standings for board in boards]
        )
        self._told = told
        ended = time.monotonic()
        self._again = ended + SHARE * (ended - began)


def ranked_standings(
    boards: Sequence[Sequence[Standing]],
) -> list[tuple[tuple[int, float, str, str], Standing]]:
    """The lines of all boards, those of one player added up, behind their ranks and in order."""
    lines: dict[tuple[str, str], Standing] = {}
    for board in boards:
        for more in board:
            line = lines.get((more.name, more.bot))
            lines[more.name, more.bot] = _sum(line, more) if line else more
    return sorted(
        ((-line.wins, line.mean_points, line.name, line.bot), line) for line in lines.values()
    )


def _sum(one: Standing, other: Standing) -> Standing:
    games, points = one.games + other.games, one.points + other.points
    return Standing(
        one.name,
        one.bot,
        games,
        one.wins + other.wins,
        points,
        one.phases + other.phases,
        points / games,
    )
