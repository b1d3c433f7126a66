"""Limits of their own for guesses of join codes, for seats of an application's player, for new
webhooks, and for reactions.

The limits of requests would let through thousands of each.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from phaseledger.service.api.limits.rates import rate_fields
from phaseledger.service.games.errors import NoSuchGame
from phaseledger.service.lobby.errors import BadJoinCode, NoSuchCode, TooManyGuesses
from phaseledger.service.players.errors import TooManyJoins
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from phaseledger.service.streams.errors import TooManyReactions
from phaseledger.service.webhooks.errors import TooManyRegistrations

REGISTRATIONS = 30
"""Webhooks that an address may register a minute."""
REACTIONS = 12
"""Reactions of a seat a minute."""
REACTIONS_AT_ONCE = 3


class AttemptLimits:
    """What an address, a player, or a seat, may try a minute; of joins 0 is any number."""

    def __init__(self, guesses: int, joins: int = 0) -> None:
        self._joins = _a_minute("player-joins", joins) if joins else None
        self._guesses = _a_minute("join-guesses", guesses)
        self._registrations = _a_minute("webhooks", REGISTRATIONS)
        self._reactions = RateLimitPolicy("reactions", REACTIONS / 60, REACTIONS_AT_ONCE)

    @contextmanager
    def guess(self, address: bytes) -> Iterator[None]:
        """Join by a code: counts where the code turns out to be wrong.

        It is taken at first and given back, so that guesses sent at once are counted too.

        Raises:
            TooManyGuesses: the address has none left.

        """
        quota = self._guesses.take(address, time.monotonic())
        if quota.wait:
            raise TooManyGuesses(quota.wait, "address")
        is_wrong = False
        try:
            yield
        except (BadJoinCode, NoSuchCode, NoSuchGame):
            is_wrong = True
            raise
        finally:
            if not is_wrong:
                self._guesses.charge(address, -1, time.monotonic())

    def join(self, player: str) -> None:
        """Count a seat that a player of an application takes.

        Raises:
            TooManyJoins: the player may take none for now.

        """
        now = time.monotonic()
        if self._joins and (quota := self._joins.take(player.encode(), now)).wait:
            raise TooManyJoins(quota.wait, self.join_fields(player))

    def join_fields(self, *players: str) -> dict[str, str]:
        """The `RateLimit` fields of the player who may take the fewest seats for now."""
        if self._joins is None or not players:
            return {}
        now = time.monotonic()
        quotas = [self._joins.look(player.encode(), now) for player in players]
        fields = rate_fields([self._joins], [min(quotas, key=lambda quota: quota.remaining)])
        return {name.decode(): value.decode() for name, value in fields}

    def register(self, address: bytes, number: int = 1) -> None:
        """Count new webhooks.

        They may be more than the address has left for now, so that a table may be opened with as
        many as it may have. The next one waits for longer then.

        Raises:
            TooManyRegistrations: the address has none left.

        """
        now = time.monotonic()
        if (quota := self._registrations.take(address, now)).wait:
            raise TooManyRegistrations(quota.wait)
        self._registrations.charge(address, number - 1, now)

    def react(self, game: UUID, seat: int) -> None:
        """Count a reaction of the seat.

        Raises:
            TooManyReactions: the seat has none left.

        """
        quota = self._reactions.take(b"%b %d" % (game.bytes, seat), time.monotonic())
        if quota.wait:
            raise TooManyReactions(quota.wait)


def _a_minute(name: str, number: int) -> RateLimitPolicy:
    return RateLimitPolicy(name, number / 60, number)
