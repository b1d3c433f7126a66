"""The operator's listener answers whatever the games do."""

import socket
from collections.abc import Iterator
from uuid import uuid4

import pytest

from phaseledger.service.api.middleware import request_bodies
from phaseledger.service.api.operator import listener
from tests.support.cases import looped
from tests.support.service.api_tables import bearer, started
from tests.support.service.operator import ANN, Held, holdable
from tests.support.service.problems import problem


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    monkeypatch.setattr(listener, "SECONDS_FOR_AN_ACTION", 0.2)
    monkeypatch.setattr(listener, "SECONDS_FOR_READINESS", 0.2)
    with holdable(monkeypatch) as made:
        yield made


def test_metrics_are_told_while_the_games_hold_their_loop(service: Held) -> None:
    assert service.silence() == 0
    with service.held():
        assert service.silence() >= 0.2
    while service.silence():
        pass


def test_an_action_that_could_not_begin_is_refused_and_not_done(service: Held) -> None:
    table = started(service.both.api)
    path, key = f"/admin/games/{table.game}/void", {"Idempotency-Key": str(uuid4())}
    with service.held():
        busy = service.both.operator.post(path, json=ANN, headers=key)
        problem(busy, 503, "loop_busy")
        assert busy.headers["retry-after"] == "5"
        assert busy.headers["x-request-id"]
    assert service.both.record() == []
    assert table.get().json()["table"]["stage"] != "voided"
    done = service.both.operator.post(path, json=ANN, headers=key)
    assert done.status_code == 200
    assert [event["action"] for event in service.both.record()] == ["void_game"]


def test_what_is_no_action_is_refused_as_ever(service: Held) -> None:
    operator = service.both.operator
    problem(operator.post("/metrics"), 405, "method_not_allowed")
    problem(operator.get("/"), 404, "not_found")
    large = {**ANN, "reason": "x" * 20_000}
    problem(operator.post("/admin/drain", json=large), 413, "body_too_large")
    unknown = operator.post("/admin/drain", json=ANN, headers=bearer("nobody"))
    problem(unknown, 401, "token_unknown")


@looped("path", ["/metrics", "/admin/events", "/nothing"])
def test_names_that_may_be_made_to_lead_here_are_refused(service: Held, path: str) -> None:
    """Else a web page whose name is bound to this machine would read it (DNS rebinding)."""
    operator = service.both.operator
    status = operator.get(path).status_code
    for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost."):
        problem(operator.get(path, headers={"Host": host}), 400, "bad_host")
    for host in ("localhost:80", "127.0.0.1", "[::1]:80", "[::ffff:127.0.0.1]", "operator"):
        assert operator.get(path, headers={"Host": host}).status_code == status


def test_a_body_that_breaks_off_is_told_of(service: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "BODY_SECONDS", 0.1)
    url = service.both.operator.base_url
    with socket.create_connection((url.host, url.port)) as connection:
        head = "POST /admin/drain HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\n{"
        connection.sendall(head.encode())
        answer = connection.recv(65_536)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"code":"body_too_slow"' in answer
