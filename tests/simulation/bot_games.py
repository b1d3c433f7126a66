"""A game that bots play among themselves, which nobody looks at: it ends all the same."""

import asyncio
from uuid import UUID

from phaseledger.service.eventlog.rows import FINAL
from phaseledger.service.games.game import part_id
from phaseledger.service.lobby.opening import SeatRequest, new_game, opening
from tests.simulation.players import Clients

OPTIONS = {"variant": "n_phases(3)", "max_turns_per_round": 15}


class BotGame:
    """One such game; who has opened it asks for nothing more."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._key = "bots alone".replace(" ", "-")
        self.game: UUID = new_game(self._key)

    async def open(self, after: float) -> None:
        """Have it opened after so many seconds."""
        await asyncio.sleep(after)
        bots = [SeatRequest(bot="greedy"), SeatRequest(bot="random")]
        acts = opening(self.game, "classic", bots, options=OPTIONS, dealer=0, start=True)
        cmd = part_id(type(acts[-1].command), acts[-1].seat, self._key)
        game, key = self.game, self._key
        await self._clients.send(game, cmd, lambda games: games.open(acts, game, key))

    async def over(self) -> None:
        """Wait until it is over, or lost with a database that went back."""
        tables = self._clients.history
        while rows := tables.tables.games.get(self.game):
            if rows[-1].topic in FINAL:
                return
            await asyncio.sleep(0.1)
