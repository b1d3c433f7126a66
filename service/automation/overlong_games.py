"""Overlong games: the service breaks off a game that has had as many events as one may have.

Every process that knows the game does so. The command's id is the same in all of them, so the log
takes it once.
"""

from functools import partial

import structlog
from typing_extensions import override

from phaseledger.domain.commands import Act, VoidGame
from phaseledger.service.automation.bots import retry_while_unavailable
from phaseledger.service.automation.game_tasks import GameTasks, logged_failures
from phaseledger.service.games.bounds import EventBounds
from phaseledger.service.games.game import Game

# No Idempotency-Key has a space, so no client's command has the same id.
KEY = "game overlong"

log = structlog.get_logger("phaseledger.overlong_games")


class OverlongGames(GameTasks):
    """A watcher of all games that voids those past the bound of events."""

    repeats = False

    @override
    def wake(self, game: Game) -> None:
        bounds = self._games.bounds
        if game.now and bounds.is_passed(game.now) and self.may_begin(game):
            self.begin(game, self._void(game, bounds), "end")

    async def _void(self, game: Game, bounds: EventBounds) -> None:
        reason = f"service: the game has had {bounds.game:,} events, and no more are played"
        send = partial(self._games.send, game.id, Act(VoidGame(reason)), KEY)
        with logged_failures(log, game.id, "game was not broken off"):
            await retry_while_unavailable(send)
            log.info("game is void: it was overlong", game=str(game.id), events=bounds.game)
