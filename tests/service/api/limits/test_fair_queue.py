"""The requests of an address wait for one another, and nobody else waits for them."""

import asyncio
from collections.abc import Callable
from itertools import pairwise
from typing import Any, cast

import pytest

from phaseledger.domain.commands import Act, TakeSeat
from phaseledger.service.api import stack
from phaseledger.service.api.limits import fair_queue as module
from phaseledger.service.api.limits.fair_queue import AT_ONCE, FEW_AT_ONCE, Permits
from phaseledger.service.api.requests.client_address import origin
from phaseledger.service.api.stack import Stack
from phaseledger.service.app import routes
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest, new_game, opening
from tests.support.cases import looped
from tests.support.service.memory_ledger import in_memory
from tests.support.service.memory_store import MemoryStore
from tests.support.service.server import FREE
from tests.support.service.work_limits import in_a_loop, of_work

BUSY, OTHER = b"busy", b"other"
COMMANDS = "/v1/games/01a2145f-d3c0-7038-a977-1da6434c10c9/commands"


async def settled() -> None:
    for _ in range(100):
        await asyncio.sleep(0)


@in_a_loop
async def test_so_many_are_served_at_a_time_in_the_order_in_which_they_came() -> None:
    permits, served = Permits(lambda _: 2), list[int]()

    async def request(number: int) -> None:
        give_back = await permits.wait(BUSY)
        served.append(number)
        await ends[number].wait()
        give_back()
        give_back()  # once more changes nothing

    ends = [asyncio.Event() for _ in range(5)]
    tasks = [asyncio.create_task(request(number)) for number in range(5)]
    await settled()
    assert served == [0, 1]
    (await permits.wait(OTHER))()
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
    assert permits._flows == {}


@in_a_loop
async def test_an_address_begins_one_request_before_all_others_had_the_loop() -> None:
    """Those that wait for nothing would else all be answered in one round of the loop."""
    permits, begun = Permits(lambda _: AT_ONCE), list[bytes]()

    async def request(address: bytes) -> None:
        give_back = await permits.wait(address)
        begun.append(address)
        give_back()

    await asyncio.gather(*map(request, [*[BUSY] * 20, OTHER]))
    assert begun == [BUSY, OTHER, *[BUSY] * 19]
    await settled()
    assert permits._flows == {}


@in_a_loop
async def test_only_so_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 2)
    permits = Permits(lambda _: 1)
    give_back = await permits.wait(BUSY)
    tasks = [asyncio.create_task(permits.wait(BUSY)) for _ in range(2)]
    await settled()
    assert (permits.has_room(BUSY), permits.has_room(OTHER)) == (False, True)
    give_back()
    for task in tasks:
        (await task)()
    assert permits.has_room(BUSY)


@in_a_loop
async def test_a_request_that_waits_for_something_gives_up_its_permit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "HELD", 0.05)

    permits = Permits(lambda _: 1)
    await permits.wait(BUSY)
    (await permits.wait(BUSY))()
    await settled()
    assert permits._flows == {}


@in_a_loop
async def test_a_long_poll_gives_up_its_permit_while_it_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Bots of one address that wait for their turn in a game do not hold up the one that moves."""
    monkeypatch.setattr(module, "HELD", 1e9)
    limits, scope = of_work(2 * module.BUSY)

    games, game = GameService(MemoryStore()), new_game("")
    seats = (SeatRequest(), SeatRequest())
    acts = opening(game, "classic", seats, options={}, dealer=0, start=False)
    await games.open(acts, game, "open")
    version = (await games.look(game)).version
    asked, versions = list[None](), list[int]()

    async def long_poll(*_: object) -> None:
        asked.append(None)
        versions.append((await games.look(game, version + 1)).version)

    app = Stack(long_poll, limits=limits, clock=lambda: 0.0)
    unused: Any = None
    waiting = [asyncio.create_task(app(scope, unused, unused)) for _ in range(2 * AT_ONCE)]
    while len(asked) < len(waiting):
        await asyncio.sleep(0)
    await games.send(game, Act(TakeSeat("Ann", secret="ab" * 32), 0), "join")
    await asyncio.gather(*waiting)
    assert versions == [version + 1] * len(waiting)


def served_at_once(used: float) -> int:
    """How many of fifty requests that come in one moment are begun, by what was used before."""
    limits, scope = of_work(used)
    begun = list[None]()

    async def scene() -> int:
        async def request(*_: object) -> None:
            begun.append(None)
            await end.wait()

        end, unused = asyncio.Event(), cast(Any, None)
        app = Stack(request, limits=limits, clock=lambda: 0.0)
        tasks = [asyncio.create_task(app(scope, unused, unused)) for _ in range(50)]
        await settled()
        count = len(begun)
        end.set()
        await asyncio.gather(*tasks)
        assert len(begun) == len(tasks)
        return count

    return asyncio.run(scene())


def rests(used: float, work: float = 0, *messages: Any) -> list[float]:
    """The times between the requests of an address, one after another when all come at once, in
    seconds of the loop. Each is charged so many milliseconds of work, and sends the messages.
    """
    limits, scope = of_work(used)
    begun = list[float]()

    async def scene() -> None:
        end = asyncio.Event()

        async def request(_: object, __: object, send: Any) -> None:
            begun.append(asyncio.get_running_loop().time())
            limits.work[0].charge(origin(scope), work, 0.0)
            for message in messages:
                await send(message)
            if messages and messages[-1].get("more_body"):
                await end.wait()

        async def receive(_: object) -> None:
            pass

        unused: Any = None
        app = Stack(request, limits=limits, clock=lambda: 0.0)
        tasks = [asyncio.create_task(app(scope, unused, receive)) for _ in range(5 * FEW_AT_ONCE)]
        while len(begun) < len(tasks):
            await asyncio.sleep(module.REST / 2)
        end.set()
        await asyncio.gather(*tasks)

    asyncio.run(scene())
    rounds = begun[::FEW_AT_ONCE]
    return [later - earlier for earlier, later in pairwise(rounds)]


OK, REFUSED = (
    {"type": "http.response.start", "status": status, "headers": []} for status in (200, 429)
)
PART = {"type": "http.response.body", "body": b"part", "more_body": True}


def test_a_busy_address_leaves_the_loop_to_others_between_its_requests() -> None:
    assert min(rests(2 * module.BUSY)) >= module.REST
    assert min(rests(2 * module.BUSY, 5)) >= module.RESTS * 0.005
    assert min(rests(0)) < module.REST
    assert min(rests(0, 5)) < module.REST


def test_a_response_that_goes_on_is_followed_by_a_rest_too() -> None:
    """It gives up its permit to the next request, but not for the work before its first part."""
    assert min(rests(2 * module.BUSY, 5, OK, PART)) >= module.RESTS * 0.005
    assert min(rests(0, 0, OK, PART)) < module.REST


def test_a_busy_address_waits_for_longer_after_it_is_told_to_wait() -> None:
    assert min(rests(2 * module.BUSY, 0, REFUSED)) >= module.REFUSED_REST
    assert min(rests(2 * module.BUSY, 0, OK)) < module.REFUSED_REST
    assert min(rests(0, 0, REFUSED)) < module.REFUSED_REST


@looped(
    ("used", "most"),
    [
        (0, AT_ONCE),
        (module.WORKING, AT_ONCE),
        (2 * module.WORKING, FEW_AT_ONCE),
        (2 * module.BUSY, FEW_AT_ONCE),
    ],
)
def test_many_that_come_at_once_do_not_all_begin_before_any_of_them_counts(
    used: float, most: int
) -> None:
    assert served_at_once(used) == most


@pytest.mark.parametrize("request_line", [("GET", "/v1/rulesets"), ("POST", COMMANDS)])
def test_nothing_is_done_for_a_request_that_waits(
    monkeypatch: pytest.MonkeyPatch, request_line: tuple[str, str]
) -> None:
    """Hundreds that come at once cost hardly more than their tasks."""
    limits, scope = of_work(0)
    scope["method"], scope["path"] = request_line
    identified = list[Any]()
    monkeypatch.setattr(stack, "request_id_of", lambda scope: identified.append(scope) or b"id")

    async def begun(seconds: float) -> int:
        async def wait(*_: object) -> Callable[[], None]:
            await asyncio.sleep(seconds)
            return lambda: None

        monkeypatch.setattr(Permits, "wait", wait)
        unused: Any = None
        serving = asyncio.ensure_future(
            stack.Stack(routes(in_memory(), FREE), limits=limits)(scope, unused, unused)
        )
        await settled()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        return len(identified)

    assert asyncio.run(begun(60)) == 0
    assert asyncio.run(begun(0)) == 1


@in_a_loop
async def test_a_permit_is_not_lost_with_a_client_that_hangs_up_as_it_gets_it() -> None:
    permits = Permits(lambda _: 1)
    give_back = await permits.wait(BUSY)
    leaving = [asyncio.create_task(permits.wait(BUSY)) for _ in range(2)]
    await settled()
    leaving[1].cancel()
    give_back()
    leaving[0].cancel()
    await asyncio.gather(*leaving, return_exceptions=True)
    (await permits.wait(BUSY))()
    await settled()
    assert permits._flows == {}
