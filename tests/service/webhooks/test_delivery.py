"""Webhooks over HTTP, PostgreSQL and a real receiver: what is told, signed, retried, kept."""

import socket
import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from standardwebhooks import WebhookVerificationError

from phaseledger.service.components import in_memory
from phaseledger.service.schemas.webhooks import TYPES
from phaseledger.service.settings import Settings
from phaseledger.service.webhooks import delivery as deliveries_of
from phaseledger.service.webhooks import sender
from phaseledger.service.webhooks.store import MOST
from tests.support.service.api_tables import (
    BOT,
    PERSON,
    answer,
    bearer,
    greedily,
    open_table,
    play_on,
    started,
)
from tests.support.service.server import Served, serving
from tests.support.service.stream_reader import opened_http
from tests.support.service.webhook_receiver import Endpoint, endpoint
from tests.support.service.webhook_service import (
    ask,
    confirmed,
    heard,
    mover,
    register,
    served_with,
    settings,
    settings_of_one,
    settled,
)

__all__ = ["settings", "settings_of_one"]

WAITS = (0.2, 0.2)
"""The schedule of these tests; the real one takes a day."""


@pytest.fixture(scope="module")
def served(settings: Settings) -> Iterator[Served]:
    with served_with(settings, schedule=WAITS, patience=3600) as service:
        yield service


@pytest.fixture
def receiver() -> Iterator[Endpoint]:
    with endpoint() as target:
        yield target


def test_a_whole_game_is_told_in_order_to_a_verifying_receiver(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    table = open_table(client, (PERSON, PERSON), options={"variant": "n_phases(1)"})
    hook = register(table, receiver.url)
    assert hook["secret"].startswith("whsec_")
    assert hook["types"] == list(TYPES)
    assert table.start().status_code == 200
    play_on(table)
    events = table.get("/events", limit=1000).json()["events"]
    heard(receiver, b'"game.ended"')
    messages = [request.verified(hook["secret"]) for request in receiver.got]
    kinds = [message["type"] for message in messages]
    assert kinds[:3] == ["game.started", "round.started", "turn.asked"]
    assert kinds[-2:] == ["round.ended", "game.ended"]
    versions = [message["data"]["version"] for message in messages]
    assert versions == sorted(versions)
    turns = [event for event in events if event["type"] == "TurnBegan/1"]
    assert kinds.count("turn.asked") == len(turns)
    assert kinds.count("round.ended") == len([e for e in events if e["type"] == "RoundEnded/1"])
    assert len(set(receiver.ids())) == len(receiver.got)
    last = messages[-1]
    assert last["data"] == {
        "game": table.game,
        "version": events[-1]["seq"],
        "winners": events[-1]["data"]["winners"],
    }
    assert {request.headers["content-type"] for request in receiver.got} == {"application/json"}
    forged = receiver.got[-1]._replace(body=receiver.got[-1].body.replace(b"game.ended", b"g"))
    with pytest.raises(WebhookVerificationError):
        forged.verified(hook["secret"])


def test_hooks_of_the_opening_hear_of_it(client: httpx2.Client, receiver: Endpoint) -> None:
    body = {
        "ruleset": "classic",
        "seats": [BOT, BOT],
        "webhooks": [
            {"url": receiver.url, "types": ["seat.taken"]},
            {"url": receiver.url + "/two", "types": ["seat.taken"]},
        ],
    }
    key = {"Idempotency-Key": str(uuid4())}
    first, retry = (client.post("/games", json=body, headers=key).json() for _ in range(2))
    assert first["webhooks"] == retry["webhooks"]
    assert [hook["since"] for hook in first["webhooks"]] == [0, 0]
    assert first["webhooks"][0]["secret"] != first["webhooks"][1]["secret"]
    receiver.wait(4)
    for hook, path in zip(first["webhooks"], ("/hook", "/hook/two"), strict=True):
        mine = [request for request in receiver.got if request.path == path]
        assert [request.verified(hook["secret"])["data"]["seat"] for request in mine] == [0, 1]


def test_endpoints_that_never_answer_hold_up_no_other(
    settings_of_one: Settings, receiver: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each attempt lasts until its time is up, and what waits for them is older than all else."""
    monkeypatch.setattr(deliveries_of, "AT_ONCE", 4)
    monkeypatch.setattr(deliveries_of, "FAILING", 2)
    monkeypatch.setattr(sender, "TIMEOUT", 0.5)
    with (
        socket.create_server(("127.0.0.1", 0), backlog=1_000) as silent,
        served_with(settings_of_one, schedule=(0.2,) * 50) as served,
        opened_http(served.url) as client,
    ):
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        options = {"variant": "n_phases(1)", "max_turns_per_round": 8}
        body = {"ruleset": "classic", "seats": [BOT, BOT], "options": options, "start": True}
        opened = client.post("/games", json={**body, "webhooks": [{"url": url}] * 8}).json()
        time.sleep(3)
        table = open_table(client, (PERSON, BOT))
        hook = register(table, receiver.url)
        began = time.monotonic()
        confirmed(table, hook)
        assert ask(table, f"/{hook['id']}/ping", "POST").status_code == 202
        heard(receiver, b'"ping"')
        assert time.monotonic() - began < 20  # the others' backlog lasts for minutes
        for webhook in opened["webhooks"]:
            address = f"/games/{opened['game']}/webhooks/{webhook['id']}"
            assert client.delete(address, headers=bearer(opened["host_token"])).status_code == 204


@pytest.mark.parametrize("terms", [{"spectators": "delayed", "delay": 30}, {"spectators": "round"}])
def test_nothing_is_told_before_spectators_may_know(
    client: httpx2.Client, receiver: Endpoint, terms: dict[str, Any]
) -> None:
    table = open_table(client, (PERSON, PERSON), terms=terms)
    hook = register(table, receiver.url)
    assert table.start().status_code == 200
    for number in range(40):
        version, asked = mover(table)
        assert answer(table, asked, greedily, number).status_code == 200
    receiver.wait(1)
    time.sleep(1.5)
    version, _ = mover(table)
    events = client.get(f"{table.path}/events", params={"limit": 1000}).json()["events"]
    assert events[-1]["seq"] < version
    versions = [request.verified(hook["secret"])["data"]["version"] for request in receiver.got]
    assert versions
    assert max(versions) <= events[-1]["seq"]
    client.post(f"{table.path}/void", json={"reason": "Late."}, headers=bearer(table.host))
    heard(receiver, b'"game.voided"')
    last = receiver.got[-1].verified(hook["secret"])
    assert (last["type"], last["data"]["reason"]) == ("game.voided", "Late.")


def test_of_a_table_that_nobody_may_watch_only_that_something_happened_is_told(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    table = open_table(client, (PERSON, PERSON), terms={"spectators": "none"})
    hook = register(table, receiver.url, "game.started", "turn.asked", "game.voided")
    assert table.start().status_code == 200
    client.post(f"{table.path}/void", json={"reason": "Late."}, headers=bearer(table.host))
    messages = [request.verified(hook["secret"]) for request in receiver.wait(3)]
    assert [m["type"] for m in messages] == ["game.started", "turn.asked", "game.voided"]
    assert all(message["data"] == {"game": table.game} for message in messages)


def test_a_failing_endpoint_is_tried_again_under_the_same_id(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    answers = iter([500, 302, 200])
    receiver.answer = lambda _: next(answers)
    receiver.headers = {"Location": receiver.url + "/elsewhere"}
    table = open_table(client)
    hook = register(table, receiver.url, "game.voided")
    client.post(f"{table.path}/void", json={"reason": "So."}, headers=bearer(table.host))
    (done,) = settled(table, hook, "delivered")
    assert [attempt["status"] for attempt in done["attempts"]] == [500, 302, 200]
    assert [attempt["reason"] for attempt in done["attempts"]] == [
        "refused",
        "redirects are not followed",
        "",
    ]
    assert receiver.ids() == [done["message"]] * 3
    assert len({request.body for request in receiver.got}) == 1
    assert {request.path for request in receiver.got} == {"/hook"}
    assert done["due_at"] is None
    assert done["payload"]["type"] == "game.voided"


def test_each_message_is_retried_at_its_own_times_whatever_else_waits(
    settings_of_one: Settings, receiver: Endpoint
) -> None:
    """Oldest first; and once the endpoint answers again, all of them come at once."""
    receiver.answer = lambda _: 503
    with (
        served_with(settings_of_one, schedule=(1, 3_600), patience=3_600) as served,
        opened_http(served.url) as client,
    ):
        table = open_table(client)
        hook = register(table, receiver.url, "game.ended")
        path = f"/{hook['id']}"
        confirmed(table, hook)
        for _ in range(20):
            assert ask(table, f"{path}/ping", "POST").status_code == 202
        receiver.wait(40)
        order = list(dict.fromkeys(receiver.ids()))
        sent = ask(table, f"{path}/deliveries", params={"limit": 20}).json()["deliveries"]
        gaps = [message["attempts"][1]["at"] - message["attempts"][0]["at"] for message in sent]
        assert max(gaps) < 10_000  # one after the other they would take 20 s
        receiver.answer = lambda _: 200
        assert ask(table, f"{path}/ping", "POST").status_code == 202
        receiver.wait(61)
        assert receiver.ids()[-20:] == order


def test_a_message_that_is_refused_while_others_are_taken_keeps_its_times(
    settings_of_one: Settings, receiver: Endpoint
) -> None:
    with (
        served_with(settings_of_one, schedule=(0.2, *[3_600] * 9), patience=3_600) as served,
        opened_http(served.url) as client,
    ):
        receiver.answer = lambda request: (
            500 if [*receiver.ids(), request.id][0] == request.id else 200
        )
        table = open_table(client)
        hook = register(table, receiver.url, "game.ended")
        confirmed(table, hook)
        for number in range(7):
            assert ask(table, f"/{hook['id']}/ping", "POST").status_code == 202
            settled(table, hook, "delivered", number)
        assert receiver.ids().count(receiver.ids()[0]) <= 3


def test_an_endpoint_that_never_takes_it_is_given_up_and_replayed_by_hand(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    receiver.answer = lambda _: 503
    table = open_table(client)
    hook = register(table, receiver.url, "game.voided")
    client.post(f"{table.path}/void", json={"reason": "So."}, headers=bearer(table.host))
    (failed,) = settled(table, hook, "failed")
    assert len(failed["attempts"]) == 1 + len(WAITS)
    assert ask(table, f"/{hook['id']}").json()["failing_since"] is not None
    receiver.answer = lambda _: 200
    replayed = ask(table, f"/{hook['id']}/deliveries/{failed['id']}/replay", "POST")
    assert (replayed.status_code, replayed.json()["state"]) == (202, "pending")
    (done,) = settled(table, hook, "delivered")
    assert done["message"] == failed["message"]
    assert set(receiver.ids()) == {failed["message"]}
    assert ask(table, f"/{hook['id']}").json()["failing_since"] is None


def test_410_disables_and_a_ping_that_succeeds_enables(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    receiver.answer = lambda _: 410
    table = open_table(client, (PERSON, PERSON, PERSON))
    hook = register(table, receiver.url, "seat.taken", "game.started", "game.voided")
    leave = client.post(f"{table.path}/leave", headers=bearer(table.tokens[2]))
    assert leave.status_code == 200, leave.text
    assert client.post(f"{table.path}/seats", json={"name": "Late"}).status_code == 201
    settled(table, hook, "failed")
    gone = ask(table, f"/{hook['id']}").json()
    assert (gone["disabled_at"] is not None, gone["reason"]) == (True, "it answered 410")
    assert table.start().status_code == 200
    time.sleep(1.3)
    assert len(receiver.got) == 1
    receiver.answer = lambda _: 200
    assert ask(table, f"/{hook['id']}/ping", "POST").status_code == 202
    ping = receiver.wait(2)[-1].verified(hook["secret"])
    assert (ping["type"], ping["data"]["webhook"]) == ("ping", hook["id"])
    settled(table, hook, "delivered")
    assert ask(table, f"/{hook['id']}").json()["disabled_at"] is None
    client.post(f"{table.path}/void", json={"reason": "So."}, headers=bearer(table.host))
    assert receiver.wait(3)[-1].verified(hook["secret"])["type"] == "game.voided"


def test_days_of_failure_disable(settings_of_one: Settings, receiver: Endpoint) -> None:
    receiver.answer = lambda _: 500
    with (
        served_with(settings_of_one, schedule=(0.1, 60), patience=0.05) as served,
        opened_http(served.url) as client,
    ):
        table = open_table(client)
        hook = register(table, receiver.url)
        confirmed(table, hook)
        ask(table, f"/{hook['id']}/ping", "POST")
        settled(table, hook, "failed")
        assert ask(table, f"/{hook['id']}").json()["reason"] == "it failed for too long"


def test_deliveries_come_page_by_page_and_go_with_their_webhook(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    table = open_table(client)
    hook = register(table, receiver.url)
    confirmed(table, hook)
    for _ in range(2):
        assert ask(table, f"/{hook['id']}/ping", "POST").status_code == 202
    receiver.wait(2)
    first = ask(table, f"/{hook['id']}/deliveries", params={"limit": 2})
    path = f"/v1{table.path}/webhooks/{hook['id']}/deliveries"
    cursor = first.json()["next"]
    assert first.headers["link"] == (
        f'<{path}?limit=2&cursor={cursor}>; rel="next", <{path}?limit=2>; rel="first"'
    )
    second = ask(table, f"/{hook['id']}/deliveries", params={"limit": 2, "cursor": cursor})
    ids = [delivery["id"] for page in (first, second) for delivery in page.json()["deliveries"]]
    assert len(set(ids)) == 3
    assert second.json()["next"] is None
    assert ask(table, f"/{hook['id']}/deliveries", params={"cursor": "x"}).status_code == 422
    assert ask(table, f"/{hook['id']}", "DELETE").status_code == 204
    for path in ("", "/deliveries"):
        gone = ask(table, f"/{hook['id']}{path}")
        assert (gone.status_code, gone.json()["code"]) == (404, "no_such_webhook")
    assert ask(table, "").json() == {"webhooks": []}


def test_only_the_host_may_and_only_with_their_own(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    table, other = started(client), started(client)
    hook = register(table, receiver.url, "game.voided")
    assert "secret" not in ask(table, f"/{hook['id']}").json()
    path = f"/webhooks/{hook['id']}"
    for token, status in ((table.tokens[0], 403), (other.host, 404), ("p10h_", 401)):
        for method, sub in (("GET", ""), ("DELETE", ""), ("GET", "/deliveries"), ("POST", "/ping")):
            done = client.request(method, f"{table.path}{path}{sub}", headers=bearer(token))
            assert done.status_code == status, (method, sub, done.text)
    assert client.get(f"{other.path}{path}", headers=bearer(other.host)).status_code == 404
    assert client.get(f"{table.path}/webhooks").status_code == 401


def test_there_may_be_ten(client: httpx2.Client, receiver: Endpoint) -> None:
    table = open_table(client)
    for _ in range(MOST):
        register(table, receiver.url)
    refused = ask(table, "", "POST", json={"url": receiver.url})
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_webhooks")


def test_registering_again_with_its_key_is_the_same_webhook(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    table, key = open_table(client), {"Idempotency-Key": str(uuid4())}
    first = register(table, receiver.url, "game.ended", **key)
    assert register(table, receiver.url, "game.ended", **key) == first
    body = {"url": receiver.url, "types": ["game.voided"]}
    refused = client.post(
        f"{table.path}/webhooks", json=body, headers={**bearer(table.host), **key}
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_mismatch")


def test_a_service_in_memory_says_that_it_sends_none() -> None:
    with (
        serving(in_memory()) as served,
        opened_http(served.url) as client,
    ):
        table = open_table(client)
        refused = ask(table, "", "POST", json={"url": "https://example.com/"})
        assert (refused.status_code, refused.json()["code"]) == (503, "webhooks_unavailable")
