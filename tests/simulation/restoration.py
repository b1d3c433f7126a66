"""What an operator does who restores an older backup: the ledger goes on with a new epoch."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from contextvars import Context

import psycopg

from phaseledger.service.database.epoch import OpenedLog, void_running
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import FINAL
from phaseledger.service.transparency.signer import LogSigner
from phaseledger.service.transparency.tree_postgres import PostgresTree
from tests.simulation.chance import Chance
from tests.simulation.history import History
from tests.simulation.loop import PROCESS, Process
from tests.simulation.network import DSN
from tests.simulation.nodes import Node, Surroundings
from tests.simulation.published import simulated_signer


class Restoration:
    """All services are stopped, the database may go back, ``new-epoch`` voids what was running."""

    def __init__(
        self,
        world: Surroundings,
        nodes: Sequence[Node],
        history: History,
        chance: Chance,
        log: Callable[..., None],
    ) -> None:
        self._world = world
        self._nodes = nodes
        self._history = history
        self._chance = chance
        self._log = log

    async def run(self) -> None:
        """Restore, and start the services with the new key and log."""
        server = self._world.network.server
        for node in self._nodes:
            node.kill()
        server.stop(crash=False)
        if self._chance.happens(0.7):
            server.restore(1 + self._chance.below(40))
        self._history.go_back()
        server.start()
        running = [
            game for game, rows in server.tables.games.items() if rows[-1].topic not in FINAL
        ]
        self._log("the ledger is restored", running=len(running))
        while not await self._voided(self._chance.between(0.01, 4.0)):
            await asyncio.sleep(1.0)
        self._history.restore(running, self._world.signer.origin)
        chance = self._chance.fork("key", self._history.epoch)
        name = f"simulated-ledger-{self._history.epoch}"
        self._world.signer = simulated_signer(chance, self._history.publish, name)
        for node in self._nodes:
            node.start()

    async def _voided(self, seconds: float) -> bool:
        """Whether the command is done; what is not after so many seconds is killed."""
        process, context = Process("operator"), Context()
        context.run(PROCESS.set, process)
        work = _new_epoch(self._world.signer)
        task = self._world.loop.create_task(work, name="new-epoch", context=context)
        done, _ = await asyncio.wait([task], timeout=seconds)
        if done:
            return task.result()
        self._log("new-epoch is killed")
        process.killed = True
        self._world.network.cut_all(process)
        return False


async def _new_epoch(signer: LogSigner) -> bool:
    try:
        async with AsyncExitStack() as stack:
            store = await stack.enter_async_context(PostgresStore(DSN))
            tree = PostgresTree(DSN, signer.origin)
            stack.push_async_callback(tree.close)
            await tree.open()
            opened = OpenedLog(dsn=DSN, schema=SCHEMA, store=store, tree=tree, signer=signer)
            await void_running(stack, opened, lambda _: None)
    except (StoreUnavailable, psycopg.Error):
        return False
    return True
