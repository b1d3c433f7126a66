"""A client of the service: `Client`, and `AsyncClient` with the same methods to be awaited.

::

    with Client("http://127.0.0.1:8000") as client:
        opened = client.open(OpenTable(ruleset="classic", seats=(PersonSeat(), BotSeat())))
        joined = client.at(opened).join(JoinTable(name="Ada"))
        client.at(opened).start()
        me = client.at(joined)
        for now in me.follow():
            if now.asked:
                me.command(now.asked.commands[0], if_match=now.asked)

Bodies and answers are the structs of `service.schemas.games`, `domain.commands` and
`domain.view`. What gets no answer, 408, 429 or 503 is tried again; a command has one
Idempotency-Key for all its tries, so it is taken once. None of the server's own dependencies is
loaded.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeAlias

import httpx2

from phaseledger.replay.formats.seat import Seat
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
    unexpected,
)
from phaseledger.service.client.stream import SILENCE, Export, GameStream, Moment
from phaseledger.service.schemas.games import GameView, Joined, Opened
from phaseledger.service.schemas.lobby import Again

__all__ = ["AsyncClient", "Client", "Moment", "Refused", "Retry", "Unreachable", "Unreadable"]

PATIENT = Retry()

P = ParamSpec("P")
GameReference: TypeAlias = str | Opened | Joined | Again
"""A game's id, or an answer with the game and the caller's token in it."""


def _blocking(
    call: Callable[Concatenate[Session, P], Steps[T]],
) -> Callable[Concatenate["Client", P], T]:
    @wraps(call)
    def method(self: "Client", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.carry_out(call(self.session, *args, **kwargs))

    return method


def _asynchronous(
    call: Callable[Concatenate[Session, P], Steps[T]],
) -> Callable[Concatenate["AsyncClient", P], Awaitable[T]]:
    @wraps(call)
    async def method(self: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.carry_out(call(self.session, *args, **kwargs))

    return method


def _session_at(session: Session, place: GameReference, token: str, guard: Seat | None) -> Session:
    if isinstance(place, Opened):  # a host has no seat; only a named guard is to join
        return session._replace(game=place.game, token=place.host_token, seat=None, guard=guard)
    guard = guard or session.guard
    if isinstance(place, str):
        seat = guard.number if guard else None
        return session._replace(game=place, token=token, seat=seat, guard=guard)
    return session._replace(game=place.game, token=place.token, seat=place.seat, guard=guard)


class _GameClient:
    """The base of both clients: the game and the caller that they speak for."""

    session: Session
    silence = SILENCE
    """Seconds without data after which a stream counts as lost."""

    def at(self, place: GameReference, token: str = "", *, guard: Seat | None = None) -> Self:
        """The client at one game. It shares the connections of this one, which closes them.

        A guard brings the seat's own secret, checks the service's answers and signs commands;
        clients made from one with a guard share the guard.
        """
        client = object.__new__(type(self))
        client.__dict__.update(self.__dict__)
        client.session = _session_at(self.session, place, token, guard)
        return client


class Client(_GameClient):
    """The service at ``url``, without a caller until `at` gives the game and the token. ``timeout``
    is in seconds, and longer than the service lets reads wait.
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
    owes_secret = _blocking(calls.owes_secret)
    reveal = _blocking(calls.reveal)
    present = _blocking(calls.present)
    view = _blocking(calls.view)
    table = _blocking(calls.table)
    scoreboard = _blocking(calls.scoreboard)
    actions = _blocking(calls.actions)
    events = _blocking(calls.events)
    ticket = _blocking(calls.ticket)
    rules = _blocking(calls.rules)
    frames = _blocking(calls.frames)
    receipt = _blocking(calls.receipt)
    bundle = _blocking(calls.bundle)
    analysis = _blocking(calls.analysis)
    hint = _blocking(calls.hint)
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

    def follow(self, known: GameView | None = None) -> Generator[Moment]:
        """The moments of the game from now on, or from the view ``known``, to its end."""
        following = GameStream(self.session, known)
        while not following.over:
            try:
                request = _stream_arguments(following.request(), self.silence)
                with self._http.stream(**request) as response:
                    if _is_of(response, "text/event-stream"):
                        for event in httpx2.EventSource(response):
                            if moment := following.handle(event.event, event.data, event.retry):
                                yield moment
                        following.ended()
                    else:
                        response.read()
                        following.answered(_reply(response))
            except httpx2.TransportError as error:
                following.lost(_reason(error))
            if not following.over:
                time.sleep(following.pause)

    def export(self, **wanted: str | int) -> Generator[bytes]:
        """The lines of finished games, by the parameters of `exportGames`.

        Raises:
            Unreachable: it was cut off.

        """
        export = Export(wanted)
        try:
            with self._http.stream(**_stream_arguments(export.request, self.silence)) as response:
                if not _is_of(response, "application/x-ndjson"):
                    response.read()
                    raise unexpected(_reply(response), "export")
                for line in response.iter_lines():
                    yield export.handle(line)
        except httpx2.TransportError as error:
            raise Unreachable(_reason(error)) from error
        export.ended()

    def carry_out(self, steps: Steps[T]) -> T:
        """Carry out the steps, and return their result."""
        try:
            step = next(steps)
            while True:
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                    step = steps.send(None)
                    continue
                try:
                    response = self._http.request(**_arguments(step))
                except httpx2.TransportError as error:
                    step = steps.throw(Unreachable(_reason(error)))
                else:
                    step = steps.send(_reply(response))
        except StopIteration as stop:
            result: T = stop.value
            return result

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(_GameClient):
    """`Client` for asyncio: every method is awaited."""

    def __init__(self, url: str, *, retry: Retry = PATIENT, timeout: float = 30.0) -> None:
        self.session = Session(retry=retry)
        self._http = httpx2.AsyncClient(base_url=_address(url), timeout=timeout)

    open = _asynchronous(calls.open)
    join = _asynchronous(calls.join)
    join_by_code = _asynchronous(calls.join_by_code)
    start = _asynchronous(calls.start)
    kick = _asynchronous(calls.kick)
    fill = _asynchronous(calls.fill)
    void = _asynchronous(calls.void)
    leave = _asynchronous(calls.leave)
    claim = _asynchronous(calls.claim)
    rematch = _asynchronous(calls.rematch)
    command = _asynchronous(calls.command)
    owes_secret = _asynchronous(calls.owes_secret)
    reveal = _asynchronous(calls.reveal)
    present = _asynchronous(calls.present)
    view = _asynchronous(calls.view)
    table = _asynchronous(calls.table)
    scoreboard = _asynchronous(calls.scoreboard)
    actions = _asynchronous(calls.actions)
    events = _asynchronous(calls.events)
    ticket = _asynchronous(calls.ticket)
    rules = _asynchronous(calls.rules)
    frames = _asynchronous(calls.frames)
    receipt = _asynchronous(calls.receipt)
    bundle = _asynchronous(calls.bundle)
    analysis = _asynchronous(calls.analysis)
    hint = _asynchronous(calls.hint)
    games = _asynchronous(calls.games)
    leaderboard = _asynchronous(calls.leaderboard)
    rulesets = _asynchronous(calls.rulesets)
    ruleset = _asynchronous(calls.ruleset)
    check = _asynchronous(calls.check)
    ready = _asynchronous(calls.ready)
    webhooks = _asynchronous(hooks.webhooks)
    webhook = _asynchronous(hooks.webhook)
    register_webhook = _asynchronous(hooks.register_webhook)
    delete_webhook = _asynchronous(hooks.delete_webhook)

    async def follow(self, known: GameView | None = None) -> AsyncGenerator[Moment]:
        """The moments of the game, as `Client.follow`."""
        following = GameStream(self.session, known)
        while not following.over:
            try:
                async with self._http.stream(
                    **_stream_arguments(following.request(), self.silence)
                ) as response:
                    if _is_of(response, "text/event-stream"):
                        async for event in httpx2.EventSource(response):
                            if moment := following.handle(event.event, event.data, event.retry):
                                yield moment
                        following.ended()
                    else:
                        await response.aread()
                        following.answered(_reply(response))
            except httpx2.TransportError as error:
                following.lost(_reason(error))
            if not following.over:
                await asyncio.sleep(following.pause)

    async def export(self, **wanted: str | int) -> AsyncGenerator[bytes]:
        """The lines of finished games, as `Client.export`."""
        export = Export(wanted)
        try:
            async with self._http.stream(
                **_stream_arguments(export.request, self.silence)
            ) as response:
                if not _is_of(response, "application/x-ndjson"):
                    await response.aread()
                    raise unexpected(_reply(response), "export")
                async for line in response.aiter_lines():
                    yield export.handle(line)
        except httpx2.TransportError as error:
            raise Unreachable(_reason(error)) from error
        export.ended()

    async def carry_out(self, steps: Steps[T]) -> T:
        """Carry out the steps, and return their result."""
        try:
            step = next(steps)
            while True:
                if isinstance(step, Pause):
                    await asyncio.sleep(step.seconds)
                    step = steps.send(None)
                    continue
                try:
                    response = await self._http.request(**_arguments(step))
                except httpx2.TransportError as error:
                    step = steps.throw(Unreachable(_reason(error)))
                else:
                    step = steps.send(_reply(response))
        except StopIteration as stop:
            result: T = stop.value
            return result

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _address(url: str) -> str:
    """The service's address, validated: requests to an invalid one would be retried in vain."""
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"Say where the service is, as in http://127.0.0.1:8000, not {url!r}.")
    return url


def _arguments(request: Request) -> dict[str, Any]:
    """The request as arguments of the HTTP library."""
    return {
        "method": request.method,
        "url": request.path,
        "params": request.query,
        "headers": request.headers,
        "content": request.content,
    }


def _stream_arguments(request: Request, silence: float) -> dict[str, Any]:
    return {**_arguments(request), "timeout": httpx2.Timeout(10.0, read=silence)}


def _reply(response: httpx2.Response) -> Reply:
    asked = _asked(response.request)
    return Reply(response.status_code, response.headers, response.content, asked)


def _is_of(response: httpx2.Response, media_type: str) -> bool:
    """Whether it is a success of the media type, and no page of a proxy."""
    return response.status_code == 200 and media_type in response.headers.get("content-type", "")


def _asked(request: httpx2.Request) -> str:
    """The method and the URL of a request, without a password."""
    url = request.url
    return f"{request.method} {url.scheme}://{url.netloc.decode()}{url.raw_path.decode()}"


def _reason(error: httpx2.TransportError) -> str:
    reason = str(error) or type(error).__name__
    return f"The service gave no answer to {_asked(error.request)}: {reason}."
