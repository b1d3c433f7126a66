"""The id of a request, which its answer and its log lines repeat."""

import re

from litestar.types import ASGIApp, Message, Receive, Scope, Send
from uuid_utils import uuid4

from phaseledger.service.runtime.logs import REQUEST

_VALID_ID = re.compile(rb"[A-Za-z0-9._-]{1,128}")


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
