"""The applications in the log's schema: their keys, and the tables that they have opened.

A process has all valid keys in memory, since limits go by them before anything is awaited; there
are few, and an operator has made each of them.
"""

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID, uuid4

import structlog
from psycopg.sql import SQL, Identifier
from typing_extensions import override

from phaseledger.replay.formats.sealing import NO_SEALING, SealingKeys
from phaseledger.service.applications.application import (
    SCOPES,
    Application,
    IssuedKey,
    RegisteredApplication,
)
from phaseledger.service.applications.errors import ApplicationNameTaken, NoSuchApplication
from phaseledger.service.credentials.credential import elapsed
from phaseledger.service.credentials.errors import TokenRevoked, TokenUnknown
from phaseledger.service.credentials.tokens import application_key, digest, public_id
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import SCHEMA, Migration
from phaseledger.service.eventlog.pool import Pool, Pooled, run
from phaseledger.service.runtime.tasks import cancel_and_wait
from phaseledger.service.schemas.applications import OpenedTable, Scope

APPLICATIONS: tuple[Migration, ...] = (
    (
        "applications/1",
        """
        CREATE TABLE {schema}.applications (
          id uuid PRIMARY KEY,
          name text NOT NULL UNIQUE CHECK (name <> ''),
          made_at timestamptz NOT NULL DEFAULT now()
        );
        CREATE TABLE {schema}.application_keys (
          key_hash bytea PRIMARY KEY,
          application uuid NOT NULL REFERENCES {schema}.applications,
          scopes text[] NOT NULL,
          issued_at timestamptz NOT NULL DEFAULT now(),
          expires_at timestamptz
        );
        CREATE INDEX application_keys_idx ON {schema}.application_keys (application, issued_at);
        CREATE TABLE {schema}.application_tables (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          game uuid NOT NULL UNIQUE,
          application uuid NOT NULL REFERENCES {schema}.applications,
          at timestamptz NOT NULL DEFAULT now()
        );
        COMMENT ON TABLE {schema}.application_tables
          IS 'The application that opened a table; a row may be of an opening that failed';
        CREATE INDEX application_tables_idx ON {schema}.application_tables (application, id);
        """,
    ),
)
TABLES = ("applications", "application_tables")
"""The application adds rows and changes none; other roles have no access."""
ENDED_TABLES = ("application_keys",)
"""The application adds rows, and sets when they expire; other roles have no access."""

NEWS = 1.0  # seconds until a key that another process has made or ended is known here

log = structlog.get_logger("phaseledger.applications")

_KEYS = """
    SELECT key_hash, application, name, scopes,
      extract(epoch FROM expires_at - clock_timestamp())::float8
    FROM {application_keys} JOIN {applications} AS a ON a.id = application"""
_VALID = _KEYS + " WHERE expires_at IS NULL OR expires_at > clock_timestamp()"
_ONE = _KEYS + " WHERE key_hash = %s"
_REGISTER = """
    INSERT INTO {applications} (id, name) VALUES (%s, %s) ON CONFLICT DO NOTHING"""
_NAME = "SELECT name FROM {applications} WHERE id = %s"
_NAMED = "SELECT id FROM {applications} WHERE name = %s"
_ISSUE = """
    INSERT INTO {application_keys} (key_hash, application, scopes) VALUES (%s, %s, %s)
    ON CONFLICT DO NOTHING"""
_END = """
    UPDATE {application_keys}
    SET expires_at = least(expires_at, clock_timestamp() + %s * interval '1 second')
    WHERE application = %s
      AND issued_at < (SELECT issued_at FROM {application_keys} WHERE key_hash = %s)"""
_SCOPES = """
    SELECT scopes FROM {application_keys} WHERE application = %s
    ORDER BY issued_at DESC, key_hash LIMIT 1"""
_REVOKE = """
    UPDATE {application_keys} SET expires_at = least(expires_at, clock_timestamp())
    WHERE application::text = %s OR encode(substring(key_hash FOR 8), 'hex') = %s
    RETURNING application"""
_ALL = """
    SELECT a.id, a.name, extract(epoch FROM a.made_at)::float8, key_hash, scopes,
      extract(epoch FROM issued_at)::float8, extract(epoch FROM expires_at)::float8,
      coalesce(expires_at > clock_timestamp(), true)
    FROM {applications} AS a LEFT JOIN {application_keys} ON application = a.id
    ORDER BY a.made_at, a.id, issued_at, key_hash"""
_CLAIM = """
    INSERT INTO {application_tables} (game, application) VALUES (%s, %s) ON CONFLICT DO NOTHING"""
_OWNER = "SELECT application FROM {application_tables} WHERE game = %s"
_OPENED = """
    SELECT id, game, (1000 * extract(epoch FROM at))::bigint FROM {application_tables}
    WHERE application = %s AND id < %s ORDER BY id DESC LIMIT %s"""
_STATEMENTS = (
    *(_VALID, _ONE, _REGISTER, _NAME, _NAMED, _ISSUE, _END, _SCOPES, _REVOKE),
    *(_ALL, _CLAIM, _OWNER, _OPENED),
)


class Applications(Pooled):
    """The applications in the log's schema. Every method that is awaited may raise
    StoreUnavailable.
    """

    def __init__(
        self, connections: str | Pool, *, schema: str = SCHEMA, sealing: SealingKeys = NO_SEALING
    ) -> None:
        super().__init__(connections)
        self._sealing = sealing
        tables = {name: Identifier(schema, name) for name in (*TABLES, *ENDED_TABLES)}
        self._sql = {text: SQL(text).format(**tables) for text in _STATEMENTS}
        self._keys: dict[bytes, tuple[Application, float | None]] = {}
        """By the hash of a key, with the time at which it expires, as `elapsed` counts."""
        self._follower: asyncio.Task[None] | None = None

    @override
    async def open(self) -> None:
        await super().open()
        with suppress(StoreUnavailable):  # the follower tries again
            await self.look()
        self._follower = asyncio.create_task(self._follow(), name="applications")

    @override
    async def close(self) -> None:
        if self._follower is not None:
            await cancel_and_wait(self._follower)
        await super().close()

    # --- who shows a key ------------------------------------------------------------------------

    def valid(self, key: str) -> Application | None:
        """The application of a valid key, as far as this process knows; asks no database."""
        application, expires = self._keys.get(digest(key), (None, None))
        return application if expires is None or expires > elapsed() else None

    async def find(self, key: str) -> Application:
        """The application of a key, whose form was checked.

        Raises:
            TokenRevoked: the key was ended.
            TokenUnknown: it was never made.

        """
        if self.valid(key) is None:
            rows = await self._run(_ONE, digest(key))
            if not rows:
                raise TokenUnknown
            self._keys.update(_by_hash(rows))
        if (application := self.valid(key)) is None:
            raise TokenRevoked
        return application

    async def look(self) -> None:
        """Read the valid keys."""
        self._keys = _by_hash(await self._run(_VALID))

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(NEWS)
            try:
                await self.look()
            except StoreUnavailable as lost:
                log.warning("applications wait for the database", reason=str(lost))

    # --- what operators do ----------------------------------------------------------------------

    async def register(self, application: UUID, name: str) -> None:
        """Add an application; the same again changes nothing. Raises ApplicationNameTaken."""
        await self._run(_REGISTER, application, name)
        if await self._run(_NAME, application) != [(name,)]:
            raise ApplicationNameTaken

    async def named(self, name: str) -> UUID:
        """The application of that name, which is made, without a key, where there is none."""
        await self._run(_REGISTER, uuid4(), name)
        return (await self._run(_NAMED, name))[0][0]  # type: ignore[no-any-return]

    async def issue(
        self,
        application: UUID,
        scopes: Sequence[Scope] | None,
        entry: UUID,
        keep: float | None = None,
    ) -> str:
        """A key of the application: for one entry of the operator's record always the same one,
        as long as the keys that seal are the same.

        ``keep`` is for how many seconds its earlier keys stay valid; None: as long as before.
        Without ``scopes`` it is good for what the newest key is.

        Raises:
            NoSuchApplication: there is none with that id.

        """
        # Under a key outside the database, of which a dump is then worth nothing.
        tags = self._sealing.tags(b"phaseledger application key\n" + entry.bytes)
        key = application_key(tags[0] if tags else secrets.token_bytes(32))
        if not await self._run(_NAME, application):
            raise NoSuchApplication
        if scopes is None:
            newest = await self._run(_SCOPES, application)
            scopes = newest[0][0] if newest else SCOPES
        await self._run(_ISSUE, digest(key), application, list(scopes))
        if keep is not None:
            await self._run(_END, keep, application, digest(key))
        await self.look()
        return key

    async def revoke(self, name: str) -> UUID:
        """End all keys of the application with an id, or the one key with a public id; returns the
        application. Raises NoSuchApplication.
        """
        rows = await self._run(_REVOKE, name, name)
        await self.look()
        if not rows:
            raise NoSuchApplication
        return rows[0][0]  # type: ignore[no-any-return]

    async def all(self) -> Sequence[RegisteredApplication]:
        """All applications with their keys, the oldest first."""
        listed: dict[UUID, tuple[str, float]] = {}
        keys: dict[UUID, list[IssuedKey]] = {}
        for application, name, made_at, key_hash, scopes, *columns in await self._run(_ALL):
            listed[application] = (name, made_at)
            if key_hash is not None:
                key = IssuedKey(public_id(bytes(key_hash)), tuple(scopes), *columns)
                keys.setdefault(application, []).append(key)
        return [
            RegisteredApplication(application, name, made_at, tuple(keys.get(application, ())))
            for application, (name, made_at) in listed.items()
        ]

    # --- tables ---------------------------------------------------------------------------------

    async def claim(self, game: UUID, application: UUID) -> None:
        """Note that the application opens the table; before it is opened, so that none is lost."""
        await self._run(_CLAIM, game, application)

    async def owner(self, game: UUID) -> UUID | None:
        """The application that opened the table; None where none did."""
        rows = await self._run(_OWNER, game)
        return rows[0][0] if rows else None

    async def opened(
        self, application: UUID, before: int, limit: int
    ) -> Sequence[tuple[int, OpenedTable]]:
        """Its tables whose number is below ``before``, newest first, each with its number."""
        rows = await self._run(_OPENED, application, before, limit)
        return [(number, OpenedTable(*columns)) for number, *columns in rows]

    async def _run(self, text: str, *parameters: object) -> list[tuple[Any, ...]]:
        return await run(self._pool, self._sql[text], parameters)


def _by_hash(rows: Sequence[tuple[Any, ...]]) -> dict[bytes, tuple[Application, float | None]]:
    """Keys that were read, each by its hash, with the time at which it expires."""
    now = elapsed()
    return {
        bytes(key_hash): (
            Application(application, name, tuple(scopes)),
            None if remaining is None else now + remaining,
        )
        for key_hash, application, name, scopes, remaining in rows
    }
