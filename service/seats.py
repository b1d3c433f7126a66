"""Credentials: who may speak for a seat, or for a table as its host.

A token is shown once, when it is issued, and kept as its SHA-256. It is revoked by itself, or with
all others of a sitting: whoever gave the seat up gets no fresh one by repeating the join.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple, Protocol
from uuid import UUID

import structlog
from msgspec import Struct
from psycopg.sql import SQL, Identifier
from typing_extensions import override

from service.outages import StoreUnavailable
from service.pool import pool, run
from service.schema import SCHEMA, Migration
from service.tasks import ended
from service.tokens import TokenRefused, digest, is_wellformed, new_token, public_id

__all__ = ["TokenRefused", "is_wellformed", "new_token", "public_id"]

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
    (
        "seats/2",
        """
        ALTER TABLE {schema}.credentials
          ADD COLUMN since bigint NOT NULL DEFAULT 0,
          ADD COLUMN expires_at timestamptz;
        COMMENT ON COLUMN {schema}.credentials.since
          IS 'The version of the game that began the sitting';
        CREATE INDEX credentials_game_idx ON {schema}.credentials (game);

        CREATE TABLE {schema}.revocations (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          game uuid NOT NULL,
          seat smallint,
          before bigint,
          token_hash bytea,
          at timestamptz NOT NULL DEFAULT now(),
          CHECK ((before IS NULL) <> (token_hash IS NULL))
        );
        COMMENT ON COLUMN {schema}.revocations.before
          IS 'All tokens of sittings that began earlier, whenever they are issued';
        CREATE INDEX revocations_game_idx ON {schema}.revocations (game);
        """,
    ),
)

TABLES = ("credentials", "revocations")
"""The application adds rows and changes none; others have no business with them."""

REMEMBERED = 20_000  # credentials; about 5 MB
NEWS = 1.0  # seconds until a revocation by another process is known here

log = structlog.get_logger("phaseledger.tokens")


class Credential(NamedTuple):
    """What a token stands for; ``seat`` is None for the host."""

    game: UUID
    seat: int | None
    since: int = 0
    """The version of the game that began the sitting; 0: one that nobody has ended."""


class Issued(Struct, frozen=True):
    """A token of a game as operators may see it; times are in seconds since 1970."""

    id: str
    seat: int | None
    issued_at: float
    expires_at: float | None
    revoked: bool


class Credentials(Protocol):
    """Where tokens are issued, looked up and revoked."""

    async def issue(self, game: UUID, seat: int | None, since: int = 0) -> str:
        """A fresh token; those issued before stay valid.

        ``since`` is the game's version that began the sitting: right after the seat was taken, or
        the table opened. Raises TokenRefused when that sitting's tokens were revoked.
        """
        ...

    async def find(self, token: str, game: UUID | None = None) -> Credential | None:
        """What the token stands for; None when it is malformed or was never issued.

        ``game`` is the one that it is shown for, which says where to look first.
        Raises TokenRefused when it is revoked or has expired.
        """
        ...

    async def revoke(self, game: UUID, seat: int | None, before: int) -> None:
        """Refuse all tokens of the seat's sittings that began before that version of the game.

        So do whoever kicks a seat, with the version after that: later sittings keep their tokens,
        and a repeated join of an earlier one gets no fresh token.
        """
        ...

    async def revoke_token(self, name: str) -> Credential | None:
        """Refuse one token by its public id; None when there is no such token."""
        ...

    async def issued(self, game: UUID) -> Sequence[Issued]:
        """The tokens of a game, oldest first."""
        ...

    async def open(self) -> None:
        """Connect; the tables are there already."""
        ...

    async def close(self) -> None:
        """Close every connection."""
        ...


class _Known(NamedTuple):
    credential: Credential
    expires_at: float | None

    def alive(self) -> Credential:
        if self.expires_at is not None and self.expires_at <= time.time():
            raise TokenRefused("token_expired")
        return self.credential


class _Kept(NamedTuple):
    known: _Known
    since: int
    issued_at: float


class MemoryCredentials(Credentials):
    """Credentials that are gone with their process, beside a `MemoryStore`.

    ``lifetime`` is in seconds; 0: for ever.
    """

    def __init__(self, lifetime: float = 0) -> None:
        self._lifetime = lifetime
        self._kept: dict[bytes, _Kept] = {}
        self._sittings: dict[Credential, int] = {}
        self._revoked: set[bytes] = set()

    def _is_revoked(self, token_hash: bytes) -> bool:
        known, since, _ = self._kept[token_hash]
        sitting = known.credential._replace(since=0)
        return token_hash in self._revoked or since < self._sittings.get(sitting, 0)

    @override
    async def issue(self, game: UUID, seat: int | None, since: int = 0) -> str:
        credential, now = Credential(game, seat), time.time()
        if since < self._sittings.get(credential, 0):
            raise TokenRefused("no_fresh_token")
        token = new_token(seat)
        until = now + self._lifetime if self._lifetime else None
        known = _Known(credential._replace(since=since), until)
        self._kept[digest(token)] = _Kept(known, since, now)
        return token

    @override
    async def find(self, token: str, game: UUID | None = None) -> Credential | None:
        if not is_wellformed(token) or (token_hash := digest(token)) not in self._kept:
            return None
        if self._is_revoked(token_hash):
            raise TokenRefused("token_revoked")
        return self._kept[token_hash].known.alive()

    @override
    async def revoke(self, game: UUID, seat: int | None, before: int) -> None:
        sitting = Credential(game, seat)
        self._sittings[sitting] = max(before, self._sittings.get(sitting, 0))

    @override
    async def revoke_token(self, name: str) -> Credential | None:
        for token_hash, kept in self._kept.items():
            if public_id(token_hash) == name:
                self._revoked.add(token_hash)
                return kept.known.credential._replace(since=0)
        return None

    @override
    async def issued(self, game: UUID) -> Sequence[Issued]:
        return [
            Issued(
                public_id(token_hash),
                known.credential.seat,
                at,
                known.expires_at,
                self._is_revoked(token_hash),
            )
            for token_hash, (known, _, at) in self._kept.items()
            if known.credential.game == game
        ]

    @override
    async def open(self) -> None: ...
    @override
    async def close(self) -> None: ...


_REVOKED = """EXISTS (SELECT FROM {revocations} AS r WHERE r.game = c.game AND
  (r.token_hash = c.token_hash OR r.seat IS NOT DISTINCT FROM c.seat AND c.since < r.before))"""
_ISSUE = """
    INSERT INTO {credentials} (token_hash, game, seat, since, expires_at)
    SELECT token_hash, game, seat, since, CASE WHEN %s THEN now() + %s * interval '1 second' END
    FROM (VALUES (%s::bytea, %s::uuid, %s::smallint, %s::bigint))
      AS c (token_hash, game, seat, since)
    WHERE NOT {revoked} RETURNING extract(epoch FROM expires_at)::float8"""
_FIND = """SELECT game, seat, since, extract(epoch FROM expires_at)::float8, {revoked}
    FROM {credentials} AS c WHERE token_hash = %s"""
_ISSUED = """
    SELECT token_hash, seat, extract(epoch FROM created_at)::float8,
      extract(epoch FROM expires_at)::float8, {revoked}
    FROM {credentials} AS c WHERE game = %s ORDER BY created_at, token_hash"""
_REVOKE = "INSERT INTO {revocations} (game, seat, before) VALUES (%s, %s, %s)"
_REVOKE_TOKEN = """
    INSERT INTO {revocations} (game, seat, token_hash)
    SELECT game, seat, token_hash FROM {credentials}
    WHERE token_hash >= %s AND encode(token_hash, 'hex') LIKE %s ORDER BY token_hash LIMIT 1
    RETURNING game, seat"""


class PostgresCredentials(Credentials):
    """Credentials in the log's schema; found ones are remembered until something is revoked.

    ``lifetime`` is in seconds; 0: for ever.
    """

    def __init__(self, dsn: str, *, schema: str = SCHEMA, lifetime: float = 0) -> None:
        tables = {name: Identifier(schema, name) for name in ("credentials", "revocations")}
        revoked = SQL(_REVOKED).format(**tables)
        self._issue, self._find, self._issued, self._revoke, self._revoke_token = (
            SQL(text).format(**tables, revoked=revoked)
            for text in (_ISSUE, _FIND, _ISSUED, _REVOKE, _REVOKE_TOKEN)
        )
        self._last = SQL("SELECT coalesce(max(id), 0) FROM {}").format(tables["revocations"])
        # Revocations are numbered in the order of their commits, or the newest number would not
        # tell whether there are new ones.
        self._lock = SQL("SELECT pg_advisory_xact_lock(hashtextextended({}, 0))").format(
            f"revoke {schema}"
        )
        self._lifetime = lifetime
        self._recent: OrderedDict[bytes, _Known] = OrderedDict()
        self._era = 0  # changes whenever what is remembered may be wrong
        self._news: asyncio.Task[None] | None = None
        self._pool = pool(dsn, most=4)

    @override
    async def open(self) -> None:
        await self._pool.open()
        self._news = asyncio.create_task(self._hear(), name="revocations")

    @override
    async def close(self) -> None:
        if self._news is not None:
            await ended(self._news)
        await self._pool.close()

    @override
    async def issue(self, game: UUID, seat: int | None, since: int = 0) -> str:
        token, era = new_token(seat), self._era
        lasts = (self._lifetime > 0, self._lifetime)
        rows = await run(self._pool, self._issue, (*lasts, digest(token), game, seat, since))
        if not rows:
            raise TokenRefused("no_fresh_token")
        self._remember(digest(token), _Known(Credential(game, seat, since), rows[0][0]), era)
        return token

    @override
    async def find(self, token: str, game: UUID | None = None) -> Credential | None:
        token_hash = digest(token)
        if token_hash in self._recent:
            self._recent.move_to_end(token_hash)
            return self._recent[token_hash].alive()
        if not is_wellformed(token):
            return None
        era = self._era
        rows = await run(self._pool, self._find, (token_hash,))
        if not rows:
            return None
        game, seat, since, expires_at, revoked = rows[0]
        if revoked:
            raise TokenRefused("token_revoked")
        known = _Known(Credential(game, seat, since), expires_at)
        self._remember(token_hash, known, era)
        return known.alive()

    @override
    async def revoke(self, game: UUID, seat: int | None, before: int) -> None:
        await run(self._pool, self._revoke, (game, seat, before), lock=self._lock)
        self._forget()

    @override
    async def revoke_token(self, name: str) -> Credential | None:
        first = bytes.fromhex(name)
        rows = await run(self._pool, self._revoke_token, (first, name + "%"), lock=self._lock)
        self._forget()
        return Credential(*rows[0]) if rows else None

    @override
    async def issued(self, game: UUID) -> Sequence[Issued]:
        rows = await run(self._pool, self._issued, (game,))
        return [Issued(public_id(token_hash), *rest) for token_hash, *rest in rows]

    async def _hear(self) -> None:
        """Forget what is remembered when another process has revoked something."""
        known: int | None = None
        while True:
            try:
                ((last,),) = await run(self._pool, self._last)
            except StoreUnavailable as lost:
                log.warning("revocations wait for the database", reason=str(lost))
            else:
                if last != known:
                    self._forget()
                known = last
            await asyncio.sleep(NEWS)

    def _forget(self) -> None:
        self._era += 1
        self._recent.clear()

    def _remember(self, token_hash: bytes, known: _Known, era: int) -> None:
        if era != self._era:
            return  # it was read before what has been revoked meanwhile
        self._recent[token_hash] = known
        if len(self._recent) > REMEMBERED:
            self._recent.popitem(last=False)
