"""An opening is the same one only with the same webhooks."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from phaseledger.service.schemas.webhooks import TYPES
from phaseledger.service.settings import Settings
from tests.support.polling import eventually
from tests.support.service.api_tables import BOT, PERSON, Table, bearer
from tests.support.service.server import Served
from tests.support.service.webhook_service import ask, served_with, settings

__all__ = ["settings"]


@pytest.fixture(scope="module")
def served(settings: Settings) -> Iterator[Served]:
    with served_with(settings) as service:
        yield service


@pytest.mark.parametrize(
    ("first", "then", "is_repeat"),
    [
        (["a"], ["a"], True),
        (["a", "b"], ["a", "b"], True),
        ([], [], True),
        ([], ["a"], False),
        (["a"], [], False),
        (["a"], ["b"], False),
        (["a"], ["a", "b"], False),
        (["a", "b"], ["a"], False),
        (["a", "b"], ["b", "a"], False),
    ],
)
def test_an_opening_is_repeated_with_the_same_webhooks_only(
    client: httpx2.Client, first: list[str], then: list[str], is_repeat: bool
) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    opened, retry = (
        client.post(
            "/games",
            json={
                "ruleset": "classic",
                "seats": [PERSON, BOT],
                "webhooks": [{"url": f"http://127.0.0.1:9/{name}"} for name in names],
            },
            headers=key,
        )
        for names in (first, then)
    )
    assert opened.status_code == 201, opened.text
    if is_repeat:
        assert retry.json()["webhooks"] == opened.json()["webhooks"]
    else:
        assert (retry.status_code, retry.json()["code"]) == (422, "idempotency_mismatch")
    created = opened.json()
    there = client.get(f"/games/{created['game']}/webhooks", headers=bearer(created["host_token"]))
    assert sorted(hook["url"][-1] for hook in there.json()["webhooks"]) == sorted(first)


@pytest.mark.parametrize("deleted", [False, True])
def test_the_first_answer_is_repeated_whatever_became_of_the_webhooks(
    client: httpx2.Client, deleted: bool
) -> None:
    """Nothing listens there, so they fail; and what was deleted is not registered again."""
    hooks = [{"url": "http://127.0.0.1:9/a"}]
    asks: list[dict[str, Any]] = [
        {
            "url": "/games",
            "json": {"ruleset": "classic", "seats": [PERSON, BOT], "webhooks": hooks},
            "headers": {"Idempotency-Key": str(uuid4())},
        }
    ]
    first = [client.post(**asks[0])]
    created = first[0].json()
    table = Table(client, created["game"], created["host_token"], {})
    key = {**bearer(table.host), "Idempotency-Key": str(uuid4())}
    asks.append({"url": f"{table.path}/webhooks", "json": hooks[0], "headers": key})
    first.append(client.post(**asks[1]))
    assert [answer.status_code for answer in first] == [201, 201]
    ids = [created["webhooks"][0]["id"], first[1].json()["id"]]
    assert client.post(f"{table.path}/seats", json={"name": "Ann"}).status_code == 201
    for hook in ids:
        state = eventually(
            lambda hook=hook: ask(table, f"/{hook}").json(), lambda now: now["failing_since"]
        )
        assert state["reason"] == "no connection"
        if deleted:
            assert ask(table, f"/{hook}", "DELETE").status_code == 204
    assert [client.post(**request).content for request in asks] == [
        answer.content for answer in first
    ]
    left = ask(table, "").json()["webhooks"]
    assert [hook["id"] for hook in left] == ([] if deleted else ids)
    other = {**asks[1], "json": {"url": "http://127.0.0.1:9/b"}}
    assert client.post(**other).json()["code"] == "idempotency_mismatch"


def test_the_types_of_an_opening_s_webhooks_are_part_of_it(client: httpx2.Client) -> None:
    answers = [
        client.post(
            "/games",
            json={
                "ruleset": "classic",
                "seats": [PERSON, BOT],
                "webhooks": [{"url": "http://127.0.0.1:9/", "types": types}],
            },
            headers={"Idempotency-Key": "e9a1a2a6-64b5-4f39-bb2e-0a3f4f7a5c11"},
        )
        for types in (list(TYPES), [], [*reversed(TYPES)], ["game.ended"])
    ]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 422]
