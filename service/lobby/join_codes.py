"""Join codes of private tables, short enough to be said to a friend.

A code is eight characters of Crockford's base 32 and follows from the server's secret of the game,
so it is in no event, and comes out the same after any restart. An index finds the table that has
it. All 40 bits can be tried in minutes, so the index has no plain hashes, but HMACs under the keys
that seal: a dump of it opens no table.
"""

import hashlib
import hmac
from collections.abc import Sequence
from uuid import UUID

from psycopg.sql import SQL, Identifier

from phaseledger.domain.state import State
from phaseledger.replay.formats.sealing import NO_SEALING, SealingKeys
from phaseledger.service.eventlog.migrations import SCHEMA, Migration
from phaseledger.service.eventlog.pool import Pool, Pooled, run

CODES: tuple[Migration, ...] = (
    (
        "codes/1",
        """
        CREATE TABLE {schema}.join_codes (
          code_hash bytea,
          game uuid,
          opened_at timestamptz NOT NULL DEFAULT now(),
          PRIMARY KEY (code_hash, game)
        )
        """,
    ),
)
TABLES = ("join_codes",)

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LIKE = str.maketrans("OIL", "011", " -")


def code_of(state: State) -> str:
    """The join code of a table: 40 bits, as ``7K2M-Q9XD``."""
    return code_from(state.game, state.server_secret)


def code_from(game: str, server_secret: str) -> str:
    """The join code of a game with this secret (64 hex digits)."""
    text = b"p10-join-code/v1\n" + game.encode()
    number = int.from_bytes(hmac.digest(bytes.fromhex(server_secret), text, "sha256")[:5])
    code = "".join(_ALPHABET[number >> 5 * place & 31] for place in range(8))
    return f"{code[:4]}-{code[4:]}"


def plain(code: str) -> str:
    """The normal form of a code, in which codes are compared."""
    return code.upper().translate(_LIKE)


def is_code(state: State, code: str) -> bool:
    """Whether the code is the table's."""
    return hmac.compare_digest(plain(code_of(state)), plain(code))


def index_entries(code: str, keys: SealingKeys) -> list[bytes]:
    """The entries that the index may have for the code (32 bytes each), the current form first.

    The last is a plain SHA-256: the form of earlier releases, and of ledgers without a key.
    """
    normal = plain(code).encode()
    tags = keys.tags(b"phaseledger join code\n" + normal)
    return [*tags, hashlib.sha256(normal).digest()]


class JoinCodes(Pooled):
    """An index of tables by join code, in the log's schema. Every method but close may raise
    StoreUnavailable.
    """

    def __init__(
        self, connections: str | Pool, *, schema: str = SCHEMA, sealing: SealingKeys = NO_SEALING
    ) -> None:
        super().__init__(connections)
        self._sealing = sealing
        table = Identifier(schema, "join_codes")
        self._insert = SQL(
            "INSERT INTO {} (code_hash, game) VALUES (%s, %s) ON CONFLICT DO NOTHING"
        ).format(table)
        self._select = SQL(
            "SELECT game FROM {} WHERE code_hash = ANY(%s) ORDER BY opened_at DESC LIMIT 10"
        ).format(table)

    async def publish(self, code: str, game: UUID) -> None:
        """Add the table to the index."""
        entry = index_entries(code, self._sealing)[0]
        await run(self._pool, self._insert, (entry, game))

    async def find(self, code: str) -> Sequence[UUID]:
        """The tables that ever had the code, the newest first: nearly always one, or none."""
        entries = index_entries(code, self._sealing)
        games = [game for (game,) in await run(self._pool, self._select, (entries,))]
        return list(dict.fromkeys(games))


async def publish_code(codes: JoinCodes, state: State) -> str | None:
    """The join code of a private table, added to the index; None for other tables."""
    if not state.terms.private:
        return None
    code = code_of(state)
    await codes.publish(code, UUID(state.game))
    return code
