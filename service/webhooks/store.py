"""Webhooks and their deliveries in PostgreSQL.

Messages are written in the transaction that records how far the log was read, so none is lost and
none is written twice. The process that delivers holds a lease on the webhook, which runs out if it
dies; a delivery may then be sent twice under the same id.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID, uuid5

import msgspec
import psycopg
from msgspec import Raw
from psycopg.sql import SQL, Identifier
from psycopg_pool import PoolClosed, PoolTimeout

from phaseledger.replay.records.sealing import NO_SEALING, SealingError, SealingKeys
from phaseledger.service.eventlog.connection import Connection
from phaseledger.service.eventlog.errors import StoreUnavailable, explain_outage
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.pool import is_outdated, pool
from phaseledger.service.games.errors import KeyReused
from phaseledger.service.schemas.webhooks import CHALLENGE, Attempt
from phaseledger.service.webhooks.errors import TooManyWebhooks
from phaseledger.service.webhooks.sql import DELIVERY, HOOK, MAY_BE_SENT, STATEMENTS

MOST = 10
"""Webhooks of one game."""
MOST_UNCONFIRMED = 100
"""Messages that wait for an endpoint to answer its challenge; with more the webhook is disabled,
and all but the challenge are deleted.
"""
OVERFLOWN = f"it has not answered its challenge, and more than {MOST_UNCONFIRMED} messages waited"
LIMIT = f"there may be {MOST}"
CONNECTIONS = 6
ATTEMPTS = 20
"""Attempts of one delivery that are remembered."""
NEWEST = 2**62


class Hook(NamedTuple):
    """A webhook; times are in milliseconds since 1970."""

    id: UUID
    game: UUID
    url: str
    types: tuple[str, ...]
    secret: bytes
    since: int
    created_at: int
    failing_since: int | None
    disabled_at: int | None
    reason: str
    confirmed_at: int | None


class HookRegistration(NamedTuple):
    """A webhook to be registered, and its first message; idempotent by its id."""

    id: UUID
    url: str
    types: tuple[str, ...]
    secret: bytes
    challenge: bytes


class DeliveryRecord(NamedTuple):
    """A stored delivery, with its attempts."""

    number: int
    id: UUID
    type: str
    state: str
    created_at: int
    due_at: int | None
    attempts: tuple[Attempt, ...]
    body: Raw


class DueDelivery(NamedTuple):
    """A message that is due; ``tries`` attempts have failed."""

    id: UUID
    type: str
    body: str
    tries: int


@cache
def _statements(schema: str) -> dict[str, bytes]:
    names = {
        "schema": Identifier(schema),
        "hook": SQL(HOOK),
        "delivery": SQL(DELIVERY),
        "may_be_sent": SQL(MAY_BE_SENT).format(schema=Identifier(schema)),
    }
    return {name: SQL(text).format(**names).as_bytes() for name, text in STATEMENTS.items()}


class Webhooks:
    """The tables of webhooks. Every method may raise StoreUnavailable.

    Secrets are sealed under the last of the ``sealing`` keys.
    """

    def __init__(
        self, dsn: str, *, schema: str = SCHEMA, sealing: SealingKeys = NO_SEALING
    ) -> None:
        self._sealing = sealing
        self._sql = _statements(schema)
        self._pool = pool(dsn, CONNECTIONS)

    async def open(self) -> None:
        """Connect; the tables are there already."""
        await self._pool.open()

    async def close(self) -> None:
        """Close every connection."""
        await self._pool.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator["WebhookTransaction"]:
        """A transaction: its statements are carried out together or not at all."""
        try:
            async with self._pool.connection() as conn, conn.transaction():
                yield WebhookTransaction(conn, self._sql)
        except (psycopg.Error, PoolClosed, PoolTimeout) as error:
            if is_outdated(error):
                await self._pool.drain()  # a server restarted meanwhile has dropped them all
            raise explain_outage(error) from error

    # --- by the host ----------------------------------------------------------------------------

    async def register(self, game: UUID, since: int, new: Sequence[HookRegistration]) -> list[Hook]:
        """Register these webhooks for what comes after version ``since`` of the game; those that
        were deleted stay so.

        Raises:
            TooManyWebhooks: there would be more than `MOST`.
            KeyReused: an id is that of another webhook.

        """
        async with self.transaction() as work:
            ((reported,),) = await work.run("follow", game, since)
            ((registered,),) = await work.run("count", game, [webhook.id for webhook in new])
            if registered + len(new) > MOST:
                raise TooManyWebhooks(LIMIT)
            hooks = []
            for webhook in new:
                rows = await work.run("deleted", game, webhook.id)
                if not rows:
                    row = (
                        webhook.id,
                        game,
                        webhook.url,
                        list(webhook.types),
                        self._sealing.seal(webhook.secret, secret_context(webhook.id)),
                        max(since, reported),
                    )
                    if await work.run("register", *row):
                        first = uuid5(webhook.id, CHALLENGE)
                        await work.insert(
                            [(first, webhook.id, CHALLENGE, webhook.challenge.decode())]
                        )
                    rows = await work.run("hook", game, webhook.id)
                (hook,) = map(self._hook, rows)
                if (hook.url, hook.types) != (webhook.url, webhook.types):
                    raise KeyReused
                hooks.append(hook)
        return hooks

    async def hooks(self, game: UUID) -> list[Hook]:
        """The game's webhooks, oldest first."""
        async with self.transaction() as work:
            return [self._hook(row) for row in await work.run("hooks", game)]

    async def hook(self, game: UUID, hook: UUID) -> Hook | None:
        """One of the game's webhooks."""
        async with self.transaction() as work:
            return next(map(self._hook, await work.run("hook", game, hook)), None)

    async def delete(self, game: UUID, hook: UUID) -> bool:
        """Delete the webhook and all its deliveries; whether there was one."""
        async with self.transaction() as work:
            await work.run("lock_game", game)  # a repeated request may be about to register it
            return bool(await work.run("delete", game, hook))

    async def deliveries(
        self, game: UUID, hook: UUID, before: int = NEWEST, limit: int = 50
    ) -> list[DeliveryRecord]:
        """The webhook's deliveries below that number, newest first."""
        async with self.transaction() as work:
            return [
                _delivery(row) for row in await work.run("deliveries", game, hook, before, limit)
            ]

    async def delivery(self, game: UUID, hook: UUID, delivery: UUID) -> DeliveryRecord | None:
        """One of the webhook's deliveries."""
        async with self.transaction() as work:
            return next(map(_delivery, await work.run("delivery", game, hook, delivery)), None)

    async def add(self, hook: UUID, delivery: UUID, type_: str, body: bytes) -> None:
        """Add a message to be delivered."""
        async with self.transaction() as work:
            await work.insert([(delivery, hook, type_, body.decode())])

    async def restart(self, game: UUID, hook: UUID, delivery: UUID) -> bool:
        """Restart a delivery, due now and with all its tries; whether there is one."""
        async with self.transaction() as work:
            await work.run("lock", hook)
            rows = await work.run("restart", game, hook, delivery)
            if rows:
                await work.run("due", [hook])
            return bool(rows)

    # --- by those who deliver -------------------------------------------------------------------

    async def claim(self, limit: int, lease: float, *, failing: bool) -> list[Hook]:
        """Lease webhooks with due deliveries for ``lease`` seconds, those whose last attempt failed
        or the others.
        """
        async with self.transaction() as work:
            return [self._hook(row) for row in await work.run("claim", lease, failing, limit)]

    async def next(self, hook: UUID) -> DueDelivery | None:
        """The webhook's oldest due message; None where there is none."""
        async with self.transaction() as work:
            return next((DueDelivery(*row) for row in await work.run("next", hook)), None)

    async def release(self, hook: UUID) -> None:
        """Release the lease. What is due already waits behind that of other endpoints."""
        async with self.transaction() as work:
            # Locked first: what is due is then read as the last holder of the lease has left it.
            await work.run("lock", hook)
            await work.run("release", hook, hook)

    async def prune(self, days: float) -> None:
        """Delete finished deliveries older than so many days."""
        async with self.transaction() as work:
            await work.run("prune", days)

    def _hook(self, row: tuple[Any, ...]) -> Hook:
        hook = Hook._make(row)
        try:
            secret = self._sealing.unseal(bytes(hook.secret), secret_context(hook.id))
        except SealingError as unusable:
            raise StoreUnavailable(str(unusable)) from None
        return hook._replace(types=tuple(hook.types), secret=secret)


class WebhookTransaction:
    """A transaction."""

    def __init__(self, conn: Connection, statements: dict[str, bytes]) -> None:
        self._conn = conn
        self._sql = statements

    async def run(self, name: str, *parameters: object) -> list[tuple[Any, ...]]:
        """The rows of the statement of that name, if it has any."""
        cursor = await self._conn.execute(self._sql[name], parameters, prepare=True)
        return await cursor.fetchall() if cursor.description else []

    async def insert(self, rows: Sequence[tuple[UUID, UUID, str, str]]) -> None:
        """Add deliveries: id, webhook, type, body of each; not too many that may not be sent."""
        if rows:
            await self.run("insert", *(list(column) for column in zip(*rows, strict=True)))
            hooks = sorted({hook for _, hook, _, _ in rows})
            most = MOST_UNCONFIRMED + 1
            await self.run("overflow", hooks, most, most, OVERFLOWN, CHALLENGE)
            await self.run("due", hooks)


def secret_context(hook: UUID) -> bytes:
    """What the seal of a webhook's secret is bound to."""
    return f"phaseledger webhook\n{hook}".encode()


def _delivery(row: tuple[Any, ...]) -> DeliveryRecord:
    delivery = DeliveryRecord._make(row)
    attempts = msgspec.json.decode(str(delivery.attempts), type=tuple[Attempt, ...])
    return delivery._replace(attempts=attempts, body=Raw(str(delivery.body).encode()))
