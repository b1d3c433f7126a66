"""Webhooks over HTTP, PostgreSQL and a real receiver: what is told, signed, retried, kept."""

import socket
import time
from collections.abc import Iterator
from uuid import uuid4

import httpx2
import pytest
from standardwebhooks import WebhookVerificationError

from phaseledger.service.schemas.webhooks import TYPES
from phaseledger.service.settings import Settings
from phaseledger.service.webhooks import delivery as deliveries_of
from phaseledger.service.webhooks import sender
from phaseledger.service.webhooks.store import MOST
from tests.support.polling import eventually
from tests.support.service.api_tables import (
    BOT,
    PERSON,
    bearer,
    greedily,
    open_table,
    play_on,
    started,
)
from tests.support.service.api_tables import answer as answer_of
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import Served, serving
from tests.support.service.stream_reader import opened_http
from tests.support.service.webhook_receiver import Endpoint, Received, endpoint
from tests.support.service.webhook_service import (
    ask,
    heard,
    mover,
    register,
    served_with,
    settings,
    settings_of_one,
    state,
    void,
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


def test_a_whole_game_is_told_to_a_verifying_receiver(
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
    count = len([e for e in events if e["type"] in ("TurnBegan/1", "RoundDealt/1", "RoundEnded/1")])
    messages = [request.verified(hook["secret"]) for request in receiver.wait(count + 2)]
    messages.sort(key=lambda message: (message["data"]["version"], message["type"]))
    kinds = [message["type"] for message in messages]
    assert kinds[:3] == ["game.started", "round.started", "turn.asked"]
    assert kinds[-2:] == ["round.ended", "game.ended"]
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
    forged = receiver.got[-1]._replace(body=receiver.got[-1].body + b" ")
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
        seats = [request.verified(hook["secret"])["data"]["seat"] for request in mine]
        assert sorted(seats) == [0, 1]


def test_endpoints_that_never_answer_hold_up_no_other(
    settings_of_one: Settings, receiver: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each attempt lasts until its time is up, and what waits for them is older than all else."""
    monkeypatch.setattr(deliveries_of, "AT_ONCE", 4)
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
        receiver.answer = lambda _: 204
        assert table.start().status_code == 200
        eventually(lambda: state(table, hook)["confirmed_at"], bool)
        began = time.monotonic()
        void(table)
        heard(receiver, b'"game.voided"')
        assert time.monotonic() - began < 20  # the others' backlog lasts for minutes
        for webhook in opened["webhooks"]:
            address = f"/games/{opened['game']}/webhooks/{webhook['id']}"
            assert client.delete(address, headers=bearer(opened["host_token"])).status_code == 204


def test_nothing_is_told_before_spectators_may_know(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    tables = {}
    for terms in ({"spectators": "delayed", "delay": 30}, {"spectators": "round"}):
        table = open_table(client, (PERSON, PERSON), terms=terms)
        tables[table.game] = (table, register(table, receiver.url)["secret"])
        assert table.start().status_code == 200
        for number in range(25):
            _, asked = mover(table)
            assert answer_of(table, asked, greedily, number).status_code == 200
    eventually(
        lambda: (
            {game for game in tables if game.encode() in str(receiver.got).encode()} == {*tables}
        )
    )
    time.sleep(1.5)
    versions: dict[str, list[int]] = {game: [] for game in tables}
    for request in receiver.got:
        (game,) = (game for game in tables if game.encode() in request.body)
        versions[game].append(request.verified(tables[game][1])["data"]["version"])
    for game, (table, _) in tables.items():
        version, _ = mover(table)
        public = client.get(f"{table.path}/events", params={"limit": 1000}).json()["events"]
        assert 0 < max(versions[game]) <= public[-1]["seq"] < version
        void(table, f"Late {game}.")
        heard(receiver, f'"reason":"Late {game}."'.encode())


def test_of_a_table_that_nobody_may_watch_only_that_something_happened_is_told(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    table = open_table(client, (PERSON, PERSON), terms={"spectators": "none"})
    hook = register(table, receiver.url, "game.started", "turn.asked", "game.voided")
    assert table.start().status_code == 200
    void(table)
    messages = [request.verified(hook["secret"]) for request in receiver.wait(3)]
    assert {m["type"] for m in messages} == {"game.started", "turn.asked", "game.voided"}
    assert all(message["data"] == {"game": table.game} for message in messages)


def test_a_failing_endpoint_is_tried_again_under_the_same_id(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    answers = iter([500, 302, 200])
    receiver.answer = lambda _: next(answers)
    receiver.headers = {"Location": receiver.url + "/elsewhere"}
    table = open_table(client)
    hook = register(table, receiver.url, "game.voided")
    void(table)
    eventually(lambda: state(table, hook)["reason"], lambda reason: reason == "refused")
    receiver.wait(3)
    well = eventually(lambda: state(table, hook), lambda now: now["confirmed_at"])
    assert (well["failing_since"], well["reason"]) == (None, "")
    assert len(set(receiver.ids())) == 1
    assert len({request.body for request in receiver.got}) == 1
    assert {request.path for request in receiver.got} == {"/hook"}
    time.sleep(1)
    assert len(receiver.got) == 3


def test_each_message_is_tried_at_its_own_times_whatever_else_waits(
    settings_of_one: Settings, receiver: Endpoint
) -> None:
    """One of them is never answered; another is refused, and tried again as often as may be."""
    silent: list[str] = []

    def answer(request: Received) -> int | None:
        if b'"turn.asked"' in request.body and not silent:
            silent.append(request.id)
        if request.id in silent:
            return None
        return 500 if b'"round.started"' in request.body else 200

    receiver.answer = answer
    with (
        served_with(settings_of_one, schedule=(0.2, 0.2), patience=3_600) as served,
        opened_http(served.url) as client,
    ):
        table = open_table(client, (PERSON, PERSON))
        register(table, receiver.url)
        began = time.monotonic()
        assert table.start().status_code == 200
        for number in range(6):
            _, asked = mover(table)
            assert answer_of(table, asked, greedily, number).status_code == 200
        void(table)
        heard(receiver, b'"game.voided"')
        eventually(
            lambda: [b'"round.started"' in request.body for request in receiver.got].count(True),
            lambda tries: tries == 3,
        )
        assert time.monotonic() - began < sender.TIMEOUT
        assert silent


def test_410_ends_a_webhook(client: httpx2.Client, receiver: Endpoint) -> None:
    receiver.answer = lambda _: 410
    table = open_table(client, (PERSON, PERSON))
    hook = register(table, receiver.url, "game.started", "game.voided")
    assert table.start().status_code == 200
    gone = eventually(lambda: state(table, hook), lambda now: now["disabled_at"])
    assert gone["reason"] == "it answered 410"
    void(table)
    time.sleep(1.3)
    assert len(receiver.got) == 1


def test_days_of_failure_end_a_webhook(settings_of_one: Settings, receiver: Endpoint) -> None:
    with (
        served_with(settings_of_one, schedule=(0.2, 0.2, 0.2, 60), patience=0.05) as served,
        opened_http(served.url) as client,
    ):
        table = open_table(client, (PERSON, PERSON))
        hook = register(table, receiver.url, "game.started", "game.voided")
        assert table.start().status_code == 200
        eventually(lambda: state(table, hook)["confirmed_at"], bool)
        receiver.answer = lambda _: 500
        void(table)
        gone = eventually(lambda: state(table, hook), lambda now: now["disabled_at"])
        assert gone["reason"] == "it failed for too long"


def test_a_url_that_never_took_a_message_is_given_up_after_some_attempts(
    client: httpx2.Client, receiver: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries_of, "UNPROVEN", 2)
    receiver.answer = lambda _: 405
    table = open_table(client)
    hook = register(table, receiver.url, "game.voided")
    void(table)
    gone = eventually(lambda: state(table, hook), lambda now: now["disabled_at"])
    assert (gone["reason"], len(receiver.got)) == ("it failed for too long", 2)


def test_a_message_goes_with_its_webhook(client: httpx2.Client, receiver: Endpoint) -> None:
    table = open_table(client)
    hook = register(table, receiver.url)
    assert ask(table, f"/{hook['id']}", "DELETE").status_code == 204
    problem(ask(table, f"/{hook['id']}"), 404, "no_such_webhook")
    assert ask(table, "").json() == {"webhooks": []}
    void(table)
    time.sleep(1)
    assert receiver.got == []


def test_only_the_host_may_and_only_with_their_own(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    table, other = started(client), started(client)
    hook = register(table, receiver.url, "game.voided")
    assert "secret" not in ask(table, f"/{hook['id']}").json()
    path = f"/webhooks/{hook['id']}"
    for token, status in ((table.tokens[0], 403), (other.host, 404), ("p10h_", 401)):
        for method in ("GET", "DELETE"):
            done = client.request(method, f"{table.path}{path}", headers=bearer(token))
            assert done.status_code == status, (method, done.text)
    assert client.get(f"{other.path}{path}", headers=bearer(other.host)).status_code == 404
    assert client.get(f"{table.path}/webhooks").status_code == 401


def test_a_table_has_ten_and_a_key_registers_once(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    table, key = open_table(client), {"Idempotency-Key": str(uuid4())}
    first = register(table, receiver.url, "game.ended", **key)
    assert register(table, receiver.url, "game.ended", **key) == first
    body, headers = {"url": receiver.url, "types": ["game.voided"]}, bearer(table.host)
    refused = client.post(f"{table.path}/webhooks", json=body, headers={**headers, **key})
    problem(refused, 422, "idempotency_mismatch")
    for _ in range(MOST - 1):
        register(table, receiver.url)
    problem(ask(table, "", "POST", json=body), 409, "too_many_webhooks")


def test_a_service_in_memory_says_that_it_sends_none() -> None:
    with (
        serving(in_memory()) as served,
        opened_http(served.url) as client,
    ):
        table = open_table(client)
        refused = ask(table, "", "POST", json={"url": "https://example.com/"})
        problem(refused, 503, "webhooks_unavailable")
