"""Quotas of tables: how many one address may have open at once, and how many games of bots alone.

They are counted in this process, and by the addresses of who opened them here: several processes
allow as many times more, and after a restart the count begins anew.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from phaseledger.domain.state import State
from phaseledger.service.games.errors import GameArchived
from phaseledger.service.games.game import Game
from phaseledger.service.games.service import GameService
from phaseledger.service.lobby.errors import TooManyBotGames, TooManyTables
from phaseledger.service.refusals import Refusal

STALE = 10  # tables that are looked at when there is no room; others may have ended them


class TableQuotas:
    """The open tables by address, ``tables`` at most, ``bot_games`` of bots alone; 0: any number.

    An address is a key as `api.client_address.origin` makes it.
    """

    def __init__(self, games: GameService, tables: int = 0, bot_games: int = 0) -> None:
        self._games = games
        self._most_tables = tables
        self._most_bot_games = bot_games
        self._tables: dict[bytes, dict[UUID, bool]] = {}
        """By address, its open tables, the oldest first, and whether bots are alone there."""
        self._addresses: dict[UUID, bytes] = {}
        if tables or bot_games:
            games.watchers.append(self.note)

    @asynccontextmanager
    async def opening(self, address: bytes, game: UUID, *, bots: bool) -> AsyncIterator[None]:
        """Count a table that is opened in the block; not if that fails, or is a repetition.

        Raises:
            TooManyTables, TooManyBotGames: there is no room for it.

        """
        if not (self._most_tables or self._most_bot_games) or game in self._addresses:
            yield
            return
        if self._fault(address, bots):
            if await self._games.store.head(game):
                yield
                return
            await self._look_again(address)
            if fault := self._fault(address, bots):
                raise fault
        self._addresses[game] = address
        self._tables.setdefault(address, {})[game] = bots
        try:
            yield
        except BaseException:
            self._forget(game)
            raise

    def require_bots(self, address: bytes, state: State) -> None:
        """Check that bots may take all free seats of a table. Raises TooManyBotGames."""
        has_people = state.reserved or any(seat and not seat.bot for seat in state.seats)
        if has_people or self._is_alone(state) or state.stage != "lobby":
            return  # bots are not alone, or nobody sits down any more
        if fault := self._bots_fault(address):
            raise fault

    def note(self, game: Game) -> None:
        """Take in what has become of a table; returns at once."""
        if game.id not in self._addresses or game.now is None:
            return
        if game.now.revealed:
            self._forget(game.id)
        else:
            self._tables[self._addresses[game.id]][game.id] = self._is_alone(game.now.state)

    def _is_alone(self, state: State) -> bool:
        return all(seat and seat.bot for seat in state.seats)

    def _fault(self, address: bytes, bots: bool) -> Refusal | None:
        """Why the address may not have another table; None: it may."""
        if self._most_tables and len(self._tables.get(address, {})) >= self._most_tables:
            return TooManyTables(f"one address may have {self._most_tables:,} open")
        return self._bots_fault(address) if bots else None

    def _bots_fault(self, address: bytes) -> Refusal | None:
        bot_games = sum(self._tables.get(address, {}).values())
        if self._most_bot_games and bot_games >= self._most_bot_games:
            return TooManyBotGames(f"one address may have {self._most_bot_games:,} of them")
        return None

    async def _look_again(self, address: bytes) -> None:
        """Look at the oldest tables, which may have ended through another process."""
        for game in [*self._tables.get(address, {})][:STALE]:
            try:
                await self._games.look(game)
            except GameArchived:
                self._forget(game)
            except Refusal:
                pass  # one that is set aside is open still, until it is void

    def _forget(self, game: UUID) -> None:
        address = self._addresses.pop(game, None)
        if address is not None:
            tables = self._tables[address]
            tables.pop(game, None)
            if not tables:
                del self._tables[address]
