"""Fair queue of requests: an address's requests wait for one another, and not for other addresses.

All requests share one event loop, where each waits for the ones before it. A request holds a
permit while it is served. An address has a few permits, and fewer once it has used more of the loop
than it may for long; what it is entitled to it gets all the same. An address begins at most one
request in a round of the loop. Refusals are work too, and come one after another.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from phaseledger.service.api.errors import TooManyRequests
from phaseledger.service.api.limits.rates import Limits
from phaseledger.service.quotas.token_buckets import MonotonicClock, RateLimitPolicy
from phaseledger.service.runtime.work import PERMIT

AT_ONCE = 8
"""Requests of an address that are served at a time. What they cost is known only afterwards, so a
hundred that come at once would all begin before any of them counts.
"""
FEW_AT_ONCE = 2
"""Permits of an address that works: one may wait for a commit meanwhile."""
WORKING = 25.0
"""Milliseconds of work beyond the rate after which an address works. Each request of others waits
for what is served at a time, as often as it waits for the database.
"""
BUSY = 100.0
"""Milliseconds of work beyond the rate after which an address is busy."""
RESTS = 4
"""How many times as long as its work a request of a busy address keeps its permit after the answer.
Without this rest the address uses its burst as fast as the loop can, and others wait for each of
its requests.
"""
REST = 0.002
"""Seconds that it rests at least: there is more to a short request than is charged."""
LONGEST_REST = 1.0
REFUSED_REST = 0.05
"""Seconds of rest after a 429: a client that is told to wait need not ask so soon."""
HELD = 1.0
"""Seconds after which a request loses its permit: it waits for something, and has not said so."""
MOST_WAITING = 100
"""Requests of a busy address that wait for a permit; those beyond it are refused."""
LONGEST_WAIT = 10.0
"""Seconds of waiting after which a request of a busy address is refused: its client may have hung
up long ago, and hundreds of answers would be made for none.
"""
REFUSALS = 20
"""Refusals of an address a second, since each holds the loop as a short request does."""
LONGEST_DELAY = 5.0
"""Seconds that one waits for its time at most, so that a client hears at last."""
MOST_DELAYED = 1_000
"""Refusals of an address that wait; those beyond it come at once, since each takes memory."""


class Permits:
    """The permits of all addresses; an address is kept while one is held or waited for.

    ``at_once`` says how many an address has at the moment.
    """

    def __init__(self, at_once: Callable[[bytes], int]) -> None:
        self._at_once = at_once
        self._flows: dict[bytes, _Flow] = {}

    def has_room(self, address: bytes) -> bool:
        """Whether another request of the address may wait."""
        flow = self._flows.get(address)
        return flow is None or len(flow.waiting) < MOST_WAITING

    async def wait(self, address: bytes) -> Callable[[], None]:
        """Wait for a permit; returns what gives it back, which may be called again."""
        flow = self._flows.setdefault(address, _Flow())
        if flow.waiting or flow.has_begun or flow.held >= self._at_once(address):
            await self._queue(address, flow)
        else:
            self._begin(address, flow)
        is_held = True

        def give_back() -> None:
            nonlocal is_held
            if is_held:
                is_held = False
                timer.cancel()
                self._release(address, flow)

        timer = asyncio.get_running_loop().call_later(HELD, give_back)
        return give_back

    def _begin(self, address: bytes, flow: "_Flow") -> None:
        """Have a request begin, and no other of its address before all others had the loop."""
        flow.held += 1
        flow.has_begun = True
        asyncio.get_running_loop().call_soon(self._pass_on, address, flow)

    def _pass_on(self, address: bytes, flow: "_Flow") -> None:
        flow.has_begun = False
        self._go_on(address, flow)

    async def _queue(self, address: bytes, flow: "_Flow") -> None:
        permit = asyncio.get_running_loop().create_future()
        flow.waiting.append(permit)
        try:
            await permit
        except asyncio.CancelledError:
            if permit.cancelled():
                with suppress(ValueError):  # it was taken from the queue in the same moment
                    flow.waiting.remove(permit)
            else:
                self._release(address, flow)
            raise

    def _release(self, address: bytes, flow: "_Flow") -> None:
        flow.held -= 1
        self._go_on(address, flow)

    def _go_on(self, address: bytes, flow: "_Flow") -> None:
        """Have the next request begin, if it may; forget a flow of none."""
        while flow.waiting and not flow.has_begun and flow.held < self._at_once(address):
            permit = flow.waiting.popleft()
            if not permit.done():
                self._begin(address, flow)
                permit.set_result(None)
        if not flow.held and not flow.has_begun:
            del self._flows[address]


class _Flow:
    """The requests of one address: how many hold a permit, and the ones that wait.

    ``has_begun`` tells whether one has begun in this round of the loop.
    """

    def __init__(self) -> None:
        self.held, self.has_begun = 0, False
        self.waiting: deque[asyncio.Future[None]] = deque()


class Refusals:
    """The refusals of all addresses, of which each address has a number a second."""

    def __init__(self, clock: MonotonicClock) -> None:
        self._clock = clock
        self._policy = RateLimitPolicy("refusals", REFUSALS, 1)
        self._delayed: Counter[bytes] = Counter()

    async def wait(self, address: bytes) -> None:
        """Wait for the time of another refusal of the address."""
        if self._delayed[address] >= MOST_DELAYED:
            return
        now = self._clock()
        delay = self._policy.used(address, now) / REFUSALS
        if delay < LONGEST_DELAY:
            self._policy.charge(address, 1, now)
        self._delayed[address] += 1
        try:
            await asyncio.sleep(min(delay, LONGEST_DELAY))
        finally:
            self._delayed[address] -= 1
            if not self._delayed[address]:
                del self._delayed[address]


class Permit:
    """The permit of one request; where its address is ``busy``, a rest comes before its end."""

    def __init__(
        self, give_back: Callable[[], None], used: Callable[[], float], busy: Callable[[], bool]
    ) -> None:
        self._give_back = give_back
        self._used = used
        self._is_busy = busy
        self._before = used()
        self._least_rest = REST
        self._is_over = False

    def note(self, status: int) -> None:
        """Learn from the answer's status how long the rest is."""
        if status == 429:
            self._least_rest = REFUSED_REST

    def end(self) -> None:
        """Give it back, at once or after the rest; further calls change nothing."""
        if self._is_over:
            return
        self._is_over = True
        if self._is_busy():
            work = (self._used() - self._before) / 1000
            rest = min(max(self._least_rest, RESTS * work), LONGEST_REST)
            asyncio.get_running_loop().call_later(rest, self._give_back)
        else:
            self._give_back()


class FairQueue:
    """The permits of addresses whose work is limited by the policy."""

    def __init__(self, policy: RateLimitPolicy, clock: MonotonicClock) -> None:
        self._policy = policy
        self._clock = clock
        self._permits, self._refusals = Permits(self._at_once), Refusals(clock)

    def _is_busy(self, address: bytes) -> bool:
        return self._policy.used(address, self._clock()) > BUSY

    def _at_once(self, address: bytes) -> int:
        return FEW_AT_ONCE if self._policy.used(address, self._clock()) > WORKING else AT_ONCE

    async def take(self, address: bytes) -> Permit:
        """Wait for the permit of a request of the address.

        Raises TooManyRequests, after a while, where too many of its address wait already, or it has
        waited for too long.
        """
        asked = self._clock()
        if self._is_busy(address) and not self._permits.has_room(address):
            await self._refuse(address)
        give_back, began = await self._permits.wait(address), self._clock()
        if began - asked > LONGEST_WAIT and self._is_busy(address):
            give_back()
            await self._refuse(address)
        PERMIT.set(give_back)
        return Permit(
            give_back,
            lambda: self._policy.used(address, began),
            lambda: self._is_busy(address),
        )

    async def _refuse(self, address: bytes) -> NoReturn:
        await self._refusals.wait(address)
        raise TooManyRequests(1)


def fair_queue(limits: Limits | None, clock: MonotonicClock = time.monotonic) -> FairQueue | None:
    """The queue where work is limited; None where no request waits for another."""
    if limits is None or limits.work is None:
        return None
    return FairQueue(limits.work[0], clock)
