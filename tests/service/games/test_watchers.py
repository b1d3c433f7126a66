"""When the watchers of games are called: at every write, and at reads as often as it may matter."""

from uuid import UUID

import pytest

from phaseledger.domain.commands import Act, TakeSeat
from phaseledger.service.eventlog import clock
from phaseledger.service.games.reader import SHOWN
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest, new_game, opening
from tests.support.service.memory_store import MemoryStore


async def test_many_who_look_at_one_version_call_the_watchers_once_in_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    elapsed, called = [0], list[tuple[UUID, int]]()
    monkeypatch.setattr(clock, "elapsed_ns", lambda: elapsed[0] * 1_000_000)

    games = GameService(MemoryStore())
    game, places = new_game("a game"), (SeatRequest(), SeatRequest())
    acts = opening(game, "classic", places, options={}, dealer=0, start=False)
    await games.open(acts, game, "a game")
    games.watchers.append(lambda game: called.append((game.id, game.version)))

    async def calls(at_least: int = 0, *, watching: bool = True) -> int:
        called.clear()
        for _ in range(3):
            await games.look(game, at_least, watching=watching)
        return len(called)

    assert await calls() == 1
    assert await calls() == 0
    assert await calls(watching=False) == 3  # the service itself, such as for a new feed
    elapsed[0] += SHOWN - 1
    assert await calls() == 0
    elapsed[0] += 1
    assert await calls() == 1
    await games.send(game, Act(TakeSeat("Ann", secret="ab" * 32), 0), "join")
    assert await calls() == 1
    assert called == [(game, games.cached(game).version)]  # type: ignore[union-attr]
    games.cache.distrust()
    assert await calls() == 1  # of the same version, read anew


async def test_who_waits_for_a_version_calls_the_watchers_before() -> None:
    games = GameService(MemoryStore(), patience=0.05)
    game, places = new_game("a game"), (SeatRequest(), SeatRequest())
    acts = opening(game, "classic", places, options={}, dealer=0, start=False)
    now = await games.open(acts, game, "a game")
    await games.look(game, watching=True)
    called = list[UUID]()
    games.watchers.append(lambda game: called.append(game.id))
    await games.look(game, now.version + 1, watching=True)
    assert len(called) > 0
