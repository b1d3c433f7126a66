"""What an application's key stands for."""

import hashlib
from typing import get_args
from uuid import UUID

from msgspec import Struct

from phaseledger.service.applications.errors import ScopeMissing
from phaseledger.service.schemas.applications import Scope

SCOPES: tuple[Scope, ...] = get_args(Scope)


class Application(Struct, frozen=True):
    """The application that shows a key, and what the key is good for."""

    id: UUID
    name: str
    scopes: tuple[Scope, ...]

    def require(self, scope: Scope) -> None:
        """Check that the key is good for something. Raises ScopeMissing."""
        if scope not in self.scopes:
            raise ScopeMissing(scope)

    def own(self, key: str) -> str:
        """An Idempotency-Key as the application's own, so that the same one of another application
        opens another table. Empty for an empty one.
        """
        text = f"p10-application/v1\n{self.id}\n{key}"
        # No Idempotency-Key has a space, so no other request has the same one.
        return f"application {hashlib.sha256(text.encode()).hexdigest()}" if key else ""


class IssuedKey(Struct, frozen=True):
    """A key as operators may see it; times are in seconds since 1970."""

    id: str
    scopes: tuple[Scope, ...]
    issued_at: float
    expires_at: float | None
    is_valid: bool


class RegisteredApplication(Struct, frozen=True):
    """An application as operators see it, with its keys, the oldest first."""

    id: UUID
    name: str
    made_at: float
    keys: tuple[IssuedKey, ...]
