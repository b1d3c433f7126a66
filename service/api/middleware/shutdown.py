"""What is refused while the service drains, and connections that close before the process stops."""

import re

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from phaseledger.service.api.errors import Draining
from phaseledger.service.api.limits.rates import READS
from phaseledger.service.api.problems.details import refuse
from phaseledger.service.operations import Gate
from phaseledger.service.runtime.shutdown import Shutdown

_STORING_NOTHING = re.compile(r"/v1/(rulesets/[^/]+/checks|replays)")


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
