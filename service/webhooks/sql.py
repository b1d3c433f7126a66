"""The tables of webhooks, and every statement on them, as text: `service.webhooks.store` runs them.

``{schema}`` stands for the quoted name of the schema, ``{hook}`` for the columns of a webhook.
"""

from typing import LiteralString

from phaseledger.service.eventlog.migrations import Migration

WEBHOOKS: tuple[Migration, ...] = (
    (
        "webhooks/4",
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

        -- secret: signatures need it, so it is kept as it is.
        CREATE TABLE IF NOT EXISTS {schema}.webhooks (
          id uuid PRIMARY KEY,
          game uuid NOT NULL REFERENCES {schema}.webhook_games,
          url text NOT NULL,
          types text[] NOT NULL,
          secret bytea NOT NULL,
          since bigint NOT NULL,
          created_at timestamptz NOT NULL DEFAULT now(),
          due_at timestamptz NOT NULL DEFAULT 'infinity',
          leased_until timestamptz NOT NULL DEFAULT '-infinity',
          failing_since timestamptz,
          disabled_at timestamptz,
          reason text NOT NULL DEFAULT ''
        );
        -- Those of release 0.1.0, and those that it registers meanwhile, count as confirmed.
        ALTER TABLE {schema}.webhooks
          ADD COLUMN IF NOT EXISTS confirmed_at timestamptz DEFAULT now();
        COMMENT ON COLUMN {schema}.webhooks.confirmed_at
          IS 'When the endpoint answered its challenge; until then nothing else is sent to it';
        COMMENT ON COLUMN {schema}.webhooks.due_at IS 'When the first pending delivery is due';
        COMMENT ON COLUMN {schema}.webhooks.leased_until IS 'Until then one process delivers';
        CREATE INDEX IF NOT EXISTS webhooks_game_idx ON {schema}.webhooks (game);
        CREATE INDEX IF NOT EXISTS webhooks_due_idx
          ON {schema}.webhooks (due_at) WHERE due_at < 'infinity';

        CREATE TABLE IF NOT EXISTS {schema}.webhook_deliveries (
          id uuid PRIMARY KEY,
          number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
          hook uuid NOT NULL REFERENCES {schema}.webhooks ON DELETE CASCADE,
          type text NOT NULL,
          body text NOT NULL,
          created_at timestamptz NOT NULL DEFAULT now(),
          state text NOT NULL DEFAULT 'pending',
          due_at timestamptz NOT NULL DEFAULT now(),
          tries integer NOT NULL DEFAULT 0,
          attempts jsonb NOT NULL DEFAULT '[]'
        );
        COMMENT ON COLUMN {schema}.webhook_deliveries.tries
          IS 'Attempts that failed since it was last asked for';
        CREATE INDEX IF NOT EXISTS webhook_deliveries_hook_idx
          ON {schema}.webhook_deliveries (hook, number);
        CREATE INDEX IF NOT EXISTS webhook_deliveries_due_idx
          ON {schema}.webhook_deliveries (hook, due_at)
          WHERE state = 'pending';
        CREATE INDEX IF NOT EXISTS webhook_deliveries_old_idx
          ON {schema}.webhook_deliveries (created_at)
          WHERE state <> 'pending';

        CREATE TABLE IF NOT EXISTS {schema}.webhook_position (
          single boolean PRIMARY KEY DEFAULT true CHECK (single),
          position bigint NOT NULL
        );
        INSERT INTO {schema}.webhook_position (position)
          SELECT coalesce(max(notification_id), 0) FROM {schema}.stored_events
          ON CONFLICT DO NOTHING;

        CREATE TABLE IF NOT EXISTS {schema}.webhooks_deleted (
          id uuid PRIMARY KEY,
          game uuid NOT NULL,
          url text NOT NULL,
          types text[] NOT NULL,
          secret bytea NOT NULL,
          since bigint NOT NULL,
          created_at timestamptz NOT NULL
        );
        COMMENT ON TABLE {schema}.webhooks_deleted
          IS 'For the answer to a request that is repeated after they were deleted';
        """,
    ),
    (
        "webhooks/5",
        """
        -- An outbox: a message is there until it is delivered or given up.
        DELETE FROM {schema}.webhook_deliveries
          WHERE state <> 'pending' OR type IN ('ping', 'webhook.challenge');
        DROP INDEX {schema}.webhook_deliveries_old_idx, {schema}.webhook_deliveries_due_idx;
        ALTER TABLE {schema}.webhook_deliveries
          DROP COLUMN type, DROP COLUMN state, DROP COLUMN attempts, DROP COLUMN created_at;
        CREATE INDEX webhook_deliveries_due_idx ON {schema}.webhook_deliveries (due_at, number);
        COMMENT ON COLUMN {schema}.webhook_deliveries.tries IS 'Attempts that failed';
        ALTER TABLE {schema}.webhooks DROP COLUMN due_at, DROP COLUMN leased_until,
          ADD COLUMN failures integer NOT NULL DEFAULT 0,
          ALTER COLUMN confirmed_at DROP DEFAULT;
        COMMENT ON COLUMN {schema}.webhooks.failures
          IS 'Attempts that failed since it last took a message';
        COMMENT ON COLUMN {schema}.webhooks.confirmed_at IS 'When it first took a message';
        """,
    ),
)
TABLES = (
    *("webhook_games", "webhooks", "webhook_deliveries", "webhook_position"),
    "webhooks_deleted",
)
"""The application writes them all; others have no business with them, for the secrets' sake."""

HOOK: LiteralString = """id, game, url, types, secret, since,
  (1000 * extract(epoch FROM created_at))::bigint,
  (1000 * extract(epoch FROM failing_since))::bigint,
  (1000 * extract(epoch FROM disabled_at))::bigint, reason,
  (1000 * extract(epoch FROM confirmed_at))::bigint"""
STATEMENTS: dict[str, LiteralString] = {
    # --- by the host
    # The game's row is locked until the commit, as it is while messages of the game are written.
    "follow": """
        INSERT INTO {schema}.webhook_games (game, told) VALUES (%s, %s)
        ON CONFLICT (game) DO UPDATE SET stale = true RETURNING told
    """,
    "count": "SELECT count(*) FROM {schema}.webhooks WHERE game = %s AND id <> ALL(%s)",
    "register": """
        INSERT INTO {schema}.webhooks (id, game, url, types, secret, since)
        VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (id) DO NOTHING
    """,
    "hooks": "SELECT {hook} FROM {schema}.webhooks WHERE game = %s ORDER BY created_at, id",
    "hook": "SELECT {hook} FROM {schema}.webhooks WHERE game = %s AND id = %s",
    "lock_game": "SELECT FROM {schema}.webhook_games WHERE game = %s FOR UPDATE",
    "delete": """
        WITH gone AS (
          DELETE FROM {schema}.webhooks WHERE game = %s AND id = %s
          RETURNING id, game, url, types, secret, since, created_at
        )
        INSERT INTO {schema}.webhooks_deleted SELECT * FROM gone RETURNING id
    """,
    "deleted": """
        SELECT id, game, url, types, secret, since,
          (1000 * extract(epoch FROM created_at))::bigint, NULL, NULL, '', NULL
        FROM {schema}.webhooks_deleted WHERE game = %s AND id = %s
    """,
    # --- from the log to the outbox
    "position": "SELECT position FROM {schema}.webhook_position FOR UPDATE SKIP LOCKED",
    "head": "SELECT coalesce(max(notification_id), 0) FROM {schema}.logged_events",
    "any": "SELECT EXISTS (SELECT FROM {schema}.webhooks)",
    "games": """
        SELECT game, told FROM {schema}.webhook_games WHERE game IN (
          SELECT game FROM {schema}.webhook_games WHERE stale
          UNION SELECT originator_id FROM {schema}.stored_events
          WHERE notification_id > %s AND notification_id <= %s
        ) ORDER BY game FOR UPDATE
    """,
    "listening": """
        SELECT id, types, since FROM {schema}.webhooks WHERE game = %s AND disabled_at IS NULL
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
          ORDER BY due_at, number LIMIT %s FOR UPDATE OF d SKIP LOCKED
        ) RETURNING d.id, d.hook, d.body, d.tries, w.url, w.secret
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
    "disable": "UPDATE {schema}.webhooks SET disabled_at = now(), reason = %s WHERE id = %s",
    "abandon": "DELETE FROM {schema}.webhook_deliveries WHERE hook = %s",
}
