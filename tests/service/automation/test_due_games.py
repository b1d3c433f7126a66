"""What is noted of games that are due finds all that a look at every game would have found."""

import asyncio
from collections.abc import Coroutine
from typing import Any
from uuid import UUID

import pytest

from phaseledger.domain.commands import Act, RevealSecret, Start, TimeOut
from phaseledger.domain.legal import legal
from phaseledger.domain.terms import Clock
from phaseledger.service.automation import due_games, later_looks
from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.automation.due_games import NOW, DueNotes, next_due
from phaseledger.service.automation.game_tasks import GameTasks
from phaseledger.service.automation.overlong_games import OverlongGames
from phaseledger.service.automation.reveal_deadlines import Deadlines
from phaseledger.service.automation.turn_clocks import Clocks
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.games.bounds import EventBounds
from phaseledger.service.games.game import Game, Snapshot
from phaseledger.service.games.time_limits import due_at, dues
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest, new_key
from tests.support.chance import chooser
from tests.support.polling import comes_about
from tests.support.service.dealt_tables import SECRETS, table_of
from tests.support.service.memory_store import MemoryStore
from tests.support.service.node_clocks import WrongClock

REVEAL = 120  # seconds
BOUNDS = EventBounds(game=60)


# --- the index and the full look ------------------------------------------------------------------


@pytest.fixture
def begins(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the tasks that were begun, none of which runs."""
    names: list[str] = []

    def begin(_: GameTasks, __: Game, work: Coroutine[Any, Any, Any], name: str) -> None:
        work.close()
        names.append(name)

    monkeypatch.setattr(GameTasks, "begin", begin)
    return names


@pytest.mark.parametrize(
    ("clock", "bots", "seal"),
    [
        (None, 0, True),
        (None, 1, False),
        (None, 2, True),
        (Clock(30, grace=5), 0, False),
        (Clock(30, grace=5), 1, True),
        (Clock(30, grace=5), 2, False),
    ],
)
def test_every_work_that_a_look_finds_is_noted(
    begins: list[str], clock: Clock | None, bots: int, seal: bool
) -> None:
    """At every step of a game that is played at random, with seats that are timed out at times."""
    pick = chooser(b"due", bots)

    def require_noted(now: Snapshot | None) -> None:
        assert now is not None
        game = Game(UUID(now.state.game))
        game.now = now
        begins.clear()
        for watcher in watchers:
            watcher.wake(game)
        due = next_due(now, BOUNDS)
        by_log = [deadline.grace_until for deadline in dues(now)]
        by_log += [at for at in (due_at(now, 1),) if at is not None]
        if {"bots", "end"} & {*begins}:
            assert due == NOW
        elif begins:
            assert due == min(by_log) > NOW
        else:
            assert due is None
        kinds.update(name.split()[0] for name in begins or ["none"])

    async def scene() -> None:
        key = new_key
        seats = tuple(SeatRequest("random" if seat < bots else "") for seat in range(3))
        bringing = range(3) if seal else ()
        game = await table_of(games, seats, clock=clock, bringing=bringing, start=False)
        require_noted(games.cached(game))
        if seal:
            games.reveal_seconds = REVEAL
        await games.send(game, Act(Start()), key())
        for seat in range(bots, 3 if seal else 0):
            require_noted(games.cached(game))
            await games.send(game, Act(RevealSecret(SECRETS[seat].hex()), seat), key())
        for turn in range(80):
            now = await games.look(game)
            require_noted(now)
            seat = now.state.waits[pick(len(now.state.waits))].seat
            if clock and turn % 9 == 8 and not (seat < bots or now.state.seat(seat).stand_in):
                await games.send(game, Act(TimeOut(seat)), key())
            else:
                moves = [*legal(now.state, seat)]
                await games.send(game, Act(moves[pick(len(moves))], seat), key())

    games = GameService(MemoryStore(), bounds=BOUNDS)
    watchers = (Autoplay(games), Clocks(games), Deadlines(games, 1), OverlongGames(games))
    games.watchers.clear()
    kinds = set[str]()
    asyncio.run(scene())
    expected = {"none", "end"} | ({"deadline"} if seal else set())
    expected |= ({"bots"} if bots or clock else set()) | ({"clock"} if clock else set())
    assert kinds == expected


async def test_what_follows_from_more_than_the_log_is_looked_at() -> None:
    """A table that does not say how long it waits, a time that has yet to come, no time at all."""
    clock = WrongClock(0)
    games = GameService(MemoryStore(), clock=clock)
    quiet = await table_of(games, bringing=(0, 1))
    now = await games.look(quiet)
    assert due_at(now, REVEAL) is not None
    assert next_due(now, BOUNDS) == NOW
    now = await games.look(await table_of(games, clock=Clock(30)))
    assert next_due(now, BOUNDS) == now.marks.at + 30_000
    clock.ahead = -10_000
    assert next_due(now, BOUNDS) == NOW
    clock.ahead = 0
    assert next_due(now._replace(clock=Timeless()), BOUNDS) == NOW


class Timeless(WrongClock):
    def __init__(self) -> None:
        super().__init__(0)

    def estimate(self) -> int:
        raise StoreUnavailable("no time")


# --- a process that starts ------------------------------------------------------------------------


async def test_a_start_looks_at_what_is_due_and_later_at_what_is_due_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(later_looks, "LONGEST", 0.01)
    looks: list[UUID] = []

    class Watched(GameService):
        async def look(self, game_id: UUID, *arguments: Any, **options: Any) -> Snapshot:
            looks.append(game_id)
            return await super().look(game_id, *arguments, **options)

    async def start(store: MemoryStore, clock: WrongClock) -> Autoplay:
        looks.clear()
        autoplay = Autoplay(Watched(store, clock=clock))
        await autoplay.resume()
        return autoplay

    clock, store = WrongClock(0), MemoryStore()
    games = GameService(store, clock=clock)
    notes = DueNotes(games, store)
    games.watchers.append(notes.note)
    waiting, timed = await table_of(games), await table_of(games, clock=Clock(600))
    lobby, over = await table_of(games, start=False), await table_of(games)
    await (await start(store, clock)).close()
    assert {*looks} == {waiting, timed, lobby, over}, "nothing is noted yet"
    await notes.flush()
    first = await start(store, clock)
    assert looks == []
    clock.ahead = 600_000
    await comes_about(lambda: _now(looks), lambda now: now == [timed])
    await first.close()
    await (await start(store, clock)).close()
    assert looks == [timed]
    # A process that notes nothing has moved a game on, and so the note says nothing of it.
    other = GameService(store, clock=clock)
    seat = (await other.look(waiting)).state.waits[0].seat
    move = next(legal((await other.look(waiting)).state, seat))
    await other.send(waiting, Act(move, seat), new_key())
    await (await start(store, clock)).close()
    assert {*looks} == {waiting, timed}
    store._due.clear()
    await (await start(store, clock)).close()
    assert {*looks} == {waiting, timed, lobby, over}, "it is a cache"


async def _now(looks: list[UUID]) -> list[UUID]:
    return [*looks]


async def test_notes_that_cannot_be_written_are_dropped() -> None:
    class Away(MemoryStore):
        async def note_due(self, *_: object) -> None:
            raise StoreUnavailable("not now")

    store = Away()
    games = GameService(store)
    notes = DueNotes(games, store)
    games.watchers.append(notes.note)
    game = await table_of(games, start=False)
    await notes.flush()
    assert await store.due_games() == [(game, NOW)]
    assert not notes._pending


async def test_notes_are_written_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due_games, "EVERY", 0.01)

    store = MemoryStore()
    games = GameService(store)
    notes = DueNotes(games, store)
    games.watchers.append(notes.note)
    running = asyncio.create_task(notes.run())
    await table_of(games, start=False)
    await comes_about(lambda: _is_empty(store))
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def _is_empty(store: MemoryStore) -> bool:
    return not await store.due_games()
