"""What operators and disks do to single games: one is archived, another is damaged."""

import asyncio
from uuid import UUID

from phaseledger.domain.commands import Act, Rejected, Start
from phaseledger.service.games.errors import GameArchived, NoSuchGame
from phaseledger.service.games.writer import GameService
from phaseledger.service.readmodels.errors import GameSetAside
from phaseledger.service.refusals import Refusal
from phaseledger.service.schemas.versions import KnownVersion
from tests.simulation.history import Violation
from tests.simulation.nodes import Node, Unreachable, stream_of
from tests.simulation.players import IN_DOUBT, BotGame, Clients, Sent
from tests.simulation.tables import Tables
from tests.simulation.view_statements import FINISHED_AT


async def archive(clients: Clients, game: BotGame) -> None:
    """Archive the game of bots once it is over and the views have it, and read it at any node."""
    world, id_ = clients.world, game.game
    tables = world.history
    while not _is_over(tables.tables, id_):
        if clients.is_closing:
            return
        await asyncio.sleep(0.5)
    server = world.network.server
    server.commit([(Tables.archive, (id_, server.now()))], is_flushed=True)
    tables.forget_archived()
    world.log("a game is archived", game=id_)
    while not clients.is_closing:
        await asyncio.sleep(clients.chance.between(0.2, 1.0))
        try:
            await clients.ask(lambda games: games.look(id_))
        except GameArchived:
            world.reached.note("a read met an archived game")
        except (*IN_DOUBT, NoSuchGame):  # perhaps the database went back
            continue
        else:
            if id_ in tables.tables.archived and not world.history.epoch:
                raise Violation(f"{id_} is archived, and is read")


def _is_over(tables: Tables, game: UUID) -> bool:
    row = tables.views["games"].get((game,))
    return bool(row and row[FINISHED_AT] and game in tables.games)


class Victim:
    """A game whose stored record a disk changes, and who asks for it all the same."""

    def __init__(self, clients: Clients) -> None:
        self.clients = clients
        self.game: UUID | None = None
        self._sent: list[Sent] = []

    async def run(self, after: float) -> None:
        """Open the game, have it damaged, and ask for it in every way, at any node."""
        clients, world = self.clients, self.clients.world
        self.game = await clients.open("victim")
        of_others = [sent for sent in clients.answered if sent.game != self.game]
        self._sent = [sent for sent in clients.answered if sent.game == self.game]
        clients.answered[:] = of_others
        await asyncio.sleep(after)
        if self.game not in world.history.tables.games or clients.is_closing:
            return
        world.log("a game is damaged", game=self.game)
        world.network.server.commit([(Tables.damage, (self.game,))], is_flushed=True)
        while not clients.is_closing:
            await asyncio.sleep(clients.chance.between(0.1, 0.5))
            node = clients.chance.pick(world.nodes)
            await self._ask(clients.chance.pick(("read", "command", "repeat", "stream")), node)

    async def refused(self) -> None:
        """Wait until every node refuses the damaged game on every path."""
        for node in self.clients.world.there:
            for way in ("read", "command", "repeat", "stream"):
                while self._is_damaged() and not await self._ask(way, node):
                    await asyncio.sleep(0.2)

    def _is_damaged(self) -> bool:
        return self.game in self.clients.world.history.tables.damaged

    async def _ask(self, way: str, node: Node) -> bool:
        """Ask in that way; whether the game is refused since it is set aside."""
        try:
            if way == "stream":
                await node.ask(self._first_part)
            else:
                await node.ask(getattr(self, f"_{way}"))
        except GameSetAside:
            self.clients.world.reached.note(f"a {way} met a game that is set aside")
            return True
        except (Unreachable, Refusal, Rejected):
            return False
        return False

    async def _read(self, games: GameService) -> None:
        await games.look(self.game)

    async def _command(self, games: GameService) -> None:
        await games.send(self.game, Act(Start()), self.clients.chance.bytes(8).hex())

    async def _repeat(self, games: GameService) -> None:
        for sent in self._sent:
            await sent.work(games)

    async def _first_part(self, games: GameService) -> None:
        streams = next(node.streams for node in self.clients.nodes if node.games is games)
        assert streams is not None
        async for _ in stream_of(games, streams, self.game, KnownVersion(0)):
            return
