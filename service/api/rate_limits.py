"""How many requests a token, and an address, may make: token buckets, told in `RateLimit` fields.

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

from phaseledger.service.api.client_address import Network, header_of, origin, trusted_proxies
from phaseledger.service.api.problems import Refusal, answer
from phaseledger.service.credentials.tokens import digest, is_wellformed
from phaseledger.service.settings import Settings

MonotonicClock = Callable[[], float]
"""Seconds, of a clock that is never set back."""

BUCKETS = 50_000  # remembered for each policy; about 10 MB
READS = frozenset({"GET", "HEAD", "OPTIONS"})
FREE = "/health/"
"""Whoever watches over the service is not held up."""


class RemainingQuota(NamedTuple):
    """What a policy leaves after a request; ``wait`` is 0 where the request is allowed."""

    name: str
    rest: int
    full: float
    """Seconds until the bucket is full again."""
    wait: float
    """Seconds until the bucket has one again."""


class RateLimitPolicy:
    """Token buckets that fill at one rate: one for each key, those longest unused forgotten."""

    def __init__(self, name: str, rate: float, burst: int, most: int = BUCKETS) -> None:
        self.name = name
        self.said = f'"{name}";q={burst};w={max(1, math.ceil(burst / rate))}'
        self._each = 1 / rate
        self._burst = burst
        self._most = most
        self._full_at: OrderedDict[bytes, float] = OrderedDict()

    def take(self, key: bytes, now: float) -> RemainingQuota:
        """Take one out of the key's bucket, if there is one."""
        full_at = max(now, self._full_at.get(key, now)) + self._each
        wait = full_at - now - self._burst * self._each
        if wait > 1e-9:
            return RemainingQuota(self.name, 0, full_at - self._each - now, wait)
        self._full_at[key] = full_at
        self._full_at.move_to_end(key)
        if len(self._full_at) > self._most:
            self._full_at.popitem(last=False)
        rest = self._burst - math.ceil((full_at - now) / self._each - 1e-6)
        return RemainingQuota(self.name, rest, full_at - now, 0)


class Limits(NamedTuple):
    """The policies for reads and for writes, and who may say for whom a request is made."""

    reads: tuple[RateLimitPolicy, RateLimitPolicy] | None
    """That of an address, and that of a token; None: no limit."""
    writes: tuple[RateLimitPolicy, RateLimitPolicy] | None
    proxies: tuple[Network, ...] = ()
    header: str = "x-forwarded-for"


def limits(settings: Settings) -> Limits | None:
    """The limits that the settings ask for; None for none. Raises SettingsError."""
    proxies = trusted_proxies(settings)
    many = settings.address_share

    def policies(
        kind: str, rate: float, burst: int
    ) -> tuple[RateLimitPolicy, RateLimitPolicy] | None:
        if rate == 0:
            return None
        return (
            RateLimitPolicy(f"address-{kind}", many * rate, many * burst),
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
    """Answer 429 to whoever asks too much, and say in every other answer what is left."""
    if limits is None:
        return app

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        method = scope.get("method")
        policies = limits.reads if method in READS else limits.writes
        if method is None or policies is None or scope["path"].startswith(FREE):
            await app(scope, receive, send)
            return
        left = _taken(scope, limits, policies, clock())
        told = _fields(policies, left)

        async def send_told(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *told]
            await send(message)

        wait = max(each.wait for each in left)
        if wait == 0:
            await app(scope, receive, send_told)
        else:
            await refuse(scope, receive, send_told, Refusal("too_many_requests"), wait)

    return limited


async def refuse(
    scope: Scope, receive: Receive, send: Send, error: Exception, wait: float = 0
) -> None:
    """Answer with the problem, for what does not get as far as a route."""
    request: Request[Any, Any, Any] = Request(scope)
    response = answer(request, error)
    if wait:
        response.headers["Retry-After"] = str(math.ceil(wait))
    await response.to_asgi_response(app=None, request=request)(scope, receive, send)


def _taken(
    scope: Scope, limits: Limits, policies: tuple[RateLimitPolicy, RateLimitPolicy], now: float
) -> tuple[RemainingQuota, ...]:
    """What the policies that the request falls under leave; the first that refuses is the last."""
    of_address, of_token = policies
    left = of_address.take(origin(scope, limits.proxies, limits.header), now)
    scheme, _, token = header_of(scope, b"authorization").partition(" ")
    if left.wait or scheme.lower() != "bearer" or not is_wellformed(token.strip()):
        return (left,)
    return left, of_token.take(digest(token.strip())[:16], now)


def _fields(
    policies: Sequence[RateLimitPolicy], left: Sequence[RemainingQuota]
) -> list[tuple[bytes, bytes]]:
    said = ", ".join(policy.said for policy in policies[: len(left)])
    rest = ", ".join(f'"{each.name}";r={each.rest};t={math.ceil(each.full)}' for each in left)
    return [(b"ratelimit-policy", said.encode()), (b"ratelimit", rest.encode())]


# --- who asks -------------------------------------------------------------------------------------
