"""Webhooks of a game whose log went back: nothing is told by a state that never was."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from uuid import UUID, uuid4

import msgspec
import psycopg

from phaseledger.domain.commands import Act, Start, TakeSeat
from phaseledger.service.app import in_postgres
from phaseledger.service.automation.bots import retry_while_unavailable
from phaseledger.service.eventlog.continuity import Continuity
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest, new_game, new_key, opening
from phaseledger.service.settings import Settings
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.sender import Sender
from phaseledger.service.webhooks.store import HookRegistration, Webhooks
from tests.support.ledgers import prepared
from tests.support.service.replication import Pair, replicated
from tests.support.service.server import serving

SECRET = "ab" * 32


@asynccontextmanager
async def process(dsn: str) -> AsyncIterator[tuple[GameService, Deliveries]]:
    """The games and the deliveries of one process."""
    continuity = Continuity()
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(PostgresStore(dsn, continuity=continuity))
        deliveries = Deliveries(store, Webhooks(dsn), Sender())
        await stack.enter_async_context(deliveries)
        games = GameService(store)
        continuity.watchers += [games.cache.distrust, deliveries.distrust]
        yield games, deliveries


async def sit(games: GameService, game: UUID, seat: int, name: str) -> None:
    await games.send(game, Act(TakeSeat(name, secret=SECRET), seat), new_key())


async def tell(deliveries: Deliveries) -> None:
    while await retry_while_unavailable(deliveries.tell):
        pass


def test_messages_say_nothing_of_events_that_were_lost(tmp_path: Path) -> None:
    """Another process has told of what came in their place, so the versions alone are the same."""

    async def scene(pair: Pair) -> None:
        game = new_game("")
        acts = opening(game, "classic", [SeatRequest()] * 2, options={}, dealer=0, start=False)
        async with process(pair.dsn) as (here, mine):
            await here.open(acts, game, new_key())
            hook = HookRegistration(uuid4(), "http://x.example/", ("game.started",), b"secret")
            await mine.hooks.register(game, 0, [hook])
            await sit(here, game, 0, "Ann")
            await asyncio.to_thread(pair.await_standby)
            await asyncio.to_thread(pair.cut_replication)
            await sit(here, game, 1, "Lost")
            await tell(mine)
            await asyncio.to_thread(pair.fail_over)
            async with process(pair.dsn) as (there, others):
                await sit(there, game, 1, "Bea")
                await tell(others)
                await there.send(game, Act(Start()), new_key())
            await tell(mine)

    with replicated() as pair:
        prepared(pair.dsn, "phaseledger", tmp_path)
        asyncio.run(scene(pair))
        with psycopg.connect(pair.standby.dsn) as conn:
            rows = conn.execute("SELECT body FROM phaseledger.webhook_deliveries").fetchall()
    messages = [msgspec.json.decode(body) for (body,) in rows]
    (started,) = [message for message in messages if message["type"] == "game.started"]
    assert started["data"]["players"] == ["Ann", "Bea"]


def test_the_service_tells_its_deliveries_of_another_history(settings: Settings) -> None:
    parts = in_postgres(settings)
    assert parts.deliveries is not None
    assert parts.continuity is not None
    with serving(parts):
        assert parts.deliveries.distrust in parts.continuity.watchers
