"""Turns: the requests of one address wait for one another, so that others need not.

All requests share one event loop, and each of them waits for those that came before. So many
requests of an address are served at a time, however many it sends at once, and fewer where it has
just used more of the loop than it may for long; what it is entitled to it gets all the same. None
of them begins before all others had the loop since the last one. Refusals are work too, so they
come one after another.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from phaseledger.service.api.errors import TooManyRequests
from phaseledger.service.api.limits.rates import HAS_TURN, Limits
from phaseledger.service.quotas.token_buckets import MonotonicClock, RateLimitPolicy
from phaseledger.service.runtime.work import TURN

AT_ONCE = 8
"""Requests of an address that are served at a time. What they cost is known only afterwards, so a
hundred that come at once would all begin before any of them counts.
"""
FEW_AT_ONCE = 2
"""The same of an address that works: one may wait for a commit meanwhile."""
WORKING = 25.0
"""Milliseconds of work beyond the rate after which an address works. Each request of others waits
for what is served at a time, as often as it waits for the database.
"""
BUSY = 100.0
"""Milliseconds of work beyond the rate after which an address is busy."""
RESTS = 4
"""A busy address keeps a turn after its answer, so many times as long as the work that was charged
to it meanwhile: it would else use all that it may at once as fast as the loop can, and others would
wait for each of its requests.
"""
REST = 0.002
"""Seconds that it keeps it at least: there is more to a short request than is charged."""
LONGEST_REST = 1.0
REFUSED_REST = 0.05
"""Seconds that it keeps a turn after a 429: a client that is told to wait need not ask so soon."""
HELD = 1.0
"""Seconds after which a request gives up its turn: it waits for something, and has not said so."""
MOST_WAITING = 100
"""Requests of a busy address that wait for their turn; those beyond it are refused."""
LONGEST_WAIT = 10.0
"""Seconds after which a request of a busy address is refused when its turn comes: whoever asked may
have hung up long ago, and the answers to hundreds who did would be made all the same.
"""
REFUSALS = 20
"""Such refusals of an address a second, since each holds the loop as a short request does."""
LONGEST_DELAY = 5.0
"""Seconds that one waits for its time at most, so that a client hears at last."""
MOST_DELAYED = 1_000
"""Refusals of an address that wait; those beyond it come at once, since each takes memory."""


class Turns:
    """The turns of all addresses, kept only where somebody holds one or waits.

    ``at_once`` says how many an address has at the moment.
    """

    def __init__(self, at_once: Callable[[bytes], int], most_waiting: int = MOST_WAITING) -> None:
        self._at_once = at_once
        self._most_waiting = most_waiting
        self._lines: dict[bytes, _Line] = {}

    def has_room(self, address: bytes) -> bool:
        """Whether another request of the address may wait."""
        line = self._lines.get(address)
        return line is None or len(line.waiting) < self._most_waiting

    async def wait(self, address: bytes) -> Callable[[], None]:
        """Wait for a turn; returns what gives it back, which may be called again."""
        line = self._lines.setdefault(address, _Line())
        if line.waiting or line.has_begun or line.held >= self._at_once(address):
            await self._queue(address, line)
        else:
            self._begin(address, line)
        is_held = True

        def give_back() -> None:
            nonlocal is_held
            if is_held:
                is_held = False
                timer.cancel()
                self._release(address, line)

        timer = asyncio.get_running_loop().call_later(HELD, give_back)
        return give_back

    def _begin(self, address: bytes, line: "_Line") -> None:
        """Have a request begin, and no other of its address before all others had the loop."""
        line.held += 1
        line.has_begun = True
        asyncio.get_running_loop().call_soon(self._pass_on, address, line)

    def _pass_on(self, address: bytes, line: "_Line") -> None:
        line.has_begun = False
        self._go_on(address, line)

    async def _queue(self, address: bytes, line: "_Line") -> None:
        turn = asyncio.get_running_loop().create_future()
        line.waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                with suppress(ValueError):  # it was its turn in the same moment
                    line.waiting.remove(turn)
            else:
                self._release(address, line)
            raise

    def _release(self, address: bytes, line: "_Line") -> None:
        line.held -= 1
        self._go_on(address, line)

    def _go_on(self, address: bytes, line: "_Line") -> None:
        """Have the next request begin, if it may; forget a line of none."""
        while line.waiting and not line.has_begun and line.held < self._at_once(address):
            turn = line.waiting.popleft()
            if not turn.done():
                self._begin(address, line)
                turn.set_result(None)
        if not line.held and not line.has_begun:
            del self._lines[address]


class _Line:
    """The requests of one address: how many hold a turn, and those that wait for one.

    Whether one ``has_begun`` in this turn of the loop.
    """

    def __init__(self) -> None:
        self.held, self.has_begun = 0, False
        self.waiting: deque[asyncio.Future[None]] = deque()


class Refusals:
    """The refusals of all addresses, of which each address has so many a second."""

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


class Turn:
    """The turn that a request has; where its address is ``busy``, the loop rests at its end."""

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
        """Learn from the answer's status how the turn ends."""
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


class AddressTurns:
    """The turns of addresses whose work is limited by the policy."""

    def __init__(self, limits: Limits, policy: RateLimitPolicy, clock: MonotonicClock) -> None:
        self.share = limits.share
        self._policy = policy
        self._clock = clock
        self._turns, self._refusals = Turns(self._at_once), Refusals(clock)

    def _is_busy(self, address: bytes) -> bool:
        return self._policy.used(address, self._clock()) > BUSY

    def _at_once(self, address: bytes) -> int:
        return FEW_AT_ONCE if self._policy.used(address, self._clock()) > WORKING else AT_ONCE

    async def take(self, address: bytes) -> Turn:
        """Wait for the turn of a request that takes from the share with the key.

        Raises TooManyRequests, after a while, where too many of its address wait already, or it has
        waited for too long.
        """
        asked = self._clock()
        if self._is_busy(address) and not self._turns.has_room(address):
            await self._refuse(address)
        give_back, began = await self._turns.wait(address), self._clock()
        if began - asked > LONGEST_WAIT and self._is_busy(address):
            give_back()
            await self._refuse(address)
        TURN.set(give_back)
        return Turn(
            give_back,
            lambda: self._policy.used(address, began),
            lambda: self._is_busy(address),
        )

    async def _refuse(self, address: bytes) -> NoReturn:
        await self._refusals.wait(address)
        raise TooManyRequests(1)


def address_turns(
    limits: Limits | None, clock: MonotonicClock = time.monotonic
) -> AddressTurns | None:
    """The turns where work is limited; None where nobody waits for another."""
    if limits is None or limits.work is None:
        return None
    return AddressTurns(limits, limits.work[0], clock)


def with_turns(app: ASGIApp, turns: AddressTurns | None) -> ASGIApp:
    """Middleware that has the requests of an address wait for one another.

    It stands around all others, so that a request which waits has cost next to nothing. One that
    finds no room to wait, or has waited for too long, goes on without a turn, and the limits refuse
    it.
    """
    if turns is None:
        return app

    async def in_turn(scope: Scope, receive: Receive, send: Send) -> None:
        address = None if scope.get("method") is None else turns.share(scope)
        if address is None:
            await app(scope, receive, send)
            return
        try:
            turn = await turns.take(address)
        except TooManyRequests:
            context_token = HAS_TURN.set(False)
            try:
                await app(scope, receive, send)
            finally:
                HAS_TURN.reset(context_token)
            return

        async def send_in_turn(message: Message) -> None:
            if message["type"] == "http.response.start":
                turn.note(message["status"])
            await send(message)
            if message.get("more_body"):
                turn.end()  # it goes on, at its reader's pace

        try:
            await app(scope, receive, send_in_turn)
        finally:
            turn.end()

    return in_turn
