"""What has to come about again once there are no faults, and by when."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.simulation.history import Violation
from tests.simulation.loop import waiting
from tests.simulation.nodes import Node, World
from tests.simulation.players import IN_DOUBT, BotGame, Clients, Table
from tests.simulation.watchers import Watcher

QUIET = 4.0
"""Seconds of play after the last fault."""
ACKNOWLEDGED_WITHIN = 5.0
"""Seconds after the last fault in which each node acknowledges a command."""
READ_WITHIN = 10.0
"""Seconds in which a game is read, long after the last fault."""
CAUGHT_UP_WITHIN = 30.0
"""Seconds in which views and public log reach the head of the log."""
BOTS_DONE_WITHIN = 60.0
"""Seconds in which a short game of bots is over, long after the last fault."""
TOLD_WITHIN = 30.0
"""Seconds in which a stream has told of the newest event of a game that goes on."""
SET_ASIDE_WITHIN = 30.0
"""Seconds in which every node refuses a damaged game, long after the last fault."""
STOPPED_WITHIN = 30.0
"""Seconds in which a node stops that is told to."""


@dataclass(eq=False)
class Recovery:
    """The checks of a world without faults. All of them raise Violation."""

    world: World

    async def within(self, seconds: float, work: Any, otherwise: str) -> None:
        """Await the work, which has to be done in so many seconds."""
        task = asyncio.ensure_future(work)
        done, _ = await asyncio.wait([task], timeout=seconds)
        if not done:
            raise Violation(f"{otherwise} within {seconds:.0f} s\n{waiting(self.world.loop)}")
        task.result()

    async def require_readable(self, clients: Clients, tables: Sequence[Table]) -> None:
        """See that every node reads every table."""
        for table in tables:
            for node in self.world.there:
                look = self._look(clients, table, node)
                await self.within(READ_WITHIN, look, f"{node.name} cannot be read")

    async def require_caught_up(self) -> None:
        """See that views and public log reach the head."""
        otherwise = "views or public log do not reach the head"
        await self.within(CAUGHT_UP_WITHIN, self._caught_up(), otherwise)

    async def stop(self) -> None:
        """Stop every node."""
        for node in self.world.there:
            await self.stop_node(node)

    async def stop_node(self, node: Node) -> None:
        """Stop a node."""
        await self.within(STOPPED_WITHIN, node.stop(), f"{node.name} does not stop")

    async def set_aside(self, refused: Any) -> None:
        """See that a damaged game is refused everywhere."""
        await self.within(SET_ASIDE_WITHIN, refused, "a damaged game is not set aside")

    async def settle(self, bots: Sequence[BotGame], watchers: Sequence[Watcher]) -> None:
        """See that bots play on though nobody looks, and that streams come to the newest event."""
        for game in bots:
            otherwise = f"{game.game}, where bots are alone, does not go on"
            await self.within(BOTS_DONE_WITHIN, game.over(), otherwise)
        for watcher in watchers:
            otherwise = "a stream does not come to the newest event"
            await self.within(TOLD_WITHIN, watcher.caught_up(), otherwise)

    async def acknowledge(self, clients: Clients) -> None:
        """See that every node acknowledges commands again."""
        for node in self.world.there:
            opened = clients.open(f"canary-{node.name}", node)
            otherwise = f"{node.name} acknowledges nothing after the faults"
            await self.within(ACKNOWLEDGED_WITHIN - QUIET, opened, otherwise)

    async def refuse_writes(self, clients: Clients) -> None:
        """See that no node takes a command while something that was signed is gone."""
        self.world.log("the ledger is behind what was signed")
        for node in self.world.there:
            commits = len(self.world.history.tables.log)
            opened = asyncio.ensure_future(clients.open(f"canary-{node.name}", node))
            await asyncio.sleep(3.0)
            if opened.done() or len(self.world.history.tables.log) != commits:
                raise Violation(f"{node.name} writes to a ledger that is behind what was signed")
            opened.cancel()

    async def _look(self, clients: Clients, table: Table, node: Node) -> None:
        while table.game in self.world.history.tables.games:
            try:
                await clients.look(table.game, node=node)
            except IN_DOUBT:
                await asyncio.sleep(0.1)
            else:
                return

    async def _caught_up(self) -> None:
        """Wait until the views and the public log cover what is in the log now."""
        tables = self.world.history.tables
        head = tables.position
        while True:
            signed = [
                position
                for log in tables.logs.values()
                for _, position, note in log.checkpoints.values()
                if note is not None
            ]
            if tables.views_position >= head and max(signed, default=0) >= head:
                return
            await asyncio.sleep(0.1)
