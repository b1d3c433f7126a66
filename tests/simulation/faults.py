"""What goes wrong in a simulation: faults of server, network and processes, one after another."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from tests.simulation.chance import Chance
from tests.simulation.network import Weather
from tests.simulation.nodes import Node, World

CUT_AFTER = 6.0
"""Seconds after which somebody else cuts a stalled connection, where the service need not."""


class Allowed(NamedTuple):
    """The faults of a run beside those that are always there: two that ask much of a service."""

    go_back: bool = True
    """Whether the database goes back: a standby that lagged takes its place, or an older backup is
    restored and the ledger goes on with a new epoch.
    """
    stall_for_ever: bool = True
    """Whether connections swallow answers until the service itself cuts them."""
    without: tuple[str, ...] = ()
    """Names of faults that do not come about."""


class Nemesis:
    """Brings faults about until it is told to stop, and then mends everything."""

    def __init__(self, world: World, chance: Chance, allowed: Allowed) -> None:
        self._world = world
        self._loop, self._nodes, self._server = world.loop, world.nodes, world.network.server
        self._chance = chance
        self._allowed = allowed
        self._down: set[str] = set()
        self._lag = 0
        """Commits that a standby is behind that stays so; 0: standbys differ."""
        self._promotions = 0
        self.kills_thinkers = False
        """Whether nodes are killed while a bot thinks, by preference."""
        self.count = 0

    def may(self, fault: str) -> bool:
        """Whether that fault may come about."""
        return fault not in self._allowed.without

    def keep_standby_behind(self) -> None:
        """Let every standby be behind by the same number of commits, for good."""
        self._lag = 2 + self._chance.below(20)

    async def run(self, seconds: float) -> None:
        """Bring faults about for so long."""
        faults: list[Callable[[], Awaitable[None]]] = [
            *(self._lost_answers, self._lost_answers, self._refused, self._slow),
            *(self._stalled, self._stalled, self._restart, self._crash, self._read_only),
            *(self._kill, self._kill, self._pause),
        ]
        if self._allowed.go_back:
            faults += [self._promote] * (12 if self._lag else 2)
        faults = [fault for fault in faults if self.may(fault.__name__[1:])]
        end, running = self._loop.time() + seconds, []
        await asyncio.sleep(self._chance.between(0.5, 3.0))
        while self._loop.time() < end:
            fault = self._chance.pick(faults)
            running.append(self._loop.create_task(self._bring(fault), name=fault.__name__))
            self.count += 1
            await asyncio.sleep(self._chance.between(0.3, 5.0))
        await asyncio.gather(*running)

    async def _bring(self, fault: Callable[[], Awaitable[None]]) -> None:
        self._world.log("fault begins", fault=fault.__name__)
        await fault()
        self._world.log("fault ends", fault=fault.__name__)

    # --- the network ----------------------------------------------------------------------------

    def _weathers(self) -> list[Weather]:
        """Those between the server and one node, or all."""
        nodes = self._nodes if self._chance.happens(0.4) else [self._chance.pick(self._nodes)]
        return [self._world.network.weather(node.process) for node in nodes]

    async def _change(self, least: float, most: float, **values: Callable[[], float]) -> None:
        """Let messages fare so for that long."""
        weathers = self._weathers()
        for weather in weathers:
            for name, value in values.items():
                setattr(weather, name, value())
        await asyncio.sleep(self._chance.between(least, most))
        for weather in weathers:
            for name in values:
                setattr(weather, name, 0.0)

    def _share(self, low: float, high: float) -> Callable[[], float]:
        return lambda: self._chance.between(low, high)

    async def _lost_answers(self) -> None:
        lost = {"loses_before": self._share(0, 0.2), "loses_after": self._share(0, 0.4)}
        await self._change(0.5, 5.0, **lost)

    async def _refused(self) -> None:
        await self._change(0.2, 4.0, refuses=lambda: 1.0, loses_before=lambda: 0.7)

    async def _slow(self) -> None:
        await self._change(0.5, 5.0, slow=self._share(0.1, 0.9))

    async def _stalled(self) -> None:
        weathers = self._weathers()
        for weather in weathers:
            weather.stalls = self._chance.between(0.1, 1.0)
            is_cut = not self._allowed.stall_for_ever or self._chance.happens(0.3)
            weather.cut_after = CUT_AFTER if is_cut else None
        await asyncio.sleep(self._chance.between(0.2, 5.0))
        for weather in weathers:
            weather.stalls = 0.0

    # --- the server -----------------------------------------------------------------------------

    async def _away(self, *, crash: bool, meanwhile: Callable[[], None] = lambda: None) -> None:
        if self._chance.happens(0.7):  # the worst moment is between a commit and its answer
            self._server.appended.clear()
            await asyncio.wait([self._loop.create_task(self._server.appended.wait())], timeout=2.0)
        if not self._server.is_up:
            return
        self._server.stop(crash=crash)
        meanwhile()
        await asyncio.sleep(self._chance.between(0.1, 3.0))
        self._server.start()

    async def _restart(self) -> None:
        await self._away(crash=False)

    async def _crash(self) -> None:
        await self._away(crash=True)

    async def _read_only(self) -> None:
        self._server.is_read_only = True
        await asyncio.sleep(self._chance.between(0.2, 4.0))
        self._server.is_read_only = False

    async def _promote(self) -> None:
        """A standby takes over that had not received the last commits."""

        def go_back() -> None:
            lag = self._lag or 1 + self._chance.below(self._chance.pick((2, 5, 40)))
            self._server.promote(lag)
            self._promotions += 1
            if self._lag and self._promotions > 1:
                reached = self._world.reached
                reached.note("a standby that stays behind took over again")
            self._world.history.go_back()

        await self._away(crash=True, meanwhile=go_back)

    # --- the nodes ------------------------------------------------------------------------------

    async def _kill(self) -> None:
        node = self._chance.pick(self._nodes)
        if node.name in self._down:
            return
        self._down.add(node.name)
        if self.kills_thinkers:
            await self._until_thinking(node)
        node.kill()
        await asyncio.sleep(self._chance.between(0.1, 8.0))
        node.start()
        self._down.discard(node.name)

    async def _until_thinking(self, node: Node) -> None:
        for _ in range(2_000):
            if self._world.reached.is_thinking(node.process):
                return
            await asyncio.sleep(0.001)

    async def lose_node(self, after: float) -> None:
        """End a node after that time, which never comes back."""
        await asyncio.sleep(after)
        node = self._chance.pick(self._nodes)
        node.is_gone = True
        node.kill()
        self._world.reached.note("a node never came back")

    async def fill_disk(self, seconds: float) -> None:
        """Let the server's disk be full for so long."""
        self._world.log("the disk is full")
        self._server.is_full = True
        self._world.reached.note("a disk stayed full")
        await asyncio.sleep(seconds)

    def free_disk(self) -> None:
        """Let there be room again."""
        self._server.is_full = False

    async def _pause(self) -> None:
        node, seconds = self._chance.pick(self._nodes), self._chance.between(0.5, 8.0)
        node.pause(seconds)
        await asyncio.sleep(seconds)
