"""Headers by which browsers treat an answer with care.

`Strict-Transport-Security` is left to the proxy that speaks TLS: over plain HTTP it says nothing,
and only the proxy knows whether all of its host can be had over TLS.
"""

from litestar.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = (
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
                more = [header for header in HEADERS if header[0] not in own]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        await app(scope, receive, send_secured)

    return answer
