"""What HTTP needs around the routes: request ids, a time for bodies, HEAD, tags, an access log."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeVar
from uuid import UUID

import msgspec
import structlog
from litestar import Request, Response
from litestar.datastructures import URL
from litestar.exceptions import NotFoundException
from litestar.types import ASGIApp, HTTPScope, Message, Receive, ReceiveMessage, Scope, Send
from uuid_utils.compat import uuid4

from phaseledger.service.api.json_body import decoded, require_plain_json
from phaseledger.service.api.problems import Refusal
from phaseledger.service.runtime.logs import REQUEST, trace
from phaseledger.service.schemas.problem import Fault

log = structlog.get_logger("phaseledger.access")


class BrokenOff(Exception):
    """An answer that had begun cannot be ended: the server has to close the connection."""


SAID_TWICE = "it is said more than once"
_TAG = re.compile(r'(?:W/)?"[^"]*"')
_SANE = re.compile(rb"[A-Za-z0-9._-]{1,128}")
_SINGLE = frozenset(
    {
        b"authorization",
        b"command-signature",
        b"content-type",
        b"idempotency-key",
        b"last-event-id",
    }
)
_WITH_BODY = {"DELETE", "PATCH", "POST", "PUT"}
_LENGTH = b"content-length"
LARGEST_BODY = 64 * 1024  # bytes
BODY_SECONDS = 0.9
BYTES_A_SECOND = 8 * 1024
"""A body may take `BODY_SECONDS`, and as much longer as it comes in at this rate. Bodies are
small, and whoever serves slow clients has a proxy in front that collects them.
"""


class StrictRequest(Request[Any, Any, Any]):
    """A request whose body is decoded at once into what its handler asks for.

    The framework would decode to plain objects and then convert leniently: "5" for 5, "true" for
    true, a deep nesting to an exception nobody handles.
    """

    @property
    def url(self) -> URL:
        """The path: the framework quotes the URL when it refuses, and not every Host makes one."""
        return URL(self.scope["path"])

    async def json(self) -> Any:  # noqa: ANN401
        """The body, in the type of the handler's ``data``."""
        require_plain_json(self.headers)
        field = self.route_handler.parsed_data_field
        assert field is not None
        return decoded(await self.body(), field.annotation)


T = TypeVar("T")
_encode = msgspec.json.Encoder().encode


class Brief(Response[T]):
    """An answer in JSON whose headers, in lower case, are all that it has beside its body's.

    The framework would look for encoders, cookies and defaults at every answer.
    """

    def to_asgi_response(  # type: ignore[override]
        self, *_: object, status_code: int | None = None, **__: object
    ) -> ASGIApp:
        """The answer, ready to be sent."""
        body = _encode(self.content)
        headers = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        headers += [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
        ]

        async def told(_: Scope, __: Receive, send: Send) -> None:
            status = self.status_code or status_code or 200
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body, "more_body": False})

        return told


async def require_exact_parameters(request: Request[Any, Any, Any]) -> None:
    """Refuse what the framework takes besides what is described, and let an empty hint be none."""
    _require_canonical_path(request.scope)
    _require_single_parameters(request)
    if (b"last-event-id", b"") in request.scope["headers"]:
        # What a client of server-sent events sends that was told of no id.
        rest = [line for line in request.scope["headers"] if line[0] != b"last-event-id"]
        request.scope["headers"] = rest


def _require_canonical_path(scope: HTTPScope) -> None:
    """See that numbers and UUIDs of the path are written in the one way.

    Python also reads ``+1``, ``0_0`` and ``urn:uuid:...``.
    """
    parts = None
    values: Iterable[object] = scope["path_params"].values()  # which the framework has converted
    for value in values:
        if isinstance(value, UUID | int):
            parts = parts or scope["path"].lower().split("/")
            if str(value) not in parts:
                raise NotFoundException


def _require_single_parameters(request: Request[Any, Any, Any]) -> None:
    """Refuse what is said twice, of which the framework silently takes one.

    That holds for the query, and for headers of one value: others in between may take the other
    one, as the limits on a token would.
    """
    said = Counter(name for name, _ in request.scope["headers"] if name in _SINGLE)
    faults = [Fault("header", name.decode(), SAID_TWICE) for name, n in said.items() if n > 1]
    if b"&" in request.scope["query_string"]:
        counts = Counter(name for name, _ in request.query_params.multi_items())
        faults += [Fault("query", name[:60], SAID_TWICE) for name, n in counts.items() if n > 1]
    if faults:
        told = "; ".join(f"{fault.name}: {fault.reason}" for fault in faults[:3])
        raise Refusal("invalid_parameter", told, faults=tuple(faults))


def tag(version: int, seat: int | None = None) -> str:
    """The entity tag of a game at a version, as one seat or everybody else sees it."""
    return f'"{version}"' if seat is None else f'"{version}.{seat}"'


def is_known(if_none_match: str, current: str) -> bool:
    """Whether the client holds the current representation already (weak comparison)."""
    tags = {found.removeprefix("W/") for found in _TAG.findall(if_none_match)}
    return if_none_match.strip() == "*" or current in tags


def expected_versions(if_match: str, seat: int | None) -> frozenset[int] | None:
    """The versions that If-Match allows; None for any.

    A weak tag counts like a strong one: proxies that compress weaken tags, and what has to match
    here is the game's version, not the bytes of its table.
    """
    if if_match in ("", "*"):
        return None
    versions = set()
    for text in _TAG.findall(if_match):
        version, _, of_seat = text.removeprefix("W/").strip('"').partition(".")
        if version.isdigit() and of_seat in ("", str(seat)):
            versions.add(int(version[:18]))
    return frozenset(versions)


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
            raise BrokenOff from None
        finally:
            log.info(
                "request",
                method=method,
                path=scope["path"],
                status=status,
                ms=round(1000 * (time.perf_counter() - began), 2),
            )

    return answer
