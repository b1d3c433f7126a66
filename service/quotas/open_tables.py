"""Open tables by who opened them, and by the players of applications who sit there: how many, in
which bots are alone, their events.

Who opened a table stands in no event of the log. Of tables that were opened through another process
nothing is known.
"""

import heapq
import math
import time
from collections.abc import Iterable
from typing import NamedTuple, Self
from uuid import UUID

from phaseledger.service.quotas.errors import TooManyEvents
from phaseledger.service.quotas.token_buckets import MonotonicClock, RateLimitPolicy
from phaseledger.service.refusals import Whose
from phaseledger.service.settings import Settings

PAUSE = 60.0  # seconds that bots wait for a quota; then many moves are due at once


class Opener(NamedTuple):
    """Who opens tables, by its key for limits: an address, or an application."""

    key: bytes
    """An application's id, or what `api.requests.client_address.origin` gives."""
    share: int = 1
    """Its quotas, in those of an address."""
    whose: Whose = "address"


NOBODY = Opener(b"")


class OpenTables:
    """The open tables of all openers.

    Of one address ``most`` may be open, in ``bot_games`` of them bots may be alone and play, and
    ``events`` is the policy of the events that they may write. A player of an application sits at
    ``most_of_player``. 0 and None: any number.
    """

    def __init__(
        self,
        bot_games: int = 0,
        events: RateLimitPolicy | None = None,
        clock: MonotonicClock = time.monotonic,
        most: int = 0,
        most_of_player: int = 0,
    ) -> None:
        self.most = most
        self.most_of_player = most_of_player
        self.most_bot_games = bot_games
        self.events = events
        self._clock = clock
        self._openers: dict[UUID, Opener] = {}
        self._tables: dict[Opener, dict[UUID, None]] = {}
        """By opener, the oldest first."""
        self._bots_alone: dict[Opener, set[UUID]] = {}
        self._players: dict[UUID, frozenset[str]] = {}
        self._seats: dict[str, dict[UUID, None]] = {}
        """The tables at which a player sits, by pseudonym, the oldest first."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """With the quotas of the settings, which go by the rate of writes."""
        rate = settings.write_rate
        if not rate:
            return cls(most_of_player=settings.player_tables)
        events = settings.events_per_write * rate
        return cls(
            math.ceil(settings.bot_games_per_write * rate),
            RateLimitPolicy(
                "address-events", events, math.ceil(settings.event_burst_seconds * events)
            ),
            most=math.ceil(settings.tables_per_write * rate),
            most_of_player=settings.player_tables,
        )

    # --- what there is --------------------------------------------------------------------------

    def add(self, game: UUID, opener: Opener, *, bots: bool) -> None:
        """Take in a table that the opener opens; one that is known keeps its opener."""
        if game not in self._openers:
            self._openers[game] = opener
            self._tables.setdefault(opener, {})[game] = None
            self.update(game, bots=bots)

    def update(self, game: UUID, *, bots: bool) -> None:
        """Take in whether bots are alone at a table; returns at once."""
        opener = self._openers.get(game)
        if opener is None:
            return
        if bots:
            self._bots_alone.setdefault(opener, set()).add(game)
        elif opener in self._bots_alone:
            self._bots_alone[opener].discard(game)
            if not self._bots_alone[opener]:
                del self._bots_alone[opener]

    def seat(self, game: UUID, players: Iterable[str]) -> None:
        """Take in which players of applications sit at a table; returns at once."""
        before, now = self._players.get(game, frozenset()), frozenset(players)
        if now == before:
            return
        self._players[game] = now
        for player in now - before:
            self._seats.setdefault(player, {})[game] = None
        for player in before - now:
            del self._seats[player][game]
            if not self._seats[player]:
                del self._seats[player]
        if not now:
            del self._players[game]

    def has_seat_left(self, game: UUID, player: str) -> bool:
        """Whether the player may sit at the table, as one more or where it sits already."""
        tables = self._seats.get(player, {})
        return not 0 < self.most_of_player <= len(tables) or game in tables

    def seats_of(self, player: str) -> list[UUID]:
        """The tables at which the player sits, the oldest first."""
        return [*self._seats.get(player, ())]

    def close(self, game: UUID) -> None:
        """Forget a table that is over, or is none."""
        self.seat(game, ())
        if game in self._openers:
            self.update(game, bots=False)
            tables = self._tables[opener := self._openers.pop(game)]
            del tables[game]
            if not tables:
                del self._tables[opener]

    def __contains__(self, game: UUID) -> bool:
        return game in self._openers

    def opened_by(self, opener: Opener) -> list[UUID]:
        """The opener's tables, the oldest first."""
        return [*self._tables.get(opener, ())]

    def count(self, opener: Opener) -> int:
        """How many tables the opener has."""
        return len(self._tables.get(opener, ()))

    def bot_games(self, opener: Opener) -> int:
        """In how many of them bots are alone."""
        return len(self._bots_alone.get(opener, ()))

    # --- quotas ---------------------------------------------------------------------------------

    def require_events(self, game: UUID) -> None:
        """Check that the game may have more events. Raises TooManyEvents."""
        if wait := self._wait(game):
            raise TooManyEvents(wait, self._openers[game].whose)

    def charge(self, game: UUID, events: int) -> None:
        """Count events that the game has written."""
        opener = self._openers.get(game)
        if self.events is not None and opener is not None:
            self.events.charge(opener.key, events / opener.share, self._clock())

    def pause(self, game: UUID) -> float:
        """For how many seconds the game's bots have to wait; 0: they may play.

        Where bots are alone in more of an opener's games than may be, since people have left them,
        the others wait: those with the highest ids.
        """
        if self._wait(game):
            return PAUSE
        opener = self._openers.get(game, NOBODY)
        bot_games = self._bots_alone.get(opener, set())
        most = self.most_bot_games * opener.share
        if game not in bot_games or not 0 < most < len(bot_games):
            return 0
        return 0 if game in heapq.nsmallest(most, bot_games) else PAUSE

    def _wait(self, game: UUID) -> float:
        opener = self._openers.get(game)
        if self.events is None or opener is None:
            return 0
        now = self._clock()
        key = opener.key
        return self.events.look(key, now).wait if self.events.is_empty(key, now) else 0
