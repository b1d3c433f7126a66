"""The read side of the views, over a pool of connections."""

import asyncio
import logging
from collections.abc import Sequence
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

import msgspec

from phaseledger.domain.view import TableView
from phaseledger.projections import pages
from phaseledger.projections.archive import summary_of
from phaseledger.projections.games import PublicTable
from phaseledger.projections.pages import (
    ALL,
    Filter,
    FinishedGame,
    GamePage,
    Leaderboard,
    NotReached,
    PlayerRating,
    PoolRating,
    PresetRecord,
    RatingHistory,
    RatingPage,
    RatingStep,
    SetAsideGame,
    Standing,
    ViewsUnavailable,
    ViewsWentBack,
)
from phaseledger.projections.rows import MacKeys, ViewRow, archived_views, entry
from phaseledger.projections.scoreboard import Scoreboard
from phaseledger.projections.sql import NAME
from phaseledger.projections.store import SetAsideReason, statements
from phaseledger.service.eventlog.connection import Connection
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.pool import Pooled, with_connection

WAIT = 2.0  # seconds that a read waits for the version asked for
READERS = 4  # connections

V = TypeVar("V")
log = logging.getLogger("phaseledger.views")


class Viewed(NamedTuple, Generic[V]):
    """A view that fits the log, and the leaf hash (hex) of the game's last event."""

    content: V
    leaf: str


class Views(Pooled):
    """The views of the games of a log. Every read may raise ViewsUnavailable.

    The row of a game is served where its MAC is of one of the ``keys`` and it follows the last
    event that the log has of the game. Any other row is logged, and a follower makes it anew. The
    views of an archived game come from its tombstone.
    """

    def __init__(self, dsn: str, schema: str, keys: MacKeys | None = None) -> None:
        super().__init__(dsn, READERS)
        self._keys = keys
        self._has_earlier_rows = False
        """Whether a row of an earlier release was met."""
        self._sql = statements(schema)

    async def position(self) -> int:
        """The log position that the views have reached."""
        ((position,),) = await self._fetch("tracked", (NAME,))
        return int(position)

    async def lost(self, game: UUID) -> int:
        """The first event of the game's end that the views have seen and the log lacks; 0: none."""
        rows = await self._fetch("lost", (game,))
        return int(rows[0][0]) if rows else 0

    async def table(
        self, game: UUID, at_least: int = 0, wait: float = WAIT
    ) -> Viewed[PublicTable] | None:
        """The public table; None where no row fits the log.

        Waits up to ``wait`` seconds for version ``at_least``.

        Raises:
            NotReached: the log lacks that version.

        """
        if (row := await self._fitting(game, at_least, wait)) is None:
            return None
        table = msgspec.json.decode(row.table, type=TableView)
        return Viewed(PublicTable(row.version, table), row.leaf.hex())

    async def scoreboard(
        self, game: UUID, at_least: int = 0, wait: float = WAIT
    ) -> Viewed[Scoreboard] | None:
        """The rounds so far; None, waiting and NotReached as for `table`."""
        if (row := await self._fitting(game, at_least, wait)) is None:
            return None
        return Viewed(msgspec.json.decode(row.scoreboard, type=Scoreboard), row.leaf.hex())

    async def games(
        self,
        limit: int = 50,
        after: str | None = None,
        wanted: Filter = ALL,
        *,
        unlisted: bool = False,
        won: bool | None = None,
    ) -> GamePage:
        """A page of the public list of games, newest first; of all games where ``unlisted`` is set.

        ``won``: games that the wanted player has won, or that others have; None: any.

        Raises:
            BadCursor: ``after`` is no cursor of this list.

        """
        place, parameters = pages.game_place(after), wanted.parameters()
        if "\0" in str(parameters["preset"]):  # no text in the database holds one
            return GamePage((), None)
        more = {"place": place, "limit": limit + 1, "unlisted": unlisted, "won": won}
        rows = await self._fetch("games", {**parameters, **more})
        page = rows[:limit]
        return GamePage(
            tuple(entry(row[1:]) for row in page),
            pages.game_cursor(page[-1][0]) if len(rows) > limit else None,
        )

    async def records_of(self, player: str) -> Sequence[PresetRecord]:
        """How the player with that name in the log fared, by rule set."""
        rows = await self._fetch("records_of", {"player": player})
        return [PresetRecord(*row) for row in rows]

    async def finished(
        self, limit: int, place: int, until: int, wanted: Filter = ALL
    ) -> tuple[FinishedGame, ...]:
        """Finished games of the public list from above ``place`` up to ``until``, in the order of
        their ends; set-aside games are included and marked.

        Raises:
            ViewsWentBack: the views have not reached ``until``, so games would be missing.

        """
        if "\0" in (wanted.ruleset or ""):
            return ()
        parameters = {**wanted.parameters(), "place": place, "until": until, "limit": limit}
        rows = await self._fetch("finished", parameters)
        if not rows or rows[0][0] < until:
            raise ViewsWentBack(f"The views are not at log position {until} any more.")
        return tuple(FinishedGame(*row) for _, *row in rows if row[0] is not None)

    async def leaderboard(self, limit: int = 50, after: str | None = None) -> Leaderboard:
        """A page of the leaderboard.

        Raises:
            BadCursor: ``after`` is no cursor of this list.

        """
        rows = await self._fetch("leaderboard", (*pages.standing_place(after), limit + 1))
        standings = tuple(Standing(*row) for row in rows[:limit])
        has_more = len(rows) > limit
        return Leaderboard(standings, pages.standing_cursor(standings[-1]) if has_more else None)

    async def ratings(
        self, digest: str, seats: int, limit: int = 50, after: str | None = None
    ) -> RatingPage:
        """A page of the ratings in games with that number of seats, under the rule set with that
        digest. Raises BadCursor.
        """
        place = pages.rating_place(after)
        rows = await self._fetch("ratings", (digest, seats, *place, limit + 1))
        lines = tuple(PlayerRating(*row) for row in rows[:limit])
        has_more = len(rows) > limit
        return RatingPage(
            digest, seats, lines, pages.rating_cursor(lines[-1]) if has_more else None
        )

    async def ratings_of(self, player: str) -> tuple[PoolRating, ...]:
        """The ratings of the player with that pseudonym."""
        return tuple(PoolRating(*row) for row in await self._fetch("ratings_of", (player,)))

    async def rating_history(
        self, player: str, digest: str, seats: int, limit: int = 50, after: str | None = None
    ) -> RatingHistory:
        """A page of the player's rated games of that kind. Raises BadCursor."""
        place = pages.step_place(after)
        rows = await self._fetch("rating_history", (player, digest, seats, *place, limit + 1))
        steps = tuple(RatingStep(*row) for row in rows[:limit])
        return RatingHistory(steps, pages.step_cursor(steps[-1]) if len(rows) > limit else None)

    async def set_aside_games(self) -> tuple[SetAsideGame, ...]:
        """All games that are set aside, in the order in which their damage was found."""
        return tuple(SetAsideGame(*row) for row in await self._fetch("set_aside_games", ()))

    async def set_aside(self, game: UUID, flaw: SetAsideReason) -> None:
        """Set a damaged game aside; an earlier reason stays."""
        await self._fetch("report", (game, flaw.version, flaw.reason))

    async def void_set_aside(self, game: UUID, actor: str, reason: str) -> bool:
        """Note that an operator has voided the game; False where the game is not set aside."""
        return bool(await self._fetch("void", (actor, reason, game)))

    async def _fitting(self, game: UUID, at_least: int, wait: float) -> ViewRow | None:
        """The game's row, if it fits the log, as soon as it has the version."""
        deadline, pause = monotonic() + wait, 0.005
        while True:
            rows = await self._fetch("views", (game, game))
            if not rows or rows[0][3] >= at_least:
                break
            if monotonic() >= deadline:
                if (reached := rows[0][0]) < at_least:
                    raise NotReached(game, at_least, reached)
                break
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.05)
        if not rows:
            return None
        version, leaf, is_behind, *stored, mac = rows[0]
        row = ViewRow(*stored)
        if self._keys and self._keys.current:
            if not (fault := row.fault(game, mac, self._keys, version, leaf)):
                return row
            if not is_behind:
                self._note(game, fault, is_of_earlier_release=row.leaf == b"" and not mac)
                await self._fetch("renew", (str(game),))
        for text, head in await self._fetch("archived", (game,)):
            return archived_views(summary_of(text), head)
        return None

    def _note(self, game: UUID, fault: str, *, is_of_earlier_release: bool) -> None:
        """Log that a follower makes the game's row anew; once for all rows without a leaf."""
        if not is_of_earlier_release:
            log.error("The stored views of game %s are made anew, since %s.", game, fault)
        elif not self._has_earlier_rows:
            self._has_earlier_rows = True
            log.info("Stored views of an earlier release are made anew as they are read.")

    async def _fetch(self, name: str, parameters: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401
        async def work(conn: Connection) -> list[tuple[Any, ...]]:
            cursor = await conn.execute(self._sql[name], parameters, prepare=True)
            return await cursor.fetchall()

        try:
            return await with_connection(self._pool, work)
        except StoreUnavailable as away:
            raise ViewsUnavailable(f"The views cannot be read: {away.__cause__}") from away
