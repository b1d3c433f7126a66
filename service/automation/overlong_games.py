"""Overlong games: the service breaks off a game that has had as many events as one may have.

Every process that knows the game does so. The command's id is the same in all of them, so the log
takes it once.
"""

from functools import partial

import structlog

from phaseledger.domain.commands import Act, RejectCode, Rejected, VoidGame
from phaseledger.service.automation.bots import retry_while_unavailable
from phaseledger.service.automation.game_tasks import GameTasks
from phaseledger.service.games.bounds import EventBounds
from phaseledger.service.games.game import Game
from phaseledger.service.games.service import GameService
from phaseledger.service.readmodels.errors import GameSetAside
from phaseledger.service.runtime.logs import trace

# No Idempotency-Key has a space, so no client's command has the same id.
KEY = "game overlong"

log = structlog.get_logger("phaseledger.overlong_games")


class OverlongGames:
    """A watcher of all games that voids those past the bound of events."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._tasks = GameTasks(repeats=False)
        games.watchers.append(self.wake)

    def wake(self, game: Game) -> None:
        """Begin to void the game, if it is past the bound; returns at once."""
        bounds = self._games.bounds
        if game.now and bounds.is_passed(game.now) and self._tasks.may_begin(game):
            self._tasks.begin(game, self._void(game, bounds), "end")

    async def close(self) -> None:
        """Stop; the next process that knows the games goes on."""
        await self._tasks.close()

    async def _void(self, game: Game, bounds: EventBounds) -> None:
        reason = f"service: the game has had {bounds.game:,} events, and no more are played"
        send = partial(self._games.send, game.id, Act(VoidGame(reason)), KEY)
        try:
            await retry_while_unavailable(send)
        except Rejected as refused:
            if refused.code is not RejectCode.GAME_OVER:
                log.error("game was not broken off", game=str(game.id), code=refused.code)  # noqa: TRY400
        except GameSetAside as aside:
            log.info("game is set aside", game=str(game.id), reason=aside.detail)
        except Exception as wrong:  # noqa: BLE001 - nobody awaits this task, so it is told here
            log.error("game was not broken off", game=str(game.id), **trace(wrong))  # noqa: TRY400
        else:
            log.info("game is void: it was overlong", game=str(game.id), events=bounds.game)
