"""The requests of an address wait for one another, and nobody else waits for them."""

import asyncio
from itertools import pairwise
from typing import Any, cast

import pytest

from phaseledger.domain.commands import Act, TakeSeat
from phaseledger.service.api.client_address import origin
from phaseledger.service.api.limits import turns as module
from phaseledger.service.api.limits.rates import Limits
from phaseledger.service.api.limits.turns import AT_ONCE, BUSY_AT_ONCE, Turns, with_turns
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.games.service import GameService
from phaseledger.service.lobby.opening import SeatRequest, new_game, opening
from phaseledger.service.quotas.token_buckets import RateLimitPolicy

BUSY, OTHER = b"busy", b"other"


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_so_many_are_served_at_a_time_in_the_order_in_which_they_came() -> None:
    async def scene() -> None:
        turns, served = Turns(lambda _: 2), list[int]()

        async def request(number: int) -> None:
            give_back = await turns.wait(BUSY)
            served.append(number)
            await ends[number].wait()
            give_back()
            give_back()  # once more changes nothing

        ends = [asyncio.Event() for _ in range(5)]
        tasks = [asyncio.create_task(request(number)) for number in range(5)]
        await settled()
        assert served == [0, 1]
        (await turns.wait(OTHER))()
        ends[1].set()
        await settled()
        assert served == [0, 1, 2]
        tasks[3].cancel()  # a client that hangs up while it waits
        ends[0].set()
        await settled()
        assert served == [0, 1, 2, 4]
        for end in ends:
            end.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert turns._lines == {}

    asyncio.run(scene())


def test_only_so_many_wait() -> None:
    async def scene() -> None:
        turns = Turns(lambda _: 1, most_waiting=2)
        give_back = await turns.wait(BUSY)
        tasks = [asyncio.create_task(turns.wait(BUSY)) for _ in range(2)]
        await settled()
        assert (turns.has_room(BUSY), turns.has_room(OTHER)) == (False, True)
        give_back()
        for task in tasks:
            (await task)()
        assert turns.has_room(BUSY)

    asyncio.run(scene())


def of_work(used: float) -> tuple[Limits, Any]:
    """Limits of work, and the scope of a request whose address has used so much of it."""
    work = RateLimitPolicy("address-work", 0.001, 1_000), RateLimitPolicy("token-work", 1, 1)
    scope: Any = {"type": "http", "method": "GET", "path": "/x", "headers": []}
    scope["client"] = ("198.51.100.7", 1)
    work[0].charge(origin(scope), used, 0.0)
    return Limits(None, None, work=work), scope


def test_a_request_that_waits_for_something_gives_up_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "HELD", 0.05)

    async def scene() -> None:
        turns = Turns(lambda _: 1)
        await turns.wait(BUSY)
        (await turns.wait(BUSY))()
        assert turns._lines == {}

    asyncio.run(scene())


def test_a_long_poll_gives_up_its_turn_while_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots of one address that wait for their turn in a game do not hold up the one that moves."""
    monkeypatch.setattr(module, "HELD", 1e9)
    limits, scope = of_work(2 * module.BUSY)

    async def scene() -> None:
        games, game = GameService(MemoryStore()), new_game("")
        seats = (SeatRequest(), SeatRequest())
        acts = opening(game, "classic", seats, options={}, dealer=0, start=False)
        await games.open(acts, game, "open")
        version = (await games.look(game)).version

        asked, versions = list[None](), list[int]()

        async def long_poll(*_: object) -> None:
            asked.append(None)
            versions.append((await games.look(game, version + 1)).version)

        app = with_turns(long_poll, limits, lambda: 0.0)
        unused: Any = None
        waiting = [asyncio.create_task(app(scope, unused, unused)) for _ in range(2 * AT_ONCE)]
        while len(asked) < len(waiting):
            await asyncio.sleep(0)
        await games.send(game, Act(TakeSeat("Ann", secret="ab" * 32), 0), "join")
        await asyncio.gather(*waiting)
        assert versions == [version + 1] * len(waiting)

    asyncio.run(scene())


def served_at_once(used: float) -> int:
    """How many of fifty requests that come in one moment are begun, by what was used before."""
    limits, scope = of_work(used)
    begun = list[None]()

    async def scene() -> int:
        async def request(*_: object) -> None:
            begun.append(None)
            await end.wait()

        end, unused = asyncio.Event(), cast(Any, None)
        app = with_turns(request, limits, lambda: 0.0)
        tasks = [asyncio.create_task(app(scope, unused, unused)) for _ in range(50)]
        await settled()
        count = len(begun)
        end.set()
        await asyncio.gather(*tasks)
        assert len(begun) == len(tasks)
        return count

    return asyncio.run(scene())


def rests(used: float, work: float = 0) -> list[float]:
    """The times between the requests of an address, one after another when all come at once, in
    seconds of the loop. Each is charged so many milliseconds of work.
    """
    limits, scope = of_work(used)
    begun = list[float]()

    async def scene() -> None:
        async def request(*_: object) -> None:
            begun.append(asyncio.get_running_loop().time())
            limits.work[0].charge(origin(scope), work, 0.0)

        unused: Any = None
        app = with_turns(request, limits, lambda: 0.0)
        await asyncio.gather(*(app(scope, unused, unused) for _ in range(5 * BUSY_AT_ONCE)))

    asyncio.run(scene())
    turns = begun[::BUSY_AT_ONCE]
    return [later - earlier for earlier, later in pairwise(turns)]


def test_a_busy_address_leaves_the_loop_to_others_between_its_requests() -> None:
    assert min(rests(2 * module.BUSY)) >= module.REST
    assert min(rests(2 * module.BUSY, work=5)) >= module.RESTS * 0.005
    assert min(rests(0)) < module.REST
    assert min(rests(0, work=5)) < module.REST


def test_many_that_come_at_once_do_not_all_begin_before_any_of_them_counts() -> None:
    assert served_at_once(0) == AT_ONCE
    assert served_at_once(2 * module.BUSY) == BUSY_AT_ONCE


def test_a_turn_is_not_lost_with_a_client_that_hangs_up_as_it_gets_it() -> None:
    async def scene() -> None:
        turns = Turns(lambda _: 1)
        give_back = await turns.wait(BUSY)
        leaving = [asyncio.create_task(turns.wait(BUSY)) for _ in range(2)]
        await settled()
        leaving[1].cancel()
        give_back()
        leaving[0].cancel()
        await asyncio.gather(*leaving, return_exceptions=True)
        (await turns.wait(BUSY))()
        assert turns._lines == {}

    asyncio.run(scene())
