"""Quotas of tables: the open tables of one application, player or address, and its games of bots
alone.
"""

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

from phaseledger.domain.names import is_pseudonym
from phaseledger.domain.state import State
from phaseledger.domain.words import Amount, Phrase
from phaseledger.service.games.errors import GameArchived, NoSuchGame
from phaseledger.service.games.game import Game
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.errors import TooManyBotGames, TooManyTables
from phaseledger.service.quotas.open_tables import Opener, OpenTables
from phaseledger.service.refusals import Refusal, Whose

PAUSE = 60.0  # seconds after which there may be room again
STALE = 10  # tables that are checked when there is no room; another process may have ended them


class TableQuotas:
    """The quotas of the games' open tables, by their openers."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        games.watchers.append(self.note)

    @asynccontextmanager
    async def opening(
        self, opener: Opener, game: UUID, *, bots: bool, players: Collection[str] = ()
    ) -> AsyncIterator[None]:
        """Count a table that is opened in the block, with the ``players`` of applications who sit
        down there at once; not if opening fails, or is a repetition.

        Raises:
            TooManyTables, TooManyBotGames: there is no room for it.

        """
        tables = self._games.tables
        if game in tables:
            yield
            return
        if self._fault(opener, bots, game, players):
            if await self._games.store.head(game):
                yield
                return
            await self._look_again(tables.opened_by(opener))
            for player in players:
                await self.refresh(player)
            if fault := self._fault(opener, bots, game, players):
                raise fault
        tables.add(game, opener, bots=bots)
        tables.seat(game, players)
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

    async def refresh(self, player: str) -> None:
        """Look again at the tables of a player who may sit at no more of them."""
        tables = self._games.tables
        if 0 < tables.most_of_player <= len(seats := tables.seats_of(player)):
            await self._look_again(seats)

    def note(self, game: Game) -> None:
        """Note the newest state of a table; returns at once."""
        if game.now is None:
            return
        if game.now.revealed:
            self._games.tables.close(game.id)
        else:
            seats = game.now.state.seats
            self._games.tables.update(game.id, bots=_are_bots_alone(game.now.state))
            names = (seat.name for seat in seats if seat and not seat.bot)
            self._games.tables.seat(game.id, filter(is_pseudonym, names))

    def _fault(
        self, opener: Opener, bots: bool, game: UUID, players: Collection[str]
    ) -> Refusal | None:
        """The reason why there may not be another table; None: there may."""
        tables = self._games.tables
        most = tables.most * opener.share
        if most and tables.count(opener) >= most:
            return too_many_tables(opener.whose, most)
        if not all(tables.has_seat_left(game, player) for player in players):
            return too_many_tables("player", tables.most_of_player)
        return self._bots_fault(opener) if bots else None

    def _bots_fault(self, opener: Opener) -> Refusal | None:
        most = self._games.tables.most_bot_games * opener.share
        if most and self._games.tables.bot_games(opener) >= most:
            detail = Phrase(f"adds.bot_games.{opener.whose}", count=Amount(most))
            return TooManyBotGames(PAUSE, opener.whose, detail)
        return None

    async def _look_again(self, games: Sequence[UUID]) -> None:
        """Read the oldest tables, which another process may have ended."""
        for game in games[:STALE]:
            try:
                await self._games.look(game)
            except (NoSuchGame, GameArchived):  # its opening failed, or it is long over
                self._games.tables.close(game)
            except Refusal:
                continue  # a table that is set aside is still open, until it is void


def require_seat(tables: OpenTables, game: UUID, player: str) -> None:
    """Check that the player of an application may sit at one more table. Raises TooManyTables."""
    if not tables.has_seat_left(game, player):
        raise too_many_tables("player", tables.most_of_player)


def too_many_tables(whose: Whose, most: int) -> TooManyTables:
    """The refusal of a table beyond ``most``."""
    return TooManyTables(PAUSE, whose, Phrase(f"adds.tables.{whose}", count=Amount(most)))


def _are_bots_alone(state: State) -> bool:
    return all(seat and seat.bot for seat in state.seats)
