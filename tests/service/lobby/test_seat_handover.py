"""Seats that change hands: what whoever had one may repeat, and what they see no more."""

import time
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from tests.support.polling import ENDLESS
from tests.support.service.api_tables import (
    KEY,
    bearer,
    by_host,
    mover,
    ok,
    open_table,
    play_on,
    sit,
    started,
)
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import serving
from tests.support.service.stream_reader import opened_http


def test_who_waits_while_being_kicked_sees_no_hand() -> None:
    """The token is looked at before a long poll waits, and the seat may be another's after it."""
    with (
        serving(in_memory(), patience_seconds=ENDLESS) as served,
        opened_http(served.url) as client,
        ThreadPoolExecutor(1) as pool,
    ):
        table = open_table(client)
        kicked = table.tokens[0]
        path, dealt = f"{table.path}?at_least={table.version() + 4}", table.version() + 2
        waiting = pool.submit(client.get, path, headers=bearer(kicked))
        time.sleep(0.1)
        assert by_host(table, "DELETE", "/seats/0").is_success
        table.tokens[0] = sit(client, table.game, seat=0).json()["token"]
        assert table.version() == dealt
        assert table.start().is_success
        problem(waiting.result(), 401, "token_revoked")
        assert table.get("", 0).json()["table"]["hand"]


def test_who_was_kicked_repeats_nothing_of_who_came_after(client: httpx2.Client) -> None:
    """A key is as secret as a token, but a dull one may be guessed."""
    table = open_table(client)
    kicked = table.tokens[0]
    assert by_host(table, "DELETE", "/seats/0").is_success
    table.tokens[0] = sit(client, table.game, seat=0).json()["token"]
    assert table.start().is_success
    while mover(table) == 1:
        play_on(table, 1)
    command = ok(table.get("/actions", 0))["commands"][0]
    first = table.send(0, command, Idempotency_Key=KEY)
    assert table.send(0, command, Idempotency_Key=KEY).content == first.content
    headers = {**bearer(kicked), "Idempotency-Key": KEY}
    retry = client.post(f"{table.path}/commands", json=command, headers=headers)
    problem(retry, 401, "token_revoked")


@pytest.mark.parametrize("begun", [False, True])
def test_who_leaves_again_with_the_same_key_gets_the_first_answer(
    client: httpx2.Client, *, begun: bool
) -> None:
    """The answer may be lost on its way, and who has left has no seat to ask with any more."""
    table = started(client) if begun else open_table(client)
    headers = {**bearer(table.tokens[1]), "Idempotency-Key": KEY}
    first, retry = (client.post(f"{table.path}/leave", headers=headers) for _ in range(2))
    assert (first.status_code, retry.status_code) == (200, 200)
    assert retry.content == first.content
    assert retry.headers["etag"] == first.headers["etag"]
    other = {**headers, "Idempotency-Key": KEY[::-1]}
    lost = (403, "seat_handed_over") if begun else (401, "token_revoked")
    problem(client.post(f"{table.path}/leave", headers=other), *lost)


def test_a_command_is_answered_again_after_the_seat_was_left(client: httpx2.Client) -> None:
    table = started(client)
    seat = mover(table)
    first = table.send(seat, {"type": "draw"}, Idempotency_Key=KEY)
    assert client.post(f"{table.path}/leave", headers=bearer(table.tokens[seat])).is_success
    retry = table.send(seat, {"type": "draw"}, Idempotency_Key=KEY)
    assert (retry.status_code, retry.content) == (200, first.content)
