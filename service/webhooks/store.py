"""Webhooks and their outbox in PostgreSQL.

Messages are written in the transaction that records how far the log was read, so none is lost and
none is written twice. The process that sends one holds a lease on it, which runs out if it dies;
the message may then be sent twice under the same id.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Identifier
from psycopg_pool import PoolClosed, PoolTimeout

from phaseledger.domain.words import Language
from phaseledger.replay.formats.sealing import NO_SEALING, SealingError, SealingKeys
from phaseledger.service.eventlog.connection import Connection
from phaseledger.service.eventlog.errors import StoreUnavailable, explain_outage
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.pool import Pooled, is_outdated
from phaseledger.service.games.errors import KeyReused
from phaseledger.service.webhooks.errors import TooManyWebhooks
from phaseledger.service.webhooks.sql import HOOK, STATEMENTS

MOST = 10
"""Webhooks of one game."""
LIMIT = f"there may be {MOST}"
CONNECTIONS = 6
AWAY = 20.0
"""Seconds after which a seat that is connected to no stream counts as away, for notices."""

RunStatement: TypeAlias = Callable[..., Awaitable[list[tuple[Any, ...]]]]
"""Runs the statement of a name with its parameters in a transaction; the rows, if it has any."""


class Hook(NamedTuple):
    """A webhook; times are in milliseconds since 1970."""

    id: UUID
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
    """A webhook to be registered; idempotent by its id."""

    id: UUID
    url: str
    types: tuple[str, ...]
    secret: bytes


class DueMessage(NamedTuple):
    """A message that is due; ``tries`` attempts have failed."""

    id: UUID
    hook: UUID
    body: str
    tries: int
    url: str
    secret: bytes
    """As it is stored."""
    game: UUID
    seat: int | None
    """Of a notice, the seat that it is for; None: a webhook's message."""
    since: int
    language: Language


@cache
def _statements(schema: str) -> dict[str, bytes]:
    names = {"schema": Identifier(schema), "hook": SQL(HOOK)}
    return {name: SQL(text).format(**names).as_bytes() for name, text in STATEMENTS.items()}


class Webhooks(Pooled):
    """The tables of webhooks. Every method may raise StoreUnavailable.

    Secrets are sealed under the last of the ``sealing`` keys.
    """

    def __init__(
        self, dsn: str, *, schema: str = SCHEMA, sealing: SealingKeys = NO_SEALING
    ) -> None:
        super().__init__(dsn, CONNECTIONS)
        self.sealing = sealing
        self._sql = _statements(schema)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[RunStatement]:
        """A transaction: its statements are carried out together or not at all."""
        try:
            async with self._pool.connection() as conn, conn.transaction():
                yield partial(_rows, conn, self._sql)
        except (psycopg.Error, PoolClosed, PoolTimeout) as error:
            if is_outdated(error):
                await self._pool.drain()  # a server restarted meanwhile has dropped them all
            raise explain_outage(error) from error

    async def register(self, game: UUID, since: int, new: Sequence[HookRegistration]) -> list[Hook]:
        """Register these webhooks for what comes after version ``since`` of the game; a deleted one
        stays deleted.

        Raises:
            TooManyWebhooks: there would be more than `MOST`.
            KeyReused: another webhook has the id.

        """
        async with self.transaction() as run:
            ((reported,),) = await run("follow", game, since)
            ((registered,),) = await run("count", game, [webhook.id for webhook in new])
            if registered + len(new) > MOST:
                raise TooManyWebhooks(LIMIT)
            hooks = []
            for webhook in new:
                secret = self.sealing.seal(webhook.secret, secret_context(webhook.id))
                row = (webhook.id, game, webhook.url, list(webhook.types), secret)
                await run("register", *row, max(since, reported))
                (hook,) = map(self._hook, await run("hook", webhook.id))
                if (hook.url, hook.types) != (webhook.url, webhook.types):
                    raise KeyReused
                hooks.append(hook)
        return hooks

    async def hooks(self, game: UUID) -> list[Hook]:
        """The game's webhooks, oldest first."""
        async with self.transaction() as run:
            return [self._hook(row) for row in await run("hooks", game)]

    async def delete(self, game: UUID, hook: UUID) -> bool:
        """Delete the webhook and all its messages; whether there was one."""
        async with self.transaction() as run:
            await run("lock_game", game)  # a repeated request may be about to register it
            return bool(await run("delete", game, hook))

    async def claim(
        self, lease: float, limit: int, *, proven: bool, notices: bool
    ) -> list[DueMessage]:
        """Lease due messages for ``lease`` seconds, to endpoints that took the last one or not.

        Without ``notices`` those of people are left to nodes that send them.
        """
        async with self.transaction() as run:
            rows = await run("claim", lease, proven, AWAY, notices, limit)
            return [DueMessage._make(row) for row in rows]

    def _hook(self, row: tuple[Any, ...]) -> Hook:
        hook = Hook._make(row)
        return hook._replace(types=tuple(hook.types), secret=self.unsealed(hook.id, hook.secret))

    def unsealed(self, hook: UUID, secret: bytes) -> bytes:
        """The secret of a webhook, from the form in which it is stored."""
        try:
            return self.sealing.unseal(bytes(secret), secret_context(hook))
        except SealingError as unusable:
            raise StoreUnavailable(str(unusable)) from None


async def _rows(
    conn: Connection, statements: dict[str, bytes], name: str, *parameters: object
) -> list[tuple[Any, ...]]:
    cursor = await conn.execute(statements[name], parameters, prepare=True)
    return await cursor.fetchall() if cursor.description else []


def secret_context(hook: UUID) -> bytes:
    """What the seal of a webhook's secret is bound to."""
    return f"phaseledger webhook\n{hook}".encode()
