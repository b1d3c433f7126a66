"""Tokens: told apart when wrong, revoked singly or by the sitting, expiring, in every process."""

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid4

import httpx2
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.service.credentials import store
from phaseledger.service.credentials.credential import Credential
from phaseledger.service.credentials.errors import NoFreshToken, TicketUnknown, TokenRefused
from phaseledger.service.credentials.store import SEATS, Credentials
from phaseledger.service.credentials.tokens import (
    digest,
    is_wellformed,
    new_token,
    public_id,
)
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.migrations import migrate
from tests.support.elapsed import pass_seconds
from tests.support.ledgers import own_schema
from tests.support.polling import comes_about
from tests.support.service.api_tables import KEY, PERSON, bearer, open_table
from tests.support.service.memory_credentials import MemoryCredentials
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import client_over

GAME = uuid4()
Make = Callable[..., Credentials]


@pytest.fixture
def schema(postgres_dsn: str, empty_schema: str) -> str:
    migrate(postgres_dsn, schema=empty_schema, extra=SEATS)
    return empty_schema


@pytest.fixture(params=["memory", "postgres"])
def make(request: pytest.FixtureRequest) -> Make:
    if request.param == "memory":
        return MemoryCredentials
    dsn, schema = (request.getfixturevalue(name) for name in ("postgres_dsn", "schema"))
    return lambda lifetime=0: Credentials(dsn, schema=schema, lifetime=lifetime)


@pytest.fixture
def other_ledger(make: Make, request: pytest.FixtureRequest) -> Iterator[Credentials]:
    """Of the same kind, with a key of its own."""
    if isinstance(make(), MemoryCredentials):
        yield MemoryCredentials()
    else:
        dsn = request.getfixturevalue("postgres_dsn")
        with own_schema(dsn) as schema:
            migrate(dsn, schema=schema, extra=SEATS)
            yield Credentials(dsn, schema=schema)


async def meaning(credentials: Credentials, token: str) -> Credential | str | None:
    """What the token stands for, or the code that it is refused with."""
    try:
        credential = await credentials.find(token)
    except TokenRefused as refused:
        return refused.code
    return credential and credential._replace(since=0)


async def test_a_sitting_that_is_revoked_gets_no_other_token(make: Make) -> None:
    """Kicked at version 5: tokens of before count no more, and none follow; later ones do."""
    credentials = make()
    await credentials.open()
    old, other = await credentials.issue(GAME, 1, 3), await credentials.issue(GAME, 2, 4)
    host, elsewhere = await credentials.issue(GAME, None, 1), uuid4()
    there = await credentials.issue(elsewhere, 1, 3)
    await credentials.revoke(GAME, 1, 5)
    assert await meaning(credentials, old) == "token_revoked"
    with pytest.raises(NoFreshToken):
        await credentials.issue(GAME, 1, 3)
    later = await credentials.issue(GAME, 1, 6)
    assert await meaning(credentials, later) == Credential(GAME, 1)
    assert await meaning(credentials, other) == Credential(GAME, 2)
    assert await meaning(credentials, host) == Credential(GAME, None)
    assert await meaning(credentials, there) == Credential(elsewhere, 1)
    await credentials.revoke(GAME, 1, 4)  # late, and no step back
    assert await meaning(credentials, old) == "token_revoked"
    await credentials.revoke(GAME, None, 2)
    assert await meaning(credentials, host) == "token_revoked"
    assert await meaning(credentials, later) == Credential(GAME, 1)
    await credentials.close()


async def test_one_token_is_revoked_by_its_public_id(make: Make) -> None:
    credentials = make()
    await credentials.open()
    game = uuid4()
    tokens = [await credentials.issue(game, 0, 3) for _ in range(3)]
    assert await meaning(credentials, tokens[1]) == Credential(game, 0)  # remembered from now on
    name = public_id(digest(tokens[1]))
    assert await credentials.revoke_token(name) == Credential(game, 0)
    assert await credentials.revoke_token("0" * 16) is None
    assert [await meaning(credentials, token) for token in tokens] == [
        Credential(game, 0),
        "token_revoked",
        Credential(game, 0),
    ]
    listed = await credentials.issued(game)
    assert {entry.id: entry.revoked for entry in listed} == {
        public_id(digest(token)): token == tokens[1] for token in tokens
    }
    assert {(entry.seat, entry.expires_at) for entry in listed} == {(0, None)}
    assert not any(token in str(listed) for token in tokens)
    await credentials.close()


async def test_a_key_leads_to_one_token_while_that_lasts(
    make: Make, other_ledger: Credentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ledger's own key and the caller's lead there together; another sitting's differs."""
    credentials, elsewhere, game = make(3600), other_ledger, uuid4()
    await credentials.open()
    await elsewhere.open()
    tokens = await asyncio.gather(*(credentials.issue(game, 0, 1, KEY) for _ in range(8)))
    (token,) = set(tokens)
    assert is_wellformed(token)
    assert await meaning(credentials, token) == Credential(game, 0)
    others = [
        await credentials.issue(game, 0, 1),
        await credentials.issue(game, 0, 1, KEY + "0"),
        await credentials.issue(game, 0, 2, KEY),
        await credentials.issue(game, 1, 1, KEY),
        await credentials.issue(game, None, 1, KEY),
        await credentials.issue(uuid4(), 0, 1, KEY),
        await elsewhere.issue(game, 0, 1, KEY),
    ]
    assert len({token, *others}) == 8

    pass_seconds(monkeypatch, 3610)
    fresh = await credentials.issue(game, 0, 1, KEY)
    assert fresh not in (token, *others)
    await credentials.close()
    await elsewhere.close()


async def test_a_key_leads_to_no_token_that_was_revoked(make: Make) -> None:
    """Revoked by itself, another follows; with all of its sitting, none."""
    credentials, game = make(), uuid4()
    await credentials.open()
    token = await credentials.issue(game, 0, 1, KEY)
    assert await credentials.revoke_token(public_id(digest(token))) == Credential(game, 0)
    fresh = await credentials.issue(game, 0, 1, KEY)
    assert await meaning(credentials, token) == "token_revoked"
    assert await meaning(credentials, fresh) == Credential(game, 0)
    await credentials.issue(game, 1, 1, KEY)
    await credentials.revoke(game, 1, 2)
    with pytest.raises(NoFreshToken):
        await credentials.issue(game, 1, 1, KEY)
    await credentials.close()


async def test_a_token_expires(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the time that passes, whatever the node's own clock says meanwhile."""
    credentials = make(3600)
    await credentials.open()
    token = await credentials.issue(GAME, 0, 1)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 86_400)
    assert await meaning(credentials, token) == Credential(GAME, 0)
    pass_seconds(monkeypatch, 3590)
    assert await meaning(credentials, token) == Credential(GAME, 0)
    pass_seconds(monkeypatch, 20)
    assert await meaning(credentials, token) == "token_expired"
    ticket = await credentials.issue_ticket(token, GAME, -1)
    with pytest.raises(TicketUnknown):
        await credentials.redeem(ticket, GAME)
    await credentials.close()


async def test_the_last_tokens_are_remembered_until_the_database_may_have_gone_back(
    postgres_dsn: str, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "CACHED_CREDENTIALS", 2)

    credentials = Credentials(postgres_dsn, schema=schema)
    await credentials.open()
    hashes = [digest(await credentials.issue(GAME, seat, 1)) for seat in range(3)]

    async def remembered() -> list[bool]:
        for token_hash in hashes:  # the first look for revocations forgets them all
            await credentials.find_hash(token_hash)
        return [token_hash in credentials._recent for token_hash in hashes]

    await comes_about(remembered, lambda cached: cached == [False, True, True])
    credentials.distrust()
    assert not credentials._recent
    await credentials.close()


async def test_a_token_that_is_read_anew_expires_by_the_clock_of_the_database(
    postgres_dsn: str, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the clock of the node that reads it says."""
    credentials = Credentials(postgres_dsn, schema=schema, lifetime=0.05)
    await credentials.open()
    token = await credentials.issue(GAME, 0, 1)
    other = Credentials(postgres_dsn, schema=schema)
    await other.open()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 86_400)
    await comes_about(lambda: meaning(other, token), lambda answer: answer == "token_expired")
    await other.close()
    await credentials.close()


async def test_a_revocation_reaches_other_processes(
    postgres_dsn: str, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that has the token in its memory forgets it within its next look."""
    monkeypatch.setattr(store, "NEWS", 0.02)

    first, second = (Credentials(postgres_dsn, schema=schema) for _ in range(2))
    await first.open()
    await second.open()
    token, kept = await first.issue(GAME, 0, 1), await first.issue(GAME, 1, 1)
    assert await meaning(second, token) == Credential(GAME, 0)
    await first.revoke(GAME, 0, 2)
    for _ in range(500):
        if await meaning(second, token) == "token_revoked":
            break
        await asyncio.sleep(0.01)
    assert await meaning(second, token) == "token_revoked"
    assert await meaning(second, kept) == Credential(GAME, 1)
    await first.close()
    await second.close()


async def test_what_was_read_before_a_revocation_is_not_remembered(
    postgres_dsn: str, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row arrives, then the revocation, and only then the reader goes on."""
    run, revoked = store.run, []

    first, second = (Credentials(postgres_dsn, schema=schema) for _ in range(2))
    await first.open()
    await second.open()
    token = await first.issue(GAME, 0, 1)

    async def slow(pool: object, statement: object, *given: Any, **more: Any) -> Any:
        rows = await run(pool, statement, *given, **more)  # type: ignore[arg-type]
        if statement is second._find and not revoked:
            revoked.append(True)
            await second.revoke(GAME, 0, 2)
        return rows

    monkeypatch.setattr(store, "run", slow)
    assert await meaning(second, token) == Credential(GAME, 0)
    assert await meaning(second, token) == "token_revoked"
    await first.close()
    await second.close()


def test_revocations_are_numbered_as_they_are_committed(postgres_dsn: str, schema: str) -> None:
    """While one is on its way, another waits: a lower number never turns up later."""

    async def scene() -> None:
        credentials = Credentials(postgres_dsn, schema=schema)
        await credentials.open()
        async with await psycopg.AsyncConnection.connect(postgres_dsn) as conn:
            await conn.execute(credentials._lock)
            await conn.execute(credentials._revoke, (GAME, 0, 2))
            second = asyncio.create_task(credentials.revoke(GAME, 1, 2))
            await asyncio.sleep(0.2)
            assert not second.done()
            await conn.commit()
        await second
        await credentials.close()

    asyncio.run(scene())
    select = SQL("SELECT seat FROM {} ORDER BY id").format(Identifier(schema, "revocations"))
    with psycopg.connect(postgres_dsn) as conn:
        assert conn.execute(select).fetchall() == [(0,), (1,)]


async def test_a_lost_database_is_told_as_such(postgres_dsn: str, schema: str) -> None:
    """Nobody is let in, or out, on a guess."""
    credentials = Credentials(postgres_dsn, schema=schema)
    await credentials.open()
    await credentials.close()
    for asked in (
        credentials.find(new_token(0)),
        credentials.issue(GAME, 0, 1),
        credentials.revoke(GAME, 0, 2),
        credentials.revoke_token("0" * 16),
    ):
        with pytest.raises(StoreUnavailable):
            await asked


# --- over HTTP ------------------------------------------------------------------------------------


def test_wrong_tokens_are_told_apart(client: httpx2.Client) -> None:
    table = open_table(client)
    token = table.tokens[0]
    swapped = token[:-1] + ("0" if token[-1] != "0" else "1")
    for wrong, code in (
        (swapped, "token_mistyped"),
        (token[:-3], "token_mistyped"),
        (token.replace("p10s", "p10h"), "token_mistyped"),
        (new_token(0), "token_unknown"),
        (token[5:], "token_unknown"),
    ):
        refused = client.get(table.path, headers=bearer(wrong))
        problem(refused, 401, code)
        assert 'error="invalid_token"' in refused.headers["www-authenticate"]
        assert wrong not in refused.text


def test_a_mistyped_token_asks_no_database() -> None:
    class Counting(MemoryCredentials):
        asked = 0

        async def find(self, token: str) -> Credential | None:
            self.asked += 1
            return await super().find(token)

    credentials = Counting()
    with client_over(in_memory()._replace(credentials=credentials)) as client:
        table = open_table(client)
        typo = bearer(table.tokens[0] + "0")
        problem(client.get(table.path, headers=typo), 401, "token_mistyped")
        assert credentials.asked == 0
        assert table.get(seat=0).status_code == 200
        assert credentials.asked == 1


def test_revoked_and_expired_tokens_are_refused_by_every_route() -> None:
    parts = in_memory()._replace(credentials=MemoryCredentials(3600))
    with client_over(parts) as client:
        opened = client.post("/games", json={"ruleset": "classic", "seats": [PERSON, PERSON]})
        path = f"/games/{opened.json()['game']}"
        join = {"json": {"name": "Ann"}, "headers": {"Idempotency-Key": KEY}}
        joined = client.post(f"{path}/seats", **join).json()
        game, seat = UUID(opened.json()["game"]), joined["seat"]
        asyncio.run(parts.credentials.revoke(game, seat, joined["version"] + 1))
        draw = {"json": {"type": "draw"}}
        who = {"headers": bearer(joined["token"])}
        problem(client.get(path, **who), 401, "token_revoked")
        problem(client.get(f"{path}/actions", **who), 401, "token_revoked")
        problem(client.post(f"{path}/commands", **draw, **who), 401, "token_revoked")
        problem(client.post(f"{path}/seats", **join), 409, "no_fresh_token")
