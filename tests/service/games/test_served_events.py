"""Events are served only as they were stored: what was edited or lost since is refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import pytest

from phaseledger.service.games.writer import GameService
from phaseledger.service.settings import Settings
from tests.support.damage import stored_rows, with_bytes, without
from tests.support.ledgers import own_ledger
from tests.support.service.api_tables import Table, mover, ok, started
from tests.support.service.problems import problem
from tests.support.service.server import ledger_client

SSE = {"Accept": "text/event-stream"}
NDJSON = {"Accept": "application/x-ndjson"}


@pytest.fixture
def settings(postgres_dsn: str, tmp_path: Path) -> Iterator[Settings]:
    with own_ledger(postgres_dsn, tmp_path, projections=False) as ledger:
        yield ledger


@pytest.fixture
def client(settings: Settings) -> Iterator[httpx2.Client]:
    with ledger_client(settings) as client:
        yield client


# Each changes a game in a schema of the database; the first event that is not as it was.


def renamed(dsn: str, schema: str, game: UUID) -> int:
    """Another name in the second event, whose bytes still make sense."""
    row = stored_rows(dsn, schema, game)[1][1]
    with_bytes(dsn, schema, game, 2, row.state.replace(b'"name":"Seat 0"', b'"name":"Seat 9"'))
    return 2


def last_one_later(dsn: str, schema: str, game: UUID) -> int:
    """The last event at another time; no other event repeats its hash."""
    row = stored_rows(dsn, schema, game)[-1][1]
    with_bytes(dsn, schema, game, row.version, row.state.replace(b'{"at":1', b'{"at":2'))
    return row.version


def cut(dsn: str, schema: str, game: UUID) -> int:
    """Without its last two events."""
    last = stored_rows(dsn, schema, game)[-1][1].version
    without(dsn, schema, game, last - 1, last)
    return last - 1


def played(client: httpx2.Client) -> Table:
    table = started(client)
    ok(table.send(mover(table), {"type": "draw"}))
    return table


def refused(answer: httpx2.Response) -> None:
    """A damaged game is refused as such, and is soon set aside where its record itself tells."""
    if answer.status_code == 409:
        problem(answer, 409, "game_set_aside")
    else:
        problem(answer, 503, "log_damaged")


def test_events_that_were_changed_are_not_served(settings: Settings, client: httpx2.Client) -> None:
    other = played(client)
    for tamper in (renamed, last_one_later, cut):
        table = played(client)
        last = table.version()
        changed = tamper(settings.database_url, settings.schema, UUID(table.game))
        for path in ("?limit=1000", f"?after={changed - 1}", f"?limit={changed}&follow=true"):
            refused(client.get(f"{table.path}/events{path}"))
            refused(client.get(f"{table.path}/events{path}", headers=NDJSON))
        answer = client.get(table.path)
        if answer.is_success and tamper is not cut:
            # The view rests on what was stored, not on what is there now.
            assert answer.json()["version"] == last
        else:
            refused(answer)
    assert ok(client.get(f"{other.path}/events?limit=1000"))["events"]


def test_lines_that_meet_changed_events_break_off(
    settings: Settings, client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines that just ended would pass for all there is."""
    for module in ("responses.events", "routes.events"):
        monkeypatch.setattr(f"phaseledger.service.api.{module}.PAGE", 3)
    table = played(client)
    whole = client.get(f"{table.path}/events", headers=NDJSON).content
    read = GameService.rows

    async def changed_after_the_first(self: GameService, game: UUID, after: int, last: int) -> Any:
        if after == 3:
            last_one_later(settings.database_url, settings.schema, game)
        return await read(self, game, after, last)

    monkeypatch.setattr(GameService, "rows", changed_after_the_first)
    received = list[bytes]()
    with (
        client.stream("GET", f"{table.path}/events", headers=NDJSON) as stream,
        pytest.raises(httpx2.RemoteProtocolError),
    ):
        received.extend(stream.iter_bytes())

    assert received
    assert whole.startswith(b"".join(received))


def test_a_stream_that_meets_changed_events_says_so(
    settings: Settings, client: httpx2.Client
) -> None:
    table = played(client)
    renamed(settings.database_url, settings.schema, UUID(table.game))
    answer = client.get(f"{table.path}/events", headers={**SSE, "Last-Event-ID": "1"})

    assert b"Seat 9" not in answer.content
    assert b'event: closed\ndata: {"code":"broken"' in answer.content
