"""Games that leave memory, packed or altogether, are played like those that stay in it."""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import pytest
from msgspec.structs import replace
from typing_extensions import override

from phaseledger.domain.bots import decision
from phaseledger.domain.commands import Act, LeaveSeat, OpenGame, Pass, Start, TakeSeat
from phaseledger.domain.evidence import codec
from phaseledger.domain.terms import Clock, Terms
from phaseledger.service.eventlog.clock import LOCAL
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games import cache
from phaseledger.service.games.cache import GameCache
from phaseledger.service.games.errors import KeyReused
from phaseledger.service.games.game import Answer, Decision, Game, apply_decisions
from phaseledger.service.games.writer import GameService
from tests.golden.games import game as golden_game
from tests.support.service.memory_store import MemoryStore
from tests.support.table import GAME

ID = UUID(GAME)
TIMED = Terms(clock=Clock(9, grace=1), spectators="round")


def timed(acts: Sequence[Act]) -> list[Act]:
    """The same decisions at a table with a clock, at which somebody has left before."""
    first, *others = acts
    assert isinstance(first.command, OpenGame)
    left = [Act(TakeSeat("somebody", secret="ab" * 32), 0), Act(LeaveSeat(), 0)]
    return [replace(first, command=replace(first.command, table=TIMED)), *left, *others]


@pytest.mark.parametrize("name", ["board-2", "classic-3-twist", "express-3"])
def test_a_packed_game_is_the_same_after_every_command(name: str) -> None:
    acts, _ = golden_game(name)
    games = GameCache(1, LOCAL)
    commands: dict[str, int] = {}
    for number, act in enumerate(timed(acts)):
        game = games.game(ID)
        decision = Decision(act, codec.command_id(act.seat, f"key {number}"))
        pending = apply_decisions(game.now, [decision])
        commands |= pending.versions
        game.commands.update(pending.versions)
        game.become(pending.after)
        games.keep(game)
        del game
        games.keep(Game(UUID(int=7)))
        assert games.find(ID) is None
        assert games.game(ID).now == pending.after
        assert games.game(ID).commands == commands


class Exchange(NamedTuple):
    """What was decided, and the answer."""

    decisions: Sequence[Decision]
    answer: Answer


class Loads(MemoryStore):
    """A log that counts the games that are read from their first event."""

    loads = 0

    @override
    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        self.loads += after == 0 and limit is None
        return await super().read(game, after, limit)


async def written(games: GameService, game: UUID, decisions: Sequence[Decision]) -> Answer:
    def recall(game: Game) -> Sequence[Decision] | None:
        return decisions if decisions[0].cmd in game.commands else None

    return await games.write(game, recall, lambda _: decisions, "discard")


async def played(games: GameService, ids: Sequence[UUID], moves: int) -> list[list[Exchange]]:
    """Games that bots play in turn, move by move; ids are those of their games."""
    rounds = []
    for number in range(moves):
        rounds.append([])
        for game in ids:
            decisions = await decided(games, game, number)
            rounds[-1].append(Exchange(decisions, await written(games, game, decisions)))
    return rounds


async def decided(games: GameService, game: UUID, number: int) -> list[Decision]:
    """The command of that number: the opening with its seats, or what a greedy bot does then."""
    if number == 0:
        acts = [
            Act(OpenGame(str(game), "express", 2, secret="cd" * 32)),
            *(Act(TakeSeat(f"seat {n}", secret=f"{n:064}"), n) for n in range(2)),
            Act(Start()),
        ]
    else:
        state = (await games.look(game)).state
        seat = state.waits[0].seat
        acts = [Act(decision("greedy", state, seat, b"chance", number), seat)]
    return [
        Decision(act, codec.command_id(act.seat, f"{number} {n}")) for n, act in enumerate(acts)
    ]


@pytest.mark.parametrize("packed", [1, 4])
def test_games_that_leave_memory_are_played_like_those_that_stay(
    packed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And every command is known afterwards."""
    monkeypatch.setattr(cache, "PACKED", packed)
    games = [UUID(int=number) for number in range(1, 4)]

    async def scene() -> None:
        stores = Loads(), Loads()
        services = [
            GameService(store, cached=cached) for store, cached in zip(stores, (9, 1), strict=True)
        ]
        staying, leaving = [await played(service, games, 50) for service in services]
        for exchanges, others in zip(leaving, staying, strict=True):
            assert [e.answer.state for e in exchanges] == [o.answer.state for o in others]
        assert stores[0].loads == 3
        if packed > 1:  # all that leave memory stay packed
            assert stores[1].loads == 3
        else:
            assert stores[1].loads > 50
        for service, rounds in zip(services, (staying, leaving), strict=True):
            for number in (0, 5, 30, 49):
                await service.look(games[1])  # the other one leaves, if only one stays
                exchange = rounds[number][0]
                repeat = await written(service, games[0], exchange.decisions)
                assert repeat == exchange.answer._replace(is_repeated=True)
            other = Decision(Act(Pass(), 0), staying[30][0].decisions[0].cmd)
            with pytest.raises(KeyReused):
                await written(service, games[0], [other])

    asyncio.run(scene())
