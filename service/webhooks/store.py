"""Webhooks and their deliveries in PostgreSQL.

What is to be told is written down in the transaction that notes how far the log was read, so
nothing is lost and nothing is told twice. Who delivers holds a lease on the webhook, which a
process that is gone loses after a while; a delivery may then be sent twice under the same id.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import psycopg
from msgspec import Raw
from psycopg.sql import SQL, Identifier
from psycopg_pool import PoolClosed, PoolTimeout

from phaseledger.service.eventlog.errors import explain_outage
from phaseledger.service.eventlog.group_commit import Connection
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.pool import pool
from phaseledger.service.schemas.webhooks import Attempt
from phaseledger.service.webhooks.errors import TooManyWebhooks
from phaseledger.service.webhooks.sql import DELIVERY, HOOK, STATEMENTS

MOST = 10
"""Webhooks of one game."""
ATTEMPTS = 20
"""Attempts of one delivery that are remembered."""
NEWEST = 2**62


class WebhookReused(Exception):
    """The Idempotency-Key belongs to a webhook of another address or other types."""


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


class HookRegistration(NamedTuple):
    """A webhook to be registered; with the id of one that is there, it is that one again."""

    id: UUID
    url: str
    types: tuple[str, ...]
    secret: bytes


class DeliveryRecord(NamedTuple):
    """A delivery as it is kept."""

    number: int
    id: UUID
    type: str
    state: str
    created_at: int
    due_at: int | None
    attempts: tuple[Attempt, ...]
    body: Raw


class DueDelivery(NamedTuple):
    """A message that is to be sent now; ``tries`` attempts have failed."""

    id: UUID
    type: str
    body: str
    tries: int


@cache
def _statements(schema: str) -> dict[str, bytes]:
    names = {"schema": Identifier(schema), "hook": SQL(HOOK), "delivery": SQL(DELIVERY)}
    return {name: SQL(text).format(**names).as_bytes() for name, text in STATEMENTS.items()}


class Webhooks:
    """The tables of webhooks. Every method may raise StoreUnavailable."""

    def __init__(self, dsn: str, *, schema: str = SCHEMA) -> None:
        self._sql = _statements(schema)
        self._pool = pool(dsn, most=6)

    async def open(self) -> None:
        """Connect; the tables are there already."""
        await self._pool.open()

    async def close(self) -> None:
        """Close every connection."""
        await self._pool.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator["WebhookTransaction"]:
        """Statements that are carried out together or not at all."""
        try:
            async with self._pool.connection() as conn, conn.transaction():
                yield WebhookTransaction(conn, self._sql)
        except (psycopg.Error, PoolClosed, PoolTimeout) as error:
            if isinstance(error, psycopg.OperationalError):
                await self._pool.check()  # a server restarted meanwhile has dropped them all
            raise explain_outage(error) from error

    # --- by the host ----------------------------------------------------------------------------

    async def register(self, game: UUID, since: int, new: Sequence[HookRegistration]) -> list[Hook]:
        """Tell these webhooks of what comes after that version of the game; those that were told
        and deleted stay so.

        Raises:
            TooManyWebhooks: there would be more than `MOST`.
            WebhookReused: an id is that of another webhook.

        """
        async with self.transaction() as work:
            ((told,),) = await work.run("follow", game, since)
            ((others,),) = await work.run("count", game, [each.id for each in new])
            if others + len(new) > MOST:
                raise TooManyWebhooks
            found = []
            for each in new:
                rows = await work.run("deleted", game, each.id)
                if not rows:
                    row = (each.id, game, each.url, list(each.types), each.secret, max(since, told))
                    await work.run("register", *row)
                    rows = await work.run("hook", game, each.id)
                (hook,) = map(_hook, rows)
                if (hook.url, hook.types) != (each.url, each.types):
                    raise WebhookReused
                found.append(hook)
        return found

    async def hooks(self, game: UUID) -> list[Hook]:
        """The game's webhooks, oldest first."""
        async with self.transaction() as work:
            return [_hook(row) for row in await work.run("hooks", game)]

    async def hook(self, game: UUID, hook: UUID) -> Hook | None:
        """One of the game's webhooks."""
        async with self.transaction() as work:
            return next(map(_hook, await work.run("hook", game, hook)), None)

    async def delete(self, game: UUID, hook: UUID) -> bool:
        """Forget the webhook and all its deliveries; whether there was one."""
        async with self.transaction() as work:
            await work.run("lock_game", game)  # a repeated request may be about to register it
            return bool(await work.run("delete", game, hook))

    async def deliveries(
        self, game: UUID, hook: UUID, before: int = NEWEST, limit: int = 50
    ) -> list[DeliveryRecord]:
        """The webhook's deliveries below that number, newest first."""
        async with self.transaction() as work:
            return [_kept(row) for row in await work.run("deliveries", game, hook, before, limit)]

    async def delivery(self, game: UUID, hook: UUID, delivery: UUID) -> DeliveryRecord | None:
        """One of the webhook's deliveries."""
        async with self.transaction() as work:
            return next(map(_kept, await work.run("delivery", game, hook, delivery)), None)

    async def add(self, hook: UUID, delivery: UUID, type_: str, body: bytes) -> None:
        """Have a message delivered."""
        async with self.transaction() as work:
            await work.insert([(delivery, hook, type_, body.decode())])

    async def again(self, game: UUID, hook: UUID, delivery: UUID) -> bool:
        """Have a message delivered once more, from now on; whether there is one."""
        async with self.transaction() as work:
            await work.run("lock", hook)
            found = await work.run("again", game, hook, delivery)
            if found:
                await work.run("due", [hook])
            return bool(found)

    # --- by those who deliver -------------------------------------------------------------------

    async def claim(self, limit: int, lease: float, *, failing: bool) -> list[Hook]:
        """Webhooks with deliveries that are due, which nobody else delivers to for so long: those
        whose last attempt failed, or the others.
        """
        async with self.transaction() as work:
            return [_hook(row) for row in await work.run("claim", lease, failing, limit)]

    async def next(self, hook: UUID) -> DueDelivery | None:
        """The webhook's first message that is due."""
        async with self.transaction() as work:
            return next((DueDelivery(*row) for row in await work.run("next", hook)), None)

    async def release(self, hook: UUID, pause: float) -> None:
        """Give up the lease. The next delivery may be due already; to an endpoint that fails, it
        waits for the pause at least, and the longer the longer it fails, up to twelve of them.
        """
        async with self.transaction() as work:
            # Locked first: what is due is then read as whoever held it before has left it.
            await work.run("lock", hook)
            await work.run("release", hook, pause, pause, hook)

    async def prune(self, days: float) -> None:
        """Forget deliveries that are over and older than that."""
        async with self.transaction() as work:
            await work.run("prune", days)


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
        """Write down what is to be sent: delivery, webhook, type, body."""
        if rows:
            await self.run("insert", *(list(column) for column in zip(*rows, strict=True)))
            await self.run("due", list({hook for _, hook, _, _ in rows}))


def _hook(row: tuple[Any, ...]) -> Hook:
    hook = Hook._make(row)
    return hook._replace(types=tuple(hook.types), secret=bytes(hook.secret))


def _kept(row: tuple[Any, ...]) -> DeliveryRecord:
    kept = DeliveryRecord._make(row)
    attempts = msgspec.json.decode(str(kept.attempts), type=tuple[Attempt, ...])
    return kept._replace(attempts=attempts, body=Raw(str(kept.body).encode()))
