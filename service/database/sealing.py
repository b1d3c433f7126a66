"""Sealing in the database: which keys it was sealed under, and sealing anew what is stored.

The log is append-only, and stays so for what its events say: sealing anew changes how their hidden
parts are written down, and unsealed they are what they were, byte for byte.
"""

from collections.abc import Callable, Sequence
from typing import Any, LiteralString, NamedTuple

import psycopg
from psycopg.sql import SQL, Identifier

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.projections.rows import ViewRow
from phaseledger.replay.formats import sealing
from phaseledger.replay.formats.sealing import SealingError, SealingKeyMissing, SealingKeys
from phaseledger.service.eventlog.connection import bounded, fitted, within
from phaseledger.service.lobby.join_codes import code_from, index_entries
from phaseledger.service.players.store import sealing_context
from phaseledger.service.readmodels.soundness import DAMAGED
from phaseledger.service.settings import Settings, sealing_folder, sealing_keys_of
from phaseledger.service.webhooks.store import secret_context

BATCH = 500  # events that are sealed anew at a time; appends wait meanwhile


class SealingState(NamedTuple):
    """How a ledger is sealed: the keys, and the id of one that was made just now."""

    keys: SealingKeys
    made: str = ""
    refusal: str = ""
    """Why no key could be made, so that nothing is sealed."""


def open_sealing(settings: Settings) -> SealingState:
    """The keys of a ledger that is about to be written; one is made for a ledger that has none.

    Raises:
        SealingKeyMissing: something in it may be sealed under a key that is not here.
        SealingError: a key is damaged, or cannot be had.
        psycopg.OperationalError: its database does not answer.

    """
    made, schema = "", settings.schema
    with psycopg.connect(bounded(settings.database_url)) as conn:
        # One at a time, or each node makes a key of its own.
        lock = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
        conn.execute(lock, (f"sealing {schema}",))
        used = {key for (key,) in conn.execute(within(schema, "SELECT id FROM {}.sealing_keys"))}
        # Not before: another node may just have made the key, in a folder that all of them see.
        keys = sealing_keys_of(settings)
        for key in sorted(used - set(keys.ids)):
            raise SealingKeyMissing(key)
        if not keys.current:
            try:
                made = sealing.new(sealing_folder(settings))
            except SealingError as refused:
                if settings.sealing_dir:
                    raise
                return SealingState(keys, refusal=str(refused))
            keys = sealing_keys_of(settings)
        statement = "INSERT INTO {}.sealing_keys (id) VALUES (%s) ON CONFLICT DO NOTHING"
        conn.execute(within(schema, statement), (keys.current,))
    return SealingState(keys, made)


# --- sealing anew ---------------------------------------------------------------------------------

_UNSEALED = (
    "FROM {}.stored_events WHERE notification_id > %s AND position(%s::bytea in state) > 0 "
    "AND position(%s::bytea in state) = 0"
)


class Resealed(NamedTuple):
    """How many events, and secrets of webhooks and players, are sealed anew, and how many could
    not be.
    """

    events: int
    webhooks: int
    damaged: int
    """Events and secrets that were changed, so that they cannot be unsealed; left as they are."""


def count_unsealed(settings: Settings, keys: SealingKeys) -> int:
    """The number of events with hidden parts that are not sealed under the current key."""
    with psycopg.connect(fitted(settings.database_url)) as conn:
        query = within(settings.schema, "SELECT count(*) " + _UNSEALED)
        ((count,),) = conn.execute(query, (0, *_marks(keys))).fetchall()
    return int(count)


def reseal(settings: Settings, keys: SealingKeys, progress: Callable[[int], None]) -> Resealed:
    """Seal everything in the ledger under the current key, as the owner of its tables.

    Each batch is a transaction, and whatever is sealed so already is passed over, so that a run
    that is broken off goes on with the next one. Services may be at work meanwhile. The space of
    the old rows, with what stood in them, is freed for use at the end.

    Raises:
        SealingKeyMissing: something is sealed under a key that is not here.
        psycopg.Error: the database is away, or the role is not the owner's.

    """
    events = damaged = position = 0
    schema = settings.schema
    with psycopg.connect(fitted(settings.database_url)) as conn:
        while rows := _next_rows(conn, schema, keys, position):
            position = rows[-1][0]
            fresh = [(number, _resealed(keys, *rest)) for number, *rest in rows]
            changed = [(number, state) for number, state in fresh if state is not None]
            _update(conn, schema, changed)
            conn.commit()
            events += len(changed)
            damaged += len(rows) - len(changed)
            progress(len(rows))
        webhooks, unsealable = _reseal_secrets(conn, schema, keys)
        damaged += unsealable
        _renew_codes(conn, schema, keys)
        _renew_macs(conn, schema, keys)
        conn.commit()
    if not damaged:
        _free(settings, keys)
    return Resealed(events, webhooks, damaged)


def _marks(keys: SealingKeys) -> tuple[bytes, bytes]:
    """The marks of an event with hidden parts, and of one sealed under the current key.

    A quote inside a text is escaped, so neither can be part of one.
    """
    return b'"hidden":', b'"hidden":"s1.%s.' % keys.current.encode()


def _next_rows(
    conn: psycopg.Connection, schema: str, keys: SealingKeys, position: int
) -> list[tuple[Any, ...]]:
    query = "SELECT notification_id, originator_id, originator_version, state " + _UNSEALED
    ordered = within(schema, query + " ORDER BY notification_id LIMIT %s")
    return conn.execute(ordered, (position, *_marks(keys), BATCH), binary=True).fetchall()


def _resealed(keys: SealingKeys, game: object, version: int, state: bytes) -> bytes | None:
    """The event's bytes sealed under the current key; None where they cannot be unsealed."""
    plain = keys.unseal_event(game, version, state)
    fresh = keys.seal_event(game, version, plain)
    is_sound = fresh != plain and keys.unseal_event(game, version, fresh) == plain
    return fresh if is_sound else None


def _update(conn: psycopg.Connection, schema: str, rows: Sequence[tuple[int, bytes]]) -> None:
    """Write the events' bytes, past the trigger that refuses that, within the transaction."""
    if not rows:
        return
    conn.execute("SET LOCAL lock_timeout = '10s'")
    conn.execute(within(schema, "ALTER TABLE {}.stored_events DISABLE TRIGGER append_only"))
    conn.execute(
        within(
            schema,
            "UPDATE {}.stored_events AS event SET state = fresh.state "
            "FROM unnest(%s::bigint[], %s::bytea[]) AS fresh (number, state) "
            "WHERE event.notification_id = fresh.number",
        ),
        ([number for number, _ in rows], [state for _, state in rows]),
    )
    conn.execute(within(schema, "ALTER TABLE {}.stored_events ENABLE ALWAYS TRIGGER append_only"))


class _Sealed(NamedTuple):
    """A column of sealed secrets beside the log, read and written by the key of its row."""

    query: LiteralString
    update: LiteralString
    context: Callable[[Any], bytes]


_SECRETS = (
    _Sealed(
        "SELECT id, secret FROM {}.webhooks WHERE secret <> '' FOR UPDATE",
        "UPDATE {}.webhooks SET secret = %s WHERE id = %s",
        secret_context,
    ),
    _Sealed(
        "SELECT pseudonym, notices FROM {}.players WHERE notices IS NOT NULL FOR NO KEY UPDATE",
        "UPDATE {}.players SET notices = %s WHERE pseudonym = %s",
        sealing_context,
    ),
)


def _reseal_secrets(conn: psycopg.Connection, schema: str, keys: SealingKeys) -> tuple[int, int]:
    """How many secrets are sealed anew, and how many cannot be unsealed and stay as they are."""
    count = damaged = 0
    for column in _SECRETS:
        fresh: list[tuple[bytes, object]] = []
        rows = conn.execute(within(schema, column.query), binary=True).fetchall()
        for row, secret in rows:
            if sealing.sealed_under(secret) == keys.current:
                continue
            context = column.context(row)
            plain = keys.unseal(secret, context)
            if sealing.sealed_under(plain):
                damaged += 1
            else:
                fresh.append((keys.seal(plain, context), row))
        with conn.cursor() as cursor:
            cursor.executemany(within(schema, column.update), fresh)
        count += len(fresh)
    return count, damaged


def _renew_codes(conn: psycopg.Connection, schema: str, keys: SealingKeys) -> None:
    """Write the index of join codes under the current key, but for damaged games and archived ones,
    which cannot be joined.
    """
    query = (
        "SELECT game, topic, state FROM {0}.stored_events JOIN "
        "(SELECT DISTINCT game FROM {0}.join_codes) AS codes ON originator_id = game "
        "WHERE originator_version = 1"
    )
    add = within(
        schema,
        "INSERT INTO {0}.join_codes SELECT %s, game, min(opened_at) FROM {0}.join_codes "
        "WHERE game = %s GROUP BY game ON CONFLICT DO NOTHING",
    )
    remove = within(schema, "DELETE FROM {}.join_codes WHERE code_hash <> %s AND game = %s")
    with conn.cursor("codes", binary=True) as games:
        for game, topic, state in games.execute(within(schema, query)):
            try:
                opened = codec.decode_event(topic, keys.unseal_event(game, 1, state))
            except DAMAGED:
                continue
            if isinstance(opened, GameOpened) and opened.hidden:
                code = code_from(opened.game, opened.hidden["server"].secret)
                renewed = (index_entries(code, keys)[0], game)
                conn.execute(add, renewed)
                conn.execute(remove, renewed)


def _renew_macs(conn: psycopg.Connection, schema: str, keys: SealingKeys) -> None:
    """Make the MACs of views under the current key; a row that does not fit stays as it is."""
    query = "SELECT game, mac, version, leaf, view::text, scoreboard::text FROM {}.table_views"
    renew = within(schema, "UPDATE {}.table_views SET mac = %s WHERE game = %s AND mac = %s")
    with conn.cursor("macs") as rows:
        for game, mac, *row in rows.execute(within(schema, query)):
            bound = ViewRow(*row).bound(game)
            if sealing.sealed_under(mac.encode()) != keys.current and keys.is_mac(mac, bound):
                conn.execute(renew, (keys.mac(bound), game, mac))


def _free(settings: Settings, keys: SealingKeys) -> None:
    """Free what the old rows took, and forget the other keys if nothing is sealed under them."""
    schema = settings.schema
    with psycopg.connect(fitted(settings.database_url), autocommit=True) as conn:
        for table in ("stored_events", "join_codes", "webhooks"):
            conn.execute(SQL("VACUUM {}").format(Identifier(schema, table)))
        if not count_unsealed(settings, keys):
            forget = "DELETE FROM {}.sealing_keys WHERE id <> %s"
            conn.execute(within(schema, forget), (keys.current,))
