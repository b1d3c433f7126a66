"""A ledger under examination, and what a check of it finds."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

import psycopg

from phaseledger.service.eventlog.connection import within
from phaseledger.service.settings import Settings

Severity = Literal["ok", "warning", "fault"]
Findings = Iterator[tuple[Severity, str, str]]
"""How bad each is, what it is in half a sentence, and the cure."""


class Ledger(NamedTuple):
    """A ledger under examination, over one connection to its database."""

    settings: Settings
    conn: psycopg.Connection
    is_embedded: bool

    def rows(self, statement: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 - a LiteralString
        """The rows of a statement about the schema of the ledger."""
        return self.conn.execute(within(self.settings.schema, statement)).fetchall()


Examiner = Callable[[Ledger], Findings]
"""One check."""
