"""The projections' tables and every statement on them, as text: `projections.store` runs them.

``{schema}`` stands for the quoted name of the schema.
"""

from typing import LiteralString

NAME = "projections"
"""The follower's row in eventsourcing's tracking table."""

MIGRATIONS: tuple[tuple[str, LiteralString], ...] = (
    (
        "projections/1",
        """
        -- number: the log position of the event that opened the game, so the order of opening.
        -- JSON and not JSONB: it keeps every text that JSON can say, a zero character included.
        CREATE TABLE {schema}.games (
          game uuid PRIMARY KEY,
          number bigint NOT NULL UNIQUE,
          ruleset text NOT NULL,
          stage text NOT NULL,
          seats integer NOT NULL,
          players json NOT NULL,
          round integer NOT NULL,
          version bigint NOT NULL,
          opened_at bigint NOT NULL,
          updated_at bigint NOT NULL,
          finished_at bigint,
          winners json NOT NULL
        ) WITH (fillfactor = 70);
        CREATE INDEX games_by_stage ON {schema}.games (stage, number);
        CREATE INDEX games_by_ruleset ON {schema}.games (split_part(ruleset, '@', 1), number);

        CREATE TABLE {schema}.table_views (
          game uuid PRIMARY KEY,
          version bigint NOT NULL,
          view json NOT NULL
        ) WITH (fillfactor = 50);

        CREATE TABLE {schema}.scoreboard_rounds (
          game uuid,
          round integer,
          replay boolean NOT NULL,
          out integer,
          seats json NOT NULL,
          PRIMARY KEY (game, round)
        );

        CREATE TABLE {schema}.leaderboard (
          name text COLLATE "C",
          bot text COLLATE "C",
          games bigint NOT NULL,
          wins bigint NOT NULL,
          points bigint NOT NULL,
          phases bigint NOT NULL,
          mean_points double precision NOT NULL
            GENERATED ALWAYS AS (points::double precision / games) STORED,
          PRIMARY KEY (name, bot)
        ) WITH (fillfactor = 70);
        CREATE INDEX leaderboard_by_rank
          ON {schema}.leaderboard ((-wins), mean_points, name, bot);

        INSERT INTO {schema}.notification_tracking VALUES ('projections', 0);
        """,
    ),
    (
        "projections/2",
        """
        -- The views are written anew from the log, for the columns hold what only it says.
        TRUNCATE {schema}.games, {schema}.table_views, {schema}.scoreboard_rounds,
          {schema}.leaderboard;
        UPDATE {schema}.notification_tracking SET notification_id = 0
          WHERE application_name = 'projections';
        -- ended: the log position of the event that ended the game. names: case-folded.
        ALTER TABLE {schema}.games
          ADD COLUMN ended bigint UNIQUE,
          ADD COLUMN listed boolean NOT NULL,
          ADD COLUMN names text[] COLLATE "C" NOT NULL;
        CREATE INDEX games_by_name ON {schema}.games USING gin (names);
        CREATE INDEX games_by_opening ON {schema}.games (opened_at);
        CREATE INDEX games_by_end ON {schema}.games (finished_at) WHERE finished_at IS NOT NULL;
        """,
    ),
)
"""For `service.schema.migrate(..., extra=...)`, after the log's own."""

STATEMENTS: dict[str, LiteralString] = {
    "tracked": """
        SELECT notification_id FROM {schema}.notification_tracking WHERE application_name = %s
    """,
    "track": """
        UPDATE {schema}.notification_tracking SET notification_id = %s
        WHERE application_name = %s AND notification_id = %s
    """,
    "restart": """
        UPDATE {schema}.notification_tracking SET notification_id = 0 WHERE application_name = %s
    """,
    "empty": """
        TRUNCATE {schema}.games, {schema}.table_views, {schema}.scoreboard_rounds,
          {schema}.leaderboard
    """,
    "wake": "NOTIFY stored_events",
    # A game's number and time of opening are those of its first chapter.
    "write_games": """
        INSERT INTO {schema}.games (game, number, ruleset, stage, seats, players, round, version,
          opened_at, updated_at, finished_at, winners, ended, listed, names)
        SELECT game, number, ruleset, stage, seats, players::json, round, version,
          began_at, updated_at, finished_at, winners::json, ended, listed,
          ARRAY(SELECT jsonb_array_elements_text(names::jsonb))
        FROM unnest(%b::uuid[], %b::bigint[], %b::text[], %b::text[], %b::integer[], %b::text[],
          %b::integer[], %b::bigint[], %b::bigint[], %b::bigint[], %b::bigint[], %b::text[],
          %b::bigint[], %b::boolean[], %b::text[])
          AS told (game, number, ruleset, stage, seats, players, round, version, began_at,
            updated_at, finished_at, winners, ended, listed, names)
        ON CONFLICT (game) DO UPDATE SET stage = excluded.stage, players = excluded.players,
          round = excluded.round, version = excluded.version, updated_at = excluded.updated_at,
          finished_at = excluded.finished_at, winners = excluded.winners,
          ended = excluded.ended, listed = excluded.listed, names = excluded.names
    """,
    "write_tables": """
        INSERT INTO {schema}.table_views (game, version, view)
        SELECT game, version, view::json
        FROM unnest(%b::uuid[], %b::bigint[], %b::text[]) AS told (game, version, view)
        ON CONFLICT (game) DO UPDATE SET version = excluded.version, view = excluded.view
    """,
    "write_rounds": """
        INSERT INTO {schema}.scoreboard_rounds (game, round, replay, out, seats)
        SELECT game, round, replay, out, seats::json
        FROM unnest(%b::uuid[], %b::integer[], %b::boolean[], %b::integer[], %b::text[])
          AS told (game, round, replay, out, seats)
    """,
    "write_leaderboard": """
        INSERT INTO {schema}.leaderboard AS line (name, bot, games, wins, points, phases)
        SELECT * FROM unnest(%b::text[], %b::text[], %b::bigint[], %b::bigint[], %b::bigint[],
          %b::bigint[])
        ON CONFLICT (name, bot) DO UPDATE SET games = line.games + excluded.games,
          wins = line.wins + excluded.wins, points = line.points + excluded.points,
          phases = line.phases + excluded.phases
    """,
    "table": "SELECT version, view::text FROM {schema}.table_views WHERE game = %s",
    "scoreboard": """
        SELECT version, ruleset, stage, players::text, winners::text, rounds.round, replay, out,
          rounds.seats::text
        FROM {schema}.games LEFT JOIN {schema}.scoreboard_rounds AS rounds USING (game)
        WHERE game = %s ORDER BY rounds.round
    """,
    "games": """
        SELECT number, game::text, ruleset, stage, seats, players::text, round, version, opened_at,
          updated_at, finished_at, winners::text
        FROM {schema}.games
        WHERE listed AND number < %(place)s AND {wanted}
        ORDER BY number DESC LIMIT %(limit)s
    """,
    "finished": """
        SELECT ended, game, ruleset, stage, version, opened_at, finished_at
        FROM {schema}.games
        WHERE listed AND ended > %(place)s AND ended <= %(until)s AND {wanted}
        ORDER BY ended LIMIT %(limit)s
    """,
    "leaderboard": """
        SELECT name, bot, games, wins, points, phases, mean_points
        FROM {schema}.leaderboard
        WHERE (-wins, mean_points, name, bot) > (%s::bigint, %s::double precision, %s, %s)
        ORDER BY -wins, mean_points, name, bot LIMIT %s
    """,
}

GAME_FILTER: LiteralString = """
          (%(preset)s::text IS NULL OR split_part(ruleset, '@', 1) = %(preset)s)
          AND (%(ruleset)s::text IS NULL OR ruleset = %(ruleset)s)
          AND (%(stage)s::text IS NULL OR stage = %(stage)s)
          AND (%(player)s::text IS NULL OR names @> ARRAY[%(player)s::text])
          AND (%(opened_after)s::bigint IS NULL OR opened_at >= %(opened_after)s)
          AND (%(opened_before)s::bigint IS NULL OR opened_at < %(opened_before)s)
          AND (%(ended_after)s::bigint IS NULL OR finished_at >= %(ended_after)s)
          AND (%(ended_before)s::bigint IS NULL OR finished_at < %(ended_before)s)
"""
"""``{wanted}`` in the statements: the games of a `projections.pages.Filter`."""
