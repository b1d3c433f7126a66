"""How many requests a token, and an address, may make: token buckets, told in `RateLimit` fields.

The fields are those of draft-ietf-httpapi-ratelimit-headers-10: a policy's ``q`` is its burst,
``w`` the seconds in which an empty bucket fills, ``r`` what is left, ``t`` the seconds until it is
full again. What is counted is kept in this process, so several processes allow as many times more.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, NamedTuple, TypeAlias

from litestar import Request
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from phaseledger.service.api.problems import Refusal, answer
from phaseledger.service.credentials.tokens import digest, is_wellformed
from phaseledger.service.settings import PREFIX, Settings, SettingsError

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network
Clock = Callable[[], float]
"""Seconds, of a clock that is never set back."""

BUCKETS = 50_000  # remembered for each policy; about 10 MB
READS = frozenset({"GET", "HEAD", "OPTIONS"})
FREE = "/health/"
"""Whoever watches over the service is not held up."""


class Left(NamedTuple):
    """What a policy leaves after a request; ``wait`` is 0 where the request is allowed."""

    name: str
    rest: int
    full: float
    """Seconds until the bucket is full again."""
    wait: float
    """Seconds until the bucket has one again."""


class Policy:
    """Token buckets that fill at one rate: one for each key, those longest unused forgotten."""

    def __init__(self, name: str, rate: float, burst: int, most: int = BUCKETS) -> None:
        self.name = name
        self.said = f'"{name}";q={burst};w={max(1, math.ceil(burst / rate))}'
        self._each = 1 / rate
        self._burst = burst
        self._most = most
        self._full_at: OrderedDict[bytes, float] = OrderedDict()

    def take(self, key: bytes, now: float) -> Left:
        """Take one out of the key's bucket, if there is one."""
        full_at = max(now, self._full_at.get(key, now)) + self._each
        wait = full_at - now - self._burst * self._each
        if wait > 1e-9:
            return Left(self.name, 0, full_at - self._each - now, wait)
        self._full_at[key] = full_at
        self._full_at.move_to_end(key)
        if len(self._full_at) > self._most:
            self._full_at.popitem(last=False)
        rest = self._burst - math.ceil((full_at - now) / self._each - 1e-6)
        return Left(self.name, rest, full_at - now, 0)


class Limits(NamedTuple):
    """The policies for reads and for writes, and who may say for whom a request is made."""

    reads: tuple[Policy, Policy] | None
    """That of an address, and that of a token; None: no limit."""
    writes: tuple[Policy, Policy] | None
    proxies: tuple[Network, ...] = ()
    header: str = "x-forwarded-for"


def limits(settings: Settings) -> Limits | None:
    """The limits that the settings ask for; None for none. Raises SettingsError."""
    proxies = _trusted(settings)
    many = settings.address_share

    def policies(kind: str, rate: float, burst: int) -> tuple[Policy, Policy] | None:
        if rate == 0:
            return None
        return (
            Policy(f"address-{kind}", many * rate, many * burst),
            Policy(f"token-{kind}", rate, burst),
        )

    reads = policies("reads", settings.read_rate, settings.read_burst)
    writes = policies("writes", settings.write_rate, settings.write_burst)
    if reads is None and writes is None:
        return None
    return Limits(reads, writes, proxies, settings.proxy_header)


def _trusted(settings: Settings) -> tuple[Network, ...]:
    """The proxies that say for whom they ask. Raises SettingsError."""
    try:
        return tuple(ip_network(text) for text in settings.trusted_proxies.split())
    except ValueError as wrong:
        raise SettingsError(
            f"{PREFIX}TRUSTED_PROXIES is not usable: {wrong}; write addresses or networks such as "
            "10.0.0.0/8, with spaces."
        ) from None


def origin_of(settings: Settings) -> Callable[[Scope], bytes]:
    """`origin` behind the settings' proxies. Raises SettingsError."""
    return partial(origin, proxies=_trusted(settings), header=settings.proxy_header)


def origin(scope: Scope, proxies: Sequence[Network] = (), header: str = "x-forwarded-for") -> bytes:
    """What stands for the address that the request comes from."""
    return _key(client(scope, proxies, header))


def with_limits(app: ASGIApp, limits: Limits | None, clock: Clock = time.monotonic) -> ASGIApp:
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
    scope: Scope, limits: Limits, policies: tuple[Policy, Policy], now: float
) -> tuple[Left, ...]:
    """What the policies that the request falls under leave; the first that refuses is the last."""
    of_address, of_token = policies
    left = of_address.take(origin(scope, limits.proxies, limits.header), now)
    scheme, _, token = _header(scope, b"authorization").partition(" ")
    if left.wait or scheme.lower() != "bearer" or not is_wellformed(token.strip()):
        return (left,)
    return left, of_token.take(digest(token.strip())[:16], now)


def _fields(policies: Sequence[Policy], left: Sequence[Left]) -> list[tuple[bytes, bytes]]:
    said = ", ".join(policy.said for policy in policies[: len(left)])
    rest = ", ".join(f'"{each.name}";r={each.rest};t={math.ceil(each.full)}' for each in left)
    return [(b"ratelimit-policy", said.encode()), (b"ratelimit", rest.encode())]


# --- who asks -------------------------------------------------------------------------------------


def client(scope: Scope, proxies: Sequence[Network], header: str) -> Address | None:
    """The address that the request comes from; None on a socket that has none.

    A trusted proxy adds to the header whom it got the request from. What stands left of the last
    address that is no trusted proxy was written by anybody, and counts for nothing. Only the one
    header that the proxy sets is read: the other one reaches us as the client has written it.
    """
    peer = scope.get("client")
    found = _address(str(peer[0])) if peer else None
    if found is None or not _is_among(found, proxies):
        return found
    hops = _header(scope, header.encode()).split(",")
    for hop in reversed(hops):
        before = _address(_for(hop) if header == "forwarded" else hop.strip())
        if before is None:
            return found
        found = before
        if not _is_among(found, proxies):
            break
    return found


def _header(scope: Scope, name: bytes) -> str:
    """The header's lines, joined as RFC 9110, 5.3 allows."""
    return ", ".join(value.decode("latin-1") for key, value in scope["headers"] if key == name)


def _for(hop: str) -> str:
    """The ``for`` of one element of a Forwarded header (RFC 7239)."""
    pairs = (pair.partition("=") for pair in hop.split(";"))
    return next((to.strip() for name, _, to in pairs if name.strip().lower() == "for"), "")


def _address(text: str) -> Address | None:
    """An address, perhaps with a port, perhaps in quotation marks."""
    text = text.strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _is_among(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def _key(address: Address | None) -> bytes:
    """Whose bucket it is: an IPv4 address, or the 64 bits of an IPv6 one that a customer gets."""
    return b"" if address is None else address.packed[:8]
