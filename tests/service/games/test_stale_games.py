"""No read is stale, whoever has read the game meanwhile and wherever it has been kept."""

import asyncio
from uuid import UUID

from typing_extensions import override

from phaseledger.domain.commands import Act, TakeSeat
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest, new_game, opening
from tests.support.service.memory_store import MemoryStore


async def opened(games: GameService, key: str) -> UUID:
    game, places = new_game(key), (SeatRequest(), SeatRequest())
    await games.open(opening(game, "classic", places, options={}, dealer=0, start=False), game, key)
    return game


def sit(name: str, seat: int) -> Act:
    return Act(TakeSeat(name, secret="ab" * 32), seat)


class SlowStore(MemoryStore):
    """What is read of a game that is not in memory arrives when it is allowed to."""

    def __init__(self) -> None:
        super().__init__()
        self.read_begun, self.may_arrive = asyncio.Event(), asyncio.Event()

    @override
    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        rows = await super().read(game, after, limit)
        self.read_begun.set()
        await self.may_arrive.wait()
        return rows


async def test_a_read_that_waited_for_an_earlier_one_is_no_older_than_itself() -> None:
    store = SlowStore()
    store.may_arrive.set()
    elsewhere, here = GameService(store), GameService(store)
    game = await opened(elsewhere, "a game")
    store.may_arrive.clear()
    store.read_begun.clear()
    earlier = asyncio.create_task(here.look(game))
    await store.read_begun.wait()
    joined = await elsewhere.send(game, sit("Ann", 0), "join")
    later = asyncio.create_task(here.look(game))
    await asyncio.sleep(0)
    store.may_arrive.set()
    await earlier
    assert (await later).version == joined.version


async def test_a_game_of_a_log_that_went_back_is_not_kept_for_one_of_the_present_log() -> None:
    """Fault model: it leaves memory only after the log has gone back, and is asked for then."""
    before, after = MemoryStore(), MemoryStore()
    games = GameService(before, cached=1)
    game = await opened(games, "a game")
    rows = await before.read(game)
    await games.send(game, sit("Ann", 0), "join")
    await after.append(game, rows)
    other = await opened(GameService(after), "another one")
    games.store = after
    games.cache.distrust()
    await games.look(other)  # which takes the only place
    assert (await games.look(game)).version == len(rows)
