"""Bearer tokens: who may speak for a seat, or for a table as its host.

A token is shown once, when it is issued, and kept as its SHA-256. It carries a checksum, so that
a mistyped one is refused without asking the database, and a prefix that secret scanners can know.
"""

import hashlib
import secrets
import zlib
from collections import OrderedDict
from typing import Any, NamedTuple, Protocol
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Identifier
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout
from typing_extensions import override

from service.outages import explained
from service.schema import SCHEMA, Migration

SEATS: tuple[Migration, ...] = (
    (
        "seats/1",
        """
        CREATE TABLE {schema}.credentials (
          token_hash bytea PRIMARY KEY,
          game uuid NOT NULL,
          seat smallint,
          created_at timestamptz NOT NULL DEFAULT now()
        );
        COMMENT ON COLUMN {schema}.credentials.seat IS 'NULL: the host of the table';
        """,
    ),
)

REMEMBERED = 20_000  # credentials; about 5 MB
PATIENCE = 5.0  # seconds


class Credential(NamedTuple):
    """What a token stands for; ``seat`` is None for the host."""

    game: UUID
    seat: int | None


class Credentials(Protocol):
    """Where tokens are issued and looked up."""

    async def issue(self, game: UUID, seat: int | None) -> str:
        """A fresh token; those issued before stay valid."""
        ...

    async def find(self, token: str) -> Credential | None:
        """What the token stands for; None when it is malformed or was never issued."""
        ...

    async def open(self) -> None:
        """Connect; the tables are there already."""
        ...

    async def close(self) -> None:
        """Close every connection."""
        ...


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"


def new_token(seat: int | None) -> str:
    """32 random bytes as text: ``p10s_...`` for a seat, ``p10h_...`` for a host."""
    body = f"p10{'h' if seat is None else 's'}_{secrets.token_hex(32)}"
    return body + _checksum(body)


def is_wellformed(token: str) -> bool:
    """Whether the token has the shape and the checksum of an issued one."""
    return (
        token.isascii()
        and token.startswith(("p10s_", "p10h_"))
        and len(token) == 77
        and _checksum(token[:-8]) == token[-8:]
    )


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


class MemoryCredentials(Credentials):
    """Credentials that are gone with their process, beside a `MemoryStore`."""

    def __init__(self) -> None:
        self._known: dict[bytes, Credential] = {}

    @override
    async def issue(self, game: UUID, seat: int | None) -> str:
        token = new_token(seat)
        self._known[_digest(token)] = Credential(game, seat)
        return token

    @override
    async def find(self, token: str) -> Credential | None:
        return self._known.get(_digest(token)) if is_wellformed(token) else None

    @override
    async def open(self) -> None: ...
    @override
    async def close(self) -> None: ...


class PostgresCredentials(Credentials):
    """Credentials in the log's schema. A credential never changes, so found ones are remembered."""

    def __init__(self, dsn: str, *, schema: str = SCHEMA) -> None:
        table = Identifier(schema, "credentials")
        self._insert = SQL("INSERT INTO {} (token_hash, game, seat) VALUES (%s, %s, %s)").format(
            table
        )
        self._select = SQL("SELECT game, seat FROM {} WHERE token_hash = %s").format(table)
        self._recent: OrderedDict[bytes, Credential] = OrderedDict()
        self._pool: AsyncConnectionPool[psycopg.AsyncConnection[tuple[Any, ...]]] = (
            AsyncConnectionPool(
                dsn,
                kwargs={"autocommit": True},
                min_size=1,
                max_size=4,
                timeout=PATIENCE,
                reconnect_timeout=PATIENCE,
                open=False,
            )
        )

    @override
    async def open(self) -> None:
        await self._pool.open()

    @override
    async def close(self) -> None:
        await self._pool.close()

    @override
    async def issue(self, game: UUID, seat: int | None) -> str:
        token = new_token(seat)
        await self._run(self._insert, (_digest(token), game, seat))
        self._remember(_digest(token), Credential(game, seat))
        return token

    @override
    async def find(self, token: str) -> Credential | None:
        if not is_wellformed(token):
            return None
        digest = _digest(token)
        if digest in self._recent:
            self._recent.move_to_end(digest)
            return self._recent[digest]
        rows = await self._run(self._select, (digest,))
        if not rows:
            return None
        self._remember(digest, Credential(*rows[0]))
        return Credential(*rows[0])

    def _remember(self, digest: bytes, credential: Credential) -> None:
        self._recent[digest] = credential
        if len(self._recent) > REMEMBERED:
            self._recent.popitem(last=False)

    async def _run(
        self, statement: psycopg.sql.Composed, parameters: tuple[object, ...]
    ) -> list[tuple[Any, ...]]:
        for last in (False, True):
            try:
                async with self._pool.connection() as conn:
                    cursor = await conn.execute(statement, parameters, prepare=True)
                    return await cursor.fetchall() if cursor.description else []
            except (PoolClosed, PoolTimeout) as error:
                raise explained(error) from error
            except psycopg.Error as error:
                if last or not isinstance(error, psycopg.OperationalError):
                    raise explained(error) from error
                await self._pool.check()  # a server restarted meanwhile has dropped them all
        raise AssertionError("the second attempt returns or raises")
