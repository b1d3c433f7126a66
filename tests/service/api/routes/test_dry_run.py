"""A dry run says whether a command would be taken: it changes, stores and shows nothing."""

import asyncio
from typing import Any
from uuid import UUID

import httpx2

from tests.support.cases import looped
from tests.support.service.api_tables import PERSON, Table, bearer, mover, play_on, started
from tests.support.service.problems import problem


def tried(table: Table, seat: int, command: dict[str, Any], **headers: str) -> httpx2.Response:
    return table.client.post(
        f"{table.path}/commands?dry_run=true",
        json=command,
        headers={**bearer(table.tokens[seat]), **headers},
    )


@looped("ruleset", ["classic", "board", "express"])
def test_every_legal_command_would_be_taken_and_none_is(served, client, ruleset):
    table = started(client, (PERSON, PERSON, PERSON), ruleset=ruleset)
    for _ in range(5):
        seat, version = mover(table), table.version()
        commands = table.get("/actions", seat).json()["commands"][:12]
        assert commands
        for command in commands:
            answer = tried(table, seat, command)
            assert (answer.status_code, answer.content) == (204, b"")
            assert answer.headers["etag"] == f'"{version}.{seat}"'
            assert answer.headers["cache-control"] == "no-store"
            assert "content-type" not in answer.headers
        assert table.version() == version
        play_on(table, 1)
    rows = asyncio.run(served.parts.store.read(UUID(table.game)))
    assert len(rows) == table.version()


def test_a_refusal_is_that_of_the_command(client):
    table = started(client)
    seat = mover(table)
    other = 1 - seat
    for who, command in (
        (other, {"type": "draw"}),
        (seat, {"type": "discard", "cards": "R1"}),
        (seat, {"type": "lay", "groups": [{"cards": "R1 R1 R1"}]}),
    ):
        dry, wet = tried(table, who, command).json(), table.send(who, command).json()
        assert {**dry, "request_id": ""} == {**wet, "request_id": ""}
    stale = tried(table, seat, {"type": "draw"}, **{"If-Match": '"1"'})
    problem(stale, 412, "stale_version")


def test_a_key_that_was_tried_dry_is_still_free(client):
    table = started(client)
    seat, key = mover(table), "d" * 32
    assert tried(table, seat, {"type": "draw"}, **{"Idempotency-Key": key}).status_code == 204
    assert table.send(seat, {"type": "draw"}, Idempotency_Key=key).json()["events"]
