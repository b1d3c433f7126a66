"""The views in memory, over a log in memory."""

import time
from uuid import UUID

from msgspec.structs import replace

from phaseledger.domain.evidence.codec import decode
from phaseledger.projections import pages
from phaseledger.projections.games import (
    Chapter,
    GameEntry,
    PublicTable,
    continued,
    entry_of,
    folded_name,
    is_late,
    is_listed,
    names,
    scoreboard,
    table,
)
from phaseledger.projections.pages import (
    ALL,
    Filter,
    FinishedGame,
    NotReached,
    SetAsideGame,
    ViewsWentBack,
)
from phaseledger.projections.rows import leaderboard_rows
from phaseledger.projections.scoreboard import Scoreboard
from phaseledger.projections.store import SetAsideReason
from phaseledger.service.readmodels.views import Viewed
from phaseledger.service.runtime.resource import Resource
from tests.support.service.memory_store import MemoryStore


class MemoryViews(Resource):
    """The views over a `MemoryStore`, brought up to date by each read."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._position = 0
        self._chapters: dict[UUID, Chapter] = {}
        self._leaves: dict[UUID, str] = {}
        self._aside: dict[UUID, SetAsideGame] = {}

    async def position(self) -> int:
        for notice in await self._store.tail(self._position, 2**31):
            record, event = decode(notice.row.topic, notice.row.state)
            chapter = self._chapters.get(notice.game)
            self._chapters[notice.game] = continued(chapter, notice.position, record.at, event)
            self._leaves[notice.game] = (notice.row.leaf or b"").hex()
            self._position = notice.position
        return self._position

    async def table(
        self, game: UUID, at_least: int = 0, wait: float = 2.0
    ) -> Viewed[PublicTable] | None:
        chapter = await self._chapter(game, at_least)
        if chapter is None:
            return None
        return Viewed(table(chapter.state, chapter.version), self._leaves[game])

    async def scoreboard(
        self, game: UUID, at_least: int = 0, wait: float = 2.0
    ) -> Viewed[Scoreboard] | None:
        chapter = await self._chapter(game, at_least)
        return Viewed(scoreboard(chapter), self._leaves[game]) if chapter else None

    async def games(
        self, limit: int = 50, after: str | None = None, wanted: Filter = ALL
    ) -> pages.GamePage:
        before = pages.game_place(after)
        await self.position()
        newest = sorted(self._chapters.values(), key=lambda chapter: -chapter.position)
        chapters = [
            chapter
            for chapter in newest
            if chapter.position < before
            and _matches(chapter, wanted)
            and UUID(chapter.state.game) not in self._aside
        ]
        has_more = len(chapters) > limit
        return pages.GamePage(
            tuple(map(_entry, chapters[:limit])),
            pages.game_cursor(chapters[limit - 1].position) if has_more else None,
        )

    async def finished(
        self, limit: int, place: int, until: int, wanted: Filter = ALL
    ) -> tuple[FinishedGame, ...]:
        if await self.position() < until:
            raise ViewsWentBack(f"The views are not at log position {until} any more.")
        games = [
            FinishedGame(
                place=chapter.last,
                game=game,
                ruleset=chapter.state.ruleset.id,
                stage=chapter.state.stage,
                version=chapter.version,
                opened_at=chapter.began_at,
                finished_at=chapter.at,
                set_aside=self._aside[game].reason if game in self._aside else "",
            )
            for game, chapter in self._chapters.items()
            if chapter.state.is_over and place < chapter.last <= until and _matches(chapter, wanted)
        ]
        return tuple(sorted(games, key=lambda finished: finished.place)[:limit])

    async def lost(self, _: UUID) -> int:
        return 0

    async def set_aside_games(self) -> tuple[SetAsideGame, ...]:
        return tuple(self._aside.values())

    async def set_aside(self, game: UUID, flaw: SetAsideReason) -> None:
        aside = SetAsideGame(game=game, version=flaw.version, reason=flaw.reason, at=time.time())
        self._aside.setdefault(game, aside)

    async def void_set_aside(self, game: UUID, actor: str, reason: str) -> bool:
        if aside := self._aside.get(game):
            self._aside[game] = replace(aside, voided_by=actor, void_reason=reason)
        return aside is not None

    async def leaderboard(self, limit: int = 50, after: str | None = None) -> pages.Leaderboard:
        place = pages.standing_place(after)
        await self.position()
        tallies = (tally for chapter in self._chapters.values() for tally in chapter.tallies)
        ranked = sorted(
            (-wins, points / games, name, bot, games, points, phases)
            for name, bot, games, wins, points, phases in leaderboard_rows(tallies)
        )
        standings = [
            pages.Standing(
                name=name,
                bot=bot,
                games=games,
                wins=-negative_wins,
                points=points,
                phases=phases,
                mean_points=mean,
            )
            for negative_wins, mean, name, bot, games, points, phases in ranked
            if (negative_wins, mean, name, bot) > place
        ]
        has_more = len(standings) > limit
        return pages.Leaderboard(
            tuple(standings[:limit]),
            pages.standing_cursor(standings[limit - 1]) if has_more else None,
        )

    async def ratings(
        self, digest: str, seats: int, limit: int = 50, after: str | None = None
    ) -> pages.RatingPage:
        """No game in memory has players."""
        pages.rating_place(after)
        return pages.RatingPage(digest, seats, (), None)

    async def _chapter(self, game: UUID, at_least: int) -> Chapter | None:
        await self.position()
        chapter = self._chapters.get(game)
        reached = chapter.version if chapter else 0
        if reached < at_least:
            raise NotReached(game, at_least, reached)
        return chapter


def _matches(chapter: Chapter, conditions: Filter) -> bool:
    state = chapter.state
    ended = chapter.at if state.is_over else None
    return (
        is_listed(state)
        and conditions.ruleset in (None, state.ruleset.id, state.ruleset.name)
        and conditions.stage in (None, state.stage)
        and (conditions.player is None or folded_name(conditions.player) in names(state))
        and _is_within(chapter.began_at, conditions.opened_after, conditions.opened_before)
        and _is_within(ended, conditions.ended_after, conditions.ended_before)
    )


def _is_within(at: int | None, after: int | None, before: int | None) -> bool:
    if at is None:
        return after is None and before is None
    return (after is None or after <= at) and (before is None or at < before)


def _entry(chapter: Chapter) -> GameEntry:
    entry = entry_of(chapter)
    if is_late(chapter.state):
        return replace(entry, round=0, version=1, updated_at=entry.opened_at)
    return entry
