"""Who reads lists of games with several filters at once, page by page, each at any node; and the
model that they are held against: the lines that follow from the log.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from phaseledger.domain.evidence import codec
from phaseledger.projections.games import Chapter, continued, entry_of, folded_name, names
from phaseledger.projections.pages import Filter, GameEntry, ViewsUnavailable
from tests.simulation.history import Violation
from tests.simulation.players import IN_DOUBT, Clients

PRESETS = ("classic", "standard-deck", "express", "board")
PEOPLE = ("person 0", "PERSON 1", "Greedy", "nobody")


class Criteria(NamedTuple):
    """A list that somebody asks for."""

    wanted: Filter
    limit: int
    won: bool | None = None

    def has(self, line: GameEntry, seated: tuple[str, ...]) -> bool:
        """Whether a game belongs into the list, as the description says it."""
        ruleset, stage, player = self.wanted.ruleset, self.wanted.stage, self.wanted.player
        winners = [line.players[seat] for seat in line.winners]
        has_won = any(w and w.name == player and not w.bot for w in winners)
        return (
            (ruleset is None or line.ruleset.split("@")[0] == ruleset)
            and (stage is None or line.stage == stage)
            and (player is None or folded_name(player) in seated)
            and (self.wanted.opened_after or 0) <= line.opened_at
            and line.opened_at < (self.wanted.opened_before or 1 << 60)
            and (self.won is None or (line.stage == "ended" and has_won == self.won))
        )


@dataclass(eq=False)
class Lister:
    """Somebody who reads filtered lists to their end."""

    clients: Clients
    _chapters: dict[tuple[UUID, int, bytes | None], Chapter] = field(default_factory=dict)

    async def run(self) -> None:
        """Read one list after another. Raises Violation."""
        while not self.clients.is_closing:
            await asyncio.sleep(self.clients.chance.between(1.0, 3.0))
            try:
                await self._read(self._criteria())
            except (*IN_DOUBT, ViewsUnavailable):
                continue

    def _criteria(self) -> Criteria:
        chance, times = self.clients.chance, [None, None]
        if chance.happens(0.3):
            now = self.clients.world.network.server.now()
            times[chance.below(2)] = int(1000 * (now - chance.between(0.0, 15.0)))
        wanted = Filter(
            ruleset=chance.pick((None, None, *PRESETS)),
            stage=chance.pick((None, None, "lobby", "playing", "playing", "ended")),
            player=chance.pick((None, *PEOPLE)),
            opened_after=times[0],
            opened_before=times[1],
        )
        won = chance.pick((None, None, True, False)) if wanted.player else None
        return Criteria(wanted, 1 + chance.below(2), won)

    async def _read(self, criteria: Criteria) -> None:
        clients, history = self.clients, self.clients.history
        epoch, began = history.epoch, self._views()
        before, listed, cursor, pages = self._model(criteria), list[str](), None, 0
        first = node = clients.chance.pick(clients.nodes)
        while not pages or cursor:
            page: Any = await node.ask(
                lambda _, at=cursor, node=node: node.views.games(
                    criteria.limit, at, criteria.wanted, unlisted=True, won=criteria.won
                )
            )
            if epoch != history.epoch:
                return
            for line in page.games:
                self._check(criteria, line)
            listed += [line.game for line in page.games]
            cursor, pages = page.next, pages + 1
            node = clients.chance.pick(clients.nodes)
            if cursor and node is not first:
                clients.world.reached.note("a filtered list went on at another node")
        if len(set(listed)) != len(listed):
            raise Violation(f"a list has a game twice: {criteria}")
        after, ended = self._model(criteria), self._views()
        aside = {str(game) for (game,) in history.tables.views["aside"]}
        if aside & before:
            clients.world.reached.note("a list left a game out that is set aside")
        if (
            ended[0] == began[0]
            and ended[1] >= began[1]
            and (missing := (before & after) - {*listed} - aside)
        ):
            raise Violation(f"a list lacks the game {missing.pop()}: {criteria}")

    def _views(self) -> tuple[int, int]:
        """Which start of the server this is, and how far its views are."""
        server = self.clients.world.network.server
        return server.started, server.tables.views_position

    def _check(self, criteria: Criteria, line: GameEntry) -> None:
        """See that a line of a list is that of the log at its version, and belongs there."""
        game = UUID(line.game)
        tables = self.clients.history.tables
        if game in tables.hurt or game in tables.archived:
            return
        chapter = self._chapter(game, line.version)
        if chapter is None or entry_of(chapter) != line:
            raise Violation(f"a list has a line of {game} that is not that of the log: {line}")
        if not criteria.has(line, names(chapter.state)):
            raise Violation(f"a list has a game that it should not: {criteria}, {line}")

    def _model(self, criteria: Criteria) -> set[str]:
        """The games that belong into the list by the log up to where the views are."""
        tables, wanted = self.clients.history.tables, set[str]()
        for game, rows in tables.games.items():
            version = sum(row.position <= tables.views_position for row in rows)
            chapter = self._chapter(game, version)
            if chapter and criteria.has(entry_of(chapter), names(chapter.state)):
                wanted.add(str(game))
        return wanted

    def _chapter(self, game: UUID, version: int) -> Chapter | None:
        """The game at that version; None where the log does not have it."""
        rows = self.clients.history.tables.games.get(game, [])
        if not 0 < version <= len(rows):
            return None
        start, chapter = 0, None
        for number in range(version, 0, -1):
            row = rows[number - 1]
            if chapter := self._chapters.get((game, number, row.leaf)):
                start = number
                break
        for row in rows[start:version]:
            record, event = codec.decode(row.topic, row.state)
            chapter = continued(chapter, row.position, record.at, event)
        if game not in self.clients.history.tables.hurt:
            self._chapters[game, version, rows[version - 1].leaf] = chapter
        return chapter
