"""The credential store: bearer tokens that act for a seat, or for a table as its host.

A token is stored as its SHA-256, beside the games that the tokens are for, and derived again for a
repeated request with the same key. It is revoked alone, or with all others of a sitting: a player
who gave the seat up gets no other. A ticket stands for a token in requests that cannot send one,
for one use.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from uuid import UUID

import structlog
from psycopg.sql import SQL, Identifier
from typing_extensions import override

from phaseledger.service.credentials.credential import CachedCredential, Credential, IssuedToken
from phaseledger.service.credentials.errors import (
    NoFreshToken,
    TicketUnknown,
    TokenRefused,
    TokenRevoked,
)
from phaseledger.service.credentials.tokens import (
    digest,
    is_wellformed,
    new_ticket,
    new_token,
    public_id,
    token_for,
)
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import SCHEMA, Migration
from phaseledger.service.eventlog.pool import Pool, Pooled, run
from phaseledger.service.runtime.tasks import cancel_and_wait

SEATS: tuple[Migration, ...] = (
    (
        "seats/5",
        """
        CREATE TABLE IF NOT EXISTS {schema}.credentials (
          token_hash bytea PRIMARY KEY,
          game uuid NOT NULL,
          seat smallint,
          created_at timestamptz NOT NULL DEFAULT now(),
          since bigint NOT NULL DEFAULT 0,
          expires_at timestamptz
        );
        COMMENT ON COLUMN {schema}.credentials.seat IS 'NULL: the host of the table';
        COMMENT ON COLUMN {schema}.credentials.since
          IS 'The version of the game that began the sitting';
        CREATE INDEX IF NOT EXISTS credentials_game_idx ON {schema}.credentials (game);

        CREATE TABLE IF NOT EXISTS {schema}.revocations (
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
        CREATE INDEX IF NOT EXISTS revocations_game_idx ON {schema}.revocations (game);

        CREATE TABLE IF NOT EXISTS {schema}.token_key (
          one boolean PRIMARY KEY DEFAULT true CHECK (one),
          key bytea NOT NULL
        );
        COMMENT ON TABLE {schema}.token_key
          IS 'What tokens are made with that a repeated request gets again';
        INSERT INTO {schema}.token_key (key)
          VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
          ON CONFLICT DO NOTHING;

        CREATE TABLE IF NOT EXISTS {schema}.tickets (
          ticket_hash bytea PRIMARY KEY,
          token_hash bytea NOT NULL,
          game uuid NOT NULL,
          expires_at timestamptz NOT NULL
        );
        COMMENT ON TABLE {schema}.tickets
          IS 'Each stands for a token of the game once, until then';
        CREATE INDEX IF NOT EXISTS tickets_expires_idx ON {schema}.tickets (expires_at);
        """,
    ),
)

TABLES = ("credentials", "revocations")
"""The application adds rows and changes none; other roles have no access."""
PASSING_TABLES = ("tickets",)
"""The application adds rows and deletes them; other roles have no access."""

CACHED_CREDENTIALS = 20_000  # credentials; about 5 MB
NEWS = 1.0  # seconds until a revocation by another process is known here

log = structlog.get_logger("phaseledger.tokens")


_REVOKED = """EXISTS (SELECT FROM {revocations} AS r WHERE r.game = c.game AND
  (r.token_hash = c.token_hash OR r.seat IS NOT DISTINCT FROM c.seat AND c.since < r.before))"""
_ISSUE = """
    INSERT INTO {credentials} (token_hash, game, seat, since, expires_at)
    SELECT token_hash, game, seat, since, CASE WHEN %s THEN now() + %s * interval '1 second' END
    FROM (VALUES (%s::bytea, %s::uuid, %s::smallint, %s::bigint))
      AS c (token_hash, game, seat, since)
    WHERE NOT {revoked} ON CONFLICT DO NOTHING
    RETURNING extract(epoch FROM expires_at - clock_timestamp())::float8"""
_FIND = """SELECT game, seat, since,
      extract(epoch FROM expires_at - clock_timestamp())::float8, {revoked}
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
_ISSUE_TICKET = """
    WITH expired AS (DELETE FROM {tickets} WHERE expires_at <= clock_timestamp())
    INSERT INTO {tickets} (ticket_hash, token_hash, game, expires_at)
    VALUES (%s, %s, %s, clock_timestamp() + %s * interval '1 second')"""
_REDEEM = """
    DELETE FROM {tickets} WHERE ticket_hash = %s AND game = %s
    RETURNING token_hash, expires_at > clock_timestamp()"""


class Credentials(Pooled):
    """The credential store in the log's schema, with a cache that is emptied at every revocation.

    ``lifetime`` is in seconds; 0: for ever.
    """

    def __init__(
        self, connections: str | Pool, *, schema: str = SCHEMA, lifetime: float = 0
    ) -> None:
        super().__init__(connections)
        tables = {name: Identifier(schema, name) for name in (*TABLES, *PASSING_TABLES)}
        revoked = SQL(_REVOKED).format(**tables)
        self._issue, self._find, self._issued, self._revoke, self._revoke_token = (
            SQL(text).format(**tables, revoked=revoked)
            for text in (_ISSUE, _FIND, _ISSUED, _REVOKE, _REVOKE_TOKEN)
        )
        self._issue_ticket, self._redeem = (
            SQL(text).format(**tables) for text in (_ISSUE_TICKET, _REDEEM)
        )
        self._last = SQL("SELECT coalesce(max(id), 0) FROM {}").format(tables["revocations"])
        # Revocations are numbered in the order of their commits, so that the newest number shows
        # whether there are new ones.
        self._lock = SQL("SELECT pg_advisory_xact_lock(hashtextextended({}, 0))").format(
            f"revoke {schema}"
        )
        self._read_key = SQL("SELECT key FROM {}").format(Identifier(schema, "token_key"))
        self._key = b""  # once it was needed
        self._lifetime = lifetime
        self._recent: OrderedDict[bytes, CachedCredential] = OrderedDict()
        self._era = 0  # changes whenever cached entries may be wrong
        self._follower: asyncio.Task[None] | None = None

    @override
    async def open(self) -> None:
        await super().open()
        self._follower = asyncio.create_task(self._follow_revocations(), name="revocations")

    @override
    async def close(self) -> None:
        if self._follower is not None:
            await cancel_and_wait(self._follower)
        await super().close()

    async def issue(self, game: UUID, seat: int | None, since: int = 0, key: str = "") -> str:
        """Issue a token; earlier tokens stay valid.

        ``since`` is the game's version that began the sitting: right after the seat was taken, or
        the table opened. ``key`` is a secret of the caller: the same key gives the same token while
        it is valid, else a fresh one. Raises TokenRefused when the sitting's tokens were revoked.
        """
        era = self._era
        token = await self._token_for(game, seat, since, key) if key else new_token(seat)
        lasts = (self._lifetime > 0, self._lifetime)
        rows = await run(self._pool, self._issue, (*lasts, digest(token), game, seat, since))
        if rows:
            entry = CachedCredential.lasting(Credential(game, seat, since), rows[0][0])
            self._remember(digest(token), entry, era)
            return token
        if not key:
            raise NoFreshToken
        try:
            if await self.find(token):
                return token  # as for the same request before
        except TokenRefused:
            pass  # that one is no longer valid
        return await self.issue(game, seat, since)

    async def _token_for(self, game: UUID, seat: int | None, since: int, key: str) -> str:
        if not self._key:
            ((self._key,),) = await run(self._pool, self._read_key)
        return token_for(self._key, game, seat, since, key)

    async def find(self, token: str) -> Credential | None:
        """The credential of a token; None when it is malformed or was never issued.

        Raises TokenRefused when the token is revoked or has expired.
        """
        return await self.find_hash(digest(token)) if is_wellformed(token) else None

    async def find_hash(self, token_hash: bytes) -> Credential | None:
        """The credential of the token with a hash, as `find`."""
        if token_hash in self._recent:
            self._recent.move_to_end(token_hash)
            return self._recent[token_hash].alive()
        era = self._era
        rows = await run(self._pool, self._find, (token_hash,))
        if not rows:
            return None
        game, seat, since, remaining, revoked = rows[0]
        if revoked:
            raise TokenRevoked
        entry = CachedCredential.lasting(Credential(game, seat, since), remaining)
        self._remember(token_hash, entry, era)
        return entry.alive()

    async def issue_ticket(self, token: str, game: UUID, seconds: float) -> str:
        """Issue a ticket, which stands for the token of the game once, for ``seconds``."""
        ticket = new_ticket()
        columns = (digest(ticket), digest(token), game, seconds)
        await run(self._pool, self._issue_ticket, columns)
        return ticket

    async def redeem(self, ticket: str, game: UUID) -> bytes:
        """The hash of the ticket's token; the ticket is used up.

        Raises TicketUnknown for one that was used, has expired, or is not of the game.
        """
        rows = await run(self._pool, self._redeem, (digest(ticket), game))
        if not rows or not rows[0][1]:
            raise TicketUnknown
        return bytes(rows[0][0])

    async def revoke(self, game: UUID, seat: int | None, before: int) -> None:
        """Refuse all tokens of the seat's sittings that began before a version of the game.

        Kicking a seat does this with the version after the kick: later sittings keep their tokens,
        and a repeated join of an earlier one gets no token.
        """
        await run(self._pool, self._revoke, (game, seat, before), lock=self._lock)
        self.distrust()

    async def revoke_token(self, name: str) -> Credential | None:
        """Refuse one token by its public id; None when there is no such token."""
        first = bytes.fromhex(name)
        rows = await run(self._pool, self._revoke_token, (first, name + "%"), lock=self._lock)
        self.distrust()
        return Credential(*rows[0]) if rows else None

    async def issued(self, game: UUID) -> Sequence[IssuedToken]:
        """The tokens of a game, oldest first."""
        rows = await run(self._pool, self._issued, (game,))
        return [IssuedToken(public_id(token_hash), *columns) for token_hash, *columns in rows]

    async def _follow_revocations(self) -> None:
        """Empty the cache after each revocation by another process."""
        last_seen: int | None = None
        while True:
            try:
                ((last,),) = await run(self._pool, self._last)
            except StoreUnavailable as lost:
                log.warning("revocations wait for the database", reason=str(lost))
            else:
                if last != last_seen:
                    self.distrust()
                last_seen = last
            await asyncio.sleep(NEWS)

    def distrust(self) -> None:
        """Read every token anew before it is used again: the database may have gone back."""
        self._era += 1
        self._recent.clear()

    def _remember(self, token_hash: bytes, entry: CachedCredential, era: int) -> None:
        if era != self._era:
            return  # it was read before a recent revocation
        self._recent[token_hash] = entry
        if len(self._recent) > CACHED_CREDENTIALS:
            self._recent.popitem(last=False)
