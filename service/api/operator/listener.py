"""The operator's listener: admin actions and metrics, on a port, a thread and a loop of its own.

It answers whatever the games do: `/metrics`, which has no secret, from what this process counts,
and actions, which are carried out on the loop that serves the games, with a refusal where that
loop does not get to them in time.
"""

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import structlog
from granian.constants import Interfaces
from granian.server.embed import Server
from litestar import Litestar, Response, get
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from phaseledger.service.api.errors import BadHost, LoopBusy
from phaseledger.service.api.operator.actions import LARGEST_BODY, admin_app
from phaseledger.service.api.operator.record import Operator
from phaseledger.service.api.problems.details import answer, refuse
from phaseledger.service.api.readiness import readiness
from phaseledger.service.api.requests.client_address import header_of
from phaseledger.service.api.stack import Stack
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.refusals import Refusal
from phaseledger.service.runtime import metrics
from phaseledger.service.runtime.logs import trace
from phaseledger.service.settings import operator_token

METRICS = "/metrics"
_OF_NO_DOMAIN = re.compile(r"\[.*|[0-9.]+(:\d*)?|[^.]*")
"""A Host that is an address, or a name without a dot, such as localhost."""
SECONDS_FOR_AN_ACTION = 5.0
SECONDS_FOR_READINESS = 1.0
GRACE = 1.0  # seconds for what is under way on the listener when the service ends

T = TypeVar("T")
log = structlog.get_logger("phaseledger.admin")


class GamesLoop:
    """The loop that serves the games, as seen from another thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._silent_since: float | None = None

    async def run(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Run the work there. Raises TimeoutError, and the work is cancelled then."""
        result = asyncio.run_coroutine_threadsafe(work, self._loop)
        return await asyncio.wait_for(asyncio.wrap_future(result), seconds)

    async def silence(self, seconds: float) -> float:
        """For how many seconds it has not answered; 0 where it does within that time."""
        asked = time.monotonic()
        try:
            await self.run(asyncio.sleep(0), seconds)
        except TimeoutError:
            self._silent_since = self._silent_since or asked
            return time.monotonic() - self._silent_since
        self._silent_since = None
        return 0.0


def listener_app(operator: Operator, token: str, games_loop: GamesLoop) -> ASGIApp:
    """The listener's application, for a loop of its own."""
    actions = admin_app(operator, token)

    @get(METRICS)
    async def scrape() -> Response[bytes]:
        silence = await games_loop.silence(SECONDS_FOR_READINESS)
        metrics.LOOP_SILENCE.set(silence)
        if not silence:
            with suppress(TimeoutError):  # the figures of the last time stand
                await games_loop.run(_look(operator), SECONDS_FOR_READINESS)
        return Response(metrics.text(), media_type=metrics.MEDIA_TYPE)

    figures = Litestar(
        [scrape], exception_handlers={Exception: answer}, openapi_config=None, logging_config=None
    )

    async def act(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await _body(receive)
            messages = await games_loop.run(_answer(actions, scope, body), SECONDS_FOR_AN_ACTION)
        except TimeoutError:
            await refuse(scope, receive, send, LoopBusy(SECONDS_FOR_AN_ACTION))
            return
        except Refusal as refusal:  # of a body that does not come
            await refuse(scope, receive, send, refusal)
            return
        for message in messages:
            await send(message)

    async def listening(scope: Scope, receive: Receive, send: Send) -> None:
        app = figures if scope["path"].rstrip("/") == METRICS else act
        await app(scope, receive, send)

    return Stack(listening)


async def _look(operator: Operator) -> None:
    """Set the metrics that are no counts."""
    await readiness(operator.service, operator.state)
    if (measures := operator.service.parts.measures) is not None:
        with suppress(StoreUnavailable):  # which readiness tells
            await measures.take()


def with_own_host(app: ASGIApp) -> ASGIApp:
    """Middleware that refuses names of domains, which an attacker may have lead to this machine."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        host = "" if scope.get("method") is None else header_of(scope, b"host")
        if _OF_NO_DOMAIN.fullmatch(host):
            await app(scope, receive, send)
        else:
            await refuse(scope, receive, send, BadHost())

    return answer


async def _body(receive: Receive) -> bytes:
    """The request's body, as far as it matters: of one that is too large, more than may be."""
    body = b""
    while len(body) <= LARGEST_BODY:
        message = await receive()
        if message["type"] != "http.request":
            break
        body += message["body"]
        if not message.get("more_body", False):
            break
    return body


async def _answer(app: ASGIApp, scope: Scope, body: bytes) -> list[Message]:
    """What the application answers to a request whose body is there."""
    messages: list[Message] = []

    async def receive() -> Any:  # noqa: ANN401 - a message of one of many kinds
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        messages.append(message)

    await app(scope, receive, send)
    return messages


@asynccontextmanager
async def listener(operator: Operator) -> AsyncIterator[None]:
    """Run the listener beside the block. Raises SettingsError without a usable token."""
    settings = operator.service.settings
    token = operator_token(settings)
    app = listener_app(operator, token, GamesLoop(asyncio.get_running_loop()))
    if settings.admin_host in ("127.0.0.1", "::1", "localhost"):
        app = with_own_host(app)
    loop = asyncio.new_event_loop()
    server = Server(
        app,
        address=settings.admin_host,
        port=settings.admin_port,
        interface=Interfaces.ASGINL,
        log_enabled=False,
        websockets=False,
    )
    thread = threading.Thread(target=_serve, args=(loop, server), name="listener", daemon=True)
    thread.start()
    try:
        yield
    finally:
        with suppress(RuntimeError):  # it has stopped by itself
            loop.call_soon_threadsafe(server.stop)
        await asyncio.to_thread(thread.join, GRACE)


def _serve(loop: asyncio.AbstractEventLoop, server: Server) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_until_complete(server.serve())
    except Exception as error:  # noqa: BLE001 - games go on, and the listener is not waited for
        log.critical("the operator's listener has stopped", **trace(error))
    finally:
        loop.close()
