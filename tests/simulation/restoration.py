"""What an operator does who restores an older backup: the ledger goes on with a new epoch."""

import asyncio
from contextlib import AsyncExitStack
from contextvars import Context
from dataclasses import dataclass

import psycopg

from phaseledger.service.database.epoch import OpenedLog, void_running
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import SCHEMA
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import FINAL
from phaseledger.service.transparency.signer import LogSigner
from phaseledger.service.transparency.tree import Tree
from tests.simulation.chance import Chance
from tests.simulation.network import DSN
from tests.simulation.nodes import World
from tests.simulation.process import PROCESS, Process
from tests.simulation.published import simulated_signer


@dataclass(eq=False)
class Restoration:
    """All services are stopped, the database may go back, ``new-epoch`` voids what was running."""

    world: World
    chance: Chance
    hurries: bool = False
    """Whether the operator's first try has a moment only."""

    async def run(self) -> None:
        """Restore, and start the services with the new key and log."""
        server = self.world.network.server
        for node in self.world.nodes:
            node.kill()
        server.stop(crash=False)
        if self.chance.happens(0.7):
            server.restore(1 + self.chance.below(40))
        self.world.history.go_back()
        server.start()
        running = [
            game for game, rows in server.tables.games.items() if rows[-1].topic not in FINAL
        ]
        self.world.log("the ledger is restored", running=len(running))
        while not await self._voided(self.chance.between(0.01, 0.04 if self.hurries else 4.0)):
            self.hurries = False
            await asyncio.sleep(1.0)
        self.world.history.restore(running, self.world.signer.origin)
        if running:
            self.world.reached.note("a new epoch voided a running game")
        chance = self.chance.fork("key", self.world.history.epoch)
        name = f"simulated-ledger-{self.world.history.epoch}"
        self.world.signer = simulated_signer(chance, self.world.history.publish, name)
        for node in self.world.nodes:
            node.start()

    async def _voided(self, seconds: float) -> bool:
        """Whether the command is done; what is not after so many seconds is killed."""
        process, context = Process("operator"), Context()
        context.run(PROCESS.set, process)
        work = _new_epoch(self.world.signer)
        task = self.world.loop.create_task(work, name="new-epoch", context=context)
        done, _ = await asyncio.wait([task], timeout=seconds)
        if done:
            return task.result()
        self.world.log("new-epoch is killed")
        process.killed = True
        self.world.network.cut_all(process)
        return False


async def _new_epoch(signer: LogSigner) -> bool:
    try:
        async with AsyncExitStack() as stack:
            store = await stack.enter_async_context(PostgresStore(DSN))
            tree = Tree(DSN, signer.origin)
            stack.push_async_callback(tree.close)
            await tree.open()
            opened = OpenedLog(dsn=DSN, schema=SCHEMA, store=store, tree=tree, signer=signer)
            await void_running(stack, opened, lambda _: None)
    except (StoreUnavailable, psycopg.Error):
        return False
    return True
