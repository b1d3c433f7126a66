"""Tickets: each stands for its token once, for some seconds, on one stream."""

import asyncio
from uuid import uuid4

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.service.api.routes import events
from phaseledger.service.api.routes.events import TICKET_SECONDS
from phaseledger.service.credentials.credential import Credential
from phaseledger.service.credentials.errors import TicketUnknown, TokenRefused
from phaseledger.service.credentials.store import SEATS, Credentials
from phaseledger.service.credentials.tokens import digest, new_token
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import migrate
from tests.support.service.api_tables import PERSON, Table, bearer, open_table, started
from tests.support.service.memory_credentials import MemoryCredentials
from tests.support.service.problems import problem
from tests.support.service.stream_reader import SSE, at_once, listening

GAME = uuid4()
THREE = (PERSON, PERSON, PERSON)


@pytest.fixture
def stored(postgres_dsn: str, empty_schema: str) -> Credentials:
    migrate(postgres_dsn, schema=empty_schema, extra=SEATS)
    return Credentials(postgres_dsn, schema=empty_schema)


@pytest.fixture(params=["memory", "postgres"])
def credentials(request: pytest.FixtureRequest) -> Credentials:
    kept = request.param == "postgres"
    return request.getfixturevalue("stored") if kept else MemoryCredentials()


async def test_a_ticket_stands_for_its_token_once(credentials: Credentials) -> None:
    await credentials.open()
    token = await credentials.issue(GAME, 1, 3)
    ticket = await credentials.issue_ticket(token, GAME, 30)
    assert await credentials.find(ticket) is None  # it is no bearer token
    with pytest.raises(TicketUnknown):
        await credentials.redeem(ticket, uuid4())
    redeemed = await asyncio.gather(
        *(credentials.redeem(ticket, GAME) for _ in range(8)), return_exceptions=True
    )
    assert [result for result in redeemed if isinstance(result, bytes)] == [digest(token)]
    assert await credentials.find_hash(digest(token)) == Credential(GAME, 1, 3)
    assert await credentials.find_hash(digest(ticket)) is None
    late = [await credentials.issue_ticket(token, GAME, seconds) for seconds in (0, 30)]
    with pytest.raises(TicketUnknown):
        await credentials.redeem(late[0], GAME)
    assert await credentials.redeem(late[1], GAME) == digest(token)
    await credentials.revoke(GAME, 1, 5)
    with pytest.raises(TokenRefused):
        await credentials.find_hash(digest(token))
    await credentials.close()


async def test_tickets_that_nobody_used_are_swept(
    postgres_dsn: str, stored: Credentials, empty_schema: str
) -> None:
    await stored.open()
    for seconds in (0, 0, 30):
        await stored.issue_ticket(new_token(0), GAME, seconds)
    await stored.close()
    for late in (stored.issue_ticket(new_token(0), GAME, 30), stored.redeem("p10t_", GAME)):
        with pytest.raises(StoreUnavailable):
            await late
    count = SQL("SELECT count(*) FROM {}").format(Identifier(empty_schema, "tickets"))
    with psycopg.connect(postgres_dsn) as conn:
        assert conn.execute(count).fetchall() == [(1,)]


# --- over HTTP ------------------------------------------------------------------------------------


def ticket_for(table: Table, token: str) -> str:
    answer = table.client.post(f"{table.path}/tickets", headers=bearer(token))
    assert answer.status_code == 201, answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json()["expires_in"] == TICKET_SECONDS
    return answer.json()["ticket"]


def test_a_ticket_opens_the_stream_of_its_token(client):
    table = started(client, THREE)
    for seat in (0, 1, None):
        ticket = ticket_for(table, table.host if seat is None else table.tokens[seat])
        assert at_once(table, ticket=ticket) == at_once(table, seat)


def test_a_ticket_counts_once_for_its_game_and_for_streams_alone(client):
    table, other = started(client), started(client)
    ticket = ticket_for(table, table.tokens[0])
    stream = {"Accept": SSE}

    def refused(status: int, code: str, path: str = table.path, **headers: str) -> str:
        answer = client.get(f"{path}/events", params={"ticket": ticket}, headers=headers)
        assert ticket not in answer.text
        return problem(answer, status, code).detail

    assert "Accept: text/event-stream" in refused(401, "ticket_unknown")
    with_token = stream | bearer(table.tokens[0])
    assert "in place of the header" in refused(401, "ticket_unknown", **with_token)
    refused(401, "ticket_unknown", other.path, **stream)
    problem(client.get(table.path, headers=bearer(ticket)), 401, "token_unknown")
    problem(client.post(f"{table.path}/tickets"), 401, "token_missing")
    assert at_once(table, ticket=ticket)
    refused(401, "ticket_unknown", **stream)


def test_a_ticket_counts_for_some_seconds(client, monkeypatch):
    table = started(client)
    monkeypatch.setattr(events, "TICKET_SECONDS", 0)
    answer = client.post(f"{table.path}/tickets", headers=bearer(table.tokens[0]))
    query = {"ticket": answer.json()["ticket"]}
    late = client.get(f"{table.path}/events", params=query, headers={"Accept": SSE})
    problem(late, 401, "ticket_unknown")


def test_the_stream_of_a_ticket_ends_with_its_token(client):
    table = open_table(client, THREE)
    first, second = (ticket_for(table, table.tokens[1]) for _ in range(2))
    with listening(table, ticket=first) as stream:
        assert next(stream).name == "state"
        kicked = client.delete(f"{table.path}/seats/1", headers=bearer(table.host))
        assert kicked.is_success
        assert list(stream)[-1].data["code"] in ("token_revoked", "seat_lost")
    query = {"ticket": second}
    answer = client.get(f"{table.path}/events", params=query, headers={"Accept": SSE})
    problem(answer, 401, "token_revoked")
