"""The tables of webhooks, and every statement on them, as text: `service.webhooks.store` runs them.

``{schema}`` stands for the quoted name of the schema, ``{hook}`` and ``{delivery}`` for columns,
``{may_be_sent}`` for the condition that a delivery's endpoint is confirmed, or this is to do so.
"""

from typing import LiteralString

from phaseledger.service.eventlog.migrations import Migration
from phaseledger.service.schemas.webhooks import CHALLENGE

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
DELIVERY: LiteralString = """d.number, d.id, d.type, d.state,
  (1000 * extract(epoch FROM d.created_at))::bigint,
  CASE WHEN d.state = 'pending' THEN (1000 * extract(epoch FROM d.due_at))::bigint END,
  d.attempts::text, d.body"""
MAY_BE_SENT: LiteralString = f"""(type = '{CHALLENGE}' OR EXISTS (
  SELECT FROM {{schema}}.webhooks AS w WHERE w.id = hook AND w.confirmed_at IS NOT NULL))"""
STATEMENTS: dict[str, LiteralString] = {
    # --- by the host
    # The game's row is locked until the commit, as it is by whoever tells of the game.
    "follow": """
        INSERT INTO {schema}.webhook_games (game, told) VALUES (%s, %s)
        ON CONFLICT (game) DO UPDATE SET stale = true RETURNING told
    """,
    "count": "SELECT count(*) FROM {schema}.webhooks WHERE game = %s AND id <> ALL(%s)",
    "register": """
        INSERT INTO {schema}.webhooks (id, game, url, types, secret, since, confirmed_at)
        VALUES (%s, %s, %s, %s, %s, %s, NULL) ON CONFLICT (id) DO NOTHING RETURNING id
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
    "deliveries": """
        SELECT {delivery} FROM {schema}.webhook_deliveries AS d
        JOIN {schema}.webhooks AS w ON w.id = d.hook
        WHERE w.game = %s AND w.id = %s AND d.number < %s ORDER BY d.number DESC LIMIT %s
    """,
    "delivery": """
        SELECT {delivery} FROM {schema}.webhook_deliveries AS d
        JOIN {schema}.webhooks AS w ON w.id = d.hook
        WHERE w.game = %s AND w.id = %s AND d.id = %s
    """,
    "restart": """
        UPDATE {schema}.webhook_deliveries AS d SET state = 'pending', due_at = now(), tries = 0
        FROM {schema}.webhooks AS w
        WHERE w.id = d.hook AND w.game = %s AND w.id = %s AND d.id = %s RETURNING d.id
    """,
    # --- telling: from the log to deliveries
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
        INSERT INTO {schema}.webhook_deliveries (id, hook, type, body)
        SELECT * FROM unnest(%s::uuid[], %s::uuid[], %s::text[], %s::text[])
        ON CONFLICT (id) DO NOTHING
    """,
    # Locked in one order; who confirms a webhook meanwhile is waited for, and then it is another.
    "overflow": """
        WITH full_ones AS (
          SELECT id FROM {schema}.webhooks AS w
          WHERE id = ANY(%s::uuid[]) AND confirmed_at IS NULL AND (
            SELECT count(*) FROM (
              SELECT FROM {schema}.webhook_deliveries
              WHERE hook = w.id AND state = 'pending' LIMIT %s) AS pending) = %s
          ORDER BY id FOR UPDATE
        ), disabled AS (
          UPDATE {schema}.webhooks SET disabled_at = coalesce(disabled_at, now()), reason = %s
          WHERE id IN (SELECT id FROM full_ones)
        )
        DELETE FROM {schema}.webhook_deliveries
        WHERE hook IN (SELECT id FROM full_ones) AND state = 'pending' AND id NOT IN (
          SELECT newest.id FROM full_ones CROSS JOIN LATERAL (
            SELECT id FROM {schema}.webhook_deliveries
            WHERE hook = full_ones.id AND state = 'pending' AND type = %s
            ORDER BY number DESC LIMIT 1) AS newest)
    """,
    "due": """
        UPDATE {schema}.webhooks SET due_at = least(due_at, now()) WHERE id = ANY(%s::uuid[])
    """,
    "move": "UPDATE {schema}.webhook_position SET position = %s",
    # --- delivering
    "claim": """
        UPDATE {schema}.webhooks SET leased_until = now() + %s * interval '1 second'
        WHERE id IN (
          SELECT id FROM {schema}.webhooks
          WHERE due_at <= now() AND leased_until <= now() AND due_at < 'infinity'
            AND (failing_since IS NOT NULL OR confirmed_at IS NULL) = %s
          ORDER BY due_at LIMIT %s FOR UPDATE SKIP LOCKED
        ) RETURNING {hook}
    """,
    "next": """
        SELECT id, type, body, tries FROM {schema}.webhook_deliveries
        WHERE hook = %s AND state = 'pending' AND due_at <= now() AND {may_be_sent}
        ORDER BY number LIMIT 1
    """,
    "attempted": """
        UPDATE {schema}.webhook_deliveries SET state = %s, tries = %s,
          due_at = now() + %s * interval '1 second',
          attempts = CASE WHEN jsonb_array_length(attempts) < %s THEN attempts
            ELSE attempts - 0 END || %s::jsonb
        WHERE id = %s
    """,
    "well": """
        UPDATE {schema}.webhooks SET failing_since = NULL, disabled_at = NULL, reason = '',
          confirmed_at = CASE WHEN %s THEN coalesce(confirmed_at, now()) ELSE confirmed_at END,
          leased_until = now() + %s * interval '1 second' WHERE id = %s
    """,
    "ill": """
        UPDATE {schema}.webhooks
        SET failing_since = coalesce(failing_since, to_timestamp(%s::bigint / 1000.0))
        WHERE id = %s RETURNING failing_since < now() - %s * interval '1 second'
    """,
    # What has failed since the endpoint began to. A message that failed before it last answered
    # keeps its own times.
    "resume": """
        UPDATE {schema}.webhook_deliveries SET due_at = now()
        WHERE hook = %s AND state = 'pending' AND due_at > now()
          AND (attempts -> 0 ->> 'at')::bigint >= (
            SELECT (1000 * extract(epoch FROM failing_since))::bigint
            FROM {schema}.webhooks WHERE id = hook)
    """,
    "disable": """
        UPDATE {schema}.webhooks SET disabled_at = coalesce(disabled_at, now()), reason = %s
        WHERE id = %s
    """,
    "abandon": """
        UPDATE {schema}.webhook_deliveries SET state = 'failed'
        WHERE hook = %s AND state = 'pending'
    """,
    "lock": "SELECT FROM {schema}.webhooks WHERE id = %s FOR UPDATE",
    "release": """
        UPDATE {schema}.webhooks SET leased_until = '-infinity', due_at = greatest(now(), coalesce(
          (SELECT min(due_at) FROM {schema}.webhook_deliveries
           WHERE hook = %s AND state = 'pending' AND {may_be_sent}), 'infinity'))
        WHERE id = %s
    """,
    "prune": """
        DELETE FROM {schema}.webhook_deliveries
        WHERE state <> 'pending' AND created_at < now() - %s * interval '1 day'
    """,
}
