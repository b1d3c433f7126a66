"""The path below which a proxy serves the service, as `middleware.root_path` notes it."""

from typing import cast

from litestar.types import Scope


def root_of(scope: Scope) -> str:
    """The path below which the client has found the service; empty: its host has no other."""
    return cast("str", scope.get("app_root_path", ""))
