"""A client of the service: `Client`, and `AsyncClient` with the same methods to be awaited.

::

    with Client("http://127.0.0.1:8000") as client:
        opened = client.open(OpenTable(ruleset="classic", seats=(PersonSeat(), BotSeat())))
        joined = client.at(opened).join(JoinTable(name="Ada"))
        client.at(opened).start()
        me = client.at(joined)
        for now in me.follow():
            if now.asked:
                me.command(now.asked.commands[0], if_match=now.asked.version)

Bodies and answers are the structs of `service.schemas`, `domain.commands` and `domain.view`. What
gets no answer, 408, 429 or 503 is tried again; a command has one Idempotency-Key for all its tries,
so it is taken once. None of the server's own dependencies is loaded.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeAlias

import httpx2

from phaseledger.replay.seat import Seat
from phaseledger.service.client import operations as calls
from phaseledger.service.client import webhooks as hooks
from phaseledger.service.client.protocol import (
    Pause,
    Refused,
    Reply,
    Request,
    Retry,
    Session,
    Steps,
    T,
    Unreachable,
    Unreadable,
    problem_of,
)
from phaseledger.service.client.stream import SILENCE, Export, GameStream, Moment
from phaseledger.service.schemas.games import GameView, Joined, Opened
from phaseledger.service.schemas.lobby import Again

__all__ = ["AsyncClient", "Client", "Moment", "Refused", "Retry", "Unreachable", "Unreadable"]

PATIENT = Retry()

P = ParamSpec("P")
GameReference: TypeAlias = str | Opened | Joined | Again
"""A game's id, or an answer that tells the game and the caller's token in it."""


def _blocking(
    call: Callable[Concatenate[Session, P], Steps[T]],
) -> Callable[Concatenate["Client", P], T]:
    @wraps(call)
    def method(self: "Client", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.carry_out(call(self.session, *args, **kwargs))

    return method


def _awaited(
    call: Callable[Concatenate[Session, P], Steps[T]],
) -> Callable[Concatenate["AsyncClient", P], Awaitable[T]]:
    @wraps(call)
    async def method(self: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.carry_out(call(self.session, *args, **kwargs))

    return method


def _place(session: Session, place: GameReference, token: str, guard: Seat | None) -> Session:
    guard = guard or session.guard
    match place:
        case str():
            seat = guard.number if guard else None
            return session._replace(game=place, token=token, seat=seat, guard=guard)
        case Opened():
            return session._replace(game=place.game, token=place.host_token, seat=None, guard=None)
    return session._replace(game=place.game, token=place.token, seat=place.seat, guard=guard)


class _Placed:
    """What the two clients are at."""

    session: Session
    silence = SILENCE
    """Seconds after which a stream that says nothing counts as lost."""

    def at(self, place: GameReference, token: str = "", *, guard: Seat | None = None) -> Self:
        """The client at one game. It shares the connections of this one, which closes them.

        A guard brings the seat's own secret, checks what the service says and signs commands; what
        comes of a client that has one, has it too.
        """
        found = object.__new__(type(self))
        found.__dict__.update(self.__dict__)
        found.session = _place(self.session, place, token, guard)
        return found


class Client(_Placed):
    """The service at ``url``, seen by nobody in particular until `at` says which game, and whose
    token. ``timeout`` is in seconds, and longer than the service lets reads wait.
    """

    def __init__(self, url: str, *, retry: Retry = PATIENT, timeout: float = 30.0) -> None:
        self.session = Session(retry=retry)
        self._http = httpx2.Client(base_url=_address(url), timeout=timeout)

    open = _blocking(calls.open)
    join = _blocking(calls.join)
    join_by_code = _blocking(calls.join_by_code)
    start = _blocking(calls.start)
    kick = _blocking(calls.kick)
    fill = _blocking(calls.fill)
    void = _blocking(calls.void)
    leave = _blocking(calls.leave)
    claim = _blocking(calls.claim)
    rematch = _blocking(calls.rematch)
    command = _blocking(calls.command)
    reveal = _blocking(calls.reveal)
    view = _blocking(calls.view)
    table = _blocking(calls.table)
    scoreboard = _blocking(calls.scoreboard)
    actions = _blocking(calls.actions)
    events = _blocking(calls.events)
    receipt = _blocking(calls.receipt)
    bundle = _blocking(calls.bundle)
    games = _blocking(calls.games)
    leaderboard = _blocking(calls.leaderboard)
    rulesets = _blocking(calls.rulesets)
    ruleset = _blocking(calls.ruleset)
    check = _blocking(calls.check)
    ready = _blocking(calls.ready)
    webhooks = _blocking(hooks.webhooks)
    webhook = _blocking(hooks.webhook)
    register_webhook = _blocking(hooks.register_webhook)
    delete_webhook = _blocking(hooks.delete_webhook)
    ping_webhook = _blocking(hooks.ping_webhook)
    deliveries = _blocking(hooks.deliveries)
    replay_delivery = _blocking(hooks.replay_delivery)

    def follow(self, known: GameView | None = None) -> Generator[Moment]:
        """Each moment of the game from now on, or from a view held already, to its end."""
        following = GameStream(self.session, known)
        while not following.over:
            try:
                request = _streamed(following.request(), self.silence)
                with self._http.stream(**request) as answer:
                    if answer.status_code == 200:
                        for event in httpx2.EventSource(answer):
                            if moment := following.told(event.event, event.data, event.retry):
                                yield moment
                        following.ended()
                    else:
                        answer.read()
                        following.answered(_reply(answer))
            except httpx2.TransportError as lost:
                following.lost(_told(lost))
            if not following.over:
                time.sleep(following.pause)

    def export(self, **wanted: str | int) -> Generator[bytes]:
        """The lines of finished games, by the parameters of `exportGames`.

        Raises:
            Unreachable: it was cut off.

        """
        export = Export(wanted)
        try:
            with self._http.stream(**_streamed(export.request, self.silence)) as answer:
                if answer.status_code != 200:
                    answer.read()
                    raise Refused(problem_of(_reply(answer)))
                for line in answer.iter_lines():
                    yield export.told(line)
        except httpx2.TransportError as lost:
            raise Unreachable(_told(lost)) from lost
        export.ended()

    def carry_out(self, steps: Steps[T]) -> T:
        """Do what the steps say, and return what they lead to."""
        try:
            step = next(steps)
            while True:
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                    step = steps.send(None)
                    continue
                try:
                    answer = self._http.request(**_sent(step))
                except httpx2.TransportError as lost:
                    step = steps.throw(Unreachable(_told(lost)))
                else:
                    step = steps.send(_reply(answer))
        except StopIteration as done:
            found: T = done.value
            return found

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(_Placed):
    """`Client` for asyncio: what a method there returns, is awaited here."""

    def __init__(self, url: str, *, retry: Retry = PATIENT, timeout: float = 30.0) -> None:
        self.session = Session(retry=retry)
        self._http = httpx2.AsyncClient(base_url=_address(url), timeout=timeout)

    open = _awaited(calls.open)
    join = _awaited(calls.join)
    join_by_code = _awaited(calls.join_by_code)
    start = _awaited(calls.start)
    kick = _awaited(calls.kick)
    fill = _awaited(calls.fill)
    void = _awaited(calls.void)
    leave = _awaited(calls.leave)
    claim = _awaited(calls.claim)
    rematch = _awaited(calls.rematch)
    command = _awaited(calls.command)
    reveal = _awaited(calls.reveal)
    view = _awaited(calls.view)
    table = _awaited(calls.table)
    scoreboard = _awaited(calls.scoreboard)
    actions = _awaited(calls.actions)
    events = _awaited(calls.events)
    receipt = _awaited(calls.receipt)
    bundle = _awaited(calls.bundle)
    games = _awaited(calls.games)
    leaderboard = _awaited(calls.leaderboard)
    rulesets = _awaited(calls.rulesets)
    ruleset = _awaited(calls.ruleset)
    check = _awaited(calls.check)
    ready = _awaited(calls.ready)
    webhooks = _awaited(hooks.webhooks)
    webhook = _awaited(hooks.webhook)
    register_webhook = _awaited(hooks.register_webhook)
    delete_webhook = _awaited(hooks.delete_webhook)
    ping_webhook = _awaited(hooks.ping_webhook)
    deliveries = _awaited(hooks.deliveries)
    replay_delivery = _awaited(hooks.replay_delivery)

    async def follow(self, known: GameView | None = None) -> AsyncGenerator[Moment]:
        """Each moment of the game, as `Client.follow`."""
        following = GameStream(self.session, known)
        while not following.over:
            try:
                async with self._http.stream(
                    **_streamed(following.request(), self.silence)
                ) as answer:
                    if answer.status_code == 200:
                        async for event in httpx2.EventSource(answer):
                            if moment := following.told(event.event, event.data, event.retry):
                                yield moment
                        following.ended()
                    else:
                        await answer.aread()
                        following.answered(_reply(answer))
            except httpx2.TransportError as lost:
                following.lost(_told(lost))
            if not following.over:
                await asyncio.sleep(following.pause)

    async def export(self, **wanted: str | int) -> AsyncGenerator[bytes]:
        """The lines of finished games, as `Client.export`."""
        export = Export(wanted)
        try:
            async with self._http.stream(**_streamed(export.request, self.silence)) as answer:
                if answer.status_code != 200:
                    await answer.aread()
                    raise Refused(problem_of(_reply(answer)))
                async for line in answer.aiter_lines():
                    yield export.told(line)
        except httpx2.TransportError as lost:
            raise Unreachable(_told(lost)) from lost
        export.ended()

    async def carry_out(self, steps: Steps[T]) -> T:
        """Do what the steps say, and return what they lead to."""
        try:
            step = next(steps)
            while True:
                if isinstance(step, Pause):
                    await asyncio.sleep(step.seconds)
                    step = steps.send(None)
                    continue
                try:
                    answer = await self._http.request(**_sent(step))
                except httpx2.TransportError as lost:
                    step = steps.throw(Unreachable(_told(lost)))
                else:
                    step = steps.send(_reply(answer))
        except StopIteration as done:
            found: T = done.value
            return found

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _address(url: str) -> str:
    """The address, if it is one; each request to anything else would be tried again in vain."""
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"Say where the service is, as in http://127.0.0.1:8000, not {url!r}.")
    return url


def _sent(request: Request) -> dict[str, Any]:
    """The request, as the HTTP library takes it."""
    return {
        "method": request.method,
        "url": request.path,
        "params": request.query,
        "headers": request.headers,
        "content": request.content,
    }


def _streamed(request: Request, silence: float) -> dict[str, Any]:
    return {**_sent(request), "timeout": httpx2.Timeout(10.0, read=silence)}


def _reply(answer: httpx2.Response) -> Reply:
    return Reply(answer.status_code, answer.headers, answer.content)


def _told(lost: httpx2.TransportError) -> str:
    return f"The service gave no answer: {str(lost) or type(lost).__name__}."
