"""Limits of work, for an address that has used so much of it, and tests that run in a loop."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from phaseledger.service.api.limits.rates import Limits
from phaseledger.service.api.requests.client_address import origin
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from tests.support.service.bare_requests import SCOPE


def of_work(used: float) -> tuple[Limits, Any]:
    """Limits of work, and the scope of a request whose address has used so much of it."""
    work = RateLimitPolicy("address-work", 0.001, 1_000), RateLimitPolicy("token-work", 1, 1)
    scope: Any = {**SCOPE}
    work[0].charge(origin(scope), used, 0.0)
    return Limits(None, None, work=work), scope


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run an asynchronous test in a loop of its own."""

    @wraps(test)
    def running(*arguments: Any, **fixtures: Any) -> None:
        asyncio.run(test(*arguments, **fixtures))

    return running
