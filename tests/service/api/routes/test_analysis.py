"""A finished game's analysis over HTTP: who gets it, how it is waited for, and what it costs."""

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import httpx2
import msgspec
import pytest

from phaseledger.analysis import Analysis, AnalysisPlan, StoredGame, analyse
from phaseledger.client import Client
from phaseledger.domain.kernel import is_compiled
from phaseledger.service.analyses import analyses as made
from phaseledger.service.api.limits.rates import Limits
from phaseledger.service.api.requests.client_address import origin
from phaseledger.service.api.routes import analysis as route
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from tests.support.polling import eventually
from tests.support.service.api_tables import (
    PERSON,
    SHORT,
    Table,
    answer,
    bearer,
    by_host,
    greedily,
    open_table,
    play_on,
    started,
    whole_game,
)
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import Served, client_over

pytestmark = pytest.mark.skipif(
    not is_compiled(), reason="the kernel is not compiled: python hatch_build.py"
)


def looked_at(table: Table, seat: int | None = None) -> httpx2.Response:
    """The answer once it is no 202."""
    return eventually(
        lambda: table.get("/analysis", seat), lambda answer: answer.status_code != 202
    )


def over(client: httpx2.Client, **terms: Any) -> Table:
    """A short game that people have played to its end."""
    table = started(client, (PERSON, PERSON), options=SHORT, terms=terms)
    while (view := table.get(seat=0).json()["table"])["stage"] == "playing":
        done = answer(table, view["waits"][0]["seat"], greedily, 1)
        assert done.status_code == 200, done.text
    return table


@pytest.fixture(scope="module")
def finished(served: Served) -> Iterator[Table]:
    with httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client:
        yield Table(client, whole_game(client), "", {})


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyses of luck alone, which take a moment."""
    monkeypatch.setattr(made, "PLAN", AnalysisPlan(worlds=0))


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Analyses that wait for the event; their decisions go by until it is set."""
    go_on = threading.Event()
    monkeypatch.setattr(made, "PLAN", AnalysisPlan(worlds=0))

    def wait(raw: StoredGame, plan: AnalysisPlan, *, watch: Any) -> Analysis:
        while not go_on.wait(0.01):
            watch(0.25)
        return analyse(raw, plan)

    monkeypatch.setattr(made, "analyse", wait)
    yield go_on
    go_on.set()


def test_it_is_the_analysis_of_the_record(served: Served, finished: Table) -> None:
    """The same bytes each time, and those of the record's analysis anywhere else."""
    first = finished.get("/analysis")
    assert first.status_code == 202
    assert first.headers["retry-after"] == "2"
    assert first.headers["cache-control"] == "no-store"
    assert first.json()["state"] in ("queued", "running")
    reply = looked_at(finished)
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["cache-control"] == "private, no-cache"
    assert finished.get("/analysis").content == reply.content
    document = msgspec.json.decode(reply.content, type=Analysis)
    assert document.decisions
    for player in document.players:
        parts = player.luck + player.errors + player.hidden + player.others
        assert player.start + parts == pytest.approx(player.result, abs=1e-9)
    rows = asyncio.run(served.parts.store.read(UUID(finished.game)))
    elsewhere = analyse([(row.topic, row.state) for row in rows], AnalysisPlan(worlds=50))
    assert reply.content == msgspec.json.encode(elsewhere)
    with Client(served.url) as reader:
        assert reader.at(finished.game).analysis() == reply.content
    condition = {"If-None-Match": reply.headers["etag"]}
    unchanged = finished.client.get(f"{finished.path}/analysis", headers=condition)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["etag"] in condition["If-None-Match"]  # whose W/ says: compressed


def test_what_is_not_covered_has_none(
    client: httpx2.Client, finished: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that was broken off, and one that is too long."""
    voided = started(client, (PERSON, PERSON))
    by_host(voided, "POST", "/void", json={"reason": "rain"})
    for table, why, most in (
        (voided, "There is no analysis of this game: it was broken off.", made.MOST_EVENTS),
        (finished, "more than 12 events", 12),
    ):
        monkeypatch.setattr(made, "MOST_EVENTS", most)
        assert why in problem(table.get("/analysis"), 409, "analysis_not_covered").detail


def test_a_game_that_goes_on_has_none(client: httpx2.Client) -> None:
    """For nobody, whatever the terms let be seen; and none is begun that its end would show."""
    table = started(client, (PERSON, PERSON))
    play_on(table, 4)
    for caller in ({}, bearer(table.host), *map(bearer, table.tokens.values())):
        for condition in ({}, {"If-None-Match": "*"}):
            refused = client.get(f"{table.path}/analysis", headers={**caller, **condition})
            problem(refused, 409, "not_over")
            assert "etag" not in refused.headers
    problem(open_table(client).get("/analysis"), 409, "not_over")
    late = started(client, terms={"spectators": "delayed", "delay": 7})
    problem(late.get("/analysis"), 409, "not_over")


def test_whoever_may_not_see_the_game_gets_none(client: httpx2.Client, quick: None) -> None:
    assert looked_at(over(client, spectators="delayed", delay=7)).status_code == 200
    hidden, other = over(client, spectators="none"), started(client)
    problem(hidden.get("/analysis"), 403, "no_spectators")
    assert looked_at(hidden, 0).status_code == 200
    problem(hidden.get("/analysis"), 403, "no_spectators")  # made, and hidden all the same
    stranger = client.get(f"{hidden.path}/analysis", headers=bearer(other.tokens[0]))
    problem(stranger, 404, "no_such_game")


def test_one_that_takes_too_long_is_given_up_for_good(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(made, "LONGEST", 0)
    table = Table(client, whole_game(client), "", {})
    for _ in range(2):
        refused = problem(looked_at(table), 409, "analysis_not_covered")
        assert "more than 0 seconds" in refused.detail


def test_one_that_fails_is_told_once_and_begun_anew(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(client, whole_game(client), "", {})
    with monkeypatch.context() as broken:
        broken.setattr(made, "analyse", lambda *_, **__: 1 / 0)
        problem(looked_at(table), 500, "internal_error")
    monkeypatch.setattr(made, "PLAN", AnalysisPlan(worlds=0))
    assert table.get("/analysis").status_code == 202
    assert looked_at(table).status_code == 200


def test_those_under_way_are_few_and_one_of_an_address(
    held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route, "AT_ONCE", 3)
    monkeypatch.setattr(route, "AT_ONCE_EACH", 2)
    with client_over(in_memory()) as client:
        tables = [Table(client, whole_game(client), "", {}) for _ in range(3)]
        first, second, third = tables
        assert first.get("/analysis").status_code == 202
        eventually(lambda: first.get("/analysis").json() == {"state": "running", "done": 0.25})
        assert second.get("/analysis").json() == {"state": "queued", "done": 0.0}
        refused = third.get("/analysis")
        assert "there may be 2 of one address" in problem(refused, 503, "too_many_analyses").detail
        assert refused.headers["retry-after"] == "10"
        play_on(started(client, (PERSON, PERSON)), 4)  # which waits for none of them
        held.set()
        assert [looked_at(table).status_code for table in tables] == [200, 200, 200]


def test_those_kept_are_bounded(
    client: httpx2.Client, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(made, "KEPT", 1)
    first, second = (Table(client, whole_game(client), "", {}) for _ in range(2))
    document = looked_at(first).content
    assert looked_at(second).status_code == 200
    assert first.get("/analysis").status_code == 202
    assert looked_at(first).content == document


def test_its_time_is_charged_to_the_address_that_began_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the answer, and while it is made."""
    go_on = threading.Event()

    def work_hard(_: StoredGame, __: AnalysisPlan, *, watch: Any) -> Analysis:
        while not go_on.is_set():
            watch(0.5)
        raise ZeroDivisionError

    monkeypatch.setattr(made, "analyse", work_hard)
    monkeypatch.setattr(made, "CHARGED", 0.05)
    work = RateLimitPolicy("address-work", 0.001, 10_000), RateLimitPolicy("token-work", 1, 1)
    with client_over(in_memory(), limits=Limits(None, None, work=work)) as client:
        table = Table(client, whole_game(client), "", {})
        address = origin({"client": ("127.0.0.1", 1), "headers": []}, ())  # type: ignore[arg-type]
        before = work[0].used(address, time.monotonic())
        assert table.get("/analysis").status_code == 202
        eventually(lambda: work[0].used(address, time.monotonic()) > before + 500)
        go_on.set()


def test_a_service_that_stops_waits_for_none(
    held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And their threads end with the decision at which they are."""
    monkeypatch.setattr(route, "AT_ONCE_EACH", 2)
    before = threading.active_count()
    with client_over(in_memory()) as client:
        tables = [Table(client, whole_game(client), "", {}) for _ in range(2)]
        for table in tables:
            assert table.get("/analysis").status_code == 202
        eventually(lambda: tables[0].get("/analysis").json()["state"] == "running")
        began = time.monotonic()
    assert time.monotonic() - began < 5
    eventually(lambda: threading.active_count() <= before)
