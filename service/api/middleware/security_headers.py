"""Security headers of every answer.

`Strict-Transport-Security` is left to the proxy that speaks TLS: over plain HTTP it says nothing,
and only the proxy knows whether all of its host can be had over TLS.
"""

from litestar.types import ASGIApp, Message, Receive, Scope, Send

SECURITY_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)


def with_security_headers(app: ASGIApp) -> ASGIApp:
    """Add `SECURITY_HEADERS` to every answer whose route has not set its own."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                missing = [header for header in SECURITY_HEADERS if header[0] not in present]
                message["headers"] = [*message["headers"], *missing]
            await send(message)

        await app(scope, receive, send_secured)

    return answer
