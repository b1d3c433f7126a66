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
from phaseledger.service.webhooks.errors import NoSuchWebhook, TooManyWebhooks
from phaseledger.service.webhooks.messages import SECRET_BYTES, new_secret
from phaseledger.service.webhooks.sql import DUE, HOOK, OWNED, STATEMENTS

MOST = 10
"""Webhooks of one game, and of one application."""
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
    earlier_until: int | None


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
    is_rotated: bool = False
    """Whether the secret before the present one signs too."""

    @property
    def name(self) -> str:
        """The message's `webhook-id`."""
        return f"msg_{self.id.hex}"


@cache
def _statements(schema: str) -> dict[str, bytes]:
    names = {"schema": Identifier(schema), "hook": SQL(HOOK), "due": SQL(DUE), "owned": SQL(OWNED)}
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
            return await self._register(run, game, None, max(since, reported), new)

    async def register_for(self, application: UUID, new: HookRegistration) -> Hook:
        """Register a webhook for what comes from now on at all tables of an application.

        Raises:
            TooManyWebhooks, KeyReused: as `register`.

        """
        async with self.transaction() as run:
            await run("lock_application", str(application))
            ((head,),) = await run("head")
            (hook,) = await self._register(run, None, application, head, [new])
        return hook

    async def _register(
        self,
        run: RunStatement,
        game: UUID | None,
        application: UUID | None,
        since: int,
        new: Sequence[HookRegistration],
    ) -> list[Hook]:
        owner = game or application
        ((registered,),) = await run("count", [webhook.id for webhook in new], owner)
        if registered + len(new) > MOST:
            raise TooManyWebhooks(LIMIT)
        hooks = []
        for webhook in new:
            secret = self.sealing.seal(webhook.secret, secret_context(webhook.id))
            row = (webhook.id, game, application, webhook.url, list(webhook.types), secret, since)
            await run("register", *row)
            (hook,) = map(self._hook, await run("hook", webhook.id))
            if (hook.url, hook.types) != (webhook.url, webhook.types):
                raise KeyReused
            hooks.append(hook)
        return hooks

    async def hooks(self, owner: UUID) -> list[Hook]:
        """The webhooks of a game or an application, oldest first."""
        async with self.transaction() as run:
            return [self._hook(row) for row in await run("hooks", owner)]

    async def rotate(self, owner: UUID, hook: UUID, key: str, keep: float) -> Hook:
        """Give the webhook another secret; the present one signs too for ``keep`` seconds.

        Again with the same key, it is as it was, where there are keys that seal.

        Raises:
            NoSuchWebhook: the game or application has none with that id.

        """
        async with self.transaction() as run:
            if not (rows := await run("lock_hook", hook, owner)):
                raise NoSuchWebhook
            now = self._hook(rows[0])
            # Under a key outside the database, of which a dump is then worth nothing.
            named = b"phaseledger webhook secret\n%b%b" % (hook.bytes, key.encode())
            derived = self.sealing.tags(named) if key else []
            if now.secret in derived:
                return now
            fresh = derived[0] if derived else new_secret()
            sealed = self.sealing.seal(fresh + now.secret, secret_context(hook))
            await run("rotate", sealed, keep, hook)
            return self._hook((await run("hook", hook))[0])

    async def delete(self, owner: UUID, hook: UUID) -> bool:
        """Delete the webhook and all its messages; whether there was one."""
        async with self.transaction() as run:
            await run("lock_game", owner)  # a repeated request may be about to register it
            await run("lock_application", str(owner))
            return bool(await run("delete", hook, owner))

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
        secret = self.unsealed(hook.id, hook.secret)[:SECRET_BYTES]
        return hook._replace(types=tuple(hook.types), secret=secret)

    def signing(self, due: DueMessage) -> list[bytes]:
        """The secrets that sign a message: the present one, and the one before where it counts."""
        both = self.unsealed(due.hook, due.secret)
        earlier = [both[SECRET_BYTES:]] if due.is_rotated else []
        return [both[:SECRET_BYTES], *earlier]

    def unsealed(self, hook: UUID, secret: bytes) -> bytes:
        """What is sealed of a webhook, from the form in which it is stored."""
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
