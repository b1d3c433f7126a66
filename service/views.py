"""The views that the service reads beside the log: tables, scoreboards, lists."""

from collections import defaultdict
from typing import Protocol
from uuid import UUID

from typing_extensions import override

from domain.codec import decode
from domain.state import Stage
from projections import pages
from projections.games import Chapter, GameEntry, advance, begin
from projections.pages import NotYet
from projections.scoreboard import Player, Scoreboard, players
from projections.table import Table, table
from service.store import MemoryStore


class Views(Protocol):
    """What `projections.store.Views` offers, which this stands in for where there is no database.

    Every read may raise ViewsUnavailable.
    """

    async def position(self) -> int:
        """The log position that the views have reached."""
        ...

    async def table(self, game: UUID, at_least: int = 0, wait: float = 2.0) -> Table | None:
        """The public table, None for an unknown game; NotYet when ``at_least`` is not reached."""
        ...

    async def scoreboard(
        self, game: UUID, at_least: int = 0, wait: float = 2.0
    ) -> Scoreboard | None:
        """The rounds so far; waits like `table`."""
        ...

    async def games(
        self,
        limit: int = 50,
        after: str | None = None,
        ruleset: str | None = None,
        stage: Stage | None = None,
    ) -> pages.Games:
        """A page of games, newest first; BadCursor for an ``after`` of another list."""
        ...

    async def leaderboard(self, limit: int = 50, after: str | None = None) -> pages.Leaderboard:
        """A page of the leaderboard; BadCursor as above."""
        ...


class MemoryViews(Views):
    """The same views over a `MemoryStore`, brought up to date by each read."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._position = 0
        self._chapters: dict[UUID, Chapter] = {}

    @override
    async def position(self) -> int:
        for notice in await self._store.tail(self._position, 2**31):
            record, event = decode(notice.row.topic, notice.row.state)
            chapter = self._chapters.get(notice.game)
            self._chapters[notice.game] = (
                advance(chapter, record.at, event)
                if chapter
                else begin(None, notice.row.version, notice.position, record.at, event)
            )
            self._position = notice.position
        return self._position

    @override
    async def table(self, game: UUID, at_least: int = 0, wait: float = 2.0) -> Table | None:
        chapter = await self._chapter(game, at_least)
        return table(chapter.state, chapter.version) if chapter else None

    @override
    async def scoreboard(
        self, game: UUID, at_least: int = 0, wait: float = 2.0
    ) -> Scoreboard | None:
        chapter = await self._chapter(game, at_least)
        if chapter is None:
            return None
        state = chapter.state
        return Scoreboard(
            game=state.game,
            version=chapter.version,
            ruleset=state.ruleset.id,
            stage=state.stage,
            players=players(state),
            rounds=chapter.rounds,
            winners=state.winners,
        )

    @override
    async def games(
        self,
        limit: int = 50,
        after: str | None = None,
        ruleset: str | None = None,
        stage: Stage | None = None,
    ) -> pages.Games:
        before = pages.game_place(after)
        await self.position()
        newest = sorted(self._chapters.values(), key=lambda chapter: -chapter.position)
        found = [
            chapter
            for chapter in newest
            if chapter.position < before
            and ruleset in (None, chapter.state.ruleset.id, chapter.state.ruleset.name)
            and stage in (None, chapter.state.stage)
        ]
        more = len(found) > limit
        return pages.Games(
            tuple(map(_entry, found[:limit])),
            pages.game_cursor(found[limit - 1].position) if more else None,
        )

    @override
    async def leaderboard(self, limit: int = 50, after: str | None = None) -> pages.Leaderboard:
        place = pages.standing_place(after)
        await self.position()
        lines: dict[Player, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for chapter in self._chapters.values():
            for tally in chapter.tallies:
                more = (1, int(tally.won), tally.points, tally.phases)
                lines[tally.player] = [
                    a + b for a, b in zip(lines[tally.player], more, strict=True)
                ]
        ranked = sorted(
            (-wins, points / games, player.name, player.bot, games, points, phases)
            for player, (games, wins, points, phases) in lines.items()
        )
        found = [
            pages.Standing(name, bot, games, -lost, points, phases, mean)
            for lost, mean, name, bot, games, points, phases in ranked
            if (lost, mean, name, bot) > place
        ]
        rest = len(found) > limit
        return pages.Leaderboard(
            tuple(found[:limit]), pages.standing_cursor(found[limit - 1]) if rest else None
        )

    async def _chapter(self, game: UUID, at_least: int) -> Chapter | None:
        await self.position()
        chapter = self._chapters.get(game)
        reached = chapter.version if chapter else 0
        if reached < at_least:
            raise NotYet(game, at_least, reached)
        return chapter


def _entry(chapter: Chapter) -> GameEntry:
    state = chapter.state
    return GameEntry(
        game=state.game,
        ruleset=state.ruleset.id,
        stage=state.stage,
        seats=len(state.seats),
        players=players(state),
        round=state.round,
        version=chapter.version,
        opened_at=chapter.began_at,
        updated_at=chapter.at,
        finished_at=chapter.at if state.stage in ("ended", "voided") else None,
        winners=state.winners,
    )
