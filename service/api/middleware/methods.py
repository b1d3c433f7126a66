"""HEAD and OPTIONS, for every path (RFC 9110, 9.3)."""

from litestar.types import ASGIApp, Message, Receive, Scope, Send


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
