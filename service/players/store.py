"""The players in the log's schema: the only place where their names and ids stand.

Nothing here is cached, so that a name that is erased or changed is so at once in all processes.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from psycopg.sql import SQL, Composed, Identifier

from phaseledger.domain.names import look
from phaseledger.domain.words import Language
from phaseledger.service.eventlog.migrations import SCHEMA, Migration
from phaseledger.service.eventlog.pool import Pool, Pooled, run
from phaseledger.service.players.errors import NoSuchPlayer, PlayerNameTaken
from phaseledger.service.players.pseudonym import pseudonym_of
from phaseledger.service.schemas.players import PlayerInfo

PLAYERS: tuple[Migration, ...] = (
    (
        "players/1",
        """
        -- seen_at: when the player's application named it last.
        -- No vacuum but `scrub_players`: another one would leave behind what it frees.
        CREATE TABLE {schema}.players (
          application uuid NOT NULL REFERENCES {schema}.applications,
          id text COLLATE "C" NOT NULL,
          pseudonym text COLLATE "C" NOT NULL UNIQUE,
          salt bytea NOT NULL,
          name text NOT NULL,
          look text COLLATE "C" NOT NULL,
          language text NOT NULL,
          made_at timestamptz NOT NULL DEFAULT now(),
          seen_at timestamptz NOT NULL DEFAULT now(),
          PRIMARY KEY (application, id),
          UNIQUE (application, look)
        ) WITH (autovacuum_enabled = false, toast.autovacuum_enabled = false);
        -- The statistics of a column are samples of what stands in it.
        ALTER TABLE {schema}.players ALTER id SET STATISTICS 0, ALTER name SET STATISTICS 0,
          ALTER look SET STATISTICS 0;

        -- Writes the table anew, so that no page of its files holds what was erased or changed.
        CREATE FUNCTION {schema}.scrub_players() RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp
        SET lock_timeout = '2s'
        AS $scrub$
        BEGIN
          CLUSTER {schema}.players USING players_pkey;
          ANALYZE {schema}.players;  -- counts no dead rows from now on
        END
        $scrub$;
        REVOKE ALL ON FUNCTION {schema}.scrub_players() FROM PUBLIC;
        """,
    ),
)
TABLES = ("players",)
"""The application adds, changes and deletes rows; other roles have no access."""
GRANTED = ("scrub_players",)
"""Functions that the application may call."""

COLUMNS = """id, name, language, pseudonym, encode(salt, 'hex'),
      (1000 * extract(epoch FROM made_at))::bigint"""
_PUT = """
    INSERT INTO {players} (application, id, pseudonym, salt, name, look, language)
    SELECT told.* FROM (VALUES (%s::uuid, %s::text, %s::text, %s::bytea, %s::text, %s::text,
      %s::text)) AS told (application, id, pseudonym, salt, name, look, language)
    WHERE NOT EXISTS (SELECT FROM {players} AS other WHERE other.application = told.application
      AND other.look = told.look COLLATE "C" AND other.id <> told.id COLLATE "C")
    ON CONFLICT (application, id) DO UPDATE SET name = excluded.name, look = excluded.look,
      language = excluded.language, seen_at = now()
    RETURNING {columns}"""
_FIND = "SELECT {columns} FROM {players} WHERE application = %s AND id = %s"
_LIST = """
    SELECT {columns} FROM {players} WHERE application = %s AND id > %s ORDER BY id LIMIT %s"""
_ERASE = "DELETE FROM {players} WHERE pseudonym = %s"
_NAMES = "SELECT pseudonym, name FROM {players} WHERE pseudonym = ANY(%s)"
_EXPIRE = """
    DELETE FROM {players} AS player WHERE seen_at < now() - %s * interval '1 day'
      AND NOT EXISTS (SELECT FROM {games} AS game WHERE names @> ARRAY[player.pseudonym]
        AND updated_at >= 1000 * extract(epoch FROM now() - %s * interval '1 day'))
    RETURNING pseudonym"""
_LEFT_BEHIND = "SELECT pg_stat_get_dead_tuples(to_regclass(%s)) > 0"


class Players(Pooled):
    """The players in the log's schema. Every method may raise StoreUnavailable."""

    def __init__(self, connections: str | Pool, *, schema: str = SCHEMA) -> None:
        super().__init__(connections)
        names = {name: Identifier(schema, name) for name in (*TABLES, *GRANTED, "games")}
        self._sql: Mapping[str, Composed] = {
            text: SQL(text).format(**names, columns=SQL(COLUMNS))
            for text in (_PUT, _FIND, _LIST, _ERASE, _NAMES, _EXPIRE, _LEFT_BEHIND)
        }
        # Two requests at the same time give no name twice.
        self._lock = SQL("SELECT pg_advisory_xact_lock(hashtextextended({}, 0))").format(
            f"players {schema}"
        )
        self._scrub = SQL("SELECT {scrub_players}()").format(**names)
        self._table = names["players"].as_string()

    async def put(
        self, application: UUID, player: str, name: str, language: Language
    ) -> PlayerInfo:
        """Add the player, or change its name and language. Raises PlayerNameTaken."""
        salt = secrets.token_bytes(32)
        row = (application, player, pseudonym_of(salt, application, player), salt)
        parameters = (*row, name, look(name), language)
        rows = await run(self._pool, self._sql[_PUT], parameters, lock=self._lock)
        if not rows:
            raise PlayerNameTaken
        return PlayerInfo(*rows[0])

    async def find(self, application: UUID, player: str) -> PlayerInfo:
        """The player with that id. Raises NoSuchPlayer."""
        if rows := await self._run(_FIND, application, player):
            return PlayerInfo(*rows[0])
        raise NoSuchPlayer

    async def all(self, application: UUID, after: str, limit: int) -> Sequence[PlayerInfo]:
        """The application's players behind an id, in the order of their ids."""
        return [PlayerInfo(*row) for row in await self._run(_LIST, application, after, limit)]

    async def erase(self, pseudonym: str) -> None:
        """Erase the player's name and id, for good, and end the sessions."""
        await self._run(_ERASE, pseudonym)

    async def names(self, pseudonyms: Sequence[str]) -> Mapping[str, str]:
        """The names of players who are not erased, by pseudonym."""
        return dict(await self._run(_NAMES, list(pseudonyms)))

    async def expire(self, days: float) -> int:
        """Erase players whom neither their application nor a game has had for that long; returns
        how many.
        """
        return len(await self._run(_EXPIRE, days, days))

    async def scrub(self) -> bool:
        """Write the table anew if rows were erased or changed since; whether it was done."""
        if await self._run(_LEFT_BEHIND, self._table) != [(True,)]:
            return False
        await run(self._pool, self._scrub)
        return True

    async def _run(self, text: str, *parameters: object) -> list[tuple[Any, ...]]:
        return await run(self._pool, self._sql[text], parameters)
