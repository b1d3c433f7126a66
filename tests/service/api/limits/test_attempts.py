"""Wrong join codes and pings of webhooks have limits of their own, of who sends them alone."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from itertools import count
from typing import Any

import httpx2
import pytest

from phaseledger.service.api.limits import attempts
from phaseledger.service.app import Components, in_postgres
from phaseledger.service.settings import Settings
from tests.support.service.api_tables import PERSON, open_table
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import client_over
from tests.support.service.webhook_service import ask, settings_of_one

__all__ = ["settings_of_one"]

GUESSER, OTHER = ({"X-Forwarded-For": f"198.51.100.{number}"} for number in (1, 2))


def limited(parts: Components, **options: Any) -> AbstractContextManager[httpx2.Client]:
    return client_over(parts, trusted_proxies="127.0.0.1", **options)


def _private(client: httpx2.Client, **terms: Any) -> tuple[str, str]:
    body = {"ruleset": "classic", "seats": [PERSON] * 2, "terms": {"private": True, **terms}}
    opened = client.post("/games", json=body).json()
    return opened["game"], opened["code"]


def test_wrong_codes_run_out_and_right_ones_do_not() -> None:
    with limited(in_memory(), join_guesses=3) as client:
        game, code = _private(client)
        number = count()
        hidden, _ = _private(client, spectators="none")

        def join(code: str, sender: dict[str, str]) -> httpx2.Response:
            body = {"name": f"Ada {next(number)}", "code": code}
            return client.post("/joins", json=body, headers=sender)

        def sit(game: str, code: str) -> httpx2.Response:
            path, body = f"/games/{game}/seats", {"name": "Ada", "code": code}
            return client.post(path, json=body, headers=GUESSER)

        assert [join(code, OTHER).status_code for _ in range(5)] == [201, 201, 409, 409, 409]
        problem(join("ZZZZ-ZZZZ", GUESSER), 404, "no_such_code")
        problem(sit(game, "ZZZZ-ZZZZ"), 403, "bad_join_code")
        assert client.post(f"/games/{game}/seats", json={"name": "Ada"}, headers=GUESSER).json()[
            "code"
        ] == ("join_code_needed")
        problem(sit(hidden, "ZZZZ-ZZZZ"), 404, "no_such_game")
        refused = join("ZZZZ-ZZZZ", GUESSER)
        problem(refused, 429, "too_many_guesses")
        assert 1 <= int(refused.headers["retry-after"]) <= 20
        problem(sit(game, code), 429, "too_many_guesses")
        problem(join(code, OTHER), 409, "table_full")


def test_guesses_that_are_sent_at_once_count_too() -> None:
    with limited(in_memory(), join_guesses=3) as client, ThreadPoolExecutor(16) as pool:
        body = {"name": "Eve", "code": "ZZZZ-ZZZZ"}

        def guess(_: int) -> int:
            return client.post("/joins", json=body, headers=GUESSER).status_code

        codes = list(pool.map(guess, range(48)))
    assert codes.count(404) <= 4, "three at once, and one more in each 20 seconds"
    assert set(codes) == {404, 429}


def test_an_address_registers_so_many_webhooks_and_no_more(
    settings_of_one: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At openings, where there may be more than it has left, and later."""
    monkeypatch.setattr(attempts, "REGISTRATIONS", 8)
    hook = {"url": "http://127.0.0.1:9/x", "types": ["turn.asked"]}
    body = {"ruleset": "classic", "seats": [PERSON, PERSON], "webhooks": [hook] * 6}
    with limited(in_postgres(settings_of_one)) as client:

        def opened(key: str, sender: dict[str, str]) -> httpx2.Response:
            return client.post("/games", json=body, headers={**sender, "Idempotency-Key": key})

        assert [opened(key, GUESSER).status_code for key in ("a" * 32, "b" * 32)] == [201, 201]
        refused = opened("c" * 32, GUESSER)
        problem(refused, 429, "too_many_registrations")
        assert 30 < int(refused.headers["retry-after"]) <= 38, "four too many, and one for this"
        assert opened("b" * 32, GUESSER).status_code == 201, "a repetition registers none"
        assert opened("d" * 32, OTHER).status_code == 201
        client.headers.update(GUESSER)
        problem(ask(open_table(client), "", "POST", json=hook), 429, "too_many_registrations")
