"""Table expiry: lobbies in which nobody begins, and tables where nothing happens, are closed.

Every process asks the log now and then which games have been open for too long by the ledger's
clock, so none of them needs a timer or a place in memory, and a restart forgets none. The command's
id is the same in all processes, so the log takes it once.
"""

import asyncio
from typing import NamedTuple

import structlog

from phaseledger.domain.commands import Act, RejectCode, Rejected, VoidGame
from phaseledger.service.eventlog.errors import Conflict, StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.reader import UnfinishedGame
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.service import GameService
from phaseledger.service.readmodels.errors import GameSetAside
from phaseledger.service.runtime.logs import trace

EVERY = 60.0  # seconds between looks
_HOUR = 3_600_000  # milliseconds

# No Idempotency-Key has a space, so no client's command has the same id.
KEY = "table expired"

log = structlog.get_logger("phaseledger.table_expiry")


class Lifetimes(NamedTuple):
    """How long tables stay open; 0: for ever."""

    lobby_hours: float = 0
    """From the opening until the game has to have begun."""
    idle_days: float = 0
    """From the last event of a game that has begun."""

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


async def close_expired(games: GameService, store: Store, lifetimes: Lifetimes) -> None:
    """Close all tables of the store that have been open for too long, and then look again.

    It runs until it is cancelled. A database that goes away is waited for.
    """
    while lifetimes != ENDLESS:
        try:
            for game in await store.unfinished_games():
                if reason := lifetimes.reason(game, games.clock_of(game.game).now()):
                    await _close(games, game, lifetimes, reason)
        except (StoreUnavailable, Conflict) as away:
            log.warning("expired tables wait for the log", reason=str(away))
        await asyncio.sleep(EVERY)


async def _close(
    games: GameService, game: UnfinishedGame, lifetimes: Lifetimes, reason: str
) -> None:
    def require(now: Snapshot) -> None:
        """Whether it is so still: somebody may have begun, or moved, meanwhile."""
        is_lobby = now.state.stage == "lobby"
        latest = game._replace(is_lobby=is_lobby, updated_at=now.marks.at)
        if not lifetimes.reason(latest, now.clock.now()):
            raise Rejected(RejectCode.NOT_OVERDUE)

    try:
        await games.send(game.game, Act(VoidGame(reason)), KEY, require=require)
    except Rejected as refused:
        if refused.code not in (RejectCode.NOT_OVERDUE, RejectCode.GAME_OVER):
            log.error("table was not closed", game=str(game.game), code=refused.code)  # noqa: TRY400
    except (StoreUnavailable, Conflict):
        raise
    except GameSetAside as aside:
        log.info("game is set aside", game=str(game.game), reason=aside.detail)
    except Exception as wrong:  # noqa: BLE001 - the other tables are closed all the same
        log.error("table was not closed", game=str(game.game), **trace(wrong))  # noqa: TRY400
    else:
        log.info("table is closed", game=str(game.game), reason=reason)
