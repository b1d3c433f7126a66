"""Table expiry: lobbies that do not begin, and tables where nothing happens, are closed.

Every process goes through the log's games when it starts, and once a day; between that it asks only
for games that were opened since, or that may be due by the ledger's clock. So a restart
forgets none, and a look costs what is new and what is due. The command's id is the same in all
processes, so the log takes it once.
"""

import asyncio
import heapq
import time
from typing import NamedTuple
from uuid import UUID

import structlog

from phaseledger.domain.commands import Act, RejectCode, Rejected, VoidGame
from phaseledger.service.automation.game_tasks import logged_failures
from phaseledger.service.eventlog.errors import Conflict, GameUnreadable, StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import UnfinishedGame
from phaseledger.service.games.game import Answer, Snapshot
from phaseledger.service.games.writer import GameService

EVERY = 60.0  # seconds between looks
ALL = 86_400.0  # seconds between looks at all games: a log that went back may have others
AT_ONCE = 1_000  # games of which the log is asked at once
AGAIN = 3_600_000  # milliseconds until a game is looked at again that was due and not closed
_HOUR = 3_600_000  # milliseconds
NEVER = 1 << 62  # milliseconds

# No Idempotency-Key has a space, so no client's command has the same id.
KEY = "table expired"

log = structlog.get_logger("phaseledger.table_expiry")


class Lifetimes(NamedTuple):
    """How long tables stay open; 0: for ever."""

    lobby_hours: float = 0
    """From the opening until the game has to have begun."""
    idle_days: float = 0
    """From the last event of a game that has begun."""

    def look_at(self, game: UnfinishedGame, now: int) -> int:
        """The earliest time (ms since 1970) at which that game may have to be closed."""
        idle_at = now + int(self.idle_days * 24 * _HOUR) if self.idle_days else NEVER
        if game.is_lobby and self.lobby_hours and game.opened_at is not None:
            return min(idle_at, game.opened_at + int(self.lobby_hours * _HOUR))
        if not game.is_lobby and self.idle_days and game.updated_at is not None:
            return game.updated_at + int(self.idle_days * 24 * _HOUR)
        return idle_at

    def reason(self, game: UnfinishedGame, now: int) -> str:
        """Why the game's table is to be closed at that time (ms since 1970); empty: it is not."""
        if game.is_lobby:
            began, lasting = game.opened_at, self.lobby_hours * _HOUR
            reason = f"service: nobody began the game within {self.lobby_hours:g} hours"
        else:
            began, lasting = game.updated_at, self.idle_days * 24 * _HOUR
            reason = f"service: nothing happened at the table for {self.idle_days:g} days"
        return reason if lasting and began is not None and began + lasting <= now else ""


ENDLESS = Lifetimes()


class Expiry:
    """The unfinished games of a store, by when they may have to be closed."""

    def __init__(self, games: GameService, store: Store, lifetimes: Lifetimes) -> None:
        self._games = games
        self._store = store
        self._lifetimes = lifetimes
        self._new: list[UUID] = []
        """Games that have not been looked at."""
        self._looks: list[tuple[int, UUID]] = []
        """A heap of the times at which games are looked at, in ms since 1970."""
        self._position: int | None = None
        """Up to where of the log the games are known; None: nowhere."""

    def begin_anew(self) -> None:
        """Forget what is known; the next look goes through all games."""
        self._new, self._looks, self._position = [], [], None

    async def look(self) -> int:
        """Close all tables that are due; returns at how many games it has looked.

        Raises:
            StoreUnavailable, Conflict: the next look begins where this one came to.

        """
        await self._take_in_opened()
        looked = 0
        while due := self._due():
            try:
                unfinished = await self._store.unfinished_games(due)
                now = self._games.clock.now()
                for game in unfinished:
                    look_at = self._lifetimes.look_at(game, now)
                    if reason := self._lifetimes.reason(game, now):
                        await _close(self._games, game, self._lifetimes, reason)
                        look_at = now + AGAIN  # where it is over by then, that is all
                    heapq.heappush(self._looks, (look_at, game.game))
                    due.remove(game.game)
                    looked += 1
            except BaseException:
                self._new += due
                raise
        return looked

    async def _take_in_opened(self) -> None:
        head = await self._store.position()
        if self._position is None or head < self._position:
            self.begin_anew()
            self._new += await self._store.unfinished()
        else:
            self._new += await self._store.opened(self._position, head)
        self._position = head

    def _due(self) -> set[UUID]:
        """Some of the games that are to be looked at now, taken from both lists."""
        due, self._new = set(self._new[-AT_ONCE:]), self._new[:-AT_ONCE]
        if not due and self._looks:
            now = self._games.clock.now()
            while self._looks and len(due) < AT_ONCE and self._looks[0][0] <= now:
                due.add(heapq.heappop(self._looks)[1])
        return due


async def close_expired(games: GameService, lifetimes: Lifetimes) -> None:
    """Close all tables that have been open for too long, and then look again.

    It runs until it is cancelled. A database that goes away is waited for.
    """
    expiry, began = Expiry(games, games.store, lifetimes), time.monotonic()
    while lifetimes != ENDLESS:
        try:
            await expiry.look()
        except (StoreUnavailable, Conflict) as away:
            log.warning("expired tables wait for the log", reason=str(away))
        await asyncio.sleep(EVERY)
        if time.monotonic() - began > ALL:
            expiry.begin_anew()
            began = time.monotonic()


async def expire(
    games: GameService, game: UnfinishedGame, lifetimes: Lifetimes, reason: str, at: int = 0
) -> Answer:
    """Close the table, unless it has begun or moved meanwhile.

    ``at`` is the time (ms since 1970) to which a table's clock is turned on; 0: it is not.
    """

    def require(now: Snapshot) -> None:
        is_lobby = now.state.stage == "lobby"
        latest = game._replace(is_lobby=is_lobby, updated_at=now.marks.at)
        if not lifetimes.reason(latest, max(at, now.clock.now())):
            raise Rejected(RejectCode.NOT_OVERDUE)

    return await games.send(game.game, Act(VoidGame(reason)), KEY, require=require, at=at)


async def _close(
    games: GameService, game: UnfinishedGame, lifetimes: Lifetimes, reason: str
) -> None:
    failure = "table was not closed"  # but the others are, all the same
    with logged_failures(log, game.game, failure, passed=(StoreUnavailable, Conflict)):
        try:
            await expire(games, game, lifetimes, reason)
        except GameUnreadable as unreadable:
            log.warning(failure, game=str(game.game), reason=str(unreadable))
        else:
            log.info("table is closed", game=str(game.game), reason=reason)
