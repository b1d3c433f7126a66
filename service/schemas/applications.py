"""Bodies of the routes of applications."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

Scope = Literal["open", "seat", "read", "erase"]
"""What a key is good for: to open tables, to seat players and have their tokens, to read what is
the application's own, to erase its players.
"""


class ApplicationInfo(Struct, frozen=True):
    """The application that shows its key, and what the key is good for."""

    id: UUID
    name: str
    scopes: tuple[Scope, ...]


class OpenedTable(Struct, frozen=True, gc=False):
    """A table that the application has opened."""

    game: UUID
    at: Annotated[int, Meta(description="When, in milliseconds since 1970.")]


class OpenedTables(Struct, frozen=True):
    """A page of them, newest first; ``next`` is the cursor of the following page."""

    tables: tuple[OpenedTable, ...]
    next: str | None
