"""A server span for each request, where tracing is on."""

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from phaseledger.service.runtime import tracing
from phaseledger.service.runtime.logs import REQUEST


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
