"""The tables of webhooks, and every statement on them, as text: `service.webhooks.store` runs them.

``{schema}`` stands for the quoted name of the schema, ``{hook}`` for the columns of a webhook,
``{due}`` for those with which a message is sent, ``{owned}`` for the condition that it is of one
game or application.
"""

from typing import LiteralString

from phaseledger.service.eventlog.migrations import Migration

WEBHOOKS: tuple[Migration, ...] = (
    (
        "webhooks/6",
        """
        CREATE TABLE IF NOT EXISTS {schema}.webhook_games (
          game uuid PRIMARY KEY,
          told bigint NOT NULL,
          stale boolean NOT NULL DEFAULT true
        );
        COMMENT ON COLUMN {schema}.webhook_games.told
          IS 'The last event of the game that its webhooks have been told of';
        COMMENT ON COLUMN {schema}.webhook_games.stale
          IS 'Whether to look at the game though the log has nothing new of it';
        CREATE INDEX IF NOT EXISTS webhook_games_stale_idx
          ON {schema}.webhook_games (game) WHERE stale;

        CREATE TABLE IF NOT EXISTS {schema}.webhooks (
          id uuid PRIMARY KEY,
          game uuid REFERENCES {schema}.webhook_games,
          url text NOT NULL,
          types text[] NOT NULL,
          secret bytea NOT NULL,
          since bigint NOT NULL,
          created_at timestamptz NOT NULL DEFAULT now(),
          failing_since timestamptz,
          disabled_at timestamptz,
          reason text NOT NULL DEFAULT ''
        );
        -- Endpoints of release 0.1.0 have taken messages.
        ALTER TABLE {schema}.webhooks
          ADD COLUMN IF NOT EXISTS confirmed_at timestamptz DEFAULT now(),
          ADD COLUMN IF NOT EXISTS failures integer NOT NULL DEFAULT 0;
        ALTER TABLE {schema}.webhooks ALTER COLUMN confirmed_at DROP DEFAULT,
          ALTER COLUMN game DROP NOT NULL,
          DROP COLUMN IF EXISTS due_at, DROP COLUMN IF EXISTS leased_until;
        COMMENT ON COLUMN {schema}.webhooks.game
          IS 'Null: deleted, and kept for the answer to a request that is repeated';
        COMMENT ON COLUMN {schema}.webhooks.confirmed_at IS 'When it first took a message';
        COMMENT ON COLUMN {schema}.webhooks.failures
          IS 'Attempts that failed since it last took a message';
        CREATE INDEX IF NOT EXISTS webhooks_game_idx ON {schema}.webhooks (game);
        CREATE TABLE IF NOT EXISTS {schema}.webhooks_deleted (id uuid, url text, types text[],
          secret bytea, since bigint, created_at timestamptz);
        INSERT INTO {schema}.webhooks (id, url, types, secret, since, created_at, disabled_at)
          SELECT id, url, types, secret, since, created_at, now() FROM {schema}.webhooks_deleted;
        DROP TABLE {schema}.webhooks_deleted;

        -- An outbox: a message is there until it is delivered or given up.
        CREATE TABLE IF NOT EXISTS {schema}.webhook_deliveries (
          id uuid PRIMARY KEY,
          number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
          hook uuid NOT NULL REFERENCES {schema}.webhooks ON DELETE CASCADE,
          body text NOT NULL,
          due_at timestamptz NOT NULL DEFAULT now(),
          tries integer NOT NULL DEFAULT 0
        );
        COMMENT ON COLUMN {schema}.webhook_deliveries.tries IS 'Attempts that failed';
        -- Deliveries of release 0.1.0 have a state, and stay when they are done.
        ALTER TABLE {schema}.webhook_deliveries
          ADD COLUMN IF NOT EXISTS state text DEFAULT 'pending', ADD COLUMN IF NOT EXISTS type text;
        DELETE FROM {schema}.webhook_deliveries
          WHERE state <> 'pending' OR type IN ('ping', 'webhook.challenge');
        ALTER TABLE {schema}.webhook_deliveries DROP COLUMN state, DROP COLUMN type,
          DROP COLUMN IF EXISTS attempts, DROP COLUMN IF EXISTS created_at;
        CREATE INDEX IF NOT EXISTS webhook_deliveries_hook_idx
          ON {schema}.webhook_deliveries (hook, number);
        DROP INDEX IF EXISTS {schema}.webhook_deliveries_due_idx;
        CREATE INDEX webhook_deliveries_due_idx ON {schema}.webhook_deliveries (due_at, number);

        CREATE TABLE IF NOT EXISTS {schema}.webhook_position (
          single boolean PRIMARY KEY DEFAULT true CHECK (single),
          position bigint NOT NULL
        );
        INSERT INTO {schema}.webhook_position (position)
          SELECT coalesce(max(notification_id), 0) FROM {schema}.stored_events
          ON CONFLICT DO NOTHING;
        """,
    ),
    (
        "webhooks/7",
        """
        ALTER TABLE {schema}.webhooks
          ADD COLUMN seat smallint,
          ADD COLUMN language text NOT NULL DEFAULT 'en',
          ADD COLUMN noticed integer NOT NULL DEFAULT 0,
          ADD COLUMN seen_at timestamptz;
        COMMENT ON COLUMN {schema}.webhooks.seat
          IS 'Not null: the row is for notices to this seat, `since` the version that began the '
            'sitting, and the secret is where they go';
        COMMENT ON COLUMN {schema}.webhooks.noticed
          IS 'The stage of the game that the seat was told of last';
        COMMENT ON COLUMN {schema}.webhooks.seen_at
          IS 'When the seat was last connected to a stream, give or take some seconds';
        """,
    ),
    (
        "webhooks/8",
        """
        ALTER TABLE {schema}.webhooks
          ADD COLUMN application uuid REFERENCES {schema}.applications,
          ADD COLUMN earlier_until timestamptz;
        COMMENT ON COLUMN {schema}.webhooks.application
          IS 'Not null: the row is for all tables that the application has opened, `since` the '
            'place in the log after which it is told of them';
        COMMENT ON COLUMN {schema}.webhooks.earlier_until
          IS 'Until when the second of the two secrets in `secret` signs too';
        CREATE INDEX webhooks_application_idx
          ON {schema}.webhooks (application) WHERE application IS NOT NULL;
        """,
    ),
)
TABLES = ("webhook_games", "webhooks", "webhook_deliveries", "webhook_position")
"""The application writes them all; no other role may, for the secrets' sake."""

HOOK: LiteralString = """id, url, types, secret, since,
  (1000 * extract(epoch FROM created_at))::bigint,
  (1000 * extract(epoch FROM failing_since))::bigint,
  (1000 * extract(epoch FROM disabled_at))::bigint, reason,
  (1000 * extract(epoch FROM confirmed_at))::bigint,
  (1000 * extract(epoch FROM earlier_until))::bigint"""
DUE: LiteralString = """w.url, w.secret, w.game, w.seat, w.since, w.language,
  coalesce(w.earlier_until > now(), false)"""
OWNED: LiteralString = "%s IN (game, application) AND seat IS NULL"
STATEMENTS: dict[str, LiteralString] = {
    # --- by the host, or by the application
    # The game's row is locked until the commit, as it is while messages of the game are written.
    "follow": """
        INSERT INTO {schema}.webhook_games (game, told) VALUES (%s, %s)
        ON CONFLICT (game) DO UPDATE SET stale = true RETURNING told
    """,
    "count": "SELECT count(*) FROM {schema}.webhooks WHERE id <> ALL(%s) AND {owned}",
    "register": """
        INSERT INTO {schema}.webhooks (id, game, application, url, types, secret, since)
        VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (id) DO NOTHING
    """,
    "hooks": "SELECT {hook} FROM {schema}.webhooks WHERE {owned} ORDER BY created_at, id",
    "hook": "SELECT {hook} FROM {schema}.webhooks WHERE id = %s",
    "lock_game": "SELECT FROM {schema}.webhook_games WHERE game = %s FOR UPDATE",
    "lock_application": "SELECT pg_advisory_xact_lock(hashtextextended('webhooks ' || %s, 0))",
    "lock_hook": "SELECT {hook} FROM {schema}.webhooks WHERE id = %s AND {owned} FOR UPDATE",
    "rotate": """
        UPDATE {schema}.webhooks
        SET secret = %s, earlier_until = now() + %s * interval '1 second' WHERE id = %s
    """,
    "delete": """
        WITH gone AS (
          UPDATE {schema}.webhooks SET game = NULL, application = NULL, disabled_at = now()
          WHERE id = %s AND {owned} RETURNING id
        ), unsent AS (DELETE FROM {schema}.webhook_deliveries USING gone WHERE hook = gone.id)
        SELECT id FROM gone
    """,
    # --- from the log to the outbox
    "position": "SELECT position FROM {schema}.webhook_position FOR UPDATE SKIP LOCKED",
    "head": "SELECT coalesce(max(notification_id), 0) FROM {schema}.logged_events",
    "any": """
        SELECT EXISTS (SELECT FROM {schema}.webhooks WHERE num_nonnulls(game, application) > 0)
    """,
    # The tables of applications are looked at from their first event on that has a listener.
    "adopt": """
        INSERT INTO {schema}.webhook_games (game, told, stale)
        SELECT originator_id, min(originator_version) - 1, false FROM {schema}.stored_events
        WHERE notification_id > %s AND notification_id <= %s AND EXISTS (
          SELECT FROM {schema}.application_tables AS t
          JOIN {schema}.webhooks AS w ON w.application = t.application AND w.disabled_at IS NULL
          WHERE t.game = originator_id
        ) GROUP BY originator_id ON CONFLICT DO NOTHING
    """,
    "games": """
        SELECT game, told FROM {schema}.webhook_games WHERE game IN (
          SELECT game FROM {schema}.webhook_games WHERE stale
          UNION SELECT originator_id FROM {schema}.stored_events
          WHERE notification_id > %s AND notification_id <= %s
        ) ORDER BY game FOR UPDATE
    """,
    "listening": """
        SELECT id, types, since FROM {schema}.webhooks
        WHERE game = %s AND disabled_at IS NULL AND seat IS NULL
        UNION ALL
        SELECT w.id, types, coalesce((
          SELECT originator_version - 1 FROM {schema}.logged_events
          WHERE originator_id = t.game AND notification_id > w.since
          ORDER BY originator_version LIMIT 1
        ), 2147483647)
        FROM {schema}.application_tables AS t JOIN {schema}.webhooks AS w USING (application)
        WHERE t.game = %s AND disabled_at IS NULL AND EXISTS (
          SELECT FROM {schema}.application_keys AS k WHERE k.application = w.application
          AND (expires_at IS NULL OR expires_at > now())
        )
    """,
    "told": "UPDATE {schema}.webhook_games SET told = %s, stale = false WHERE game = %s",
    "insert": """
        INSERT INTO {schema}.webhook_deliveries (id, hook, body) VALUES (%s, %s, %s)
        ON CONFLICT (id) DO NOTHING
    """,
    "move": "UPDATE {schema}.webhook_position SET position = %s",
    # --- from the outbox to endpoints
    # A message that is claimed is due again when its attempt must be over: a process that dies
    # amid it loses none.
    "claim": """
        UPDATE {schema}.webhook_deliveries AS d SET due_at = now() + %s * interval '1 second'
        FROM {schema}.webhooks AS w
        WHERE w.id = d.hook AND d.id IN (
          SELECT d.id FROM {schema}.webhook_deliveries AS d
          JOIN {schema}.webhooks AS w ON w.id = d.hook
          WHERE due_at <= now() AND (failing_since IS NULL AND confirmed_at IS NOT NULL) = %s
            AND (seen_at IS NULL OR seen_at <= now() - %s * interval '1 second')
            AND (w.seat IS NULL OR %s)
          ORDER BY due_at, number LIMIT %s FOR UPDATE OF d SKIP LOCKED
        ) RETURNING d.id, d.hook, d.body, d.tries, {due}
    """,
    "sampled": """
        SELECT id, {due} FROM {schema}.webhooks AS w
        WHERE application = %s AND %s = ANY(types) AND disabled_at IS NULL ORDER BY created_at, id
    """,
    "well": """
        UPDATE {schema}.webhooks
        SET failing_since = NULL, failures = 0, reason = '',
          confirmed_at = coalesce(confirmed_at, now())
        WHERE id = %s AND disabled_at IS NULL
          AND (failing_since IS NOT NULL OR confirmed_at IS NULL)
    """,
    "ill": """
        UPDATE {schema}.webhooks
        SET failing_since = coalesce(failing_since, now()), failures = failures + 1, reason = %s
        WHERE id = %s AND disabled_at IS NULL
        RETURNING failing_since < now() - %s * interval '1 second'
          OR (confirmed_at IS NULL AND failures >= %s)
    """,
    "again": """
        UPDATE {schema}.webhook_deliveries
        SET tries = tries + 1, due_at = now() + %s * interval '1 second' WHERE id = %s
    """,
    "remove": "DELETE FROM {schema}.webhook_deliveries WHERE id = %s",
    "disable": """
        WITH unsent AS (DELETE FROM {schema}.webhook_deliveries WHERE hook = %s)
        UPDATE {schema}.webhooks SET disabled_at = now(), reason = %s WHERE id = %s
    """,
    # --- of notices
    "subscribe": """
        INSERT INTO {schema}.webhooks
          (id, game, url, types, secret, since, seat, language, noticed)
        VALUES (%s, %s, '', '{{}}', %s, %s, %s, %s, %s)
        ON CONFLICT (id) DO UPDATE SET secret = excluded.secret, language = excluded.language,
          noticed = excluded.noticed, created_at = now(), failing_since = NULL, failures = 0,
          disabled_at = NULL, reason = ''
    """,
    "bound": """
        DELETE FROM {schema}.webhooks WHERE game = %s AND seat = %s AND id NOT IN (
          SELECT id FROM {schema}.webhooks WHERE game = %s AND seat = %s
          ORDER BY created_at DESC, id LIMIT %s
        )
    """,
    "unsubscribe": "DELETE FROM {schema}.webhooks WHERE id = %s AND seat IS NOT NULL",
    "subscribed": """
        SELECT id, seat, since, noticed FROM {schema}.webhooks
        WHERE game = %s AND seat IS NOT NULL AND disabled_at IS NULL
    """,
    # One notice waits at a time. What is no turn is not told to a player who is there to see it.
    "notice": """
        WITH due AS (
          UPDATE {schema}.webhooks SET noticed = %s WHERE id = %s AND noticed < %s
          RETURNING id, seen_at
        ), earlier AS (
          DELETE FROM {schema}.webhook_deliveries USING due WHERE hook = due.id
        )
        INSERT INTO {schema}.webhook_deliveries (id, hook, body, due_at)
        SELECT %s, id, %s, now() + %s * interval '1 second' FROM due
        WHERE %s OR seen_at IS NULL OR seen_at <= now() - %s * interval '1 second'
    """,
    "end": "UPDATE {schema}.webhooks SET disabled_at = now() WHERE id = %s",
    "expire": """
        DELETE FROM {schema}.webhooks AS w
        WHERE id = %s AND seat IS NOT NULL AND disabled_at IS NOT NULL
          AND NOT EXISTS (SELECT FROM {schema}.webhook_deliveries WHERE hook = w.id)
    """,
    "present": """
        UPDATE {schema}.webhooks AS w SET seen_at = now()
        FROM unnest(%s::uuid[], %s::smallint[]) AS there (game, seat)
        WHERE w.game = there.game AND w.seat = there.seat
          AND (seen_at IS NULL OR seen_at < now() - %s * interval '1 second')
    """,
}
