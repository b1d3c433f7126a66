"""Hints at practice tables over HTTP: what is told, to whom, and at whose cost."""

import time
from typing import Any, NoReturn

import httpx2
import msgspec
import pytest

from phaseledger.analysis import analyse_position, position_state
from phaseledger.client import Client
from phaseledger.domain.kernel import is_compiled
from phaseledger.service.analyses import hints
from phaseledger.service.analyses.hints import PLAN, Hint
from phaseledger.service.api.limits.rates import Limits
from phaseledger.service.api.requests.client_address import origin
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from tests.support.polling import eventually
from tests.support.service.api_tables import (
    BOT,
    PERSON,
    Table,
    answer,
    bearer,
    by_host,
    greedily,
    ok,
    open_table,
    started,
)
from tests.support.service.fixed_deals import fixed_deals
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import Served, client_over

pytestmark = pytest.mark.skipif(
    not is_compiled(), reason="the kernel is not compiled: python hatch_build.py"
)


def practice(client: httpx2.Client) -> Table:
    """A table of three whose first turn is that of seat 0."""
    with fixed_deals("hints"):
        return started(client, (PERSON, BOT, BOT), dealer=2)


def test_it_judges_the_moves_of_the_seat_and_changes_nothing(
    served: Served, client: httpx2.Client
) -> None:
    table = practice(client)
    for kinds in ({"draw"}, {"lay", "discard"}):
        offered = table.get("/actions", 0).json()
        answer = table.get("/hint", 0)
        assert answer.status_code == 200, answer.text
        hint = msgspec.json.decode(answer.content, type=Hint)
        assert (hint.version, hint.seat) == (offered["version"], 0)
        commands = [entry["command"] for entry in answer.json()["candidates"]]
        assert {command["type"] for command in commands} <= kinds
        assert all(command in offered["commands"] for command in commands)
        assert hint.candidates[0].behind == 0
        assert all(candidate.behind >= 0 for candidate in hint.candidates)
        assert table.get("/hint", 0).content == answer.content
        with Client(served.url) as reader:
            assert reader.at(table.game, table.tokens[0]).hint() == answer.content
        assert table.version() == offered["version"]
        table.send(0, {"type": "draw", "source": "stock"})
    assert any(best.reasons and best.reasons.wait > 0 for best in hint.candidates)


def test_every_question_of_the_board_is_judged(client: httpx2.Client) -> None:
    """A person plays against two bots, until each kind of question was asked; the answered table is
    a position of which the same is said.
    """
    with fixed_deals("hints on the board"):
        table = started(client, (PERSON, BOT, BOT), dealer=0, ruleset="board")
    unjudged = {"move", "draw", "play", "search", "swap", "ask", "choose", "give", "keep"}
    for number in range(1_000):
        if not unjudged:
            break
        eventually(lambda: table.get("/actions", 0).json()["questions"])
        offered = table.get("/actions", 0).json()
        kind = offered["questions"][0]["kind"]
        if kind in unjudged:
            judged = table.get("/hint", 0)
            assert judged.status_code == 200, judged.text
            hint = msgspec.json.decode(judged.content, type=Hint)
            commands = [entry["command"] for entry in judged.json()["candidates"]]
            assert all(command in offered["commands"] for command in commands), kind
            position = position_state(table.get(seat=0).content)
            typed = analyse_position(position, PLAN, hint.version)
            assert typed.candidates == hint.candidates
            unjudged.remove(kind)
        assert answer(table, 0, greedily, number).status_code == 200
    assert not unjudged


def test_there_is_none(client: httpx2.Client) -> None:
    with_another = started(client, (PERSON, PERSON, BOT))
    given_up = started(client, (PERSON, PERSON, BOT))
    ok(client.post(f"{given_up.path}/leave", headers=bearer(given_up.tokens[1])))
    over = started(client, (PERSON, BOT))
    ok(by_host(over, "POST", "/void", json={"reason": "rain"}))
    for table, code, detail in (
        (with_another, "no_hint", "bots that have sat there from the start"),
        (given_up, "no_hint", "bots that have sat there from the start"),
        (open_table(client, (PERSON, BOT)), "no_hint", "it is not your turn"),
        (over, "no_hint", "it is not your turn"),
    ):
        assert detail in problem(table.get("/hint", 0), 409, code).detail


def test_one_that_takes_too_long_is_given_up_at_the_addresss_cost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The value of rare house rules is fitted first."""

    def fit_for_long(*arguments: Any, seat: int) -> NoReturn:
        began = time.thread_time()
        while time.thread_time() - began < 0.2:
            pass
        arguments[-1](0.5)
        raise AssertionError("it was not given up")

    monkeypatch.setattr(hints, "candidates_at", fit_for_long)
    monkeypatch.setattr(hints, "LONGEST", 0)
    work = RateLimitPolicy("address-work", 0.001, 10_000), RateLimitPolicy("token-work", 1, 1)
    with client_over(in_memory(), limits=Limits(None, None, work=work)) as client:
        table = practice(client)
        address = origin({"client": ("127.0.0.1", 1), "headers": []}, ())  # type: ignore[arg-type]
        before = work[0].used(address, time.monotonic())
        refused = problem(table.get("/hint", 0), 409, "analysis_not_covered")
        assert "more than 0 seconds" in refused.detail
        eventually(lambda: work[0].used(address, time.monotonic()) > before + 190)
