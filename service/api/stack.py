"""The one middleware: what every request passes before its route, and every answer on its way out.

In this order: the path below which a proxy serves the service, the fair queue, the request's id,
its span and its log line, preflights, the limits, host and sizes and draining, the body's time, the
route; and back, in one pass: compression, the headers of every answer, and what was sent as work.
"""

import re
import time
from collections.abc import Mapping, Sequence
from typing import cast

from litestar.types import (
    ASGIApp,
    HTTPResponseStartEvent,
    HTTPScope,
    Message,
    Method,
    Receive,
    Scope,
    Send,
)

from phaseledger.service.api.errors import BadHost, Draining, TooManyRequests
from phaseledger.service.api.limits.fair_queue import Permit, fair_queue
from phaseledger.service.api.limits.rates import (
    READS,
    Limits,
    WorkCharge,
    admitted,
    charge_preflight,
)
from phaseledger.service.api.middleware.access_log import ResponseAborted, log_aborted
from phaseledger.service.api.middleware.compression import compress, may_be_compressed
from phaseledger.service.api.middleware.cors import Grants, preflight
from phaseledger.service.api.middleware.request_bodies import WITH_BODY, PromptBody
from phaseledger.service.api.middleware.request_heads import (
    names_one_host,
    request_id_of,
    size_fault,
)
from phaseledger.service.api.middleware.security_headers import SECURITY_HEADERS
from phaseledger.service.api.problems.details import refuse
from phaseledger.service.api.requests.root_path import below, without_root
from phaseledger.service.api.responses.ready import Headers
from phaseledger.service.operations import Gate
from phaseledger.service.quotas.token_buckets import MonotonicClock
from phaseledger.service.refusals import Refusal
from phaseledger.service.runtime import tracing
from phaseledger.service.runtime.logs import REQUEST, log_request
from phaseledger.service.runtime.request_metrics import count_answer
from phaseledger.service.runtime.shutdown import Shutdown

_STORING_NOTHING = re.compile(r"/v1/(rulesets/[^/]+/checks|replays)")
"""Paths whose POST is answered while the service drains."""
_OTHERS: Mapping[str, Method] = {"HEAD": "GET", "OPTIONS": "TRACE"}
"""Methods that are answered by what another one is: no path has TRACE, and its refusal lists what
there is. (The framework's own OPTIONS names the methods of a path's first handler only.)
"""


class Stack:
    """The application ``app`` as it is served."""

    def __init__(
        self,
        app: ASGIApp,
        gate: Gate | None = None,
        shutdown: Shutdown | None = None,
        *,
        limits: Limits | None = None,
        origins: Sequence[str] = (),
        root: str = "",
        clock: MonotonicClock = time.monotonic,
    ) -> None:
        self.app, self.gate, self.shutdown = app, gate, shutdown
        self.limits, self.root, self.clock = limits, root, clock
        self.grants = Grants(origins) if origins else None
        self.queue = fair_queue(limits, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, whatever it is for."""
        if scope.get("method") is None:
            await self.app(scope, receive, send)
            return
        if self.root:
            scope = without_root(scope, self.root)
        exchange = Exchange(self, cast("HTTPScope", scope), receive, send)
        if self.queue is None or exchange.address is None:
            await exchange.run()
            return
        try:
            exchange.permit = await self.queue.take(exchange.address)
        except TooManyRequests:
            exchange.is_turned_away = True
        try:
            await exchange.run()
        finally:
            if exchange.permit is not None:
                exchange.permit.end()

    def fault(self, scope: HTTPScope) -> Refusal | None:
        """Why the request may not come in, by its host and size and while the service drains."""
        if not names_one_host(scope):
            return BadHost()
        if fault := size_fault(scope):
            return fault
        if self.gate is None or not self.gate.draining or scope["method"] in READS:
            return None
        return None if _STORING_NOTHING.fullmatch(scope["path"]) else Draining()


class Exchange:
    """One request and its answer."""

    __slots__ = (
        *(
            "address",
            "began",
            "charge",
            "fields",
            "granted",
            "held",
            "is_bodiless",
            "is_turned_away",
        ),
        *("method", "note", "permit", "receive", "request_id", "scope", "send", "stack", "status"),
    )

    def __init__(self, stack: Stack, scope: HTTPScope, receive: Receive, send: Send) -> None:
        self.stack, self.scope, self.receive, self.send = stack, scope, receive, send
        self.method = str(scope["method"])
        self.began = time.perf_counter()
        self.address = None if stack.limits is None else stack.limits.share(scope)
        """The key of the request's address for the limits; None: there are none for it."""
        self.permit: Permit | None = None
        self.is_turned_away = False
        self.request_id = b""
        self.note: tracing.SpanNote | None = None
        self.status = 0
        self.fields: Headers = ()
        """Of the limits."""
        self.granted: Headers = ()
        """For pages of other origins."""
        self.charge: WorkCharge | None = None
        self.held: HTTPResponseStartEvent | None = None
        """The start of an answer that may be compressed, until its body is there."""
        self.is_bodiless = self.method == "HEAD"

    async def run(self) -> None:
        """Answer the request; it is traced, and logged in the end."""
        self.request_id = request_id_of(self.scope)
        request_id = self.request_id.decode()
        context_token = REQUEST.set(request_id)
        try:
            if tracing.tracer() is None:
                await self._logged()
            else:
                with tracing.server_span(self.method, self.scope["headers"], request_id) as note:
                    self.note = note
                    await self._logged()
        finally:
            REQUEST.reset(context_token)

    async def _logged(self) -> None:
        try:
            await self._limited()
        except Exception as error:  # noqa: BLE001 - the server would write down what it says
            log_aborted(self.scope["path"], error)
            raise ResponseAborted from None
        finally:
            seconds = time.perf_counter() - self.began
            log_request(self.method, self.scope["path"], self.status, seconds)

    async def _limited(self) -> None:
        stack, scope = self.stack, self.scope
        if stack.grants is not None:
            self.granted = stack.grants.of(scope)
            if lines := preflight(scope, self.granted):
                charge_preflight(scope, stack.limits)
                self.granted = ()
                await self.relay({"type": "http.response.start", "status": 204, "headers": lines})
                await self.relay({"type": "http.response.body", "body": b"", "more_body": False})
                return
        limits = stack.limits
        if limits is None or self.address is None:
            await self._checked()
            return
        if self.is_turned_away:
            await self._refuse(TooManyRequests(1, "address"))
            return
        admission = admitted(scope, limits, stack.clock(), self.address)
        self.fields = admission.fields
        if admission.wait:
            await self._refuse(TooManyRequests(admission.wait, admission.whose))
        elif admission.work:
            self.charge = WorkCharge(admission.work, admission.keys, stack.clock)
            await self.charge.measure(self._checked())
        else:
            await self._checked()

    async def _checked(self) -> None:
        scope, receive = self.scope, self.receive
        if fault := self.stack.fault(scope):
            await self._refuse(fault)
            return
        if self.method in WITH_BODY:
            receive = PromptBody(scope, receive).receive
        if self.method in _OTHERS:
            scope["method"] = _OTHERS[self.method]
        scope["receive"] = receive  # type: ignore[typeddict-unknown-key]
        await self.stack.app(scope, receive, self.relay)

    async def _refuse(self, fault: Refusal) -> None:
        await refuse(self.scope, self.receive, self.relay, fault)

    async def relay(self, message: Message) -> None:
        """Send a message of the answer, as it is to be sent."""
        if message["type"] == "http.response.start":
            if may_be_compressed(self.method, self.scope, message):
                self.held = message
            else:
                await self._start(message)
            return
        if message["type"] == "http.response.body":
            if self.held is not None:
                start, self.held = self.held, None
                message["body"] = await compress(self.scope, start, message["body"])
                await self._start(start)
            if self.is_bodiless:
                message["body"] = b""
            if self.charge is not None:
                self.charge.send(len(message.get("body", b"")))
        await self.send(message)
        if self.permit is not None and message.get("more_body"):
            self.permit.end()  # it goes on, at its reader's pace

    async def _start(self, start: HTTPResponseStartEvent) -> None:
        """Send the answer's status and headers, with those of every answer."""
        stack, status, headers = self.stack, start["status"], [*start["headers"]]
        if self.method == "OPTIONS" and status == 405:  # the refusal lists what there is
            self.is_bodiless, status = True, 204
            headers = [line for line in headers if line[0].lower() == b"allow"]
        names = {name.lower() for name, _ in headers}
        headers += self.fields
        headers += self.granted
        headers += [line for line in SECURITY_HEADERS if line[0] not in names]
        headers.append((b"x-request-id", self.request_id))
        is_last = stack.shutdown is not None and stack.shutdown.has_begun
        if is_last and self.scope["http_version"] < "2":  # which has messages of its own for that
            headers.append((b"connection", b"close"))
        if stack.root:
            headers = below(headers, stack.root)
        self.status = status
        template = self.scope.get("path_template")
        count_answer(self.method, template, status, time.perf_counter() - self.began)
        if self.note is not None:
            self.note(status, template)
        if self.permit is not None:
            self.permit.note(status)
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
