"""Open tables by the addresses that opened them: how many, in which bots are alone, their events.

An address is a key as `api.requests.client_address.origin` makes it, and stands in no event of the
log. What changes is noted for the other processes, where `quotas.postgres` shares it.
"""

import heapq
import time
from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from phaseledger.service.quotas.errors import TooManyEvents
from phaseledger.service.quotas.token_buckets import MonotonicClock, RateLimitPolicy

PAUSE = 60.0  # seconds that bots wait for a quota; then many moves are due at once


def event_policy(rate: float, burst: int) -> RateLimitPolicy | None:
    """The policy of events, so many a second for long and so many at once; None for a rate of 0."""
    return RateLimitPolicy("address-events", rate, burst) if rate else None


class OpenedTable(NamedTuple):
    """What all processes know of a table."""

    game: UUID
    address: bytes
    are_bots_alone: bool
    is_closed: bool


class OpenTables:
    """The open tables of all addresses.

    ``bot_games`` is in how many of an address's tables bots may be alone and play, ``events`` the
    policy of the events that its tables may write. 0 and None: any number.
    """

    def __init__(
        self,
        bot_games: int = 0,
        events: RateLimitPolicy | None = None,
        clock: MonotonicClock = time.monotonic,
    ) -> None:
        self.most_bot_games = bot_games
        self.events = events
        self._clock = clock
        self._addresses: dict[UUID, bytes] = {}
        self._tables: dict[bytes, dict[UUID, None]] = {}
        """By address, the oldest first."""
        self._bots_alone: dict[bytes, set[UUID]] = {}
        self._unshared: dict[UUID, OpenedTable] | None = None

    # --- what there is --------------------------------------------------------------------------

    def add(self, game: UUID, address: bytes, *, bots: bool) -> None:
        """Take in a table that the address opens; one that is known keeps its address."""
        if game not in self._addresses:
            self._set(OpenedTable(game, address, bots, is_closed=False))
            self._note(game, is_closed=False)

    def update(self, game: UUID, *, bots: bool) -> None:
        """Take in whether bots are alone at a table; returns at once."""
        address = self._addresses.get(game)
        if address is not None and bots != (game in self._bots_alone.get(address, ())):
            self._set(OpenedTable(game, address, bots, is_closed=False))
            self._note(game, is_closed=False)

    def close(self, game: UUID) -> None:
        """Forget a table that is over, or is none."""
        if game in self._addresses:
            self._note(game, is_closed=True)
            self._forget(game)

    def __contains__(self, game: UUID) -> bool:
        return game in self._addresses

    def of(self, address: bytes) -> list[UUID]:
        """The address's tables, the oldest first."""
        return [*self._tables.get(address, ())]

    def count(self, address: bytes) -> int:
        """How many tables the address has."""
        return len(self._tables.get(address, ()))

    def bot_games(self, address: bytes) -> int:
        """In how many of them bots are alone."""
        return len(self._bots_alone.get(address, ()))

    # --- quotas ---------------------------------------------------------------------------------

    def require_events(self, game: UUID) -> None:
        """Check that the game may have more events. Raises TooManyEvents."""
        if wait := self._wait(game):
            raise TooManyEvents(wait)

    def charge(self, game: UUID, events: int) -> None:
        """Count events that the game has written."""
        address = self._addresses.get(game)
        if self.events is not None and address is not None:
            self.events.charge(address, events, self._clock())

    def pause(self, game: UUID) -> float:
        """For how many seconds the game's bots have to wait; 0: they may play.

        Where bots are alone in more of an address's games than may be, since people have left them,
        the others wait: those with the highest ids, so that all processes choose the same.
        """
        if self._wait(game):
            return PAUSE
        bot_games = self._bots_alone.get(self._addresses.get(game, b""), set())
        if game not in bot_games or not 0 < self.most_bot_games < len(bot_games):
            return 0
        return 0 if game in heapq.nsmallest(self.most_bot_games, bot_games) else PAUSE

    def _wait(self, game: UUID) -> float:
        address = self._addresses.get(game)
        if self.events is None or address is None:
            return 0
        now = self._clock()
        return self.events.look(address, now).wait if self.events.is_empty(address, now) else 0

    # --- between processes ----------------------------------------------------------------------

    def drain(self) -> list[OpenedTable]:
        """What has changed here since the last call; from the first call on it is noted."""
        changes = [*(self._unshared or {}).values()]
        self._unshared = {}
        return changes

    def restore(self, changes: Iterable[OpenedTable]) -> None:
        """Note changes of `drain` again, which came to nobody's knowledge."""
        if self._unshared is not None:
            self._unshared = {table.game: table for table in changes} | self._unshared

    def adopt(self, table: OpenedTable) -> None:
        """Take in what another process knows, unless something newer is known here."""
        if self._unshared and table.game in self._unshared:
            return
        if table.is_closed:
            self._forget(table.game)
        else:
            self._set(table)

    def _note(self, game: UUID, *, is_closed: bool) -> None:
        if self._unshared is not None:
            address = self._addresses[game]
            bots = game in self._bots_alone.get(address, ())
            self._unshared[game] = OpenedTable(game, address, bots, is_closed)

    # --- here -----------------------------------------------------------------------------------

    def _set(self, table: OpenedTable) -> None:
        game, address = table.game, self._addresses.setdefault(table.game, table.address)
        self._tables.setdefault(address, {})[game] = None
        if table.are_bots_alone:
            self._bots_alone.setdefault(address, set()).add(game)
        else:
            self._discard_bots(address, game)

    def _forget(self, game: UUID) -> None:
        address = self._addresses.pop(game, None)
        if address is None:
            return
        tables = self._tables[address]
        del tables[game]
        if not tables:
            del self._tables[address]
        self._discard_bots(address, game)

    def _discard_bots(self, address: bytes, game: UUID) -> None:
        bot_games = self._bots_alone.get(address)
        if bot_games is not None:
            bot_games.discard(game)
            if not bot_games:
                del self._bots_alone[address]
