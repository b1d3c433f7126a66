"""Games that leave memory are played like those that stay in it."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple
from uuid import UUID

import pytest
from typing_extensions import override

from phaseledger.domain.bots.registry import BOTS, chooser
from phaseledger.domain.commands import Act, OpenGame, Pass, Start, TakeSeat
from phaseledger.domain.evidence import codec
from phaseledger.domain.legal import legal
from phaseledger.domain.sight import Sight
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.eventlog.snapshots import ColdGame
from phaseledger.service.games import snapshot_keeper
from phaseledger.service.games.errors import KeyReused
from phaseledger.service.games.game import (
    Answer,
    Decision,
    Game,
)
from phaseledger.service.games.packed_games import PackedGames
from phaseledger.service.games.service import GameService
from phaseledger.service.games.snapshots import program
from tests.golden.games import game as golden_game
from tests.support.service.game_courses import ID, Course, Reads, logged


class Exchange(NamedTuple):
    """What was decided, and the answer."""

    decisions: Sequence[Decision]
    answer: Answer


async def written(games: GameService, game: UUID, decisions: Sequence[Decision]) -> Answer:
    def recall(game: Game) -> Sequence[Decision] | None:
        return decisions if decisions[0].cmd in game.commands else None

    return await games.write(game, recall, lambda _: decisions, "play")


async def played(games: GameService, ids: Sequence[UUID], moves: int) -> list[list[Exchange]]:
    """Games that bots play in turn, move by move; ids are those of their games."""
    rounds = []
    for number in range(moves):
        rounds.append([])
        for game in ids:
            decisions = await decided(games, game, number)
            answer = await written(games, game, decisions)
            rounds[-1].append(Exchange(decisions, answer))
            await games.snapshots.flush()
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
        pick, choices = chooser(b"chance", number), partial(legal, state, seat)
        acts = [Act(BOTS["greedy"](Sight(state, seat), state.ruleset, choices, pick), seat)]
    return [
        Decision(act, codec.command_id(act.seat, f"{number} {n}")) for n, act in enumerate(acts)
    ]


@pytest.mark.parametrize("packed", [0, 1])
def test_games_that_leave_memory_are_played_like_those_that_stay(
    packed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where all snapshots are dropped in between; and every command is known afterwards."""
    monkeypatch.setattr(snapshot_keeper, "TAIL", 3)
    games = [UUID(int=number) for number in range(1, 4)]

    class Forgetful(Reads):
        @override
        async def read_cold(self, game: UUID, program: bytes) -> ColdGame:
            if len(self.cold) % 7 == 3:
                self._snapshots.clear()
            return await super().read_cold(game, program)

    async def scene() -> None:
        stores = Reads(), Reads(), Forgetful()
        services = [
            GameService(store, cached=cached)
            for store, cached in zip(stores, (9, 1, 1), strict=True)
        ]
        for service in services[1:]:
            service._packed = PackedGames(packed)
        staying, *leaving = [await played(service, games, 100) for service in services]
        for left in leaving:
            for exchanges, others in zip(left, staying, strict=True):
                assert [e.answer.state for e in exchanges] == [o.answer.state for o in others]
        assert len(stores[0].cold) == 3
        if packed:  # all that leave memory stay packed
            assert len(stores[1].cold) == 3
        else:
            assert len(stores[1].cold) > 100
            assert any(cold.snapshot for cold in stores[1].cold)
        for service, rounds in zip(services, (staying, *leaving), strict=True):
            for number in (0, 5, 60, 99):
                await service.look(games[1])  # the other one leaves, if only one stays
                exchange = rounds[number][0]
                repeat = await written(service, games[0], exchange.decisions)
                assert repeat == exchange.answer._replace(is_repeated=True)
            other = Decision(Act(Pass(), 0), staying[60][0].decisions[0].cmd)
            with pytest.raises(KeyReused):
                await written(service, games[0], [other])

    asyncio.run(scene())


def test_an_over_game_has_no_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot_keeper, "LONG_TAIL", 20)
    acts, _ = golden_game("classic-2-ten-rounds")

    async def scene() -> None:
        store = MemoryStore()
        games = GameService(store)
        for number, act in enumerate(acts):
            decision = Decision(act, codec.command_id(act.seat, f"key {number}"))
            before = await store.read_cold(ID, program())
            await written(games, ID, [decision])
            await games.snapshots.flush()
        assert before.snapshot is not None
        assert (await store.read_cold(ID, program())).snapshot is None

    asyncio.run(scene())


def test_a_process_that_stops_leaves_snapshots_of_what_it_had_in_memory() -> None:
    course = Course(golden_game("board-2")[0][:40])

    async def scene() -> None:
        store = await logged(course)
        games = GameService(store)
        now = await games.look(ID)
        await games.keep_all()
        cold = await store.read_cold(ID, program())
        assert cold.snapshot is not None
        assert cold.snapshot.version == now.version == cold.rows[0].version

    asyncio.run(scene())
