"""Limits of their own for guesses of join codes, for new webhooks, and for reactions.

The limits of requests would let through thousands of each.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from phaseledger.service.games.errors import NoSuchGame
from phaseledger.service.lobby.errors import BadJoinCode, NoSuchCode, TooManyGuesses
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from phaseledger.service.streams.errors import TooManyReactions
from phaseledger.service.webhooks.errors import TooManyRegistrations

REGISTRATIONS = 30
"""Webhooks that an address may register a minute."""
REACTIONS = 12
"""Reactions of a seat a minute."""
REACTIONS_AT_ONCE = 3


class AttemptLimits:
    """What an address, or a seat, may try a minute."""

    def __init__(self, guesses: int) -> None:
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
            raise TooManyGuesses(quota.wait)
        is_wrong = False
        try:
            yield
        except (BadJoinCode, NoSuchCode, NoSuchGame):
            is_wrong = True
            raise
        finally:
            if not is_wrong:
                self._guesses.charge(address, -1, time.monotonic())

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
