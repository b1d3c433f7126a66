"""The short path of some requests, from their bytes to those of their answers.

It stands before the middleware and the framework, which together cost as much as the rules, the
seals and the log of a command do. What middleware does for all other requests is done here by plain
calls of the same functions.
"""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.errors import BadHost, Draining, TooManyRequests
from phaseledger.service.api.limits.rates import READS, Limits, WorkCharge, admitted
from phaseledger.service.api.middleware.access_log import ResponseAborted, log_aborted
from phaseledger.service.api.middleware.cors import Grants
from phaseledger.service.api.middleware.request_heads import names_one_host, size_fault
from phaseledger.service.api.middleware.request_ids import request_id_of
from phaseledger.service.api.middleware.security_headers import SECURITY_HEADERS
from phaseledger.service.api.problems.details import refuse
from phaseledger.service.refusals import Refusal
from phaseledger.service.runtime import tracing
from phaseledger.service.runtime.logs import REQUEST, log_request

Headers: TypeAlias = Sequence[tuple[bytes, bytes]]
"""Names in lower case, and values."""


class PlainReply(NamedTuple):
    """An answer: its status, its own headers, and its body."""

    status: int
    headers: Headers
    body: bytes


class Exchange:
    """One request that takes the short path, and its answer."""

    __slots__ = (
        "charge",
        "fields",
        "method",
        "note",
        "receive",
        "request_id",
        "respond",
        "scope",
        "send",
        "status",
    )

    def __init__(
        self, method: str, scope: Scope, receive: Receive, send: Send, respond: "Respond"
    ) -> None:
        self.method, self.respond = method, respond
        self.scope, self.receive, self.send = scope, receive, send
        self.request_id = request_id_of(scope)
        self.status = 0
        self.fields: Headers = ()
        """Of the limits."""
        self.charge: WorkCharge | None = None
        self.note: tracing.SpanNote | None = None


Respond: TypeAlias = Callable[[Exchange], Awaitable[PlainReply]]
"""Makes the answer to a request; it may raise whatever refuses that."""
ShortRoute: TypeAlias = Callable[[Scope], Respond | None]
"""What answers a request; None where the short path is not for that."""


class ShortPath:
    """The application, which answers what its ``routes`` take, by the request's method, and passes
    all other requests on to ``app``.
    """

    def __init__(
        self,
        app: ASGIApp,
        service: Service,
        routes: Mapping[str, ShortRoute],
        limits: Limits | None,
        origins: Sequence[str] = (),
    ) -> None:
        self._app = app
        self._service = service
        self._routes = routes
        self._limits = limits
        self._grants = Grants(origins) if origins else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, whatever it is for."""
        method = str(scope.get("method"))
        route = self._routes.get(method)
        respond = route(scope) if route is not None else None
        if respond is None:
            await self._app(scope, receive, send)
            return
        exchange = Exchange(method, scope, receive, send, respond)
        request_id = exchange.request_id.decode()
        context_token = REQUEST.set(request_id)
        try:
            if tracing.tracer() is None:
                await self._logged(exchange)
            else:
                with tracing.server_span(method, scope["headers"], request_id) as note:
                    exchange.note = note
                    await self._logged(exchange)
        finally:
            REQUEST.reset(context_token)

    async def _logged(self, exchange: Exchange) -> None:
        started_at = time.perf_counter()
        try:
            await self._limited(exchange)
        except Exception as error:  # noqa: BLE001 - the server would write down what it says
            log_aborted(exchange.scope["path"], error)
            raise ResponseAborted from None
        finally:
            seconds = time.perf_counter() - started_at
            log_request(exchange.method, exchange.scope["path"], exchange.status, seconds)

    async def _limited(self, exchange: Exchange) -> None:
        if self._limits is None:
            await self._checked(exchange)
            return
        admission = admitted(exchange.scope, self._limits, time.monotonic())
        exchange.fields = admission.fields
        if admission.wait:
            await self._refuse(exchange, TooManyRequests(admission.wait))
        elif self._limits.work:
            charge = WorkCharge(self._limits.work, admission.keys, time.monotonic)
            exchange.charge = charge
            await charge.measure(self._checked(exchange))
        else:
            await self._checked(exchange)

    async def _checked(self, exchange: Exchange) -> None:
        """Answer what may come in, by its host and size and while the service does not drain."""
        scope = exchange.scope
        fault: Refusal | None = size_fault(scope) if names_one_host(scope) else BadHost()
        if fault is None and self._service.gate.draining and exchange.method not in READS:
            fault = Draining()
        if fault is not None:
            await self._refuse(exchange, fault)
            return
        try:
            reply = await exchange.respond(exchange)
        except Exception as error:  # noqa: BLE001 - whatever it is has its problem
            await self._refuse(exchange, error)
            return
        await self._start(exchange, reply.status, reply.headers)
        await self._send(exchange, reply.body)

    async def _refuse(self, exchange: Exchange, error: Exception) -> None:
        await refuse(exchange.scope, exchange.receive, self._relay(exchange), error)

    def _relay(self, exchange: Exchange) -> Send:
        """What sends the messages of somebody else's answer as those of this one."""

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                await self._start(exchange, message["status"], [*message["headers"]])
            elif message["type"] == "http.response.body":
                more_body = message.get("more_body", False)
                await self._send(exchange, message["body"], more_body=more_body)

        return send

    async def _start(self, exchange: Exchange, status: int, headers: Headers) -> None:
        exchange.status = status
        lines = [*headers, *exchange.fields]
        if self._grants is not None:
            lines += self._grants.of(exchange.scope)
        lines += (*SECURITY_HEADERS, (b"x-request-id", exchange.request_id))
        if self._service.shutdown.has_begun and exchange.scope["http_version"] < "2":
            lines.append((b"connection", b"close"))
        if exchange.note is not None:
            exchange.note(status, exchange.scope.get("path_template"))
        await exchange.send({"type": "http.response.start", "status": status, "headers": lines})

    async def _send(self, exchange: Exchange, body: bytes, *, more_body: bool = False) -> None:
        if exchange.charge is not None:
            exchange.charge.send(len(body))
        await exchange.send({"type": "http.response.body", "body": body, "more_body": more_body})


def whole(reply: PlainReply) -> ASGIApp:
    """An application that gives the reply."""

    async def answer(_: Scope, __: Receive, send: Send) -> None:
        headers = [*reply.headers]
        await send({"type": "http.response.start", "status": reply.status, "headers": headers})
        await send({"type": "http.response.body", "body": reply.body, "more_body": False})

    return answer
