"""What one address may have: open tables, games of bots alone, and events of its tables."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from phaseledger.service.quotas.open_tables import OpenTables
from phaseledger.service.settings import Settings
from tests.support.polling import eventually
from tests.support.service.api_tables import (
    BOT,
    PERSON,
    SHORT,
    Table,
    bearer,
    by_host,
    ok,
    started,
)
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import client_over

TABLES, BOT_GAMES = 4, 2
OTHERS = {"X-Forwarded-For": "192.0.2.7"}
PEOPLE: dict[str, Any] = {"ruleset": "classic", "seats": [PERSON, PERSON]}
BOTS: dict[str, Any] = {"ruleset": "classic", "seats": [BOT, BOT]}


def limited(**options: Any) -> AbstractContextManager[httpx2.Client]:
    rates = {"write_rate": 1, "burst_seconds": 10_000, "work_per_write": 0}
    return client_over(in_memory(), trusted_proxies="127.0.0.1", **rates, **options)


@pytest.fixture
def client() -> Iterator[httpx2.Client]:
    quotas = {"tables_per_write": TABLES, "bot_games_per_write": BOT_GAMES, "events_per_write": 1}
    with limited(**quotas) as client:
        yield client


def opened(client: httpx2.Client, body: dict[str, Any], **headers: str) -> dict[str, Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = client.post("/games", json=body, headers=named)
    assert answer.status_code == 201, answer.text
    table: dict[str, Any] = answer.json()
    return table


def void(client: httpx2.Client, table: dict[str, Any]) -> None:
    headers = bearer(table["host_token"])
    ok(client.post(f"/games/{table['game']}/void", json={"reason": "x"}, headers=headers))


def test_an_address_has_so_many_tables_open(client: httpx2.Client) -> None:
    tables = [opened(client, PEOPLE) for _ in range(TABLES)]
    answer = client.post("/games", json=PEOPLE)
    refused = problem(answer, 429, "too_many_tables")
    assert refused.detail.endswith(": 4 may be open at once from one address.")
    assert answer.headers["retry-after"] == "60"
    assert client.post("/games", json=PEOPLE, headers=OTHERS).status_code == 201
    void(client, tables[1])
    opened(client, PEOPLE)
    problem(client.post("/games", json=PEOPLE), 429, "too_many_tables")


def test_an_address_has_so_many_games_of_bots_alone(client: httpx2.Client) -> None:
    tables = [opened(client, BOTS) for _ in range(BOT_GAMES)]
    refused = problem(client.post("/games", json=BOTS), 429, "too_many_bot_games")
    assert refused.detail.endswith(": 2 may run at once from one address.")
    assert client.post("/games", json=BOTS, headers=OTHERS).status_code == 201
    opened(client, PEOPLE)
    opened(client, PEOPLE)
    void(client, tables[0])
    opened(client, {**BOTS, "start": True})
    problem(client.post("/games", json=BOTS), 429, "too_many_tables")


def test_a_game_that_has_ended_counts_no_more(client: httpx2.Client) -> None:
    for _ in range(BOT_GAMES + 1):
        game = opened(client, {**BOTS, "options": SHORT, "start": True})["game"]
        eventually(
            lambda game=game: client.get(f"/games/{game}").json()["table"]["stage"],
            lambda stage: stage == "ended",
        )


def test_bots_that_fill_a_table_count_too(client: httpx2.Client) -> None:
    opened(client, BOTS)
    empty, other = (_empty(client) for _ in range(2))
    ok(by_host(empty, "POST", "/fill", json={"level": "greedy"}))
    refused = by_host(other, "POST", "/fill", json={"level": "greedy"})
    problem(refused, 429, "too_many_bot_games")
    joined = client.post(f"{other.path}/seats", json={"name": "Ada"})
    assert joined.status_code == 201
    ok(by_host(other, "POST", "/fill", json={"level": "greedy"}))
    problem(client.post("/games", json=BOTS), 429, "too_many_bot_games")


def _empty(client: httpx2.Client) -> Table:
    table = opened(client, PEOPLE)
    return Table(client, table["game"], table["host_token"], {})


def test_what_is_refused_or_repeated_counts_nothing(client: httpx2.Client) -> None:
    for _ in range(2 * TABLES):
        problem(client.post("/games", json=PEOPLE | {"ruleset": "none"}), 422, "unknown_ruleset")
    key = str(uuid4())
    first = client.post("/games", json=PEOPLE, headers={"Idempotency-Key": key})
    for _ in range(TABLES - 1):
        opened(client, PEOPLE)
    retry = client.post("/games", json=PEOPLE, headers={"Idempotency-Key": key})
    assert (retry.status_code, retry.content) == (201, first.content)
    retry = client.post("/games", json=PEOPLE, headers={"Idempotency-Key": key, **OTHERS})
    assert retry.content == first.content


def test_a_rematch_is_a_table_too(client: httpx2.Client) -> None:
    table = started(client)
    ok(client.post(f"{table.path}/void", json={"reason": "x"}, headers=bearer(table.host)))
    for _ in range(TABLES):
        opened(client, PEOPLE)
    rematch = client.post(f"{table.path}/rematch", json={}, headers=bearer(table.host))
    problem(rematch, 429, "too_many_tables")


def test_the_tables_of_an_address_write_so_many_events() -> None:
    with limited(events_per_write=0.01, event_burst_seconds=4_000) as client:
        theirs, others = started(client), opened(client, PEOPLE, **OTHERS)
        lobby = _empty(client)
        joined = client.post(f"{lobby.path}/seats", json={"name": "Ada"}).json()
        for _ in range(40):
            mover = theirs.get().json()["table"]["waits"][0]["seat"]
            commands = theirs.get("/actions", seat=mover).json()["commands"]
            key = str(uuid4())
            answer = theirs.send(mover, commands[-1], **{"Idempotency-Key": key})
            if answer.status_code != 200:
                break
            last = (mover, commands[-1], key, answer.content)
        problem(answer, 429, "too_many_events")
        assert 1 <= int(answer.headers["retry-after"]) <= 2_000
        mover, command, key, content = last
        retry = theirs.send(mover, command, **{"Idempotency-Key": key})
        assert (retry.status_code, retry.content) == (200, content), "a repeat writes nothing"
        refusals = [
            client.post("/games", json=PEOPLE),
            client.post(f"{lobby.path}/seats", json={"name": "Bob"}, headers=OTHERS),
            by_host(lobby, "POST", "/fill", json={"level": "greedy"}),
        ]
        for refused in refusals:
            problem(refused, 429, "too_many_events")
        path = f"/games/{others['game']}/seats"
        assert client.post(path, json={"name": "Ada"}).status_code == 201, "it is another's table"
        ok(client.post(f"{lobby.path}/leave", json={}, headers=bearer(joined["token"])))
        ok(by_host(theirs, "POST", "/void", json={"reason": "x"}))


def test_the_quotas_go_by_the_rate_of_writes() -> None:
    for rate, quotas in ((100, (1_000, 100)), (10, (100, 10)), (0.01, (1, 1)), (0, (0, 0))):
        tables = OpenTables.of(Settings(write_rate=rate))
        assert (tables.most, tables.most_bot_games) == quotas
        assert (tables.events is None) == (rate == 0)
    events = OpenTables.of(Settings()).events
    assert events is not None
    assert events.field == '"address-events";q=200000;w=10000'
