"""Rate limits of tokens and addresses: token buckets, reported in `RateLimit` header fields.

The fields are those of draft-ietf-httpapi-ratelimit-headers-10: a policy's ``q`` is its burst,
``w`` the seconds in which an empty bucket fills, ``r`` what is left, ``t`` the seconds until it is
full again. What is counted is kept in this process, so several processes allow as many times more.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from litestar import Request
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from phaseledger.service.api.client_address import header_of, origin
from phaseledger.service.api.errors import TooManyRequests
from phaseledger.service.api.problems import answer
from phaseledger.service.credentials.tokens import digest, is_wellformed
from phaseledger.service.settings import Network, Settings, trusted_proxies

MonotonicClock = Callable[[], float]
"""Seconds, of a clock that is never set back."""

BUCKETS = 50_000  # remembered for each policy; about 10 MB
READS = frozenset({"GET", "HEAD", "OPTIONS"})
FREE = "/health/"
"""The path prefix without limits: health checks."""


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

    def __init__(self, name: str, rate: float, burst: int, capacity: int = BUCKETS) -> None:
        self.name = name
        self.field = f'"{name}";q={burst};w={max(1, math.ceil(burst / rate))}'
        self._interval = 1 / rate
        self._burst = burst
        self._capacity = capacity
        self._full_at: OrderedDict[bytes, float] = OrderedDict()

    def take(self, key: bytes, now: float) -> RemainingQuota:
        """Take one token from the key's bucket, if there is one."""
        full_at = max(now, self._full_at.get(key, now)) + self._interval
        wait = full_at - now - self._burst * self._interval
        if wait > 1e-9:
            return RemainingQuota(self.name, 0, full_at - self._interval - now, wait)
        self._full_at[key] = full_at
        self._full_at.move_to_end(key)
        if len(self._full_at) > self._capacity:
            self._full_at.popitem(last=False)
        remaining = self._burst - math.ceil((full_at - now) / self._interval - 1e-6)
        return RemainingQuota(self.name, remaining, full_at - now, 0)


class Limits(NamedTuple):
    """The policies for reads and for writes, and the proxies that name the client's address."""

    reads: tuple[RateLimitPolicy, RateLimitPolicy] | None
    """That of an address, and that of a token; None: no limit."""
    writes: tuple[RateLimitPolicy, RateLimitPolicy] | None
    proxies: tuple[Network, ...] = ()
    header: str = "x-forwarded-for"


def limits(settings: Settings) -> Limits | None:
    """The limits that the settings ask for; None for none. Raises SettingsError."""
    proxies = trusted_proxies(settings)
    share = settings.address_share

    def policies(
        kind: str, rate: float, burst: int
    ) -> tuple[RateLimitPolicy, RateLimitPolicy] | None:
        if rate == 0:
            return None
        return (
            RateLimitPolicy(f"address-{kind}", share * rate, share * burst),
            RateLimitPolicy(f"token-{kind}", rate, burst),
        )

    reads = policies("reads", settings.read_rate, settings.read_burst)
    writes = policies("writes", settings.write_rate, settings.write_burst)
    if reads is None and writes is None:
        return None
    return Limits(reads, writes, proxies, settings.proxy_header)


def with_limits(
    app: ASGIApp, limits: Limits | None, clock: MonotonicClock = time.monotonic
) -> ASGIApp:
    """Middleware that answers 429 above the limits, and adds `RateLimit` fields to every answer."""
    if limits is None:
        return app

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        method = scope.get("method")
        policies = limits.reads if method in READS else limits.writes
        if method is None or policies is None or scope["path"].startswith(FREE):
            await app(scope, receive, send)
            return
        quotas = _take_tokens(scope, limits, policies, clock())
        fields = _fields(policies, quotas)

        async def send_with_fields(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *fields]
            await send(message)

        wait = max(quota.wait for quota in quotas)
        if wait == 0:
            await app(scope, receive, send_with_fields)
        else:
            await refuse(scope, receive, send_with_fields, TooManyRequests(wait))

    return limited


async def refuse(scope: Scope, receive: Receive, send: Send, error: Exception) -> None:
    """Send the error's problem, for requests that do not reach a route."""
    request: Request[Any, Any, Any] = Request(scope)
    response = answer(request, error)
    await response.to_asgi_response(app=None, request=request)(scope, receive, send)


def _take_tokens(
    scope: Scope, limits: Limits, policies: tuple[RateLimitPolicy, RateLimitPolicy], now: float
) -> tuple[RemainingQuota, ...]:
    """The quotas that the request's policies leave, up to the first policy that refuses."""
    of_address, of_token = policies
    quota = of_address.take(origin(scope, limits.proxies, limits.header), now)
    scheme, _, token = header_of(scope, b"authorization").partition(" ")
    if quota.wait or scheme.lower() != "bearer" or not is_wellformed(token.strip()):
        return (quota,)
    return quota, of_token.take(digest(token.strip())[:16], now)


def _fields(
    policies: Sequence[RateLimitPolicy], quotas: Sequence[RemainingQuota]
) -> list[tuple[bytes, bytes]]:
    policy_field = ", ".join(policy.field for policy in policies[: len(quotas)])
    limit_field = ", ".join(
        f'"{quota.name}";r={quota.remaining};t={math.ceil(quota.full_in)}' for quota in quotas
    )
    return [(b"ratelimit-policy", policy_field.encode()), (b"ratelimit", limit_field.encode())]
