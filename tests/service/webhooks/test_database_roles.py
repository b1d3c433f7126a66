"""What the database roles may do to webhooks: the service all, the projections nothing at all."""

import asyncio
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from phaseledger.service.database.setup import upgrade
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.settings import Settings
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.messages import new_secret
from phaseledger.service.webhooks.sender import Sender
from phaseledger.service.webhooks.sql import TABLES
from phaseledger.service.webhooks.store import HookRegistration, Webhooks
from tests.support.projection_logs import game_id, played


def test_the_service_delivers_and_the_projections_see_no_secret(
    postgres_dsn: str, empty_schema: str
) -> None:
    service, follower = (f"{kind}_{uuid4().hex[:8]}" for kind in ("service", "follower"))
    roles = (service, follower)
    with psycopg.connect(postgres_dsn, autocommit=True) as conn:
        for role in roles:
            conn.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(role)))
    settings = Settings(database_url=postgres_dsn, schema=empty_schema)
    try:
        upgrade(settings, application_role=service, projection_role=follower)
        asyncio.run(_delivers(make_conninfo(postgres_dsn, user=service), empty_schema))
        with psycopg.connect(make_conninfo(postgres_dsn, user=follower), autocommit=True) as conn:
            for table in TABLES:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    conn.execute(SQL("TABLE {}").format(Identifier(empty_schema, table)))
    finally:
        with psycopg.connect(postgres_dsn, autocommit=True) as conn:
            for role in roles:
                conn.execute(SQL("DROP OWNED BY {0}; DROP ROLE {0}").format(Identifier(role)))


async def _delivers(dsn: str, schema: str) -> None:
    """All that the service does: register, tell, deliver, forget."""
    game, (_, rows) = game_id(1), played(1)
    hooks = Webhooks(dsn, schema=schema)
    async with PostgresStore(dsn, schema=schema) as store:
        deliveries = Deliveries(store, hooks, Sender(allow_private=True))
        async with deliveries:
            new = HookRegistration(uuid4(), "http://127.0.0.1:9/", ("game.ended",), new_secret())
            (hook,) = await hooks.register(game, 0, [new])
            await store.append(game, rows)
            while await deliveries.tell():
                pass
            # Nothing has shown that it works.
            assert await hooks.claim(30, 9, proven=True, notices=True) == []
            (due,) = await hooks.claim(30, 9, proven=False, notices=True)
            assert (due.hook, due.tries) == (hook.id, 0)
            assert await hooks.claim(30, 9, proven=False, notices=True) == []
            await deliveries._send(due)
            (failed,) = await hooks.hooks(game)
            assert failed.reason == "no connection"
            assert await hooks.delete(game, hook.id)
