"""Readiness tells the truth, and tells it while the database hangs."""

import asyncio
import threading
from collections.abc import Sequence
from uuid import UUID

import httpx2
import psycopg
import pytest
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier
from typing_extensions import override

from phaseledger.service.api import health_monitor
from phaseledger.service.api.health_monitor import FULL, LATE, StallTimer
from phaseledger.service.app import in_postgres
from phaseledger.service.eventlog.clock import LedgerClock
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.schemas.health import Check
from phaseledger.service.settings import Settings
from tests.support.elapsed import pass_seconds
from tests.support.polling import eventually
from tests.support.service.api_tables import mover, ok, started
from tests.support.service.faulty_proxy import wired_database
from tests.support.service.memory_ledger import in_memory
from tests.support.service.memory_store import MemoryStore
from tests.support.service.operator import running
from tests.support.service.problems import problem
from tests.support.service.server import serving


def checks(url: str) -> dict[str, Check]:
    """What readiness says, whether the service is ready or not."""
    answer = httpx2.get(f"{url}/health/ready", timeout=None)
    if answer.status_code == 200:
        return {name: Check(**check) for name, check in answer.json()["checks"].items()}
    report = problem(answer, 503, "not_ready").checks
    assert report is not None
    return dict(report.named())


def failed(url: str) -> dict[str, str]:
    """The checks that fail, and why."""
    return {name: check.reason for name, check in checks(url).items() if not check.ok}


def test_a_database_that_answers_nothing_is_told_while_it_does(settings: Settings) -> None:
    """A proxy before it lives on and swallows what it says: the answer does not wait for it."""
    with (
        wired_database(settings.database_url) as proxy,
        serving(in_postgres(replace(settings, database_url=proxy.dsn))) as served,
    ):
        assert failed(served.url) == {}
        with proxy.swallowing():
            failures = eventually(
                lambda: failed(served.url), lambda reasons: {"database", "writer"} <= reasons.keys()
            )
            assert failures["database"] == LATE
            assert "projections" in failures
            assert proxy.swallowed > 0
        eventually(lambda: failed(served.url), lambda failures: not failures)


def test_a_log_that_cannot_be_written_is_told(settings: Settings) -> None:
    """Though it can be read, and nobody tries a command."""
    with (
        serving(in_postgres(settings)) as served,
        psycopg.connect(settings.database_url, autocommit=True) as conn,
    ):
        assert failed(served.url) == {}
        schema = Identifier(settings.schema)
        conn.execute(
            SQL(
                "CREATE FUNCTION {}.full() RETURNS trigger LANGUAGE plpgsql AS "
                "$$BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END$$"
            ).format(schema)
        )
        conn.execute(
            SQL(
                "CREATE TRIGGER full_disk BEFORE INSERT ON {0}.write_probe_pages "
                "FOR EACH ROW EXECUTE FUNCTION {0}.full()"
            ).format(schema)
        )
        assert eventually(lambda: failed(served.url)) == {"writer": FULL}
        conn.execute(SQL("DROP TRIGGER full_disk ON {}.write_probe_pages").format(schema))
        eventually(lambda: failed(served.url), lambda failures: not failures)


class Stuck(MemoryStore):
    """A log whose writer answers nobody any more, once it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.is_stuck = False

    @override
    async def append(self, game: UUID, rows: Sequence[Row], prev: bytes | None = None) -> int:
        while self.is_stuck:
            await asyncio.sleep(0.01)
        return await super().append(game, rows, prev)


def test_a_command_that_waits_for_its_commit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """All else may be well: only this process's writer hangs."""
    store = Stuck()
    monkeypatch.setattr("phaseledger.service.api.readiness.COMMIT_SECONDS", 0.2)
    with (
        serving(in_memory(store)) as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
    ):
        table = started(client)
        store.is_stuck = True
        sending = threading.Thread(target=table.send, args=(mover(table), {"type": "draw"}))
        sending.start()
        failures = eventually(lambda: failed(served.url))
        store.is_stuck = False
        sending.join()
        assert list(failures) == ["writer"]
        assert failures["writer"].startswith("a command has waited ")
        assert failed(served.url) == {}


def test_positions_of_log_views_and_signatures_are_level_despite_gaps(settings: Settings) -> None:
    with running(in_postgres(settings)) as both, psycopg.connect(settings.database_url) as conn:
        draw = SQL("SELECT nextval({}) FROM generate_series(1, 102)")
        conn.execute(draw.format(f"{settings.schema}.stored_events_notification_id_seq"))
        started(both.api)
        ready = eventually(
            lambda: both.api.get("../health/ready").json(),
            lambda ready: ready["log"] == ready["views"] == ready["signed"] > 102,
        )
        metrics = both.operator.get("/metrics").text
        for name in ("phaseledger_log_position", "phaseledger_log_signed_position"):
            assert f"{name} {ready['log']}.0" in metrics


def test_views_and_signatures_that_stand_still_are_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few events or many, once there are some to take in: here nobody follows, and nobody signs."""
    monkeypatch.setattr(health_monitor, "EVERY", 0.05)

    async def idle(self: object, stop: asyncio.Event) -> None:
        await stop.wait()

    monkeypatch.setattr("phaseledger.service.transparency.publisher.Publisher.run", idle)
    parts = in_postgres(settings)._replace(follow=None)
    with (
        serving(parts, ready_stall_seconds=0.3) as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
    ):
        assert failed(served.url) == {}
        started(client)
        failures = eventually(lambda: failed(served.url), lambda reasons: len(reasons) == 2)
        assert failures["projections"].startswith(
            "the views are behind the log, and have stood still"
        )
        assert failures["log_key"].startswith("there are events to sign, and none was signed for ")


def test_what_moves_or_is_level_does_not_stand_still(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("phaseledger.service.api.health_monitor.time.monotonic", lambda: now)
    progress = StallTimer()
    for later, place, target, stalled in (
        *((0, 5, 5, 0.0), (1000, 5, 9, 1000.0), (1, 6, 9, 0.0), (7, 6, 12, 7.0)),
        *((7, 6, 12, 14.0), (7, 0, 12, 0.0), (7, 12, 12, 0.0), (7, 12, 12, 0.0)),
    ):
        now += later
        progress.note(place, target)
        assert progress.stalled == stalled, (later, place, target)


class AheadClock(LedgerClock):
    """A clock by which this node is ahead of its ledger."""

    ahead: int | None = 0

    @override
    def skew(self) -> int | None:
        return self.ahead


def test_a_clock_that_is_wrong_is_told_from_a_bound_on() -> None:
    clock = AheadClock()
    parts = in_memory()._replace(clock=clock)
    with running(parts) as both:
        url = str(both.api.base_url).removesuffix("/v1/")

        def metric() -> str:
            lines = both.operator.get("/metrics").text.splitlines()
            return next(line for line in lines if line.startswith("phaseledger_clock_skew_seconds"))

        for ahead, reason, shown in (
            (0, "", "0.0"),
            (4_900, "", "4.9"),
            (-4_900, "", "-4.9"),
            (120_000, "this node's clock is 120.0 s ahead of the database's", "120.0"),
            (-86_400_000, "this node's clock is 86400.0 s behind the database's", "-86400.0"),
            (None, "the database has not said for a while what time it is", "NaN"),
        ):
            clock.ahead = ahead
            failures = failed(url)
            assert failures == ({"clock": failures.get("clock", "")} if reason else {})
            assert failures.get("clock", "").startswith(reason)
            assert metric() == f"phaseledger_clock_skew_seconds {shown}"


def test_a_time_that_the_database_has_not_said_for_a_while_is_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phaseledger.service.eventlog.clock.EVERY", 3600.0)
    with (
        serving(in_postgres(settings)) as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
    ):
        table = started(client, terms={"clock": {"seconds": 3600}})
        ok(table.send(mover(table), {"type": "draw"}))
        pass_seconds(monkeypatch, 60)
        assert list(failed(served.url)) == ["clock"]
        problem(table.send(mover(table), {"type": "pass"}), 503, "ledger_time_unknown")
