"""A webhook is used once its URL has answered a challenge: over HTTP and PostgreSQL."""

import time
from collections.abc import Callable, Iterator

import httpx2
import msgspec
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.client import challenge_answer, verified_message
from phaseledger.service.schemas.webhooks import CHALLENGE, Message
from phaseledger.service.settings import Settings
from phaseledger.service.webhooks import store
from phaseledger.service.webhooks.sql import WEBHOOKS
from tests.support.polling import eventually
from tests.support.service.api_tables import Table, bearer, open_table
from tests.support.service.server import Served
from tests.support.service.stream_reader import opened_http
from tests.support.service.webhook_receiver import Endpoint, endpoint
from tests.support.service.webhook_service import (
    ask,
    confirmed,
    deliveries,
    heard,
    register,
    served_with,
    settings,
    settings_of_one,
)

__all__ = ["settings", "settings_of_one"]

WAITS = (0.2, 0.2)


@pytest.fixture(scope="module")
def served(settings: Settings) -> Iterator[Served]:
    with served_with(settings, schedule=WAITS, patience=3600) as service:
        yield service


@pytest.fixture
def receiver() -> Iterator[Endpoint]:
    with endpoint() as target:
        yield target


def _void(table: Table) -> None:
    done = table.client.post(
        f"{table.path}/void", json={"reason": "So."}, headers=bearer(table.host)
    )
    assert done.status_code == 200, done.text


def _plain(message: Message) -> bytes:
    return str(message.data["challenge"]).encode() + b"\n"


@pytest.mark.parametrize("answer", [challenge_answer, _plain])
def test_a_challenge_comes_first_signed_and_its_answer_confirms(
    client: httpx2.Client, receiver: Endpoint, answer: Callable[[Message], bytes | None]
) -> None:
    receiver.answer_challenge = answer
    table = open_table(client)
    hook = register(table, receiver.url, "game.voided")
    confirmed(table, hook)
    (challenge,) = receiver.challenges
    message = challenge.verified(hook["secret"])
    assert message["type"] == CHALLENGE
    assert {*message["data"]} == {"game", "webhook", "challenge"}
    assert (message["data"]["game"], message["data"]["webhook"]) == (table.game, hook["id"])
    theirs = verified_message(challenge.body, challenge.headers, hook["secret"])
    assert msgspec.to_builtins(theirs) == message
    _void(table)
    heard(receiver, b'"game.voided"')


@pytest.mark.parametrize(
    "answer",
    [
        lambda _: None,  # 403
        lambda _: b"ok",
        lambda _: b"",
        lambda message: b'["' + _plain(message).strip() + b'"]',
        lambda message: b'{"challenge": "' + _plain(message).strip() + b'x"}',
        lambda message: b" " * 5_000 + _plain(message),
        lambda _: b"[" * 4_000,
        lambda _: b'{"challenge": "\xff"}',
    ],
    ids=["refused", "another", "empty", "a list", "longer", "too long", "nested", "no text"],
)
def test_nothing_is_sent_to_who_does_not_answer_the_challenge(
    client: httpx2.Client, receiver: Endpoint, answer: Callable[[Message], bytes | None]
) -> None:
    receiver.answer_challenge = answer
    table = open_table(client)
    hook = register(table, receiver.url, "game.voided")
    _void(table)
    status = eventually(lambda: ask(table, f"/{hook['id']}").json(), lambda it: it["disabled_at"])
    assert status["reason"] == "it has not answered its challenge"
    assert status["confirmed_at"] is None
    assert len(receiver.challenges) == 1 + len(WAITS)
    assert len({request.body for request in receiver.challenges}) == 1
    assert [delivery["state"] for delivery in deliveries(table, hook)] == ["failed"]
    assert receiver.got == []


def test_what_happened_meanwhile_comes_afterwards(
    settings_of_one: Settings, receiver: Endpoint
) -> None:
    """As of a receiver that does not know its secret at first."""
    receiver.answer_challenge = lambda _: None
    with (
        served_with(settings_of_one, schedule=(0.2,) * 1_000) as served,
        opened_http(served.url) as client,
    ):
        table = open_table(client)
        hook = register(table, receiver.url, "game.voided")
        _void(table)
        eventually(lambda: deliveries(table, hook), lambda written: len(written) == 1)
        tried = len(receiver.challenges)
        eventually(lambda: len(receiver.challenges), lambda number: number > tried + 2)
        assert (receiver.got, deliveries(table, hook)[0]["attempts"]) == ([], [])
        receiver.answer_challenge = challenge_answer
        heard(receiver, b'"game.voided"')
        confirmed(table, hook)


def test_a_ping_of_who_has_not_answered_is_a_new_challenge(
    client: httpx2.Client, receiver: Endpoint
) -> None:
    receiver.answer_challenge = lambda _: None
    table = open_table(client)
    hook = register(table, receiver.url, "game.voided")
    eventually(lambda: ask(table, f"/{hook['id']}").json()["disabled_at"], bool)
    receiver.answer_challenge = challenge_answer
    assert ask(table, f"/{hook['id']}/ping", "POST").json()["type"] == CHALLENGE
    confirmed(table, hook)
    first, last = receiver.challenges[0], receiver.challenges[-1]
    assert first.verified(hook["secret"])["data"] != last.verified(hook["secret"])["data"]
    assert ask(table, f"/{hook['id']}").json()["disabled_at"] is None
    assert ask(table, f"/{hook['id']}/ping", "POST").json()["type"] == "ping"
    _void(table)
    heard(receiver, b'"game.voided"')
    assert receiver.got[0].verified(hook["secret"])["type"] == "ping"


def test_webhooks_of_older_releases_count_as_confirmed(
    client: httpx2.Client, receiver: Endpoint, settings: Settings
) -> None:
    """Those that were there, and those that an older release registers over the new tables."""
    table = open_table(client)
    model = register(table, receiver.url, "game.voided")
    confirmed(table, model)
    name = Identifier(settings.schema, "webhooks")
    columns = SQL("game, url, types, secret, since")
    with psycopg.connect(settings.database_url, autocommit=True) as conn:
        conn.execute(SQL("ALTER TABLE {} DROP COLUMN confirmed_at").format(name))
        ((_, migration),) = WEBHOOKS
        conn.execute(migration.format(schema=settings.schema).encode())
        conn.execute(
            SQL(
                "INSERT INTO {0} (id, {1}) SELECT gen_random_uuid(), {1} FROM {0} WHERE id = %s"
            ).format(name, columns),
            [model["id"]],
        )
    began = time.time()
    hooks = ask(table, "").json()["webhooks"]
    assert len(hooks) == 2
    assert all(began - 60 < hook["confirmed_at"] / 1000 < began + 60 for hook in hooks)
    _void(table)
    receiver.wait(2)
    assert len(receiver.challenges) == 1


def test_no_more_messages_wait_for_an_answer_than_may(
    settings_of_one: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond that the webhook is disabled, with its challenge alone, whose answer enables it."""
    monkeypatch.setattr(store, "MOST_UNCONFIRMED", 5)
    with (
        served_with(settings_of_one, schedule=(0.2,) * 200, patience=3600) as served,
        opened_http(served.url) as client,
        endpoint() as receiver,
        endpoint() as other,
    ):
        receiver.answer_challenge = lambda _: None
        table = open_table(client)
        _leave(table, table.tokens[1])
        silent, answering = register(table, receiver.url), register(table, other.url)
        confirmed(table, answering)
        _sit_and_leave(table, 2)
        assert ask(table, f"/{silent['id']}").json()["disabled_at"] is None
        _sit_and_leave(table, 6)
        disabled = eventually(
            lambda: ask(table, f"/{silent['id']}").json(), lambda hook: hook["disabled_at"]
        )
        assert disabled["reason"] == store.OVERFLOWN
        _sit_and_leave(table, 6)
        listed = ask(table, f"/{silent['id']}/deliveries").json()["deliveries"]
        assert [delivery["type"] for delivery in listed] == [CHALLENGE]
        for _ in range(20):
            assert ask(table, f"/{silent['id']}/ping", "POST").status_code == 202
        listed = ask(table, f"/{silent['id']}/deliveries").json()["deliveries"]
        assert 1 <= len(listed) <= 1 + 5
        assert ask(table, f"/{answering['id']}").json()["disabled_at"] is None
        receiver.answer_challenge = challenge_answer
        enabled = eventually(
            lambda: ask(table, f"/{silent['id']}").json(), lambda hook: hook["confirmed_at"]
        )
        assert (enabled["disabled_at"], enabled["reason"]) == (None, "")
        _void(table)
        heard(receiver, b'"game.voided"')


def _sit_and_leave(table: Table, times: int) -> None:
    """So many messages about the table, half of them that somebody sits down."""
    for _ in range(times // 2):
        joined = table.client.post(f"{table.path}/seats", json={"name": "Ada"}).json()
        _leave(table, joined["token"])


def _leave(table: Table, token: str) -> None:
    left = table.client.post(f"{table.path}/leave", json={}, headers=bearer(token))
    assert left.status_code == 200, left.text
