"""Rate limits of applications, tokens and addresses: token buckets, reported in `RateLimit` fields.

A request that shows an application's valid key is the application's; any other one is its
address's, and its token's if it shows one.

A request takes one token beforehand. Its work, which is not known beforehand, is charged as it is
done: its bucket may go below zero, and the next request then waits.

The fields are those of draft-ietf-httpapi-ratelimit-headers-10: a policy's ``q`` is its burst,
``w`` the seconds in which an empty bucket fills, ``r`` what is left, ``t`` the seconds until it is
full again.
"""

import math
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from litestar.types import Scope

from phaseledger.service.api.requests.client_address import header_of, origin, share
from phaseledger.service.applications.application import Application
from phaseledger.service.credentials.tokens import APPLICATION, digest, is_wellformed
from phaseledger.service.quotas.token_buckets import (
    MonotonicClock,
    RateLimitPolicy,
    RemainingQuota,
)
from phaseledger.service.refusals import Whose
from phaseledger.service.runtime.work import CURRENT, RequestWork, measured
from phaseledger.service.settings import Network, Settings, trusted_proxies

READS = frozenset({"GET", "HEAD", "OPTIONS"})
BYTES_A_MILLISECOND = 64 * 1024
"""Bytes that are sent and count as a millisecond of work of the event loop."""
REQUEST_WORK = 0.000_5
"""Seconds of work that each request is for what lies around it here: the server, the access log."""
PREFLIGHT_WORK = 2.0
"""Milliseconds of work that a preflight counts as, so that its address waits before the next."""
SLOWEST = 1.0
"""Seconds, at most, between two parts of a response that goes on."""
UNSLOWED = 0.5
"""The share of its caller's work up to which it does not wait. From there on it waits longer and
longer, and so comes to what the caller may use for long before all is used up at once.
"""
CHARGED_AT_ONCE = 20.0
"""Milliseconds of work after which a response that goes on is charged what it was until then.

The work before its first part is charged with that.
"""
WORK_UNIT = ';qu="work-milliseconds"'


class Policies(NamedTuple):
    """The policies of those who ask for one kind of thing."""

    address: RateLimitPolicy
    token: RateLimitPolicy
    application: RateLimitPolicy


KeyLookup: TypeAlias = Callable[[str], Application | None]
"""The application of a valid key."""


class Limits(NamedTuple):
    """The policies for reads, writes and work, and the proxies that name the client's address."""

    reads: Policies | None
    """None: no limit."""
    writes: Policies | None
    proxies: tuple[Network, ...] = ()
    work: Policies | None = None
    """In milliseconds of `runtime.work`."""
    application_of: KeyLookup = lambda key: None

    def share(self, scope: Scope) -> bytes | None:
        """The key of the share from which the request takes; None of one without limits."""
        return share(scope, self.proxies)


def limits(settings: Settings, application_of: KeyLookup = lambda key: None) -> Limits | None:
    """The limits that the settings ask for; None for none. Raises SettingsError."""

    def policies(
        kind: str, rate: float, seconds: float, share: int, unit: str = ""
    ) -> Policies | None:
        if rate == 0:
            return None
        burst = math.ceil(seconds * rate)
        shares = {"address": share, "token": 1, "application": share * settings.application_share}
        return Policies(
            *(
                RateLimitPolicy(f"{whose}-{kind}", times * rate, times * burst, unit=unit)
                for whose, times in shares.items()
            )
        )

    proxies, share, seconds = (
        trusted_proxies(settings),
        settings.address_share,
        settings.burst_seconds,
    )
    reads = policies("reads", settings.read_rate, seconds, share)
    writes = policies("writes", settings.write_rate, seconds, share)
    # Many tokens of one address get no more of the event loop than one.
    work_rate = settings.work_per_write * settings.write_rate
    work = policies("work", work_rate, settings.work_burst_seconds, 1, WORK_UNIT)
    if reads is None and writes is None:
        return None
    return Limits(
        reads=reads, writes=writes, proxies=proxies, work=work, application_of=application_of
    )


def charge_preflight(scope: Scope, limits: Limits | None) -> None:
    """Charge the request's address the work of a preflight, which is never refused."""
    if limits and limits.work:
        address = origin(scope, limits.proxies)
        limits.work.address.charge(address, PREFLIGHT_WORK, time.monotonic())


class Admission(NamedTuple):
    """What the limits say of a request that has come."""

    keys: Sequence[bytes]
    """The keys of its buckets: of its application, or of its address and its token if it has one.
    """
    work: Sequence[RateLimitPolicy]
    """The policies of its work, by the same keys; none without a limit."""
    fields: Sequence[tuple[bytes, bytes]]
    """The `RateLimit` fields of its answer."""
    wait: float
    """Seconds after which it may be tried again; 0 where it is let in."""
    whose: Whose = "address"
    """Whose limit it has reached, where it is not let in."""


def admitted(scope: Scope, limits: Limits, now: float, address: bytes) -> Admission:
    """Take the request's tokens, of its address first, and say whether it is let in."""
    token = _token(scope)
    application = limits.application_of(token) if token.startswith(APPLICATION) else None
    keys = (address, digest(token)[:16]) if token else (address,)
    if application is not None:
        keys = (application.id.bytes,)

    def of_caller(policies: Policies | None) -> Sequence[RateLimitPolicy]:
        if policies is None:
            return ()
        return policies[:2] if application is None else policies[2:]

    policies = of_caller(limits.reads if scope.get("method") in READS else limits.writes)
    work = of_caller(limits.work)
    quotas = _take_tokens(policies, keys, now)
    is_refused = bool(quotas) and quotas[-1].wait > 0
    if not is_refused and (spent := _spent(work, keys, now)):
        policies, quotas = (*policies[: len(quotas)], spent[0]), (*quotas, spent[1])
    wait = max((quota.wait for quota in quotas), default=0)
    whose: Whose = "application"
    if application is None:
        whose = "address" if len(quotas) == 1 else "token"
    fields = rate_fields(policies, quotas)
    return Admission(keys=keys, work=work, fields=fields, wait=wait, whose=whose)


class WorkCharge:
    """Charges a request's buckets its work: at its end, while it goes on, and what it leaves to do.

    A response that goes on waits between its parts, the longer the less its caller has left.
    """

    def __init__(
        self, policies: Sequence[RateLimitPolicy], keys: Sequence[bytes], clock: MonotonicClock
    ) -> None:
        self._buckets = [*zip(policies, keys, strict=False)]
        self._clock = clock
        self._size, self._charged = 0, 0.0
        self._work = RequestWork(self._pause)
        self._work.seconds = REQUEST_WORK

    async def measure(self, answering: Awaitable[None]) -> None:
        """Await the answer to the request, whose steps are its work."""
        context_token = CURRENT.set(self._work)
        try:
            await measured(answering, self._work)
        finally:
            CURRENT.reset(context_token)
            self._charge(0)
            self._work.settle = partial(self._charge, 0)

    def send(self, size: int) -> None:
        """Count ``size`` bytes that are sent."""
        self._size += size
        self._charge(CHARGED_AT_ONCE if self._charged else 0)

    def _charge(self, least: float) -> None:
        work = 1000 * self._work.seconds + self._size / BYTES_A_MILLISECOND
        if work - self._charged > least:
            now = self._clock()
            for policy, key in self._buckets:
                policy.charge(key, work - self._charged, now)
            self._charged = work

    def _pause(self) -> float:
        now = self._clock()
        used = max(policy.share_used(key, now) for policy, key in self._buckets)
        return SLOWEST * min(1.0, max(0.0, used - UNSLOWED) / (1 - UNSLOWED))


def _token(scope: Scope) -> str:
    """The bearer token that the request shows; empty for none that is well-formed."""
    scheme, _, token = header_of(scope, b"authorization").partition(" ")
    token = token.strip()
    return token if scheme.lower() == "bearer" and is_wellformed(token) else ""


def _take_tokens(
    policies: Sequence[RateLimitPolicy], keys: Sequence[bytes], now: float
) -> tuple[RemainingQuota, ...]:
    """The quotas that the policies leave to their keys, up to the first policy that refuses."""
    quotas: list[RemainingQuota] = []
    for policy, key in zip(policies, keys, strict=False):
        quotas.append(policy.take(key, now))
        if quotas[-1].wait:
            break
    return tuple(quotas)


def _spent(
    policies: Sequence[RateLimitPolicy], keys: Sequence[bytes], now: float
) -> tuple[RateLimitPolicy, RemainingQuota] | None:
    """The first policy whose bucket is empty, and its quota."""
    for policy, key in zip(policies, keys, strict=False):
        if policy.is_empty(key, now):
            return policy, policy.look(key, now)
    return None


def rate_fields(
    policies: Sequence[RateLimitPolicy], quotas: Sequence[RemainingQuota]
) -> list[tuple[bytes, bytes]]:
    """The `RateLimit` fields of what the policies leave; none without a quota."""
    if not quotas:
        return []
    policy_field = ", ".join(policy.field for policy in policies[: len(quotas)])
    limit_field = ", ".join(
        f'"{quota.name}";r={quota.remaining};t={math.ceil(quota.full_in)}' for quota in quotas
    )
    return [(b"ratelimit-policy", policy_field.encode()), (b"ratelimit", limit_field.encode())]
