"""The path of a command, from the bytes of its request to those of its answer.

It stands before the middleware and the framework, which together cost as much as the rules, the
seals and the log do. What middleware does for all other requests is done here by plain calls of the
same functions. The framework's route of commands only describes them.
"""

import re
import time
from collections.abc import Sequence
from uuid import UUID

import structlog
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from phaseledger.domain.commands import Play
from phaseledger.service.api.auth import sitting_of
from phaseledger.service.api.commands.replies import CommandReply, Headers, SeatCommand, reply
from phaseledger.service.api.commands.request import parsed, read_body
from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.errors import BadHost, Draining, MalformedJson, TooManyRequests
from phaseledger.service.api.limits.rates import Limits, WorkCharge, admitted
from phaseledger.service.api.limits.turns import AddressTurns, Turn
from phaseledger.service.api.middleware.access_log import ResponseAborted
from phaseledger.service.api.middleware.cors import Grants
from phaseledger.service.api.middleware.request_bodies import PromptBody
from phaseledger.service.api.middleware.request_heads import names_one_host, size_fault
from phaseledger.service.api.middleware.request_ids import request_id_of
from phaseledger.service.api.middleware.security_headers import SECURITY_HEADERS
from phaseledger.service.api.problems.details import refuse
from phaseledger.service.api.requests.json_body import decode_body
from phaseledger.service.refusals import Refusal
from phaseledger.service.runtime import tracing
from phaseledger.service.runtime.logs import REQUEST, log_request, trace

TEMPLATE = "/v1/games/{game}/commands"
"""The path template, as spans tell it."""
_PATH = re.compile(
    r"/+v1/+games/+([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/+commands/*", re.IGNORECASE
)
_SLASHES = re.compile("//+")

log = structlog.get_logger("phaseledger.access")


class _Exchange:
    """One request of a command, and its answer."""

    __slots__ = (
        "charge",
        "fields",
        "game",
        "note",
        "receive",
        "request_id",
        "scope",
        "send",
        "status",
        "turn",
    )

    def __init__(self, scope: Scope, receive: Receive, send: Send, game: str) -> None:
        self.scope, self.receive, self.send, self.game = scope, receive, send, game
        self.request_id = request_id_of(scope)
        self.status = 0
        self.fields: Headers = ()
        """Of the limits."""
        self.charge: WorkCharge | None = None
        self.turn: Turn | None = None
        self.note: tracing.SpanNote | None = None


class CommandPath:
    """The application, which answers commands and passes all other requests on to ``app``."""

    def __init__(
        self,
        app: ASGIApp,
        service: Service,
        limits: Limits | None,
        turns: AddressTurns | None,
        origins: Sequence[str] = (),
    ) -> None:
        self._app = app
        self._service = service
        self._limits = limits
        self._turns = turns
        self._grants = Grants(origins) if origins else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, whatever it is for."""
        match = _PATH.fullmatch(scope["path"]) if scope.get("method") == "POST" else None
        if match is None:
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send, match[1])
        request_id = exchange.request_id.decode()
        context_token = REQUEST.set(request_id)
        try:
            if tracing.tracer() is None:
                await self._logged(exchange)
            else:
                with tracing.server_span("POST", scope["headers"], request_id) as note:
                    exchange.note = note
                    await self._logged(exchange)
        finally:
            REQUEST.reset(context_token)

    async def _logged(self, exchange: _Exchange) -> None:
        started_at = time.perf_counter()
        try:
            await self._in_turn(exchange)
        except Exception as error:  # noqa: BLE001 - the server would write down what it says
            path = exchange.scope["path"]
            log.error("answer broken off", path=path, **trace(error.__cause__ or error))  # noqa: TRY400
            raise ResponseAborted from None
        finally:
            seconds = time.perf_counter() - started_at
            log_request("POST", exchange.scope["path"], exchange.status, seconds)

    async def _in_turn(self, exchange: _Exchange) -> None:
        if self._turns is None:
            await self._limited(exchange)
            return
        try:
            turn = await self._turns.take(exchange.scope)
        except TooManyRequests as refusal:
            await self._refuse(exchange, refusal)
            return
        exchange.turn = turn
        try:
            await self._limited(exchange)
        finally:
            turn.end()

    async def _limited(self, exchange: _Exchange) -> None:
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

    async def _checked(self, exchange: _Exchange) -> None:
        """Answer what may come in, by its host and size and while the service does not drain."""
        scope = exchange.scope
        fault: Refusal | None = size_fault(scope) if names_one_host(scope) else BadHost()
        if fault is None and self._service.gate.draining:
            fault = Draining()
        if fault is not None:
            await self._refuse(exchange, fault)
            return
        try:
            answer = await self._carried_out(exchange)
        except Exception as error:  # noqa: BLE001 - whatever it is has its problem
            await self._refuse(exchange, error)
        else:
            await self._start(exchange, answer.status, answer.headers)
            await self._end(exchange, answer.body)

    async def _carried_out(self, exchange: _Exchange) -> CommandReply:
        """Read, decode, authenticate and carry out the command.

        Raises:
            whatever refuses it, in this order.

        """
        scope = exchange.scope
        if "//" in scope["path"] or scope["path"].endswith("/"):
            scope["path"] = _SLASHES.sub("/", scope["path"]).rstrip("/")
        request = parsed(scope)
        scope["path_template"] = TEMPLATE
        body = await read_body(request, PromptBody(scope, exchange.receive).receive)
        game, service = UUID(exchange.game), self._service
        command: Play | None = decode_body(body, Play) if body else None
        sitting = await sitting_of(request.token, game, service)
        request.require_sound()
        if command is None:
            raise MalformedJson("it is empty, and the least is {}")
        asked = SeatCommand(
            game=game,
            sitting=sitting,
            command=command,
            key=request.key,
            if_match=request.if_match,
            signature=request.signature,
        )
        return await reply(service, asked, dry_run=request.dry_run == "true")

    async def _refuse(self, exchange: _Exchange, error: Exception) -> None:
        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                await self._start(exchange, message["status"], [*message["headers"]])
            elif message["type"] == "http.response.body":
                await self._end(exchange, message["body"])

        await refuse(exchange.scope, exchange.receive, send, error)

    async def _start(self, exchange: _Exchange, status: int, headers: Headers) -> None:
        exchange.status = status
        if exchange.turn is not None:
            exchange.turn.note(status)
        lines = [*headers, *exchange.fields]
        if self._grants is not None:
            lines += self._grants.of(exchange.scope)
        lines += (*SECURITY_HEADERS, (b"x-request-id", exchange.request_id))
        if self._service.shutdown.has_begun and exchange.scope["http_version"] < "2":
            lines.append((b"connection", b"close"))
        if exchange.note is not None:
            exchange.note(status, exchange.scope.get("path_template"))
        await exchange.send({"type": "http.response.start", "status": status, "headers": lines})

    async def _end(self, exchange: _Exchange, body: bytes) -> None:
        if exchange.charge is not None:
            exchange.charge.send(len(body))
        await exchange.send({"type": "http.response.body", "body": body, "more_body": False})
