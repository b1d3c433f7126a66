"""One simulation: nodes, clients and faults in virtual time, all of it by one seed."""

import asyncio
import gc
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any
from unittest.mock import patch

import structlog
from msgspec import Struct

from phaseledger.service.games import cache
from phaseledger.service.games.writer import GameService
from tests.simulation.chance import Chance
from tests.simulation.faults import Allowed, Nemesis
from tests.simulation.history import History, Violation
from tests.simulation.lists import Lister
from tests.simulation.loop import Deadlock, Livelock, VirtualLoop, run, virtual_world
from tests.simulation.network import Network, opened_without_threads
from tests.simulation.nodes import Node, World
from tests.simulation.operators import Victim, archive
from tests.simulation.players import BotGame, Clients, Table
from tests.simulation.postgres import Server
from tests.simulation.published import simulated_signer
from tests.simulation.recovery import QUIET, Recovery
from tests.simulation.releases import two_releases
from tests.simulation.restoration import Restoration
from tests.simulation.sometimes import Reached
from tests.simulation.watchers import Watcher

FAULTS = (4.0, 12.0)
"""Seconds in which faults come about: at least, at most."""
CLOCKS = 86_400.0
"""Seconds at most by which a node's clock is off: a day, which no game may notice."""

RARE = 0.25
"""What a campaign and the suite have for `Options.rare`."""


class Options(Struct, frozen=True):
    """What a run has other than the suite's: more faults, or a defect that is to be found."""

    allowed: Allowed = Allowed()
    predecessors: bool = True
    serializes: bool = True
    service: Callable[..., GameService] = GameService
    planted: Callable[[], AbstractContextManager[Any]] = nullcontext
    """Around the run: what replaces a part of the shell by a defective one."""
    watched: float = 0.2
    """How probable it is that somebody watches a table."""
    bots: float = 0.3
    """How probable it is that bots play a game among themselves."""
    rare: float = 0.0
    """How probable it is of each thing that is not in every world that it is in this one: nodes of
    the release before, a fault that stays, lists, a game that is archived or damaged.
    """


class Outcome(Struct, frozen=True):
    """What has come of a seed. The same seed has the same ``digest``, or it is another program."""

    seed: int
    digest: int
    steps: int
    seconds: float
    """Virtual ones."""
    events: int
    acknowledged: int
    repeats: int
    reads: int
    time_outs: int
    faults: int
    lost: int
    frames: int
    """Frames of streams."""
    reached: dict[str, int] = {}
    """How often each rare state was."""
    violation: str = ""
    """Why the history is not that of one ledger; empty where it is."""
    log: tuple[str, ...] = ()


class Simulation:
    """The world of one seed."""

    def __init__(self, seed: int, options: Options) -> None:
        chance = Chance("phaseledger simulation", seed)
        self.seed = seed
        self._chance, self._rare = chance, chance.fork("rare")
        self._options = options
        self.loop = VirtualLoop(chance.fork("schedule"), chance.pick((0.0, 0.3, 1.0)))
        self.loop.set_exception_handler(self._unheard)
        self.reached = Reached()
        server = Server(
            chance.fork("server"),
            predecessors=options.predecessors,
            serializes=options.serializes,
            reached=self.reached,
        )
        self.network = Network(chance.fork("network"), server)
        self.history = History(server)
        self.lines: list[str] = []
        self.faults = 0
        signer = simulated_signer(chance.fork("key"), self.history.publish)
        self._world = World(
            self.loop, self.network, self.history, signer, self.log, options.service
        )
        self._watchers: list[Watcher] = []
        self.nodes = self._world.nodes
        self.nodes += [
            Node(self._world, f"node-{n}", chance.fork("node", n), chance.between(-CLOCKS, CLOCKS))
            for n in range(chance.pick((1, 2, 2, 3)))
        ]

    def log(self, event: str, **fields: object) -> None:
        """Put a line into the simulation's log."""
        text = " ".join(f"{name}={value}" for name, value in fields.items())
        self.lines.append(f"{self.loop.time():9.4f} {event} {text}".rstrip())
        self.loop.note(event, text)
        self.reached.hear(event)

    def _unheard(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not self.loop.ending:
            self.log(
                f"unheard: {context['message']}", error=type(context.get("exception")).__name__
            )

    async def main(self) -> None:
        """Let it happen. Raises Violation."""
        chance = self._chance
        clients = Clients(self._world, chance.fork("clients"))
        clients.repeats_all = self._has()
        self._world.has_older = self._has() and len(self.nodes) > 1
        clients.leaving = 0.15 if self._world.has_older else 0.02 * self._has()
        tables = [Table(clients, n, chance.fork("table", n)) for n in range(2 + chance.below(3))]
        for n, node in enumerate(self.nodes):
            node.start(older=self._world.has_older and n > 0)
        busy = [self._beside(table.run(), f"table {n}") for n, table in enumerate(tables)]
        busy += [
            self._beside(clients.read_at_random(tables), "reader"),
            self._beside(clients.repeat_at_random(), "repeater"),
            self._beside(clients.show_tokens(), "shower"),
        ]
        bots = [BotGame(clients)] if chance.happens(self._options.bots) else []
        busy += [self._beside(game.open(chance.between(0.0, 6.0)), "bots") for game in bots]
        victims = [Victim(clients)] if self._has() else []
        busy += self._also(clients, bots, victims)
        watching = self._watch(tables, chance.fork("watchers"))
        busy += watching
        recovery = Recovery(self._world)
        await self._go_wrong(clients, tables, recovery, busy)
        await self._unless_broken(self._restore(chance.fork("restore")), busy)
        # A ledger that is behind what was signed takes no commands; it is read all the same.
        is_whole = not (self.history.epoch and self.history.is_behind_signed)
        if is_whole:
            await self._unless_broken(recovery.acknowledge(clients), busy)
            await self._unless_broken(recovery.settle(bots, self._watchers), busy)
            for victim in victims:
                await self._unless_broken(recovery.set_aside(victim.refused()), busy)
        else:
            await self._unless_broken(recovery.refuse_writes(clients), busy)
        clients.is_closing = True
        for task in watching:
            task.cancel()
            busy.remove(task)
        await recovery.within(
            30.0, asyncio.gather(*busy), "the clients' last requests are not over"
        )
        for sent in {(sent.game, sent.cmd): sent for sent in clients.answered}.values():
            if chance.happens(0.25):
                await clients.repeat(sent)
        await recovery.require_readable(clients, tables)
        if is_whole:
            await recovery.require_caught_up()
        await recovery.stop()
        self.history.check()

    def _also(
        self, clients: Clients, bots: Sequence[BotGame], victims: Sequence[Victim]
    ) -> list[asyncio.Task[None]]:
        """What is not in every world: lists, an archive, a game that is damaged."""
        also = [self._beside(victim.run(self._rare.between(2, 8)), "victim") for victim in victims]
        if victims or self._has():
            also.append(self._beside(Lister(clients).run(), "lister"))
        if self._has():
            also += [self._beside(archive(clients, game), "archivist") for game in bots]
        return also

    async def _go_wrong(
        self,
        clients: Clients,
        tables: Sequence[Table],
        recovery: Recovery,
        busy: list[asyncio.Task[None]],
    ) -> None:
        """Let faults come about, some of which stay, and then none any more, but a lost node."""
        rare = self._rare
        nemesis = Nemesis(self._world, self._chance.fork("faults"), self._options.allowed)
        nemesis.kills_thinkers = self._has()
        if self._has() and nemesis.may("stay_behind"):
            nemesis.keep_standby_behind()
        if self._has() and nemesis.may("lose_node") and len(self.nodes) > 1:
            busy.append(self._beside(nemesis.lose_node(rare.between(0.5, 6.0)), "lost node"))
        await self._unless_broken(nemesis.run(self._chance.between(*FAULTS)), busy)
        self.faults = nemesis.count
        self.log("no fault any more")
        for node in self._world.there:
            if node.process.is_older:  # the last of the release before goes
                await recovery.stop_node(node)
                node.start()
        if self._has() and nemesis.may("fill_disk"):
            await self._unless_broken(nemesis.fill_disk(rare.between(5.0, 15.0)), busy)
            await self._unless_broken(recovery.require_readable(clients, tables), busy)
            nemesis.free_disk()
        await self._unless_broken(asyncio.sleep(QUIET), busy)

    def _has(self) -> bool:
        return self._rare.happens(self._options.rare)

    def _beside(self, work: Any, name: str) -> asyncio.Task[None]:
        return self.loop.create_task(work, name=name)

    async def _unless_broken(self, work: Any, busy: list[asyncio.Task[None]]) -> None:
        """Await the work, and end it when a client has seen what must not be."""
        working = self.loop.create_task(work, name="simulation")
        while not working.done():
            watched = [working, *(task for task in busy if not task.done())]
            await asyncio.wait(watched, return_when=asyncio.FIRST_COMPLETED)
            for task in busy:
                if task.done():
                    task.result()
        working.result()

    def _watch(self, tables: Sequence[Table], chance: Chance) -> list[asyncio.Task[None]]:
        self._watchers = [
            Watcher(self._world, table, chance.fork(n))
            for n, table in enumerate(tables)
            if chance.happens(self._options.watched)
        ]
        return [self._beside(watcher.run(), "watcher") for watcher in self._watchers]

    async def _restore(self, chance: Chance) -> None:
        """Go on from an older backup: mostly where what was signed is gone, else now and then."""
        history, rare = self.history, self._options.rare
        wanted = chance.happens(
            0.6 if history.epoch and history.is_behind_signed else 0.05 + rare / 4
        )
        if wanted and self._options.allowed.go_back and not history.tables.hurt:
            await Restoration(self._world, chance, hurries=self._has()).run()
            await asyncio.sleep(QUIET)

    def outcome(self, violation: str = "") -> Outcome:
        """What has come of it."""
        history = self.history
        counts = ("repeats", "reads", "time_outs", "lost", "frames")
        return Outcome(
            seed=self.seed,
            digest=self.loop.digest,
            steps=self.loop.steps,
            seconds=self.loop.time(),
            events=len(history.tables.log),
            acknowledged=len(history.acknowledged),
            faults=self.faults,
            reached=dict(self.reached),
            violation=violation,
            log=tuple(self.lines),
            **{name: getattr(history, name) for name in counts},
        )


def simulate(seed: int, options: Options | None = None) -> Outcome:
    """The outcome of a seed."""
    options = options or Options(rare=RARE)
    with _steady_memory(), ExitStack() as stack:
        simulation = Simulation(seed, options)
        stack.enter_context(virtual_world(simulation.loop, simulation._chance.fork("secrets")))
        stack.enter_context(simulation.network.patched())
        stack.enter_context(opened_without_threads())
        stack.enter_context(_logged(simulation))
        stack.enter_context(patch.object(cache, "PACKED", 1))
        stack.enter_context(two_releases(simulation.reached))
        stack.enter_context(options.planted())
        stack.enter_context(simulation.reached.watching())
        violation, outcome = "", None

        async def main() -> None:
            nonlocal violation, outcome
            try:
                await simulation.main()
            except (Violation, Deadlock, Livelock) as error:
                violation = str(error) or type(error).__name__
            simulation.log("is over", violation=violation)
            outcome = simulation.outcome(violation)

        try:
            run(simulation.loop, main())
        except (Deadlock, Livelock) as error:
            outcome = outcome or simulation.outcome(f"{type(error).__name__}: {error}")
        unknown = simulation.network.server.unknown
        assert not unknown, f"tests/simulation/statements.py has to learn: {unknown[0]}"
        assert outcome is not None
        return outcome


@contextmanager
def _steady_memory() -> Iterator[None]:
    """Collect garbage at the end only: when it goes otherwise depends on what ran before, and tasks
    of a killed process, to which nobody refers, would be ended by it.
    """
    gc.freeze()  # what is there already need not be looked at again
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.collect()
        gc.unfreeze()


@contextmanager
def _logged(simulation: Simulation) -> Iterator[None]:
    """Let what the shell logs go into the simulation's log."""

    def put(_logger: object, _method: str, fields: Any) -> Any:
        simulation.log(str(fields.pop("event")), **fields)
        raise structlog.DropEvent

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            simulation.log(record.getMessage() if record.name.startswith("phase") else record.msg)

    before, handler = structlog.get_config(), Lines()
    loggers = [logging.getLogger(name) for name in ("phaseledger", "psycopg", "asyncio")]
    propagates = [logger.propagate for logger in loggers]
    structlog.configure(
        processors=[put],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=False,
    )
    for logger in loggers:
        logger.addHandler(handler)
        logger.propagate = False
    try:
        yield
    finally:
        for logger, propagate in zip(loggers, propagates, strict=True):
            logger.removeHandler(handler)
            logger.propagate = propagate
        structlog.configure(**before)
