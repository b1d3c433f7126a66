"""ASGI middleware around the routes: sizes, methods, request ids, slow bodies, access log, gate.

The server itself refuses what it cannot hold at all, in bare words; see `service.api.openapi.info`.
`Strict-Transport-Security` is left to the proxy that speaks TLS: over plain HTTP it says nothing,
and only the proxy knows whether all of its host can be had over TLS.
"""

import asyncio
import re
import time

import structlog
from litestar.types import ASGIApp, Message, Receive, ReceiveMessage, Scope, Send
from uuid_utils.compat import uuid4

from phaseledger.service.api.errors import (
    AddressTooLong,
    BadHost,
    BodyCutOff,
    BodyTooSlow,
    Draining,
    HeadersTooLarge,
)
from phaseledger.service.api.limits.rates import READS
from phaseledger.service.api.problems.details import refuse
from phaseledger.service.operations import Gate
from phaseledger.service.refusals import Refusal
from phaseledger.service.runtime import tracing
from phaseledger.service.runtime.logs import REQUEST, log_request, trace
from phaseledger.service.runtime.shutdown import Shutdown

log = structlog.get_logger("phaseledger.access")
LONGEST_TARGET = 16 * 1024
"""Bytes of path and query at most."""
LARGEST_HEADERS = 32 * 1024
"""Bytes of all header names and values at most."""
BODY_SECONDS = 3.0
BYTES_A_SECOND = 8 * 1024
"""A body may take `BODY_SECONDS`, and as much longer as it comes in at this rate. Bodies are
small, and whoever serves slow clients has a proxy in front that collects them.
"""
SECURITY_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
_VALID_ID = re.compile(rb"[A-Za-z0-9._-]{1,128}")
_WITH_BODY = {"DELETE", "PATCH", "POST", "PUT"}
_WITHOUT_HOST = {"1", "1.0"}
"""Versions of HTTP in which a request need not name a host, as servers call them."""
_LENGTH = b"content-length"
_STORING_NOTHING = re.compile(r"/v1/(rulesets/[^/]+/checks|replays)")


class ResponseAborted(Exception):
    """A response failed after its start: the server has to close the connection."""


def _target_size(scope: Scope) -> int:
    path = scope.get("raw_path") or scope["path"].encode()
    return len(path) + len(scope["query_string"])


def with_one_host(app: ASGIApp) -> ASGIApp:
    """Answer 400 to a request that names no host, or several (RFC 9112, 3.2).

    HTTP/1.0 has no Host. The server shows the ``:authority`` of HTTP/2 as one, and an empty one
    where a request has none.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") is None:
            await app(scope, receive, send)
            return
        if names_one_host(scope):
            await app(scope, receive, send)
        else:
            await refuse(scope, receive, send, BadHost())

    return answer


def names_one_host(scope: Scope) -> bool:
    """Whether the request names one host, as RFC 9112, 3.2 demands."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    return len(hosts) == 1 and (bool(hosts[0]) or scope["http_version"] in _WITHOUT_HOST)


def with_small_heads(app: ASGIApp) -> ASGIApp:
    """Answer 414 to too long an address, and 431 to headers that are too large together."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        fault = None if scope.get("method") is None else size_fault(scope)
        if fault is None:
            await app(scope, receive, send)
        else:
            await refuse(scope, receive, send, fault)

    return answer


def size_fault(scope: Scope) -> Refusal | None:
    """The refusal of too long an address, or of headers that are too large together."""
    if _target_size(scope) > LONGEST_TARGET:
        return AddressTooLong()
    if sum([len(name) + len(value) for name, value in scope["headers"]]) > LARGEST_HEADERS:
        return HeadersTooLarge()
    return None


def with_all_methods(app: ASGIApp) -> ASGIApp:
    """Answer HEAD like GET without the body, and OPTIONS with what a path really allows.

    (The framework's own OPTIONS names the methods of a path's first handler only.)
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        method = scope.get("method")
        if method == "HEAD":

            async def send_head(message: Message) -> None:
                if message["type"] == "http.response.body":
                    message["body"] = b""
                await send(message)

            await app({**scope, "method": "GET"}, receive, send_head)  # type: ignore[arg-type]
        elif method == "OPTIONS":
            is_refused = False

            async def send_allowed(message: Message) -> None:
                nonlocal is_refused
                if message["type"] == "http.response.start" and message["status"] == 405:
                    is_refused = True
                    allow_headers = [
                        line for line in message["headers"] if line[0].lower() == b"allow"
                    ]
                    message["status"], message["headers"] = 204, allow_headers
                elif message["type"] == "http.response.body" and is_refused:
                    message["body"] = b""
                await send(message)

            # No path has TRACE, so its refusal lists what there is.
            await app({**scope, "method": "TRACE"}, receive, send_allowed)  # type: ignore[arg-type]
        else:
            await app(scope, receive, send)

    return answer


def with_request_ids(app: ASGIApp) -> ASGIApp:
    """Give each request an id: its `X-Request-Id` if valid, else a new UUID. Answers repeat it."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") is None:
            await app(scope, receive, send)
            return
        request_id = request_id_of(scope)

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"x-request-id", request_id)]
            await send(message)

        context_token = REQUEST.set(request_id.decode())
        try:
            await app(scope, receive, send_with_id)
        finally:
            REQUEST.reset(context_token)

    return answer


def request_id_of(scope: Scope) -> bytes:
    """The request's `X-Request-Id` if it has one that is valid, else a new UUID."""
    values = [value for name, value in scope["headers"] if name == b"x-request-id"]
    is_valid = len(values) == 1 and _VALID_ID.fullmatch(values[0]) is not None
    return values[0] if is_valid else str(uuid4()).encode()


def with_prompt_bodies(app: ASGIApp) -> ASGIApp:
    """Limit the time a body may take (408), and refuse one that breaks off (400)."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") not in _WITH_BODY:
            await app(scope, receive, send)
            return
        await app(scope, PromptBody(scope, receive).receive, send)

    return answer


class PromptBody:
    """A request's messages, of which those of its body have to come in time."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive = receive
        self._started_at, self._received, self._is_complete = 0.0, 0, False
        # Later versions may send more than announced, and are refused.
        self._length = b""
        if scope["http_version"] < "2":
            self._length = next((value for name, value in scope["headers"] if name == _LENGTH), b"")

    async def receive(self) -> ReceiveMessage:
        """The next message. Raises BodyTooSlow, BodyCutOff."""
        if self._is_complete:  # the next message is the disconnect
            return await self._receive()
        now = asyncio.get_running_loop().time()
        self._started_at = self._started_at or now
        remaining = self._started_at + BODY_SECONDS + self._received / BYTES_A_SECOND - now
        try:
            async with asyncio.timeout(remaining):
                message = await self._receive()
        except TimeoutError:
            raise BodyTooSlow(f"{self._received} bytes came") from None
        if message["type"] != "http.request":
            raise BodyCutOff(f"{self._received} bytes came")
        self._received += len(message.get("body", b""))
        if b"%d" % self._received == self._length:
            # The server would say so in a message of its own, for which the loop has to wait.
            message["more_body"] = False
        self._is_complete = not message.get("more_body", False)
        return message


def with_access_log(app: ASGIApp) -> ASGIApp:
    """Log one line a request, without headers, query and body, which hold tokens and hands."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        method = scope.get("method")
        if method is None:
            await app(scope, receive, send)
            return
        started_at, status = time.perf_counter(), 0

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await app(scope, receive, send_noted)
        except Exception as error:  # noqa: BLE001 - the server would write down what it says
            # A stream broke off, and the exception may name a card.
            log.error("answer broken off", path=scope["path"], **trace(error.__cause__ or error))  # noqa: TRY400
            raise ResponseAborted from None
        finally:
            log_request(str(method), scope["path"], status, time.perf_counter() - started_at)

    return answer


def with_gate(app: ASGIApp, gate: Gate) -> ASGIApp:
    """Answer 503 to writes while the service drains; checking cards or a file counts as a read."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        is_read = scope.get("method", "GET") in READS or _STORING_NOTHING.fullmatch(scope["path"])
        if gate.draining and not is_read:
            await refuse(scope, receive, send, Draining())
        else:
            await app(scope, receive, send)

    return answer


def with_closed_connections(app: ASGIApp, shutdown: Shutdown) -> ASGIApp:
    """Close each connection with an answer that says so, once the process is about to stop.

    (HTTP/2 has messages of its own for that, which the server sends.)
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_last(message: Message) -> None:
            if message["type"] == "http.response.start" and shutdown.has_begun:
                message["headers"] = [*message["headers"], (b"connection", b"close")]
            await send(message)

        is_last_possible = scope.get("method") is not None and scope["http_version"] < "2"
        await app(scope, receive, send_last if is_last_possible else send)

    return answer


def with_security_headers(app: ASGIApp) -> ASGIApp:
    """Add `SECURITY_HEADERS` to every answer whose route has not set its own."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                missing = [header for header in SECURITY_HEADERS if header[0] not in present]
                message["headers"] = [*message["headers"], *missing]
            await send(message)

        await app(scope, receive, send_secured)

    return answer


def with_spans(app: ASGIApp) -> ASGIApp:
    """Trace each request in a server span, a child of the client's ``traceparent``."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        method = scope.get("method")
        if method is None or tracing.tracer() is None:
            await app(scope, receive, send)
            return
        with tracing.server_span(str(method), scope["headers"], REQUEST.get()) as note:

            async def send_noted(message: Message) -> None:
                if message["type"] == "http.response.start":
                    note(message["status"], scope.get("path_template"))
                await send(message)

            await app(scope, receive, send_noted)

    return answer
