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

from phaseledger.service.api.problems import Refusal
from phaseledger.service.api.rate_limits import READS, refuse
from phaseledger.service.operations import Gate
from phaseledger.service.runtime.logs import REQUEST, trace
from phaseledger.service.runtime.tracing import _provider

LONGEST_TARGET = 16 * 1024
"""Bytes of path and query."""


LARGEST_HEADERS = 32 * 1024
"""Bytes of all names and values."""


def _target(scope: Scope) -> int:
    path = scope.get("raw_path") or scope["path"].encode()
    return len(path) + len(scope["query_string"])


def with_small_heads(app: ASGIApp) -> ASGIApp:
    """Answer 414 to too long an address, and 431 to headers that are too large together."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") is None:
            await app(scope, receive, send)
        elif _target(scope) > LONGEST_TARGET:
            await refuse(scope, receive, send, Refusal("address_too_long"))
        elif sum(len(name) + len(value) for name, value in scope["headers"]) > LARGEST_HEADERS:
            await refuse(scope, receive, send, Refusal("headers_too_large"))
        else:
            await app(scope, receive, send)

    return answer


SECURITY_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)


def with_security_headers(app: ASGIApp) -> ASGIApp:
    """Add the headers to every answer, where the route has not its own."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower() for name, _ in message["headers"]}
                more = [header for header in SECURITY_HEADERS if header[0] not in own]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        await app(scope, receive, send_secured)

    return answer


log = structlog.get_logger("phaseledger.access")


class ResponseAborted(Exception):
    """An answer that had begun cannot be ended: the server has to close the connection."""


_SANE = re.compile(rb"[A-Za-z0-9._-]{1,128}")


_WITH_BODY = {"DELETE", "PATCH", "POST", "PUT"}


_LENGTH = b"content-length"


BODY_SECONDS = 0.9


BYTES_A_SECOND = 8 * 1024
"""A body may take `BODY_SECONDS`, and as much longer as it comes in at this rate. Bodies are
small, and whoever serves slow clients has a proxy in front that collects them.
"""


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
            allowed = False

            async def send_allowed(message: Message) -> None:
                nonlocal allowed
                if message["type"] == "http.response.start" and message["status"] == 405:
                    allowed = True
                    allow = [line for line in message["headers"] if line[0].lower() == b"allow"]
                    message["status"], message["headers"] = 204, allow
                elif message["type"] == "http.response.body" and allowed:
                    message["body"] = b""
                await send(message)

            # No path has TRACE, so its refusal lists what there is.
            await app({**scope, "method": "TRACE"}, receive, send_allowed)  # type: ignore[arg-type]
        else:
            await app(scope, receive, send)

    return answer


def with_request_ids(app: ASGIApp) -> ASGIApp:
    """Give each request an id: its own, where that is sane, else a new one. Answers repeat it."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") is None:
            await app(scope, receive, send)
            return
        given = [value for name, value in scope["headers"] if name == b"x-request-id"]
        sane = len(given) == 1 and _SANE.fullmatch(given[0]) is not None
        name = given[0] if sane else str(uuid4()).encode()

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"x-request-id", name)]
            await send(message)

        before = REQUEST.set(name.decode())
        try:
            await app(scope, receive, send_named)
        finally:
            REQUEST.reset(before)

    return answer


def with_prompt_bodies(app: ASGIApp) -> ASGIApp:
    """Refuse a body that trickles in or breaks off: who waits for it holds a connection."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") not in _WITH_BODY:
            await app(scope, receive, send)
            return
        clock, began, got, complete = asyncio.get_running_loop().time, 0.0, 0, False
        announced = b""
        if scope["http_version"] < "2":  # there, more than was announced may come, and is refused
            announced = next((value for name, value in scope["headers"] if name == _LENGTH), b"")

        async def receive_soon() -> ReceiveMessage:
            nonlocal began, got, complete
            if complete:  # what comes now is the client's leaving
                return await receive()
            began = began or clock()
            left = began + BODY_SECONDS + got / BYTES_A_SECOND - clock()
            try:
                async with asyncio.timeout(left):
                    message = await receive()
            except TimeoutError:
                raise Refusal("body_too_slow", f"{got} bytes came") from None
            if message["type"] != "http.request":
                raise Refusal("body_cut_off", f"{got} bytes came")
            got += len(message.get("body", b""))
            if b"%d" % got == announced:
                # The server would say so in a message of its own, for which the loop has to wait.
                message["more_body"] = False
            complete = not message.get("more_body", False)
            return message

        await app(scope, receive_soon, send)

    return answer


def with_access_log(app: ASGIApp) -> ASGIApp:
    """One line a request: no header, no query and no body, for those hold tokens and hands."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        method = scope.get("method")
        if method is None:
            await app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await app(scope, receive, send_noted)
        except Exception as bug:  # noqa: BLE001 - the server would write down what it says
            # A stream broke off, and the exception may name a card.
            log.error("answer broken off", path=scope["path"], **trace(bug.__cause__ or bug))  # noqa: TRY400
            raise ResponseAborted from None
        finally:
            log.info(
                "request",
                method=method,
                path=scope["path"],
                status=status,
                ms=round(1000 * (time.perf_counter() - began), 2),
            )

    return answer


RETRY_AFTER = 5  # seconds


_CHECKS = re.compile(r"/v1/rulesets/[^/]+/checks")


def with_gate(app: ASGIApp, gate: Gate) -> ASGIApp:
    """Refuse whatever is no read while the service drains; to check cards is one."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        reads = scope.get("method", "GET") in READS or _CHECKS.fullmatch(scope["path"])
        if gate.draining and not reads:
            await refuse(scope, receive, send, Refusal("draining"), RETRY_AFTER)
        else:
            await app(scope, receive, send)

    return answer


def with_spans(app: ASGIApp) -> ASGIApp:
    """A span for each request, below that of the client where it sends a ``traceparent``."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        method = str(scope.get("method", ""))
        if _provider is None or not method:
            await app(scope, receive, send)
            return
        from opentelemetry.propagate import extract
        from opentelemetry.trace import SpanKind, StatusCode

        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        given = {name: headers[name] for name in ("traceparent", "tracestate") if name in headers}
        tracer = _provider.get_tracer("phaseledger")
        with tracer.start_as_current_span(
            method,
            context=extract(given),
            kind=SpanKind.SERVER,
            attributes={"http.request.method": method, "phaseledger.request_id": REQUEST.get()},
            record_exception=False,
            set_status_on_exception=False,
        ) as span:

            async def send_noted(message: Message) -> None:
                if message["type"] == "http.response.start":
                    status = message["status"]
                    span.set_attribute("http.response.status_code", status)
                    if status >= 500:
                        span.set_status(StatusCode.ERROR)
                    if route := scope.get("path_template"):
                        span.set_attribute("http.route", str(route))
                        span.update_name(f"{method} {route}")
                await send(message)

            try:
                await app(scope, receive, send_noted)
            except BaseException:
                span.set_status(StatusCode.ERROR)
                raise

    return answer
