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
from tests.support.service.problems import problem
from tests.support.service.server import Served
from tests.support.service.webhook_service import ask, served_with, settings

__all__ = ["settings"]


@pytest.fixture(scope="module")
def served(settings: Settings) -> Iterator[Served]:
    with served_with(settings) as service:
        yield service


def opened(client: httpx2.Client, *hooks: dict[str, Any], key: str = "") -> httpx2.Response:
    body = {"ruleset": "classic", "seats": [PERSON, BOT], "webhooks": hooks}
    return client.post("/games", json=body, headers={"Idempotency-Key": key or str(uuid4())})


def hooks_at(*names: str) -> list[dict[str, Any]]:
    """Webhooks where nothing listens."""
    return [{"url": f"http://127.0.0.1:9/{name}"} for name in names]


def test_an_opening_is_repeated_with_the_same_webhooks_only(client: httpx2.Client) -> None:
    """Their addresses in order, and what each is told of."""
    for first in ("", "a", "ab"):
        key = str(uuid4())
        made = opened(client, *hooks_at(*first), key=key)
        assert made.status_code == 201, made.text
        for then in ("", "a", "b", "ab", "ba"):
            retry = opened(client, *hooks_at(*then), key=key)
            if then == first:
                assert retry.json()["webhooks"] == made.json()["webhooks"]
            else:
                problem(retry, 422, "idempotency_mismatch")
        created = made.json()
        headers = bearer(created["host_token"])
        there = client.get(f"/games/{created['game']}/webhooks", headers=headers).json()
        assert sorted(hook["url"][-1] for hook in there["webhooks"]) == sorted(first)
    (hook,), key = hooks_at("a"), str(uuid4())
    for types, status in ((TYPES, 201), ((), 201), (TYPES[::-1], 201), (("game.ended",), 422)):
        assert opened(client, {**hook, "types": types}, key=key).status_code == status, types


def test_the_first_answer_is_repeated_whatever_became_of_the_webhooks(
    client: httpx2.Client,
) -> None:
    """Nothing listens there, so they fail; and what was deleted is not registered again."""
    (hook,), key = hooks_at("a"), str(uuid4())
    made = opened(client, hook, key=key)
    table = Table(client, made.json()["game"], made.json()["host_token"], {})
    headers = {**bearer(table.host), "Idempotency-Key": str(uuid4())}

    def registered(what: dict[str, Any]) -> httpx2.Response:
        return client.post(f"{table.path}/webhooks", json=what, headers=headers)

    second = registered(hook)
    assert second.status_code == 201
    ids = [made.json()["webhooks"][0]["id"], second.json()["id"]]
    assert client.post(f"{table.path}/seats", json={"name": "Ann"}).status_code == 201
    for number in ids:
        shown = eventually(
            lambda number=number: ask(table, f"/{number}").json(), lambda now: now["failing_since"]
        )
        assert shown["reason"] == "no connection"
    for left in (ids, []):
        assert opened(client, hook, key=key).content == made.content
        assert registered(hook).content == second.content
        assert [listed["id"] for listed in ask(table, "").json()["webhooks"]] == left
        for number in left:
            assert ask(table, f"/{number}", "DELETE").status_code == 204
    problem(registered(hooks_at("b")[0]), 422, "idempotency_mismatch")
