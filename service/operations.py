"""Operator actions on a running service, and their audit record: who, what, why.

An action is recorded before it is carried out; if it is then refused, that is recorded as well. The
record is append-only, and outlives the process. Whether the service drains follows from it, so
every process over one log learns of it.
"""

import asyncio
from collections.abc import Sequence
from typing import Literal, TypeAlias
from uuid import UUID

import structlog
from msgspec import Struct
from psycopg.sql import SQL, Identifier
from psycopg.types.json import Jsonb

from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import SCHEMA, Migration
from phaseledger.service.eventlog.pool import Pool, Pooled, run

ADMIN: tuple[Migration, ...] = (
    (
        "admin/1",
        """
        CREATE TABLE {schema}.admin_events (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          key uuid NOT NULL UNIQUE,
          at timestamptz NOT NULL DEFAULT now(),
          actor text NOT NULL CHECK (actor <> ''),
          action text NOT NULL,
          reason text NOT NULL CHECK (reason <> ''),
          details jsonb NOT NULL
        );
        CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {schema}.admin_events
          FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_edit();
        ALTER TABLE {schema}.admin_events ENABLE ALWAYS TRIGGER append_only;
        """,
    ),
)
TABLES = ("admin_events",)

NEWS = 1.0  # seconds until a process knows that it is to drain

Details: TypeAlias = dict[str, str | int | None]
AdminAction = Literal[
    "void_game",
    "restore_game",
    "archive_games",
    "back_up",
    "new_epoch",
    "end_log",
    "revoke_token",
    "revoke_seat",
    "drain",
    "undrain",
    "make_application",
    "issue_key",
    "revoke_key",
    "refused",
]

log = structlog.get_logger("phaseledger.admin")


class AdminEvent(Struct, frozen=True):
    """One entry of the record. ``refused`` tells of an earlier one, by its id and the problem."""

    id: int
    at: float
    """Seconds since 1970."""
    actor: str
    action: AdminAction
    reason: str
    details: Details


class AdminRecord(Struct, frozen=True):
    """What is to be written down. With the key of one that is there, it is that one again."""

    key: UUID
    actor: str
    action: AdminAction
    reason: str
    details: Details = {}


_COLUMNS = "id, extract(epoch FROM at)::float8, actor, action, reason, details"
_NOTE = """INSERT INTO {table} (key, actor, action, reason, details)
    VALUES (%s, %s, %s, %s, %s) ON CONFLICT (key) DO NOTHING"""


class AdminLog(Pooled):
    """The record of admin actions, in the log's schema. Every method but close may raise
    StoreUnavailable.
    """

    def __init__(self, connections: str | Pool, *, schema: str = SCHEMA) -> None:
        super().__init__(connections)
        names = {"table": Identifier(schema, "admin_events"), "columns": SQL(_COLUMNS)}
        self._insert = SQL(_NOTE).format(**names)
        self._by_key = SQL("SELECT {columns} FROM {table} WHERE key = %s").format(**names)
        self._after = SQL(
            "SELECT {columns} FROM {table} WHERE id > %s ORDER BY id LIMIT %s"
        ).format(**names)
        self._turn = SQL(
            "SELECT action FROM {table} WHERE action IN ('drain', 'undrain') "
            "ORDER BY id DESC LIMIT 1"
        ).format(**names)

    async def note(self, entry: AdminRecord) -> AdminEvent:
        """Append the entry durably; idempotent: under a key that is there, returns that event."""
        parameters = (entry.key, entry.actor, entry.action, entry.reason, Jsonb(entry.details))
        await run(self._pool, self._insert, parameters)
        (row,) = await run(self._pool, self._by_key, (entry.key,))
        return AdminEvent(*row)

    async def events(self, after: int = 0, limit: int = 1000) -> Sequence[AdminEvent]:
        """The entries whose id is above ``after``, oldest first."""
        return [AdminEvent(*row) for row in await run(self._pool, self._after, (after, limit))]

    async def is_draining(self) -> bool:
        """Whether the service drains: the last of all drains and undrains is a drain."""
        return await run(self._pool, self._turn) == [("drain",)]


class Gate:
    """The gate to new commands: closed while the record says that the service drains."""

    def __init__(self, record: AdminLog) -> None:
        self.draining = False
        self._record = record

    async def look(self) -> None:
        """Read the record once; raises StoreUnavailable."""
        draining = await self._record.is_draining()
        if draining != self.draining:
            log.info("draining" if draining else "taking commands again")
        self.draining = draining

    async def watch(self) -> None:
        """Read the record every `NEWS` seconds, since other processes write it too."""
        while True:
            try:
                await self.look()
            except StoreUnavailable as lost:
                log.warning("the gate waits for the database", reason=str(lost))
            await asyncio.sleep(NEWS)
