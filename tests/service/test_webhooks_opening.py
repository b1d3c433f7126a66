"""An opening is the same one only with the same webhooks."""

from collections.abc import Iterator
from uuid import uuid4

import httpx2
import pytest

from service.settings import Settings
from service.webhook_forms import TYPES
from tests.service.conftest import Served
from tests.service.hooked import served_with, settings
from tests.service.tables import BOT, PERSON, bearer

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
    opened, again = (
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
        assert again.json()["webhooks"] == opened.json()["webhooks"]
    else:
        assert (again.status_code, again.json()["code"]) == (422, "idempotency_mismatch")
    told = opened.json()
    there = client.get(f"/games/{told['game']}/webhooks", headers=bearer(told["host_token"]))
    assert sorted(hook["url"][-1] for hook in there.json()["webhooks"]) == sorted(first)


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
