"""The path below which a proxy serves the service, beside others on its host."""

from typing import cast

from litestar.types import ASGIApp, Message, Receive, Scope, Send

_ADDRESSES = (b"location", b"link")
"""Headers of answers with addresses, which routes write as if the service had its host alone."""


def with_root_path(app: ASGIApp, root: str) -> ASGIApp:
    """Middleware that takes ``root`` off the paths of requests, if the proxy has not done so, and
    puts it before the addresses in headers of answers.
    """
    if not root:
        return app

    def below(value: bytes) -> bytes:
        prefix = root.encode()
        return prefix + value if value.startswith(b"/") else value.replace(b"</", b"<%s/" % prefix)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_below(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    (name, below(value) if name.lower() in _ADDRESSES else value)
                    for name, value in message["headers"]
                ]
            await send(message)

        if scope.get("method") is not None:
            path = scope["path"]
            if f"{path}/".startswith(f"{root}/"):
                path = path.removeprefix(root) or "/"
            # Not as "root_path": the framework would take that off wherever it stands in the path.
            scope = cast("Scope", {**scope, "path": path, "app_root_path": root})
        await app(scope, receive, send_below)

    return answer
