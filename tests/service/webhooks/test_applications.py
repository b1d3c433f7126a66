"""Webhooks of an application over HTTP and PostgreSQL: all of its tables, at one endpoint."""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2
import pytest
from standardwebhooks import WebhookVerificationError

from phaseledger.replay.formats import sealing
from phaseledger.service.app import in_postgres
from phaseledger.service.applications.application import SCOPES
from phaseledger.service.schemas.webhooks import TYPES
from phaseledger.service.settings import Settings, keys_folder
from phaseledger.service.webhooks.messages import _FIELDS
from phaseledger.service.webhooks.samples import DATA
from phaseledger.service.webhooks.store import MOST
from tests.support import forked
from tests.support.ledgers import own_ledger
from tests.support.service.api_tables import BOT, PERSON, Table, bearer, open_table, started
from tests.support.service.applications import made
from tests.support.service.operator import ANN, Both, running, written
from tests.support.service.problems import problem
from tests.support.service.webhook_receiver import Endpoint, Received, endpoint
from tests.support.service.webhook_service import ask, register, void

HOOKS = "/application/webhooks"


class App(NamedTuple):
    """A client that shows the key of an application; `own` opens tables with it."""

    client: httpx2.Client

    def register(self, url: str, *types: str, **headers: str) -> dict[str, Any]:
        body = {"url": url, "types": list(types)}
        done = self.client.post(HOOKS, json=body, headers=headers)
        assert done.status_code == 201, done.text
        return done.json()

    def rotate(self, hook: dict[str, Any], keep: float = 1, **headers: str) -> str:
        path = f"{HOOKS}/{hook['id']}/secret"
        done = self.client.post(path, json={"keep": keep}, headers=headers)
        assert done.is_success, done.text
        return done.json()["secret"]


@pytest.fixture(scope="module")
def settings(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    folder = tmp_path_factory.mktemp("ledger")
    with own_ledger(postgres_dsn, folder, webhook_allow_private=True) as ledger:
        sealing.new(keys_folder(ledger))
        yield ledger


@pytest.fixture(scope="module")
def both(settings: Settings) -> Iterator[Both]:
    with running(in_postgres(settings)) as both:
        yield both


@pytest.fixture
def app(both: Both, settings: Settings) -> Iterator[App]:
    key = bearer(made(settings))
    with httpx2.Client(base_url=both.api.base_url, headers=key, timeout=None) as client:
        yield App(client)


@pytest.fixture
def receiver() -> Iterator[Endpoint]:
    with endpoint() as target:
        yield target


def opened(app: App, **more: Any) -> Table:
    return started(app.client, (PERSON, PERSON), **more)


def fits(request: Received, secret: str) -> bool:
    try:
        request.verified(secret)
    except WebhookVerificationError:
        return False
    return True


def test_all_tables_of_the_application_are_told_and_no_others(
    both: Both, app: App, settings: Settings, receiver: Endpoint
) -> None:
    """One that runs is told of from the registering on; one for tests says that it is one."""
    running_one = opened(app)
    hook = app.register(receiver.url, "game.started", "game.voided")
    listed = app.client.get(HOOKS).json()["webhooks"]
    assert [(shown["id"], "secret" in shown) for shown in listed] == [(hook["id"], False)]
    void(started(both.api))
    key = bearer(made(settings))
    with httpx2.Client(base_url=both.api.base_url, headers=key) as other, endpoint() as elsewhere:
        App(other).register(elsewhere.url, "game.voided")
        void(open_table(other, (BOT, BOT)))
        elsewhere.wait(1)
    private = started(app.client, (BOT, BOT), terms={"private": True, "spectators": "none"})
    clocked = {"terms": {"clock": {"seconds": 60}}, "test": {}}
    tests = opened(app, **clocked)
    for table in (running_one, private, tests):
        void(table)
    messages = [request.verified(hook["secret"]) for request in receiver.wait(5)]
    pairs = sorted((message["data"]["game"], message["type"]) for message in messages)
    both_types = [(t.game, kind) for t in (private, tests) for kind in hook["types"]]
    assert pairs == sorted([(running_one.game, "game.voided"), *both_types])
    for message in messages:
        assert message["data"].get("test") == (
            True if message["data"]["game"] == tests.game else None
        )
    assert {len(m["data"]) for m in messages if m["data"]["game"] == private.game} == {1}


def test_a_table_with_a_webhook_of_its_own_is_told_at_both(app: App, receiver: Endpoint) -> None:
    """Each with its own secret; the one that is deleted hears no more."""
    hook = app.register(f"{receiver.url}/all", "game.voided")
    gone = app.register(f"{receiver.url}/gone")
    assert app.client.delete(f"{HOOKS}/{gone['id']}").status_code == 204
    problem(app.client.get(f"{HOOKS}/{gone['id']}"), 404, "no_such_webhook")
    table = open_table(app.client)
    own = register(table, f"{receiver.url}/own", "game.voided")
    void(table)
    paths = {"/hook/all": hook, "/hook/own": own}
    for request in receiver.wait(2):
        request.verified(paths.pop(request.path)["secret"])
    assert len(set(receiver.ids())) == 2


def test_a_secret_is_rotated_with_two_that_count(app: App, receiver: Endpoint) -> None:
    """A request that is repeated gets the same secret; a third one ends the first."""
    hook = app.register(receiver.url, "game.voided")
    key = {"Idempotency-Key": str(uuid4())}
    second = app.rotate(hook, **key)
    assert app.rotate(hook, **key) == second != hook["secret"]
    void(open_table(app.client))
    (message,) = receiver.wait(1)
    assert [fits(message, secret) for secret in (hook["secret"], second)] == [True, True]
    third = app.rotate(hook)
    void(open_table(app.client))
    message = receiver.wait(2)[1]
    assert [fits(message, s) for s in (hook["secret"], second, third)] == [False, True, True]
    shown = app.client.get(f"{HOOKS}/{hook['id']}").json()
    assert 0 < shown["earlier_until"] / 1000 - time.time() <= 3600
    last = app.rotate(hook, keep=0)
    void(open_table(app.client))
    message = receiver.wait(3)[2]
    assert [fits(message, secret) for secret in (third, last)] == [False, True]


def test_a_tables_secret_is_rotated_too(app: App, receiver: Endpoint) -> None:
    table = open_table(app.client)
    hook = register(table, receiver.url, "game.voided")
    fresh = ask(table, f"/{hook['id']}/secret", "POST", json={}).json()["secret"]
    void(table)
    (message,) = receiver.wait(1)
    assert [fits(message, secret) for secret in (hook["secret"], fresh)] == [True, True]
    problem(ask(table, f"/{uuid4()}/secret", "POST", json={}), 404, "no_such_webhook")


def test_it_is_the_applications_alone_and_takes_its_scopes(
    both: Both, app: App, settings: Settings, receiver: Endpoint
) -> None:
    hook = app.register(receiver.url)
    path = f"{HOOKS}/{hook['id']}"
    other = made(settings)
    asked = {("GET", path): "read", ("POST", f"{path}/secret"): "open", ("DELETE", path): "open"}
    for (method, where), scope in asked.items():
        weak = made(settings, scopes=[other for other in SCOPES if other != scope])
        for key, status, code in ((other, 404, "no_such_webhook"), (weak, 403, "scope_missing")):
            body = {"json": {}} if method == "POST" else {}
            refused = both.api.request(method, where, headers=bearer(key), **body)
            problem(refused, status, code)
    assert both.api.get(HOOKS, headers=bearer(other)).json() == {"webhooks": []}
    reader = bearer(made(settings, scopes=("read",)))
    refused = both.api.post(HOOKS, json={"url": receiver.url}, headers=reader)
    problem(refused, 403, "scope_missing")


def test_it_has_ten_and_a_key_registers_once(app: App, receiver: Endpoint) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    first = app.register(receiver.url, **key)
    app.rotate(first)
    repeated = app.register(receiver.url, **key)
    assert {**repeated, "secret": ""} == {**first, "secret": ""}
    for _ in range(MOST - 1):
        app.register(receiver.url)
    refused = app.client.post(HOOKS, json={"url": receiver.url})
    problem(refused, 409, "too_many_webhooks")
    problem(app.client.post(HOOKS, json={"url": "ftp://x/"}), 422, "webhook_refused")


def test_an_application_without_a_valid_key_is_told_nothing(
    both: Both, app: App, receiver: Endpoint
) -> None:
    hook = app.register(receiver.url, "game.voided")
    (table, later) = (open_table(app.client) for _ in range(2))
    application = app.client.get("/application").json()["id"]
    path = f"/admin/applications/{application}"
    assert both.operator.post(f"{path}/revoke", json=ANN).is_success
    with endpoint() as elsewhere:
        for ended in (table, later):
            register(ended, elsewhere.url, "game.voided")
        void(table)
        elsewhere.wait(1)
        assert both.operator.post(f"{path}/keys", json=ANN).is_success
        void(later)
        (message,) = receiver.wait(1)
    assert message.verified(hook["secret"])["data"]["game"] == later.game


def test_a_sample_is_of_each_type() -> None:
    """It has the fields of the messages that are sent."""
    more = {"game.started": {"ruleset", "players"}, "round.ended": {"results"}}
    fields = {kind: {*names} | more.get(kind, set()) for kind, names in _FIELDS.values()}
    assert {kind: set(data) for kind, data in DATA.items()} == {
        **fields,
        "turn.asked": {"seat", "kind"},
    }
    assert [*DATA] == [*TYPES]


def test_the_operator_triggers_a_sample(
    both: Both, app: App, receiver: Endpoint, tmp_path: Path
) -> None:
    """It is signed as all messages are, and it is printed how each endpoint answered."""
    listener = f"http://127.0.0.1:{both.operator.base_url.port}"
    name = app.client.get("/application").json()["name"]
    plain = {key: text for key, text in os.environ.items() if "PHASELEDGER" not in key}

    def triggered(*arguments: str) -> tuple[int, str]:
        flags = ("--application", name, "--url", listener, "--keys-dir", written(str(tmp_path)))
        done = forked.phaseledger("admin", "events", "trigger", *arguments, *flags, env=plain)
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout

    hook = app.register(receiver.url, "turn.asked")
    code, printed = triggered("your_turn")
    (message,) = receiver.wait(1)
    body = message.verified(hook["secret"])
    assert (code, body["type"], body["data"]["sample"]) == (0, "turn.asked", True)
    for shown in ("answered 204", message.id, message.body.decode(), receiver.url):
        assert shown in printed
    with endpoint() as broken:
        broken.answer = lambda _: 500
        app.register(broken.url, "turn.asked")
        code, printed = triggered("your_turn", "--json")
    assert (code, [sample["status"] for sample in json.loads(printed)["sent"]]) == (1, [204, 500])
    hooks = app.client.get(HOOKS).json()["webhooks"]
    assert [hook["failing_since"] for hook in hooks] == [None, None]
    assert triggered("seat.freed") == (1, "No webhook of the application takes seat.freed.\n")
    assert triggered("--list")[1].split() == ["your_turn", *TYPES]
    assert triggered("your_move")[0] == 2
