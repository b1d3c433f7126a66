"""Turns: the requests of a busy address wait for one another, so that others need not.

All requests share one event loop, and each of them waits for those that came before. An address
that has just used more of it than it may for long is served so many requests at a time, however
many it sends; what it is entitled to it gets all the same.
"""

import asyncio
import time
from collections.abc import Callable

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from phaseledger.service.api.client_address import origin
from phaseledger.service.api.errors import TooManyRequests
from phaseledger.service.api.rate_limits import FREE, Limits, refuse
from phaseledger.service.quotas.token_buckets import MonotonicClock
from phaseledger.service.runtime.work import TURN

AT_ONCE = 2
"""Requests of a busy address that are served at a time: one may wait for a commit meanwhile."""
BUSY = 100.0
"""Milliseconds of work beyond the rate after which an address is busy."""
HELD = 1.0
"""Seconds after which a request gives up its turn: it waits for something, and has not said so."""
MOST_WAITING = 100
"""Requests of one address that wait for their turn; those beyond it are refused."""


class Turns:
    """The turns of all addresses, kept only where somebody holds one or waits."""

    def __init__(self, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING) -> None:
        self._at_once = at_once
        self._most = at_once + most_waiting
        self._lines: dict[bytes, _Line] = {}

    def has_room(self, address: bytes) -> bool:
        """Whether another request of the address may wait."""
        line = self._lines.get(address)
        return line is None or line.requests < self._most

    async def wait(self, address: bytes) -> Callable[[], None]:
        """Wait for a turn; returns what gives it back, which may be called again."""
        line = self._lines.setdefault(address, _Line(self._at_once))
        line.requests += 1
        try:
            await line.free.acquire()
        except BaseException:
            self._leave(address, line)
            raise
        is_held = True

        def give_back() -> None:
            nonlocal is_held
            if is_held:
                is_held = False
                timer.cancel()
                line.free.release()
                self._leave(address, line)

        timer = asyncio.get_running_loop().call_later(HELD, give_back)
        return give_back

    def _leave(self, address: bytes, line: "_Line") -> None:
        line.requests -= 1
        if not line.requests:
            del self._lines[address]


class _Line:
    """The requests of one address that hold a turn or wait for one."""

    def __init__(self, at_once: int) -> None:
        self.free = asyncio.Semaphore(at_once)
        self.requests = 0


def with_turns(
    app: ASGIApp, limits: Limits | None, clock: MonotonicClock = time.monotonic
) -> ASGIApp:
    """Middleware that has the requests of a busy address wait for one another.

    More than may wait are answered 429. Without a limit of work nobody waits.
    """
    if limits is None or limits.work is None:
        return app
    turns, (policy, _) = Turns(), limits.work

    async def in_turn(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") is None or scope["path"].startswith(FREE):
            await app(scope, receive, send)
            return
        address = origin(scope, limits.proxies, limits.header)
        if policy.used(address, clock()) <= BUSY:
            await app(scope, receive, send)
            return
        if not turns.has_room(address):
            await refuse(scope, receive, send, TooManyRequests(1))
            return
        give_back = await turns.wait(address)
        TURN.set(give_back)

        async def send_in_turn(message: Message) -> None:
            await send(message)
            if message.get("more_body"):
                give_back()  # it goes on, at its reader's pace

        try:
            await app(scope, receive, send_in_turn)
        finally:
            give_back()

    return in_turn
