"""The sessions of players in the log's schema; each ends with its time, or with its player.

Nothing here is cached, so that a session that is ended is so at once in all processes.
"""

from typing import Any
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL, Identifier

from phaseledger.service.credentials.errors import TokenExpired, TokenUnknown
from phaseledger.service.credentials.tokens import digest, new_session
from phaseledger.service.eventlog.migrations import SCHEMA, Migration
from phaseledger.service.eventlog.pool import Pool, Pooled, run
from phaseledger.service.players.store import COLUMNS
from phaseledger.service.schemas.players import PlayerInfo
from phaseledger.service.signin.errors import SignInRefused

SESSIONS: tuple[Migration, ...] = (
    (
        "sessions/1",
        """
        CREATE TABLE {schema}.player_sessions (
          token_hash bytea PRIMARY KEY,
          pseudonym text COLLATE "C" NOT NULL
            REFERENCES {schema}.players (pseudonym) ON DELETE CASCADE,
          attempt bytea UNIQUE,
          issued_at timestamptz NOT NULL DEFAULT now(),
          expires_at timestamptz NOT NULL
        );
        COMMENT ON COLUMN {schema}.player_sessions.attempt
          IS 'The hash of the state that the sign-in of a browser had, which counts once';
        CREATE INDEX player_sessions_idx ON {schema}.player_sessions (pseudonym);
        CREATE INDEX player_sessions_expires_idx ON {schema}.player_sessions (expires_at);
        """,
    ),
)
TABLES = ("player_sessions",)
"""The application adds, changes and deletes rows; other roles have no access."""

_ISSUE = """
    WITH past AS (
      DELETE FROM {player_sessions} WHERE expires_at < now() - interval '1 day')
    INSERT INTO {player_sessions} (token_hash, pseudonym, attempt, expires_at)
    SELECT %s, %s, %s, now() + %s * interval '1 day' ON CONFLICT DO NOTHING
    RETURNING (1000 * extract(epoch FROM expires_at))::bigint"""
_FIND = """
    SELECT expires_at > clock_timestamp(), application, {columns}
    FROM {player_sessions} JOIN {players} USING (pseudonym) WHERE token_hash = %s"""
_END = """
    UPDATE {player_sessions} SET expires_at = least(expires_at, clock_timestamp())
    WHERE token_hash = %s"""


class PlayerSession(Struct, frozen=True):
    """What a session's token stands for: a player of an application, and no other one."""

    application: UUID
    player: PlayerInfo

    def own(self, key: str) -> str:
        """An Idempotency-Key as the player's own, as `Application.own` has it."""
        text = f"p10-session/v1\n{self.player.pseudonym}\n{key}"
        return f"session {digest(text).hex()}" if key else ""


class PlayerSessions(Pooled):
    """The sessions in the log's schema. Every method may raise StoreUnavailable."""

    def __init__(self, connections: str | Pool, *, schema: str = SCHEMA, days: float) -> None:
        super().__init__(connections)
        names = {name: Identifier(schema, name) for name in (*TABLES, "players")}
        self._sql = {
            text: SQL(text).format(**names, columns=SQL(COLUMNS)) for text in (_ISSUE, _FIND, _END)
        }
        self._days = days

    async def issue(self, pseudonym: str, state: str = "") -> tuple[str, int]:
        """A fresh session's token, and when it expires, in milliseconds since 1970.

        Raises SignInRefused where a sign-in with that state was done already.
        """
        token, attempt = new_session(), digest(state) if state else None
        rows = await self._run(_ISSUE, digest(token), pseudonym, attempt, self._days)
        if not rows:
            raise SignInRefused(reason="the state has been used")
        return token, rows[0][0]

    async def find(self, token: str) -> PlayerSession:
        """The session of a token.

        Raises:
            TokenExpired: its time is over, or its player has signed out.
            TokenUnknown: it was never issued, or its player is erased.

        """
        rows = await self._run(_FIND, digest(token))
        if not rows:
            raise TokenUnknown
        is_valid, application, *columns = rows[0]
        if not is_valid:
            raise TokenExpired
        return PlayerSession(application, PlayerInfo(*columns))

    async def end(self, token: str) -> None:
        """End the session of the token."""
        await self._run(_END, digest(token))

    async def _run(self, text: str, *parameters: object) -> list[tuple[Any, ...]]:
        return await run(self._pool, self._sql[text], parameters)
