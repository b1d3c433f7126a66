"""Who uses the nodes: players who send commands and repeat them, and readers."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from phaseledger.domain.commands import Act, Command, LeaveSeat, Rejected, Start, TakeSeat
from phaseledger.domain.evidence import codec
from phaseledger.domain.legal import legal
from phaseledger.domain.options import OptionValue
from phaseledger.domain.rulesets import preset
from phaseledger.domain.terms import OPEN, Clock, Terms
from phaseledger.service.eventlog.errors import Conflict, StoreUnavailable
from phaseledger.service.eventlog.rows import FINAL
from phaseledger.service.games.errors import LogDamaged, NoSuchGame
from phaseledger.service.games.game import Answer, Snapshot, part_id
from phaseledger.service.games.play import Sitting, play
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.joining import join
from phaseledger.service.lobby.opening import SeatRequest, new_game, opening
from phaseledger.service.readmodels.errors import GameSetAside
from phaseledger.service.refusals import Refusal
from phaseledger.service.schemas.versions import named
from tests.simulation.chance import Chance
from tests.simulation.history import Violation
from tests.simulation.nodes import REVEAL_SECONDS, Node, Unreachable, World
from tests.simulation.tokens import Wallet

KINDS: tuple[tuple[str, dict[str, OptionValue]], ...] = (
    ("classic", {}),
    ("classic", {}),
    ("standard-deck", {"style": "complete_ordered"}),
    ("standard-deck", {"style": "ten_rounds_free"}),
    ("express", {}),
    ("board", {}),
)
SHORT = {"variant": "n_phases(3)", "max_turns_per_round": 15}
"""Rules of a game that bots play among themselves."""
IN_DOUBT = (Unreachable, StoreUnavailable, Conflict)
"""What a client may get that does not tell whether its command is stored."""

Work = Callable[[GameService], Any]


class Sent(NamedTuple):
    """A command that was answered, to be sent again."""

    game: UUID
    cmd: str
    work: Work
    node: Node
    """The one that has answered."""


class Clients:
    """All clients: they share the history, and reach any node."""

    def __init__(self, world: World, chance: Chance) -> None:
        self.wallet = Wallet(world, chance.fork("tokens"))
        self.nodes = world.nodes
        self.history = world.history
        self.chance = chance
        self.answered: list[Sent] = []
        self.is_closing = False
        self.repeats_all = False
        """Whether whatever is answered is asked twice more, at once."""
        self.leaving = 0.0
        """How probable it is that somebody leaves a game instead of a move."""
        self.world = world
        self._log = world.log

    async def ask(self, work: Work, node: Node | None = None) -> Any:
        """The answer of a node, or of any; Violation for what no sound service says."""
        try:
            return await (node or self.chance.pick(self.nodes)).ask(work)
        except IN_DOUBT:
            raise
        except LogDamaged as damage:
            if self.history.epoch:
                raise Unreachable("the game is behind what is remembered") from damage
            raise Violation(f"a sound log is called damaged: {damage}") from damage
        except GameSetAside as aside:
            raise Violation(f"a sound game is set aside: {aside.detail}") from aside
        except (Refusal, Rejected):
            raise
        except Exception as bug:
            raise Violation(f"a request failed: {type(bug).__name__}: {bug}") from bug

    async def send(
        self, game: UUID, cmd: str, work: Work, node: Node | None = None
    ) -> Answer | None:
        """The answer to a command, repeated until it is known; None where it was refused."""
        is_first, name = True, f"{str(game)[:8]} {cmd[:8]}"
        while True:
            began, asked = self.history.begin(game), node or self.chance.pick(self.nodes)
            try:
                answer: Answer = await self.ask(work, asked)
            except IN_DOUBT as doubt:
                self._log("in doubt", command=name, why=f"{type(doubt).__name__}: {doubt}"[:160])
                is_first = False
                if self.is_closing:
                    return None
                await asyncio.sleep(self.chance.between(0.05, 1.0))
            except (Refusal, Rejected) as refusal:
                self._log("refused", command=name, why=repr(refusal))
                if is_first:
                    self.history.refuse(began, cmd)
                return None
            else:
                self._log("acknowledged", command=name, version=answer.version)
                self.history.acknowledge(began, cmd, answer, is_first=is_first)
                self.answered.append(sent := Sent(game, cmd, work, asked))
                if self.repeats_all:
                    await asyncio.gather(self.repeat(sent), self.repeat(sent))
                    self.world.reached.note("a client repeated all it sent")
                return answer

    async def look(self, game: UUID, at_least: int = 0, node: Node | None = None) -> Snapshot:
        """The game as a node has it; raises what `ask` does."""
        began = self.history.begin(game)
        now: Snapshot = await self.ask(lambda games: games.look(game, at_least), node)
        self.history.read(began, now)
        return now

    async def open(self, key: str, node: Node | None = None) -> UUID:
        """Open a table for one person and a bot, until that is answered."""
        game = new_game(key)
        places = [SeatRequest(), SeatRequest(bot="greedy")]
        acts = opening(game, "classic", places, options={}, dealer=0, start=False)
        cmd = part_id(type(acts[-1].command), acts[-1].seat, key)
        await self.send(game, cmd, lambda games: games.open(acts, game, key), node)
        return game

    async def read_at_random(self, tables: Sequence["Table"]) -> None:
        """Read any game at any node, over and over."""
        while not self.is_closing:
            await asyncio.sleep(self.chance.between(0.1, 1.0))
            try:
                await self.look(self.chance.pick(tables).game)
            except (*IN_DOUBT, NoSuchGame):
                continue

    async def show_tokens(self) -> None:
        """Show any token to any node, over and over."""
        while not self.is_closing:
            await asyncio.sleep(self.chance.between(0.1, 1.0))
            await self.wallet.show()

    async def repeat_at_random(self) -> None:
        """Send any old command again, to any node."""
        while not self.is_closing:
            await asyncio.sleep(self.chance.between(0.2, 1.5))
            if self.answered:
                await self.repeat(self.chance.pick(self.answered))

    async def repeat(self, sent: Sent) -> None:
        """Send a command again that was answered."""
        began, node = self.history.begin(sent.game), self.chance.pick(self.nodes)
        try:
            answer = await self.ask(sent.work, node)
        except IN_DOUBT:
            return
        except (Refusal, Rejected) as refusal:
            if began.epoch == self.history.epoch and self.history.has(sent.game, sent.cmd):
                raise Violation(
                    f"the command {sent.cmd[:8]} of {sent.game} was stored, and is refused when it "
                    f"is sent again: {type(refusal).__name__}"
                ) from refusal
            return
        if node is not sent.node:
            self.world.reached.note("another node answered a repeat")
        self.history.acknowledge(began, sent.cmd, answer, is_first=False)


class Table:
    """A table, and the people at it."""

    def __init__(self, clients: Clients, number: int, chance: Chance) -> None:
        self._clients = clients
        self._chance = chance
        self._number = number
        self._key = f"table-{number}"
        self.game = new_game(self._key)
        self._kind, self._options = chance.pick(KINDS)
        people = 1 + chance.below(2)
        bots = max(preset(self._kind).seats_min, 2 + chance.below(2)) - people
        self._people = range(people)
        self._places = [SeatRequest() for _ in self._people]
        self._places += [SeatRequest(bot=chance.pick(("random", "greedy"))) for _ in range(bots)]
        then = chance.pick(("bot_move", "bot_move", "bot_for_good"))
        if clients.world.has_older:  # they know of no other way to hand a seat over either
            then = "bot_move"
        clock = Clock(seconds=2 + chance.below(4), grace=chance.below(2), then=then)
        self._terms = Terms(clock=clock) if chance.happens(0.5) else OPEN

    async def run(self) -> None:
        """Play to the end of the simulation: another game where a restore has ended the last."""
        restorations = 0
        while not self._clients.is_closing:
            await self._run()
            history = self._clients.history
            if len(history.restored) == restorations:
                return
            restorations = len(history.restored)
            self._key = f"table-{self._number}-{restorations}"
            self.game = new_game(self._key)

    async def _run(self) -> None:
        """Open the table, sit down, start, and play to the end of the game."""
        clients, game, key = self._clients, self.game, self._key
        acts = opening(
            game,
            self._kind,
            self._places,
            options=self._options,
            dealer=0,
            start=False,
            terms=self._terms,
        )
        cmd = part_id(type(acts[-1].command), acts[-1].seat, key)
        opened = await clients.send(game, cmd, lambda games: games.open(acts, game, key))
        if opened is None:
            return
        sittings = []
        for seat in self._people:
            command = TakeSeat(name=f"person {seat}", secret=self._chance.bytes(32).hex())
            sit = f"{key}-sit-{seat}"
            cmd = codec.command_id(seat, sit)
            joined = await clients.send(game, cmd, self._join(seat, command, sit))
            if joined is None:
                return
            sittings.append(Sitting(seat, joined.version))
            await clients.wallet.issue(game, seat, joined.version, sit)
        start, cmd = Act(Start()), codec.command_id(None, f"{key}-start")
        await clients.send(game, cmd, lambda games: games.send(game, start, f"{key}-start"))
        await asyncio.gather(*(self._play(sitting) for sitting in sittings))

    def _join(self, seat: int, command: TakeSeat, key: str) -> Work:
        game = self.game
        return lambda games: join(games, game, seat, command, key)

    async def _play(self, sitting: Sitting) -> None:
        version, number, chance = sitting.since, 0, self._chance.fork("seat", sitting.seat)
        while not self._clients.is_closing:
            await asyncio.sleep(chance.between(0.05, 1.2))
            if chance.happens(0.05):  # somebody is called to the door
                await asyncio.sleep(chance.between(1.0, 9.0))
            try:
                now = await self._clients.look(self.game, chance.pick((0, version + 1)))
            except IN_DOUBT:
                continue
            except NoSuchGame:
                if not self._clients.history.epoch:
                    raise Violation(f"{self.game} is gone") from None
                return
            if now.revealed:
                return
            version = now.version
            if any(question.seat == sitting.seat for question in now.state.waits):
                number += 1
                leaves = chance.happens(self._clients.leaving)
                if await self._answer(now, sitting, f"move-{number}", chance, leaves=leaves):
                    return

    async def _answer(
        self, now: Snapshot, sitting: Sitting, key: str, chance: Chance, *, leaves: bool
    ) -> bool:
        """Answer for the seat, or leave it; whether it was left."""
        choices: list[Command] = list(islice(legal(now.state, sitting.seat), 40))
        if not choices:
            return False
        act = Act(LeaveSeat() if leaves else chance.pick(choices), sitting.seat)
        game = self.game
        versions = {named(now.version, now.chain.head)} if chance.happens(0.3) else None

        def work(games: GameService) -> Any:
            return play(
                games,
                game,
                act,
                key,
                sitting=sitting,
                versions=versions,
                reveal_seconds=REVEAL_SECONDS,
            )

        cmd = codec.command_id(sitting.seat, key)
        return await self._clients.send(game, cmd, work) is not None and leaves


class BotGame:
    """A game that bots play among themselves: its opener asks for nothing more, and it ends."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._key = "bots-alone"
        self.game: UUID = new_game(self._key)

    async def open(self, after: float) -> None:
        """Have it opened after that time."""
        await asyncio.sleep(after)
        bots = [SeatRequest(bot="greedy"), SeatRequest(bot="random")]
        acts = opening(self.game, "classic", bots, options=SHORT, dealer=0, start=True)
        cmd = part_id(type(acts[-1].command), acts[-1].seat, self._key)
        game, key = self.game, self._key
        await self._clients.send(game, cmd, lambda games: games.open(acts, game, key))

    async def over(self) -> None:
        """Wait until it is over, or lost with a database that went back."""
        history = self._clients.history
        while rows := history.tables.games.get(self.game):
            if rows[-1].topic in FINAL:
                return
            await asyncio.sleep(0.1)
