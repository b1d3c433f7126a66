"""The projections' tables and every statement on them, as text: `projections.store` runs them.

``{schema}`` stands for the quoted name of the schema. In `STATEMENTS` the tables of the views have
placeholders of their own, since there are two sets: one is read, the other is filled by a rebuild
before the two are swapped.
"""

from typing import LiteralString

NAME = "projections"
"""The follower's row in eventsourcing's tracking table; a rebuild has another one."""
UNFIT: LiteralString = "unfit_views"
"""The channel on which games are named whose views do not fit the log."""
TABLES = {
    "games": "games",
    "views": "table_views",
    "leaderboard": "leaderboard",
    "rated": "rated_seats",
    "ratings": "ratings",
    "aside": "set_aside_games",
}
"""The tables of the views by their placeholders; those of the second set begin with `rebuilt_`."""

MIGRATIONS: tuple[tuple[str, LiteralString], ...] = (
    (
        "projections/7",
        """
        -- number: the log position of the event that opened the game, so the order of opening.
        -- ended: of the one that ended it. names: case-folded.
        -- JSON and not JSONB: it keeps every text that JSON can say, a zero character included.
        CREATE TABLE IF NOT EXISTS {schema}.games (
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
          winners json NOT NULL,
          ended bigint UNIQUE,
          listed boolean NOT NULL,
          names text[] COLLATE "C" NOT NULL
        ) WITH (fillfactor = 70);
        CREATE INDEX IF NOT EXISTS games_by_stage ON {schema}.games (stage, number);
        CREATE INDEX IF NOT EXISTS games_by_ruleset
          ON {schema}.games (split_part(ruleset, '@', 1), number);
        CREATE INDEX IF NOT EXISTS games_by_name ON {schema}.games USING gin (names);
        CREATE INDEX IF NOT EXISTS games_by_opening ON {schema}.games (opened_at);
        CREATE INDEX IF NOT EXISTS games_by_end
          ON {schema}.games (finished_at) WHERE finished_at IS NOT NULL;

        CREATE TABLE IF NOT EXISTS {schema}.table_views (
          game uuid PRIMARY KEY,
          version bigint NOT NULL,
          view json NOT NULL
        ) WITH (fillfactor = 50);

        CREATE TABLE IF NOT EXISTS {schema}.leaderboard (
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
        CREATE INDEX IF NOT EXISTS leaderboard_by_rank
          ON {schema}.leaderboard ((-wins), mean_points, name, bot);

        -- The seats of games that count for ratings, with the rating after the game; a bot has no
        -- name. A pool is a rule set's digest with a number of seats, in which games are rated by
        -- ended_at (ms since 1970), then by id.
        CREATE TABLE IF NOT EXISTS {schema}.rated_seats (
          game uuid,
          seat integer,
          digest text NOT NULL,
          seats integer NOT NULL,
          ruleset text NOT NULL,
          ended_at bigint NOT NULL,
          name text COLLATE "C" NOT NULL,
          bot text NOT NULL,
          place integer NOT NULL,
          mu double precision NOT NULL,
          sigma double precision NOT NULL,
          games bigint NOT NULL DEFAULT 0,
          PRIMARY KEY (game, seat)
        );
        CREATE INDEX IF NOT EXISTS rated_seats_by_pool
          ON {schema}.rated_seats (digest, seats, ended_at, game);
        CREATE INDEX IF NOT EXISTS rated_seats_by_name
          ON {schema}.rated_seats (name, digest, seats, ended_at, game) WHERE name <> '';

        -- Each player's last rating in a pool, ranked by what the strength is at least.
        CREATE TABLE IF NOT EXISTS {schema}.ratings (
          name text COLLATE "C",
          digest text,
          seats integer,
          ruleset text NOT NULL,
          mu double precision NOT NULL,
          sigma double precision NOT NULL,
          games bigint NOT NULL,
          at_least double precision NOT NULL GENERATED ALWAYS AS (mu - 3 * sigma) STORED,
          PRIMARY KEY (name, digest, seats)
        ) WITH (fillfactor = 70);
        CREATE INDEX IF NOT EXISTS ratings_by_rank
          ON {schema}.ratings (digest, seats, (-at_least), name);

        INSERT INTO {schema}.notification_tracking VALUES ('projections', 0) ON CONFLICT DO NOTHING;

        -- Games whose record is damaged: views leave them out, commands refuse them. version: of
        -- the event at fault. position: of the event that showed it; null where a read did. retry:
        -- an operator wants the game to be looked at again.
        CREATE TABLE IF NOT EXISTS {schema}.set_aside_games (
          game uuid PRIMARY KEY,
          version bigint NOT NULL,
          position bigint,
          reason text NOT NULL,
          at timestamptz NOT NULL DEFAULT now(),
          retry boolean NOT NULL DEFAULT false,
          voided_at timestamptz,
          voided_by text,
          void_reason text
        );

        -- Games that count from this place of the log as ended, for they were set aside before, and
        -- exports have gone past the place of their last event.
        CREATE TABLE IF NOT EXISTS {schema}.restored_games (
          place bigint PRIMARY KEY,
          game uuid NOT NULL
        );
        CREATE INDEX IF NOT EXISTS restored_games_by_game ON {schema}.restored_games (game);

        -- The second set of views, which a rebuild fills. The two are swapped by their names, so
        -- whichever of them is read may have the indexes of either: later migrations change both.
        CREATE TABLE IF NOT EXISTS {schema}.rebuilt_games (LIKE {schema}.games INCLUDING ALL)
          WITH (fillfactor = 70);
        CREATE TABLE IF NOT EXISTS {schema}.rebuilt_table_views
          (LIKE {schema}.table_views INCLUDING ALL)
          WITH (fillfactor = 50);
        CREATE TABLE IF NOT EXISTS {schema}.rebuilt_leaderboard
          (LIKE {schema}.leaderboard INCLUDING ALL)
          WITH (fillfactor = 70);
        CREATE TABLE IF NOT EXISTS {schema}.rebuilt_rated_seats
          (LIKE {schema}.rated_seats INCLUDING ALL);
        CREATE TABLE IF NOT EXISTS {schema}.rebuilt_ratings (LIKE {schema}.ratings INCLUDING ALL)
          WITH (fillfactor = 70);
        CREATE TABLE IF NOT EXISTS {schema}.rebuilt_set_aside_games
          (LIKE {schema}.set_aside_games INCLUDING ALL);

        -- The views of a game are one row: after the event with that leaf, with a MAC under a key
        -- that the database has not. Rows of 0.1.0 have none, and are made anew.
        ALTER TABLE {schema}.table_views
          ADD COLUMN IF NOT EXISTS leaf bytea NOT NULL DEFAULT '',
          ADD COLUMN IF NOT EXISTS scoreboard json NOT NULL DEFAULT '{{}}',
          ADD COLUMN IF NOT EXISTS mac text NOT NULL DEFAULT '';
        ALTER TABLE {schema}.rebuilt_table_views
          ADD COLUMN IF NOT EXISTS leaf bytea NOT NULL DEFAULT '',
          ADD COLUMN IF NOT EXISTS scoreboard json NOT NULL DEFAULT '{{}}',
          ADD COLUMN IF NOT EXISTS mac text NOT NULL DEFAULT '';
        DROP TABLE IF EXISTS {schema}.scoreboard_rounds, {schema}.rebuilt_scoreboard_rounds;

        -- Swaps the two sets, with the position, where the rebuilt one is not behind; whether it
        -- did. Renaming takes the owner, and so it is done here for whoever may write the views.
        CREATE OR REPLACE FUNCTION {schema}.swap_projections() RETURNS boolean
        LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp
        SET lock_timeout = '2s'
        AS $swap$
        DECLARE
          reached bigint;
          rebuilt bigint;
          cured record;
          new_place bigint;
        BEGIN
          IF NOT has_table_privilege(session_user, '{schema}.games', 'INSERT') THEN
            RAISE EXCEPTION 'Only who writes the views may swap them.'
              USING ERRCODE = 'insufficient_privilege';
          END IF;
          -- A place is drawn below, before and after which all positions must be settled.
          IF EXISTS (SELECT FROM {schema}.set_aside_games) THEN
            LOCK TABLE {schema}.stored_events IN EXCLUSIVE MODE;
          END IF;
          -- For its row lock: a follower that is writing is waited for, and finds the views moved.
          SELECT notification_id INTO reached FROM {schema}.notification_tracking
            WHERE application_name = 'projections' FOR UPDATE;
          SELECT notification_id INTO rebuilt FROM {schema}.notification_tracking
            WHERE application_name = 'projections rebuilt' FOR UPDATE;
          IF rebuilt IS NULL OR EXISTS (
            SELECT FROM {schema}.stored_events
            WHERE notification_id > rebuilt AND notification_id <= reached
          ) THEN
            RETURN false;
          END IF;
          LOCK TABLE {schema}.games, {schema}.table_views, {schema}.leaderboard,
            {schema}.rated_seats, {schema}.ratings IN ACCESS EXCLUSIVE MODE;
          -- What has come back is exported to those who have read beyond its end.
          FOR cured IN
            SELECT game FROM {schema}.set_aside_games AS aside
            JOIN {schema}.rebuilt_games USING (game)
            WHERE ended IS NOT NULL AND voided_at IS NULL AND NOT EXISTS (
              SELECT FROM {schema}.rebuilt_set_aside_games AS still WHERE still.game = aside.game
            )
          LOOP
            new_place := nextval('{schema}.stored_events_notification_id_seq');
            INSERT INTO {schema}.restored_games VALUES (new_place, cured.game);
            UPDATE {schema}.rebuilt_games SET ended = new_place WHERE game = cured.game;
          END LOOP;
          DELETE FROM {schema}.set_aside_games AS aside
            WHERE voided_at IS NULL AND NOT EXISTS (
              SELECT FROM {schema}.rebuilt_set_aside_games AS still WHERE still.game = aside.game
            );
          INSERT INTO {schema}.set_aside_games (game, version, position, reason)
            SELECT game, version, position, reason FROM {schema}.rebuilt_set_aside_games
            ON CONFLICT (game) DO UPDATE SET version = excluded.version,
              position = excluded.position, reason = excluded.reason, retry = false;
          ALTER TABLE {schema}.games RENAME TO replaced_games;
          ALTER TABLE {schema}.rebuilt_games RENAME TO games;
          ALTER TABLE {schema}.replaced_games RENAME TO rebuilt_games;
          ALTER TABLE {schema}.table_views RENAME TO replaced_table_views;
          ALTER TABLE {schema}.rebuilt_table_views RENAME TO table_views;
          ALTER TABLE {schema}.replaced_table_views RENAME TO rebuilt_table_views;
          ALTER TABLE {schema}.leaderboard RENAME TO replaced_leaderboard;
          ALTER TABLE {schema}.rebuilt_leaderboard RENAME TO leaderboard;
          ALTER TABLE {schema}.replaced_leaderboard RENAME TO rebuilt_leaderboard;
          ALTER TABLE {schema}.rated_seats RENAME TO replaced_rated_seats;
          ALTER TABLE {schema}.rebuilt_rated_seats RENAME TO rated_seats;
          ALTER TABLE {schema}.replaced_rated_seats RENAME TO rebuilt_rated_seats;
          ALTER TABLE {schema}.ratings RENAME TO replaced_ratings;
          ALTER TABLE {schema}.rebuilt_ratings RENAME TO ratings;
          ALTER TABLE {schema}.replaced_ratings RENAME TO rebuilt_ratings;
          TRUNCATE {schema}.rebuilt_games, {schema}.rebuilt_table_views,
            {schema}.rebuilt_leaderboard, {schema}.rebuilt_rated_seats, {schema}.rebuilt_ratings,
            {schema}.rebuilt_set_aside_games;
          UPDATE {schema}.notification_tracking SET notification_id = greatest(reached, rebuilt)
            WHERE application_name = 'projections';
          DELETE FROM {schema}.notification_tracking
            WHERE application_name = 'projections rebuilt';
          NOTIFY stored_events;
          RETURN true;
        END
        $swap$;

        -- Tables for tests count for nothing.
        ALTER TABLE {schema}.games ADD COLUMN IF NOT EXISTS test boolean NOT NULL DEFAULT false;
        ALTER TABLE {schema}.rebuilt_games
          ADD COLUMN IF NOT EXISTS test boolean NOT NULL DEFAULT false;
        UPDATE {schema}.games SET test = true
        FROM {schema}.stored_events AS opening
        WHERE NOT (listed OR test) AND originator_id = game AND originator_version = 1
          AND position('"test":true'::bytea in state) > 0;

        -- Names are compared in one form of Unicode, as `games.folded_name` writes them.
        UPDATE {schema}.games SET names = ARRAY(
          SELECT DISTINCT normalize(lower(normalize(name, NFKC)), NFKC) COLLATE "C"
          FROM unnest(names) AS name
        ) WHERE array_to_string(names, '') IS NOT NFKC NORMALIZED;
        -- And each level of a bot is one line, as `scoreboard.ranked` has it.
        WITH other AS (
          DELETE FROM {schema}.leaderboard
          WHERE name IS NOT NFC NORMALIZED OR (bot <> '' AND name <> initcap(bot)) RETURNING *
        )
        INSERT INTO {schema}.leaderboard AS line (name, bot, games, wins, points, phases)
        SELECT CASE WHEN bot = '' THEN normalize(name, NFC) ELSE initcap(bot) END, bot, sum(games),
          sum(wins), sum(points), sum(phases)
        FROM other GROUP BY 1, 2
        ON CONFLICT (name, bot) DO UPDATE SET games = line.games + excluded.games,
          wins = line.wins + excluded.wins, points = line.points + excluded.points,
          phases = line.phases + excluded.phases;
        """,
    ),
)
"""For `service.eventlog.migrations.migrate(..., extra=...)`, after the log's own."""

STATEMENTS: dict[str, LiteralString] = {
    "tracked": """
        SELECT notification_id FROM {schema}.notification_tracking WHERE application_name = %s
    """,
    "track": """
        UPDATE {schema}.notification_tracking SET notification_id = %s
        WHERE application_name = %s AND notification_id = %s
    """,
    "restart": """
        INSERT INTO {schema}.notification_tracking VALUES (%s, 0)
        ON CONFLICT (application_name) DO UPDATE SET notification_id = 0
    """,
    "empty": "TRUNCATE {games}, {views}, {leaderboard}, {rated}, {ratings}, {aside}",
    "swap": "SELECT {schema}.swap_projections()",
    # The input of a batch: how far its games are projected, and which are set aside.
    "reached": """
        SELECT asked.game, coalesce(games.version, 0), games.finished_at IS NOT NULL,
          aside.game IS NOT NULL
        FROM unnest(%s::uuid[]) AS asked (game)
        LEFT JOIN {games} AS games USING (game) LEFT JOIN {aside} AS aside USING (game)
        WHERE games.game IS NOT NULL OR aside.game IS NOT NULL
    """,
    # A restored game may have a place behind the last event of the log.
    "pending": """
        SELECT coalesce((SELECT max(ended) FROM {games}), 0),
          ARRAY(SELECT game FROM {aside} WHERE retry AND voided_at IS NULL ORDER BY game)
    """,
    "places": """
        SELECT notification_id FROM {schema}.stored_events
        WHERE originator_id = %s AND originator_version = ANY(%s) ORDER BY originator_version
    """,
    "set_aside": """
        INSERT INTO {aside} (game, version, position, reason) VALUES (%s, %s, %s, %s)
        ON CONFLICT (game) DO UPDATE SET version = excluded.version,
          position = excluded.position, reason = excluded.reason, retry = false
    """,
    "take_back": "DELETE FROM {aside} WHERE game = ANY(%s) AND voided_at IS NULL",
    "write_games": """
        INSERT INTO {games} (game, number, ruleset, stage, seats, players, round, version,
          opened_at, updated_at, finished_at, winners, ended, listed, names, test)
        SELECT game, number, ruleset, stage, seats, players::json, round, version,
          began_at, updated_at, finished_at, winners::json, CASE WHEN ended IS NOT NULL THEN
            greatest(ended, (SELECT max(place) FROM {schema}.restored_games AS restored
              WHERE restored.game = told.game)) END, listed,
          ARRAY(SELECT jsonb_array_elements_text(names::jsonb)), test
        FROM unnest(%b::uuid[], %b::bigint[], %b::text[], %b::text[], %b::integer[], %b::text[],
          %b::integer[], %b::bigint[], %b::bigint[], %b::bigint[], %b::bigint[], %b::text[],
          %b::bigint[], %b::boolean[], %b::text[], %b::boolean[])
          AS told (game, number, ruleset, stage, seats, players, round, version, began_at,
            updated_at, finished_at, winners, ended, listed, names, test)
        ON CONFLICT (game) DO UPDATE SET stage = excluded.stage, players = excluded.players,
          round = excluded.round, version = excluded.version, updated_at = excluded.updated_at,
          finished_at = excluded.finished_at, winners = excluded.winners,
          ended = excluded.ended, listed = excluded.listed, names = excluded.names
    """,
    "write_views": """
        INSERT INTO {views} (game, version, leaf, view, scoreboard, mac)
        SELECT game, version, leaf, view::json, scoreboard::json, mac
        FROM unnest(%b::uuid[], %b::bigint[], %b::bytea[], %b::text[], %b::text[], %b::text[])
          AS told (game, version, leaf, view, scoreboard, mac)
        ON CONFLICT (game) DO UPDATE SET version = excluded.version, leaf = excluded.leaf,
          view = excluded.view, scoreboard = excluded.scoreboard, mac = excluded.mac
    """,
    "write_leaderboard": """
        INSERT INTO {leaderboard} AS line (name, bot, games, wins, points, phases)
        SELECT * FROM unnest(%b::text[], %b::text[], %b::bigint[], %b::bigint[], %b::bigint[],
          %b::bigint[])
        ON CONFLICT (name, bot) DO UPDATE SET games = line.games + excluded.games,
          wins = line.wins + excluded.wins, points = line.points + excluded.points,
          phases = line.phases + excluded.phases
    """,
    "unrate": """
        DELETE FROM {rated} WHERE game = ANY(%s)
        RETURNING digest, seats, ruleset, ended_at, game::text, name
    """,
    "write_rated": """
        INSERT INTO {rated} (game, seat, digest, seats, ruleset, ended_at, name, bot, place, mu,
          sigma)
        SELECT * FROM unnest(%b::uuid[], %b::integer[], %b::text[], %b::integer[], %b::text[],
          %b::bigint[], %b::text[], %b::text[], %b::integer[], %b::double precision[],
          %b::double precision[])
        ON CONFLICT DO NOTHING
    """,
    # A pool from a game on, and the ratings that its players had before.
    "pool_from": """
        SELECT game::text, ended_at, ruleset, digest, name, bot, place FROM {rated}
        WHERE digest = %s AND seats = %s AND ruleset = %s AND (ended_at, game) >= (%s, %s)
        ORDER BY ended_at, game, seat
    """,
    "pool_before": """
        SELECT asked.name, last.mu, last.sigma, last.games
        FROM unnest(%s::text[]) AS asked (name) CROSS JOIN LATERAL (
          SELECT mu, sigma, games FROM {rated} AS seat
          WHERE seat.name = asked.name AND seat.name <> '' AND digest = %s AND seats = %s
            AND ruleset = %s AND (ended_at, game) < (%s, %s)
          ORDER BY ended_at DESC, game DESC LIMIT 1
        ) AS last
    """,
    "rate": """
        UPDATE {rated} AS seat SET mu = told.mu, sigma = told.sigma, games = told.games
        FROM unnest(%b::uuid[], %b::text[], %b::double precision[], %b::double precision[],
          %b::bigint[]) AS told (game, name, mu, sigma, games)
        WHERE seat.game = told.game AND seat.name = told.name
    """,
    "forget_ratings": """
        DELETE FROM {ratings} WHERE digest = %s AND seats = %s AND ruleset = %s AND name = ANY(%s)
    """,
    "write_ratings": """
        INSERT INTO {ratings} AS rating (name, digest, seats, ruleset, mu, sigma, games)
        SELECT * FROM unnest(%b::text[], %b::text[], %b::integer[], %b::text[],
          %b::double precision[], %b::double precision[], %b::bigint[])
        ON CONFLICT (name, digest, seats) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma,
          games = excluded.games
    """,
    # A view that has not reached the log's last event of the game may only be late.
    "lost": """
        SELECT coalesce(last.originator_version, 0) + 1
        FROM {games} AS seen LEFT JOIN LATERAL (
          SELECT originator_version, notification_id FROM {schema}.logged_events
          WHERE originator_id = seen.game ORDER BY originator_version DESC LIMIT 1
        ) AS last ON true
        WHERE seen.game = %s AND seen.version > coalesce(last.originator_version, 0)
          AND coalesce(last.notification_id, 0) <= (
            SELECT notification_id FROM {schema}.notification_tracking
            WHERE application_name = 'projections'
          )
    """,
    # The row, and the last event that the log has of the game; whether the views are behind that.
    "views": """
        SELECT head.version, head.leaf, head.position > reached.notification_id,
          coalesce(views.version, 0), views.leaf, views.view::text, views.scoreboard::text,
          views.mac
        FROM {schema}.notification_tracking AS reached CROSS JOIN LATERAL (
          SELECT originator_version AS version, leaf, notification_id AS position
          FROM {schema}.logged_events WHERE originator_id = %s
          ORDER BY originator_version DESC LIMIT 1
        ) AS head LEFT JOIN {views} AS views ON views.game = %s
        WHERE application_name = 'projections'
    """,
    "archived": "SELECT summary::text, head FROM {schema}.archived_games WHERE game = %s",
    # Archived games that the views lack or have in part, and the one that is asked for.
    "missing_archived": """
    SELECT archived.game, archived.summary::text, archived.head, games.finished_at IS NOT NULL
    FROM {schema}.archived_games AS archived LEFT JOIN {games} AS games USING (game)
    WHERE games.finished_at IS NULL OR archived.game = %s ORDER BY archived.game LIMIT 500
""",
    "renew": f"SELECT pg_notify('{UNFIT}', %s)",
    "set_aside_games": """
        SELECT game, version, reason, extract(epoch FROM at)::float8, coalesce(voided_by, ''),
          coalesce(void_reason, '')
        FROM {aside} ORDER BY at, game
    """,
    "report": """
        INSERT INTO {aside} (game, version, reason) VALUES (%s, %s, %s)
        ON CONFLICT (game) DO NOTHING RETURNING game
    """,
    "void": """
        UPDATE {aside} SET voided_at = now(), voided_by = %s, void_reason = %s
        WHERE game = %s RETURNING game
    """,
    "games": """
        SELECT number, game::text, ruleset, stage, seats, players::text, round, version, opened_at,
          updated_at, finished_at, winners::text, test
        FROM {games} AS games
        WHERE (listed OR %(unlisted)s) AND number < %(place)s AND {wanted}
          AND (%(won)s::boolean IS NULL OR stage = 'ended' AND %(won)s = {won})
          AND NOT EXISTS (SELECT FROM {aside} AS aside WHERE aside.game = games.game)
        ORDER BY number DESC LIMIT %(limit)s
    """,
    "records_of": """
        SELECT split_part(ruleset, '@', 1) AS preset, count(*) FILTER (WHERE finished_at IS NULL),
          count(*) FILTER (WHERE stage = 'ended'),
          count(*) FILTER (WHERE stage = 'ended' AND {won}),
          count(*) FILTER (WHERE stage = 'voided')
        FROM {games} AS games WHERE names @> ARRAY[%(player)s::text] AND NOT test
          AND NOT EXISTS (SELECT FROM {aside} AS aside WHERE aside.game = games.game)
        GROUP BY preset ORDER BY preset
    """,
    # The page and the position of one moment: a page of views that went back ends nothing.
    "finished": """
        SELECT reached.notification_id, page.*
        FROM {schema}.notification_tracking AS reached LEFT JOIN LATERAL (
          SELECT ended, game, ruleset, stage, games.version, opened_at, finished_at,
            coalesce(aside.reason, '')
          FROM {games} AS games LEFT JOIN {aside} AS aside USING (game)
          WHERE listed AND ended > %(place)s AND ended <= %(until)s AND {wanted}
          ORDER BY ended LIMIT %(limit)s
        ) AS page ON true
        WHERE application_name = 'projections' ORDER BY ended
    """,
    "ratings": """
        SELECT name, mu, sigma, games, at_least FROM {ratings}
        WHERE digest = %s AND seats = %s AND (-at_least, name) > (%s::double precision, %s)
        ORDER BY -at_least, name LIMIT %s
    """,
    "ratings_of": """
        SELECT ruleset, digest, seats, mu, sigma, games FROM {ratings} WHERE name = %s
        ORDER BY ruleset, digest, seats
    """,
    "rating_history": """
        SELECT game::text, ended_at, place, mu, sigma, games FROM {rated}
        WHERE name = %s AND name <> '' AND digest = %s AND seats = %s
          AND (ended_at, game) < (%s, %s::uuid)
        ORDER BY ended_at DESC, game DESC LIMIT %s
    """,
    "leaderboard": """
        SELECT name, bot, games, wins, points, phases, mean_points
        FROM {leaderboard}
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

WON: LiteralString = """EXISTS (
            SELECT FROM json_array_elements_text(winners) AS winner (seat)
            WHERE players -> seat::integer ->> 'name' = %(player)s::text
              AND players -> seat::integer ->> 'bot' = '')"""
"""``{won}`` in the statements: whether the player has won, and no bot for the player."""
