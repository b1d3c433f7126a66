"""The path below which a proxy serves the service, beside others on its host."""

from litestar.types import ASGIApp, Message, Receive, Scope, Send

_ADDRESSES = (b"location", b"link")
"""Headers of answers with addresses, which routes write as if the service had its host alone."""


def with_root_path(app: ASGIApp, root: str) -> ASGIApp:
    """Middleware that takes ``root`` off the paths of requests, and puts it before the addresses of
    answers. Whether the proxy takes it off already makes no difference.
    """
    if not root:
        return app
    prefix = root.encode()

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") is None:
            await app(scope, receive, send)
            return
        inner: Scope = {**scope, "root_path": root}  # type: ignore[assignment]
        if f"{scope['path']}/".startswith(f"{root}/"):
            inner["path"] = scope["path"].removeprefix(root) or "/"
            inner["raw_path"] = (scope.get("raw_path") or b"").removeprefix(prefix)

        async def send_below(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    (name, _below(prefix, value) if name.lower() in _ADDRESSES else value)
                    for name, value in message["headers"]
                ]
            await send(message)

        await app(inner, receive, send_below)

    return answer


def _below(prefix: bytes, value: bytes) -> bytes:
    """The address, or the addresses of a Link, below the prefix."""
    return prefix + value if value.startswith(b"/") else value.replace(b"</", b"<%s/" % prefix)
