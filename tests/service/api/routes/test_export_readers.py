"""Readers of exports that take little or nothing: what they cost, and whom they shut out."""

import socket
import time
from collections.abc import Iterator, Sequence
from uuid import UUID, uuid4

import httpx2
import psutil
import pytest
from msgspec.structs import replace

from phaseledger.domain.evidence import codec
from phaseledger.service.app import in_postgres
from phaseledger.service.eventlog.rows import Row, row_of
from phaseledger.service.settings import Settings
from tests.support.damage import stored_rows, with_rows
from tests.support.ledgers import own_ledger
from tests.support.polling import eventually
from tests.support.service.api_tables import BOT
from tests.support.service.server import ledger_client, serving

NDJSON = "application/x-ndjson"


@pytest.fixture(scope="module")
def settings(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    folder = tmp_path_factory.mktemp("ledger")
    with own_ledger(postgres_dsn, folder) as ledger:
        yield ledger


@pytest.fixture(scope="module")
def made(settings: Settings) -> int:
    """The bytes of a log that no socket buffer holds."""
    with ledger_client(settings) as client:
        return _fill(settings, client)


@pytest.mark.system
def test_a_reader_that_takes_nothing_costs_no_memory_and_holds_nobody_up(
    settings: Settings, made: int
) -> None:
    """Backpressure: what is not read is not fetched either."""
    with (
        serving(in_postgres(settings), trusted_proxies="127.0.0.1") as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
    ):
        before = psutil.Process().memory_info().rss
        readers = [_reader(served.url, f"198.51.100.{number % 4}") for number in range(8)]
        time.sleep(2)
        held = psutil.Process().memory_info().rss - before
        began = time.monotonic()
        assert client.get("/games").status_code == 200
        assert time.monotonic() - began < 10
        refused = client.get("/exports/games")
        assert (refused.status_code, refused.json()["code"]) == (503, "too_many_exports")
        assert "there are 8" in refused.json()["detail"]
        own = client.get("/exports/games", headers={"X-Forwarded-For": "198.51.100.1"})
        assert "of one address" in own.json()["detail"]
        for reader in readers:
            reader.close()
        eventually(
            lambda: client.get("/exports/games", params={"limit": 1}),
            lambda answer: answer.status_code == 200,
        )
    assert made > 10_000_000
    assert held < 2 * made, (held, made)  # eight of them would be four times as much


def _reader(url: str, address: str) -> socket.socket:
    """A connection whose export has begun, or was refused."""
    reader = socket.create_connection(("127.0.0.1", int(url.rsplit(":", 1)[1])))
    asked = f"GET /v1/exports/games HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {address}\r\n\r\n"
    reader.sendall(asked.encode())
    assert reader.recv(1)
    return reader


def _fill(settings: Settings, client: httpx2.Client) -> int:
    """Copy a long game so often that no socket buffer holds an export; returns its bytes."""
    body = {"ruleset": "classic", "seats": [BOT] * 4, "start": True}
    game = client.post("/games", json=body).json()["game"]
    eventually(
        lambda: client.get(f"/games/{game}").json()["table"]["stage"],
        lambda stage: stage == "ended",
    )
    size = len(client.get(f"/games/{game}/events", headers={"Accept": NDJSON}).content)
    copies = 12_000_000 // size + 1
    rows = [row for _, row in stored_rows(settings.database_url, settings.schema, UUID(game))]
    for _ in range(copies):
        copy = uuid4()
        with_rows(settings.database_url, settings.schema, copy, _as_game(copy, rows))
    wanted = {"stage": "ended", "limit": 200}
    eventually(
        lambda: len(client.get("/games", params=wanted).json()["games"]),
        lambda count: count >= min(copies, 200),
    )
    return size * copies


def _as_game(game: UUID, rows: Sequence[Row]) -> list[Row]:
    """The same game under another id, with a chain of its own."""
    opened, *events = [codec.decode(row.topic, row.state) for row in rows]
    opening = replace(opened[1], game=str(game))
    chain, entries = codec.append(codec.new_chain(opening), [opening], opened[0].cmd, opened[0].at)
    made = [*entries]
    for record, event in events:
        chain, entries = codec.append(chain, [event], record.cmd, record.at)
        made += entries
    return [row_of(entry) for entry in made]
