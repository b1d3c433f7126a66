"""Quotas of tables: the open tables of one address or application, and its games of bots alone."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from phaseledger.domain.state import State
from phaseledger.domain.words import Amount, Phrase
from phaseledger.service.games.errors import GameArchived, NoSuchGame
from phaseledger.service.games.game import Game
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.errors import TooManyBotGames, TooManyTables
from phaseledger.service.quotas.open_tables import Opener
from phaseledger.service.refusals import Refusal

STALE = 10  # tables that are checked when there is no room; another process may have ended them


class TableQuotas:
    """The quotas of the games' open tables, by their openers."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        games.watchers.append(self.note)

    @asynccontextmanager
    async def opening(self, opener: Opener, game: UUID, *, bots: bool) -> AsyncIterator[None]:
        """Count a table that is opened in the block; not if opening fails, or is a repetition.

        Raises:
            TooManyTables, TooManyBotGames: there is no room for it.

        """
        tables = self._games.tables
        if game in tables:
            yield
            return
        if self._fault(opener, bots):
            if await self._games.store.head(game):
                yield
                return
            await self._look_again(opener)
            if fault := self._fault(opener, bots):
                raise fault
        tables.add(game, opener, bots=bots)
        try:
            yield
        except BaseException:
            tables.close(game)
            raise
        if (now := self._games.cached(game)) and now.revealed:
            tables.close(game)  # it was opened long ago

    def require_bots(self, opener: Opener, state: State) -> None:
        """Check that bots may take all free seats of a table. Raises TooManyBotGames."""
        has_people = state.reserved or any(seat and not seat.bot for seat in state.seats)
        if has_people or _are_bots_alone(state) or state.stage != "lobby":
            return  # bots are not alone, or the seats are closed
        if fault := self._bots_fault(opener):
            raise fault

    def note(self, game: Game) -> None:
        """Note the newest state of a table; returns at once."""
        if game.now is None:
            return
        if game.now.revealed:
            self._games.tables.close(game.id)
        else:
            self._games.tables.update(game.id, bots=_are_bots_alone(game.now.state))

    def _fault(self, opener: Opener, bots: bool) -> Refusal | None:
        """The reason why the opener may not have another table; None: it may."""
        most = self._games.tables.most * opener.share
        if most and self._games.tables.count(opener) >= most:
            return TooManyTables(Phrase("adds.tables", count=Amount(most)))
        return self._bots_fault(opener) if bots else None

    def _bots_fault(self, opener: Opener) -> Refusal | None:
        most = self._games.tables.most_bot_games * opener.share
        if most and self._games.tables.bot_games(opener) >= most:
            return TooManyBotGames(Phrase("adds.bot_games", count=Amount(most)))
        return None

    async def _look_again(self, opener: Opener) -> None:
        """Read the oldest tables, which another process may have ended."""
        for game in self._games.tables.opened_by(opener)[:STALE]:
            try:
                await self._games.look(game)
            except (NoSuchGame, GameArchived):  # its opening failed, or it is long over
                self._games.tables.close(game)
            except Refusal:
                continue  # a table that is set aside is still open, until it is void


def _are_bots_alone(state: State) -> bool:
    return all(seat and seat.bot for seat in state.seats)
