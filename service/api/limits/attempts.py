"""Limits of their own for guesses of join codes, and for webhook messages that a host asks for.

The limits of requests would let through thousands of either from one address.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias
from uuid import UUID

from phaseledger.service.games.errors import NoSuchGame
from phaseledger.service.lobby.errors import BadJoinCode, NoSuchCode, TooManyGuesses
from phaseledger.service.quotas.token_buckets import MonotonicClock, RateLimitPolicy
from phaseledger.service.webhooks.errors import TooManyPings

TABLES = 5
"""For how many tables an address may have its pings sent at the full rate."""


class AttemptLimits:
    """What an address, or a table, may try a minute; 0: no limit."""

    def __init__(
        self, guesses: int = 0, pings: int = 0, clock: MonotonicClock = time.monotonic
    ) -> None:
        self._guesses = _a_minute("join-guesses", guesses)
        self._pings = _of_tables("pings", pings)
        self._challenges = _of_tables("challenges", pings)
        self._clock = clock

    @contextmanager
    def guess(self, address: bytes) -> Iterator[None]:
        """Join by a code: counts where the code turns out to be wrong.

        It is taken at first and given back, so that guesses sent at once are counted too.

        Raises:
            TooManyGuesses: the address has none left.

        """
        if self._guesses is None:
            yield
            return
        quota = self._guesses.take(address, self._clock())
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
                self._guesses.charge(address, -1, self._clock())

    def ping(self, address: bytes, game: UUID) -> None:
        """Count a webhook message that a host asks for. Raises TooManyPings."""
        self._send(self._pings, address, game)

    def challenge(self, address: bytes, game: UUID) -> None:
        """Count the challenge that a new webhook is sent. Raises TooManyPings."""
        self._send(self._challenges, address, game)

    def opening_challenges(self, address: bytes, number: int) -> None:
        """Count the challenges of all webhooks that a table is opened with.

        They may be more than the address has left for now, so that a table may be opened with as
        many webhooks as it may have. The next one waits for longer then.

        Raises:
            TooManyPings: the address has none left.

        """
        policy = self._challenges[1]
        if not (policy and number):
            return
        now = self._clock()
        if (quota := policy.take(address, now)).wait:
            raise TooManyPings(quota.wait)
        policy.charge(address, number - 1, now)

    def _send(self, policies: "_OfTables", address: bytes, game: UUID) -> None:
        for policy, key in zip(policies, (game.bytes, address), strict=True):
            if policy and (quota := policy.take(key, self._clock())).wait:
                raise TooManyPings(quota.wait)


_OfTables: TypeAlias = tuple[RateLimitPolicy | None, RateLimitPolicy | None]
"""The policy of a table, and that of an address."""


def _of_tables(name: str, number: int) -> _OfTables:
    return _a_minute(f"table-{name}", number), _a_minute(f"address-{name}", TABLES * number)


def _a_minute(name: str, number: int) -> RateLimitPolicy | None:
    return RateLimitPolicy(name, number / 60, number) if number else None
