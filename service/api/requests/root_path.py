"""The path below which a proxy serves the service, beside others on its host."""

from collections.abc import Sequence
from typing import cast

from litestar.types import Scope

_ADDRESSES = (b"location", b"link")
"""Headers of answers with addresses, which routes write as if the service had its host alone."""


def without_root(scope: Scope, root: str) -> Scope:
    """The request without ``root`` in its path, which the proxy may have taken off already."""
    path = scope["path"]
    if f"{path}/".startswith(f"{root}/"):
        path = path.removeprefix(root) or "/"
    # Not as "root_path": the framework would take that off wherever it stands in the path.
    return cast("Scope", {**scope, "path": path, "app_root_path": root})


def root_of(scope: Scope) -> str:
    """The path below which the client has found the service; empty: its host has no other."""
    return cast("str", scope.get("app_root_path", ""))


def below(headers: Sequence[tuple[bytes, bytes]], root: str) -> list[tuple[bytes, bytes]]:
    """An answer's headers with ``root`` before their addresses."""
    prefix = root.encode()

    def rooted(value: bytes) -> bytes:
        return prefix + value if value.startswith(b"/") else value.replace(b"</", b"<%s/" % prefix)

    return [
        (name, rooted(value) if name.lower() in _ADDRESSES else value) for name, value in headers
    ]
