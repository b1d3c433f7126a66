"""A request as an ASGI server hands it over, for middleware that is tried without one."""

import time
from typing import Any

SCOPE: Any = {
    "type": "http",
    "method": "GET",
    "path": "/x",
    "query_string": b"",
    "http_version": "1.1",
    "headers": [(b"host", b"t")],
    "client": ("198.51.100.7", 1),
}


async def no_body() -> Any:
    return {"type": "http.request", "body": b""}


def keep_busy(seconds: float) -> None:
    """Take so long of the thread that it runs in."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass
