"""Answers above a kilobyte are compressed, but for streams and for what a token unlocks."""

import httpx2
import pytest

from phaseledger.service.api.middleware.compression import LEAST
from tests.support.cases import looped
from tests.support.service.api_tables import Table, bearer, started, whole_game

BOTH = {"Accept-Encoding": "gzip, br"}


@pytest.fixture
def table(client: httpx2.Client) -> Table:
    return started(client)


@looped(("path", "coding"), [("/openapi.json", "br"), ("/../docs", "gzip"), ("/../problems", "br")])
def test_what_is_long_is_compressed(client: httpx2.Client, path: str, coding: str) -> None:
    address = f"{client.base_url}".removesuffix("/") + path
    plain = client.get(address, headers={"Accept-Encoding": "identity"})
    answer = client.get(address, headers={"Accept-Encoding": coding})
    assert "content-encoding" not in plain.headers
    assert answer.headers["content-encoding"] == coding
    assert answer.content == plain.content
    assert int(answer.headers["content-length"]) < len(plain.content) / 2
    for response in (plain, answer):
        assert "Accept-Encoding" in response.headers["vary"]
    head = client.head(address, headers={"Accept-Encoding": coding})
    assert head.headers["content-length"] == answer.headers["content-length"]


def test_a_compressed_answer_is_another_representation(client: httpx2.Client, table: Table) -> None:
    """Its tag is a weak one, which still tells whether it is current."""
    path = f"{table.path}/frames"
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    answer = client.get(path, headers=BOTH)
    assert answer.headers["etag"] == f"W/{plain.headers['etag']}"
    unchanged = client.get(path, headers={**BOTH, "If-None-Match": answer.headers["etag"]})
    assert unchanged.status_code == 304


def test_what_a_token_unlocks_or_what_is_short_is_not_compressed(
    client: httpx2.Client, table: Table
) -> None:
    for path in ("", "/actions", "/events", "/frames", "/bundle"):
        answer = client.get(f"{table.path}{path}", headers=bearer(table.tokens[0]) | BOTH)
        assert answer.status_code == 200
        assert "content-encoding" not in answer.headers, path
    short = client.get("/rules/C-30", headers=BOTH)
    assert len(short.content) <= LEAST
    assert "content-encoding" not in short.headers
    rules = client.get(f"{table.path}/rules", headers=bearer(table.tokens[0]) | BOTH)
    assert "content-encoding" in rules.headers  # there is no secret in them
    opened = client.post(
        "/games", json={"ruleset": "classic", "seats": [{"kind": "bot"}] * 6}, headers=BOTH
    )
    assert len(opened.content) > LEAST
    assert "content-encoding" not in opened.headers


def test_what_never_changes_any_more_has_no_secret(client: httpx2.Client) -> None:
    game = whole_game(client)
    for headers in ({}, bearer("p10s_" + "x" * 30)):
        answer = client.get(f"/games/{game}/frames", headers=headers | BOTH)
        assert ("content-encoding" in answer.headers) == (answer.status_code == 200)
    assert client.get(f"/games/{game}/frames", headers=BOTH).headers["content-encoding"] == "br"


def test_a_stream_is_not_held_up(client: httpx2.Client, table: Table) -> None:
    headers = {"Accept": "text/event-stream", **BOTH}
    with client.stream("GET", f"{table.path}/events", headers=headers) as answer:
        assert answer.status_code == 200
        assert "content-encoding" not in answer.headers
        assert next(answer.iter_lines())
