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
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeAlias, overload

import httpx2

from phaseledger.replay.formats.seat import Seat
from phaseledger.service.client import operations as calls
from phaseledger.service.client import players as of_players
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


class _Operation(Generic[P, T]):
    """An operation as a method of both clients; the one of `AsyncClient` is to be awaited."""

    def __init__(self, call: Callable[Concatenate[Session, P], Steps[T]]) -> None:
        @wraps(call)
        def method(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> Any:  # noqa: ANN401
            return self.carry_out(call(self.session, *args, **kwargs))

        self._method: Any = method

    @overload
    def __get__(self, client: "Client", kind: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: "AsyncClient", kind: type) -> Callable[P, Awaitable[T]]: ...
    def __get__(self, client: Any, kind: type) -> Any:
        return self._method.__get__(client, kind)


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

    open = _Operation(calls.open)
    join = _Operation(calls.join)
    join_by_code = _Operation(calls.join_by_code)
    start = _Operation(calls.start)
    kick = _Operation(calls.kick)
    fill = _Operation(calls.fill)
    void = _Operation(calls.void)
    leave = _Operation(calls.leave)
    claim = _Operation(calls.claim)
    turn_clock = _Operation(calls.turn_clock)
    rematch = _Operation(calls.rematch)
    following = _Operation(calls.following)
    command = _Operation(calls.command)
    owes_secret = _Operation(calls.owes_secret)
    reveal = _Operation(calls.reveal)
    present = _Operation(calls.present)
    view = _Operation(calls.view)
    table = _Operation(calls.table)
    scoreboard = _Operation(calls.scoreboard)
    actions = _Operation(calls.actions)
    events = _Operation(calls.events)
    ticket = _Operation(calls.ticket)
    react = _Operation(calls.react)
    rules = _Operation(calls.rules)
    frames = _Operation(calls.frames)
    receipt = _Operation(calls.receipt)
    bundle = _Operation(calls.bundle)
    analysis = _Operation(calls.analysis)
    hint = _Operation(calls.hint)
    games = _Operation(calls.games)
    leaderboard = _Operation(calls.leaderboard)
    ratings = _Operation(calls.ratings)
    application = _Operation(calls.application)
    opened_tables = _Operation(calls.opened_tables)
    table_token = _Operation(of_players.table_token)
    put_player = _Operation(of_players.put_player)
    player = _Operation(of_players.player)
    players = _Operation(of_players.players)
    erase_player = _Operation(of_players.erase_player)
    sign_in = _Operation(of_players.sign_in)
    sign_out = _Operation(of_players.sign_out)
    player_games = _Operation(of_players.player_games)
    player_statistics = _Operation(of_players.player_statistics)
    player_ratings = _Operation(of_players.player_ratings)
    rating_history = _Operation(of_players.rating_history)
    names = _Operation(of_players.names)
    rulesets = _Operation(calls.rulesets)
    ruleset = _Operation(calls.ruleset)
    check = _Operation(calls.check)
    ready = _Operation(calls.ready)
    webhooks = _Operation(hooks.webhooks)
    webhook = _Operation(hooks.webhook)
    register_webhook = _Operation(hooks.register_webhook)
    rotate_secret = _Operation(hooks.rotate_secret)
    delete_webhook = _Operation(hooks.delete_webhook)

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
    is in seconds, and longer than the service lets reads wait; ``key`` is an application's key,
    which opens tables and is not shown at them.
    """

    def __init__(
        self, url: str, *, key: str = "", retry: Retry = PATIENT, timeout: float = 30.0
    ) -> None:
        self.session = Session(token=key, retry=retry)
        self._http = httpx2.Client(base_url=_address(url), timeout=timeout)

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
                    response = self._http.request(**step._asdict())
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

    def __init__(
        self, url: str, *, key: str = "", retry: Retry = PATIENT, timeout: float = 30.0
    ) -> None:
        self.session = Session(token=key, retry=retry)
        self._http = httpx2.AsyncClient(base_url=_address(url), timeout=timeout)

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
                    response = await self._http.request(**step._asdict())
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


def _stream_arguments(request: Request, silence: float) -> dict[str, Any]:
    return {**request._asdict(), "timeout": httpx2.Timeout(10.0, read=silence)}


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
