"""The access log: a line for each request."""

import time

import structlog
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from phaseledger.service.runtime.logs import log_request, trace

log = structlog.get_logger("phaseledger.access")


class ResponseAborted(Exception):
    """A response failed after its start: the server has to close the connection."""


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
            log_aborted(scope["path"], error)
            raise ResponseAborted from None
        finally:
            log_request(str(method), scope["path"], status, time.perf_counter() - started_at)

    return answer


def log_aborted(path: str, error: Exception) -> None:
    """Log that an answer was broken off, without the exception's words, which may name a card."""
    cause = error.__cause__ or error  # the framework wraps what is raised while it sends
    log.error("answer broken off", path=path, **trace(cause))
