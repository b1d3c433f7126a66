"""Open tables by the addresses that opened them: how many, in which bots are alone, their events.

An address is a key as `api.requests.client_address.origin` makes it, and stands in no event of the
log. Of tables that were opened through another process nothing is known.
"""

import heapq
import math
import time
from typing import Self
from uuid import UUID

from phaseledger.service.quotas.errors import TooManyEvents
from phaseledger.service.quotas.token_buckets import MonotonicClock, RateLimitPolicy
from phaseledger.service.settings import Settings

PAUSE = 60.0  # seconds that bots wait for a quota; then many moves are due at once


class OpenTables:
    """The open tables of all addresses.

    Of one address ``most`` may be open, in ``bot_games`` of them bots may be alone and play, and
    ``events`` is the policy of the events that they may write. 0 and None: any number.
    """

    def __init__(
        self,
        bot_games: int = 0,
        events: RateLimitPolicy | None = None,
        clock: MonotonicClock = time.monotonic,
        most: int = 0,
    ) -> None:
        self.most = most
        self.most_bot_games = bot_games
        self.events = events
        self._clock = clock
        self._addresses: dict[UUID, bytes] = {}
        self._tables: dict[bytes, dict[UUID, None]] = {}
        """By address, the oldest first."""
        self._bots_alone: dict[bytes, set[UUID]] = {}

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """With the quotas of the settings, which go by the rate of writes."""
        rate = settings.write_rate
        if not rate:
            return cls()
        events = settings.events_per_write * rate
        return cls(
            math.ceil(settings.bot_games_per_write * rate),
            RateLimitPolicy(
                "address-events", events, math.ceil(settings.event_burst_seconds * events)
            ),
            most=math.ceil(settings.tables_per_write * rate),
        )

    # --- what there is --------------------------------------------------------------------------

    def add(self, game: UUID, address: bytes, *, bots: bool) -> None:
        """Take in a table that the address opens; one that is known keeps its address."""
        if game not in self._addresses:
            self._addresses[game] = address
            self._tables.setdefault(address, {})[game] = None
            self.update(game, bots=bots)

    def update(self, game: UUID, *, bots: bool) -> None:
        """Take in whether bots are alone at a table; returns at once."""
        address = self._addresses.get(game)
        if address is not None and bots:
            self._bots_alone.setdefault(address, set()).add(game)
        elif address in self._bots_alone:
            self._bots_alone[address].discard(game)
            if not self._bots_alone[address]:
                del self._bots_alone[address]

    def close(self, game: UUID) -> None:
        """Forget a table that is over, or is none."""
        if game in self._addresses:
            self.update(game, bots=False)
            tables = self._tables[address := self._addresses.pop(game)]
            del tables[game]
            if not tables:
                del self._tables[address]

    def __contains__(self, game: UUID) -> bool:
        return game in self._addresses

    def opened_by(self, address: bytes) -> list[UUID]:
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
        the others wait: those with the highest ids.
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
