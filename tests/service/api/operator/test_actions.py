"""The operator's listener: what is done there, and what it leads to."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from phaseledger.service.credentials.tokens import digest, new_token, public_id
from tests.support.cases import looped
from tests.support.polling import ENDLESS
from tests.support.service.api_tables import PERSON, bearer, started
from tests.support.service.operator import ANN, TOKEN, Both, running
from tests.support.service.problems import problem


@pytest.fixture(scope="module")
def both() -> Iterator[Both]:
    with running() as both:
        yield both


def test_nobody_gets_in_without_the_token(both: Both) -> None:
    game = uuid4()
    paths = [("GET", "/admin/events"), ("GET", f"/admin/games/{game}/tokens")]
    paths += [("POST", "/admin/drain"), ("POST", f"/admin/games/{game}/void")]
    for method, path in paths:
        for headers, code in (
            ({"Authorization": ""}, "token_missing"),
            (bearer(TOKEN[:-1]), "token_unknown"),
            (bearer(new_token(None)), "token_unknown"),
            ({"Authorization": f"Basic {TOKEN}"}, "token_unknown"),
        ):
            body = ANN if method == "POST" else None
            refused = both.operator.request(method, path, headers=headers, json=body)
            problem(refused, 401, code)
            assert TOKEN not in refused.text
    scraped = both.operator.get("/metrics", headers={"Authorization": ""})
    assert scraped.status_code == 200
    assert scraped.headers["content-type"].count("charset") == 1
    problem(both.api.get(str(both.operator.base_url.path) + "admin/events"), 404, "not_found")


def test_a_voided_game_tells_who_did_it_and_why(both: Both) -> None:
    table = started(both.api)
    before = len(both.record())
    done = both.operator.post(f"/admin/games/{table.game}/void", json=ANN)
    assert done.status_code == 200, done.text
    last = table.get("/events", limit=1000).json()["events"][-1]
    assert (last["type"], last["data"]["reason"]) == ("GameVoided/1", "operator ann: a wrong deal")
    (event,) = both.record()[before:]
    assert event == done.json()
    fields = {name: event[name] for name in ("actor", "action", "reason", "details")}
    assert fields == {**ANN, "action": "void_game", "details": {"game": table.game}}
    assert abs(event["at"] - time.time()) < 60


def test_a_refused_action_is_in_the_record_too(both: Both) -> None:
    table = started(both.api)
    assert both.operator.post(f"/admin/games/{table.game}/void", json=ANN).status_code == 200
    before = len(both.record())
    refusals = (
        ("void_game", f"/admin/games/{table.game}/void", 409, "game_over"),
        ("void_game", f"/admin/games/{uuid4()}/void", 404, "no_such_game"),
        ("revoke_token", f"/admin/tokens/{'0' * 16}/revoke", 404, "no_such_token"),
    )
    expected = []
    for action, path, status, code in refusals:
        problem(both.operator.post(path, json=ANN), status, code)
        expected += [(action, None), ("refused", code)]
    new = both.record()[before:]
    assert [(event["action"], event["details"].get("code")) for event in new] == expected
    about = [event["details"].get("about") for event in new]
    assert about[1::2] == [event["id"] for event in new[::2]]


@looped(
    "body",
    [
        {},
        {"actor": "ann"},
        {"actor": "", "reason": "x"},
        {"actor": "a\n", "reason": "x"},
        {"actor": "ann", "reason": "x" * 141},
        {"actor": "ann", "reason": "x", "more": 1},
    ],
)
def test_without_an_actor_and_a_reason_nothing_is_done(both: Both, body: dict[str, Any]) -> None:
    before = both.record()
    problem(both.operator.post("/admin/drain", json=body), 400, "invalid_body")
    assert both.record() == before
    assert both.api.post("/games", json={}).status_code == 400


def test_tokens_are_listed_and_revoked(both: Both) -> None:
    table = started(both.api)
    path = f"/admin/games/{table.game}"
    names = {public_id(digest(token)): seat for seat, token in table.tokens.items()}
    listed = both.operator.get(f"{path}/tokens")
    tokens = {token["id"]: token["seat"] for token in listed.json()["tokens"]}
    assert tokens == {**names, public_id(digest(table.host)): None}
    assert not any(token in listed.text for token in (table.host, *table.tokens.values()))
    name = next(name for name, seat in names.items() if seat == 0)
    assert both.operator.post(f"/admin/tokens/{name}/revoke", json=ANN).status_code == 200
    problem(table.get(seat=0), 401, "token_revoked")
    assert table.get(seat=1).status_code == 200
    assert both.operator.post(f"{path}/seats/1/revoke", json=ANN).status_code == 200
    problem(table.get(seat=1), 401, "token_revoked")
    assert both.operator.post(f"{path}/host/revoke", json=ANN).status_code == 200
    host = both.api.post(f"{table.path}/void", json={"reason": "x"}, headers=bearer(table.host))
    problem(host, 401, "token_revoked")
    assert all(token["revoked"] for token in both.operator.get(f"{path}/tokens").json()["tokens"])
    problem(both.operator.post(f"{path}/seats/7/revoke", json=ANN), 422, "no_such_seat")


def test_who_waits_while_the_token_is_revoked_sees_nothing() -> None:
    with running(patience_seconds=ENDLESS) as both, ThreadPoolExecutor(1) as pool:
        table = started(both.api)
        path = f"{table.path}?at_least={table.version() + 1}"
        waiting = pool.submit(both.api.get, path, headers=bearer(table.tokens[0]))
        time.sleep(0.1)
        revoked = both.operator.post(f"/admin/games/{table.game}/seats/0/revoke", json=ANN)
        assert revoked.is_success
        assert both.operator.post(f"/admin/games/{table.game}/void", json=ANN).is_success
        problem(waiting.result(), 401, "token_revoked")


def test_a_seat_whose_tokens_are_revoked_gets_no_other(both: Both) -> None:
    opened = both.api.post("/games", json={"ruleset": "classic", "seats": [PERSON, PERSON]})
    game, join = opened.json()["game"], {"headers": {"Idempotency-Key": str(uuid4())}}
    path = f"/games/{game}/seats"
    assert both.api.post(path, json={"name": "A"}, **join).status_code == 201
    assert both.operator.post(f"/admin/games/{game}/seats/0/revoke", json=ANN).status_code == 200
    problem(both.api.post(path, json={"name": "A"}, **join), 409, "no_fresh_token")
    assert both.api.post(path, json={"name": "B"}).status_code == 201


def test_a_repeated_action_is_carried_out_once(both: Both) -> None:
    table, before = started(both.api), len(both.record())
    once = {"Idempotency-Key": str(uuid4())}
    path = f"/admin/games/{table.game}"
    first = both.operator.post(f"{path}/void", json=ANN, headers=once)
    quoted = {"Idempotency-Key": f'"{once["Idempotency-Key"]}"'}
    retry = both.operator.post(f"{path}/void", json=ANN, headers=quoted)
    assert (retry.status_code, retry.content) == (200, first.content)
    assert len(both.record()) == before + 1
    for other, body in ((f"{path}/host/revoke", ANN), (f"{path}/void", {**ANN, "actor": "bob"})):
        problem(both.operator.post(other, json=body, headers=once), 422, "idempotency_mismatch")
    assert len(both.record()) == before + 1
    once = {"Idempotency-Key": str(uuid4())}
    for _ in range(2):
        assert both.operator.post(f"{path}/seats/0/revoke", json=ANN, headers=once).is_success
    assert len(both.record()) == before + 2


def test_while_it_drains_only_reads_go_on(both: Both) -> None:
    table = started(both.api)
    ready = f"{str(both.api.base_url).removesuffix('/v1/')}/health/ready"
    assert both.operator.post("/admin/drain", json=ANN).status_code == 200
    try:
        for refused in (
            table.send(0, {"type": "draw"}),
            both.api.post("/games", json={}),
            both.api.post(f"{table.path}/seats", json={"name": "x"}),
        ):
            problem(refused, 503, "draining")
            assert int(refused.headers["retry-after"]) > 0
        assert table.get(seat=0).status_code == 200
        check = {"phase": 1, "groups": []}
        assert both.api.post("/rulesets/classic/checks", json=check).status_code != 503
        not_ready = problem(httpx2.get(ready), 503, "not_ready")
        assert not_ready.checks is not None
        assert [name for name, check in not_ready.checks.named() if not check.ok] == ["commands"]
        assert "draining" in not_ready.detail
        # What operators do goes on.
        assert both.operator.post(f"/admin/games/{table.game}/void", json=ANN).status_code == 200
    finally:
        assert both.operator.post("/admin/undrain", json=ANN).status_code == 200
    assert httpx2.get(ready).status_code == 200
    assert both.api.post("/games", json={}).status_code == 400
