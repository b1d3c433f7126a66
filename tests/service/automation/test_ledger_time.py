"""Decisions about time go by the ledger's clock: nodes with a wrong one, and times yet to come."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import psycopg
import pytest
from typing_extensions import override

from phaseledger.domain.commands import Act, RevealSecret
from phaseledger.domain.evidence.codec import Record, decode
from phaseledger.domain.terms import Clock
from phaseledger.service.automation.reveal_deadlines import Deadlines
from phaseledger.service.automation.turn_clocks import Clocks
from phaseledger.service.eventlog.clock import LOCAL, LedgerClock
from phaseledger.service.eventlog.errors import LedgerTimeUnknown
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.games.overdue import close_if_due
from phaseledger.service.games.time_limits import dues
from phaseledger.service.games.writer import GameService
from phaseledger.service.settings import Settings
from tests.support.polling import comes_about, eventually
from tests.support.ports import await_answer, free_port
from tests.support.service.api_tables import Table, bearer, mover, ok, started
from tests.support.service.dealt_tables import SECRETS, table_of
from tests.support.service.memory_ledger import in_memory
from tests.support.service.memory_store import MemoryStore
from tests.support.service.node_clocks import (
    DAY,
    WrongClock,
    shifted_python,
)
from tests.support.service.nodes import await_ready, client_of, node
from tests.support.service.problems import problem
from tests.support.service.server import serving

NEAR = 1_000  # milliseconds


async def records(store: Store, game: UUID) -> list[Record]:
    return [decode(row.topic, row.state)[0] for row in await store.read(game)]


def of_type(log: list[Record], type_: str) -> Record:
    (record,) = (record for record in log if record.type.startswith(type_))
    return record


# --- two nodes, one with a wrong clock ------------------------------------------------------------


@pytest.fixture
def nodes(settings: Settings, tmp_path: Path) -> Iterator[tuple[httpx2.Client, httpx2.Client]]:
    """Clients of a node whose clock is right, and of one whose clock is two minutes ahead."""
    ahead = shifted_python(tmp_path / "shifted", 120)
    given = {
        name: getattr(settings, name)
        for name in ("database_url", "schema", "keys_dir", "published_dir")
    }
    with (
        free_port() as right_port,
        free_port() as wrong_port,
        node(right_port, given) as right,
        node(wrong_port, given, ahead),
        client_of(right_port) as right_client,
        client_of(wrong_port) as wrong_client,
    ):
        await_ready(right, right_port)
        await_answer(f"http://127.0.0.1:{wrong_port}/health/live")
        yield right_client, wrong_client


def database_ms(dsn: str) -> int:
    with psycopg.connect(dsn) as conn:
        row = conn.execute("SELECT extract(epoch FROM clock_timestamp()) * 1000").fetchone()
    assert row is not None
    return int(row[0])


def events(table: Table) -> list[dict[str, Any]]:
    log: list[dict[str, Any]] = ok(table.get("/events", limit=1000))["events"]
    return log


@pytest.mark.system
def test_a_node_whose_clock_is_ahead_times_nobody_out_early(
    nodes: tuple[httpx2.Client, httpx2.Client], postgres_dsn: str
) -> None:
    """Both have a timer for the game; what the second one writes is of the ledger's time as well,
    and it says that its clock is wrong.
    """
    right, wrong = nodes
    slow = started(right, terms={"clock": {"seconds": 3600}})
    seat = mover(slow)
    there = slow._replace(client=wrong)
    refused = wrong.post(f"{slow.path}/claims", json={}, headers=bearer(slow.tokens[1 - seat]))
    problem(refused, 409, "not_overdue")
    left = float(refused.json()["detail"].split(": ")[1].split()[0])
    assert left > 3600 - 100
    ok(there.send(seat, {"type": "draw"}))
    assert events(slow)[-1]["at"] <= database_ms(postgres_dsn) + NEAR

    table = started(right, terms={"clock": {"seconds": 5}})
    asked = events(table)[-1]["at"]
    ok(table._replace(client=wrong).get())
    log = eventually(lambda: events(table), lambda now: "TurnTimedOut/1" in str(now))
    (timed_out,) = (event["at"] for event in log if event["type"] == "TurnTimedOut/1")
    assert asked + 5_000 <= timed_out <= database_ms(postgres_dsn) + NEAR

    ready = wrong.get(str(wrong.base_url).removesuffix("/v1/") + "/health/ready")
    check = problem(ready, 503, "not_ready").checks
    assert check is not None
    assert not check.clock.ok
    assert check.clock.reason.startswith("this node's clock is 1")
    assert "s ahead of the database's, and 5 s are allowed" in check.clock.reason
    assert check.database.ok
    assert check.writer.ok


# --- times that have yet to come ------------------------------------------------------------------


def in_the_future(store: Store) -> GameService:
    """A service as an earlier release was on a node whose clock is a day ahead."""
    return GameService(store, reveal_seconds=1, clock=WrongClock(DAY))


async def test_a_time_yet_to_come_does_not_stop_a_tables_clock() -> None:
    """The time-out comes after the time that the seat had, runs backwards for nobody who reads the
    log, and is no further from the ledger's time than the event before it was.
    """
    store = MemoryStore()
    game = await table_of(in_the_future(store), clock=Clock(1, grace=1))
    before = await records(store, game)
    games = GameService(store)
    clocks = Clocks(games)
    (due,) = dues(await games.look(game))
    assert due.grace_until <= LOCAL.now() + 2_000
    log = await comes_about(lambda: records(store, game), lambda now: "TurnTimedOut" in str(now))
    await clocks.close()
    assert [record.at for record in log] == sorted(record.at for record in log)
    timed_out = of_type(log, "TurnTimedOut")
    assert before[-1].at + 2_000 <= timed_out.at <= LOCAL.now() + DAY + NEAR


async def test_other_events_of_such_a_game_stand_still_until_the_ledger_is_there() -> None:
    """No event takes the game's time further than it is."""
    store = MemoryStore()
    game = await table_of(in_the_future(store), bringing=(0,))
    games = GameService(store)
    before = await records(store, game)
    await games.send(game, Act(RevealSecret(SECRETS[0].hex()), 0), "reveal")
    assert {record.at for record in (await records(store, game))[len(before) :]} == {before[-1].at}


async def test_such_a_table_does_not_wait_for_secrets_longer_than_it_said() -> None:
    """Its end is as far from its sealing as a verifier demands (`check_times`)."""
    store = MemoryStore()
    game = await table_of(in_the_future(store), bringing=(0,))
    games = GameService(store)
    timers = Deadlines(games, 3600)
    await games.look(game)
    log = await comes_about(lambda: records(store, game), lambda now: "GameVoided" in str(now))
    await timers.close()
    sealing, end = of_type(log, "TableSealed"), of_type(log, "GameVoided")
    assert sealing.at + 1_000 <= end.at <= LOCAL.now() + DAY + NEAR


async def test_a_clock_that_was_put_back_stops_no_game_in_memory_of_a_process() -> None:
    """The times of the game were right by the clock as it was then."""
    clock = WrongClock(DAY)
    games = GameService(MemoryStore(), clock=clock)
    game = await table_of(games, clock=Clock(60))
    clock.ahead = 0
    (due,) = dues(await games.look(game))
    assert due.grace_until <= clock.now() + 60_000


# --- a time that nobody knows ---------------------------------------------------------------------


class UnknownClock(LedgerClock):
    """A clock that nobody may decide by, until it is known."""

    is_known = False

    @override
    def now(self) -> int:
        if not self.is_known:
            raise LedgerTimeUnknown("not asked")
        return super().now()


def test_requests_that_need_the_time_are_told_that_it_is_not_known() -> None:
    clock = UnknownClock()
    with (
        serving(in_memory()._replace(clock=clock)) as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
    ):
        table = started(client, terms={"clock": {"seconds": 3600}})
        seat = mover(table)
        sent = table.send(seat, {"type": "draw"})
        headers = bearer(table.tokens[seat])
        claimed = client.post(f"{table.path}/claims", json={}, headers=headers)
        for refused in (sent, claimed):
            problem(refused, 503, "ledger_time_unknown")
            assert refused.headers["retry-after"] == "1"
        other = started(client)
        ok(other.send(mover(other), {"type": "draw"}))
        clock.is_known = True
        ok(table.send(seat, {"type": "draw"}))


async def test_timers_wait_until_the_time_is_known() -> None:
    clock, store = UnknownClock(), MemoryStore()
    games = GameService(store, reveal_seconds=1, clock=clock)
    clocks, timers = Clocks(games), Deadlines(games, 1)
    clocked, waiting = (
        await table_of(games, clock=Clock(1, then="void")),
        await table_of(games, bringing=(0,)),
    )
    with pytest.raises(LedgerTimeUnknown):
        await close_if_due(games, waiting, 1)
    by_then = LOCAL.now() + 1_500
    await comes_about(lambda: asyncio.sleep(0, LOCAL.now()), lambda now: now > by_then)
    for game in (clocked, waiting):
        assert not (await games.look(game)).revealed
    clock.is_known = True
    for game in (clocked, waiting):
        await comes_about(lambda game=game: games.look(game), lambda now: now.revealed)  # type: ignore[misc]
    await clocks.close()
    await timers.close()
