"""Token buckets: so much at once, and so much more as time passes, for each of many keys.

They are the generic cell rate algorithm: of a bucket nothing is kept but the time at which it is
full again.
"""

import math
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

MonotonicClock = Callable[[], float]
"""Seconds, of a clock that is never set back."""

BUCKETS = 50_000  # remembered for each policy; about 10 MB


class RemainingQuota(NamedTuple):
    """The quota a policy leaves after a request; ``wait`` is 0 where the request is allowed."""

    name: str
    remaining: int
    full_in: float
    """Seconds until the bucket is full again."""
    wait: float
    """Seconds until the bucket has a token again."""


class RateLimitPolicy:
    """Token buckets that fill at one rate: one for each key, those longest unused forgotten."""

    def __init__(
        self, name: str, rate: float, burst: int, capacity: int = BUCKETS, unit: str = ""
    ) -> None:
        """``unit`` is the parameter of the policy's field that says what it counts."""
        self.name = name
        self.field = f'"{name}";q={burst};w={max(1, math.ceil(burst / rate))}{unit}'
        self._interval = 1 / rate
        self._burst = burst
        self._window = burst / rate
        self._capacity = capacity
        self._full_at: OrderedDict[bytes, float] = OrderedDict()

    def take(self, key: bytes, now: float) -> RemainingQuota:
        """Take one token from the key's bucket, if there is one."""
        full_at = max(now, self._full_at.get(key, now)) + self._interval
        wait = full_at - now - self._window
        if wait > 1e-9:
            return RemainingQuota(self.name, 0, full_at - self._interval - now, wait)
        self._store(key, full_at)
        return self._remaining(full_at, now)

    def look(self, key: bytes, now: float) -> RemainingQuota:
        """What the key's bucket holds; where it is empty or below, how long until it is not."""
        full_at = max(now, self._full_at.get(key, now))
        wait = full_at - now - self._window
        if wait >= 0:
            return RemainingQuota(self.name, 0, full_at - now, max(wait, self._interval))
        return self._remaining(full_at, now)

    def is_empty(self, key: bytes, now: float) -> bool:
        """Whether the key's bucket is empty, or below."""
        return self._full_at.get(key, 0.0) - now >= self._window

    def used(self, key: bytes, now: float) -> float:
        """How many tokens the key's bucket lacks until it is full."""
        return max(0.0, self._full_at.get(key, 0.0) - now) / self._interval

    def share_used(self, key: bytes, now: float) -> float:
        """What share of the bucket that is; above 1 where it is below empty."""
        return max(0.0, self._full_at.get(key, 0.0) - now) / self._window

    def charge(self, key: bytes, cost: float, now: float) -> None:
        """Take ``cost`` tokens from the key's bucket, also where it holds fewer."""
        self._store(key, max(now, self._full_at.get(key, now)) + cost * self._interval)

    def reserve(self, key: bytes, now: float) -> float:
        """Take one token from the key's bucket, which may come later; the seconds until it does."""
        full_at = max(now, self._full_at.get(key, now)) + self._interval
        self._store(key, full_at)
        return max(0.0, full_at - now - self._window)

    def _store(self, key: bytes, full_at: float) -> None:
        self._full_at[key] = full_at
        self._full_at.move_to_end(key)
        if len(self._full_at) > self._capacity:
            self._full_at.popitem(last=False)

    def _remaining(self, full_at: float, now: float) -> RemainingQuota:
        remaining = self._burst - math.ceil((full_at - now) / self._interval - 1e-6)
        return RemainingQuota(self.name, remaining, full_at - now, 0)
