"""Processes that share their quotas through PostgreSQL."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx2
import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from phaseledger.service.api.limits.rates import Limits
from phaseledger.service.components import in_postgres
from phaseledger.service.database.setup import upgrade
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.quotas import postgres
from phaseledger.service.quotas.open_tables import OpenTables
from phaseledger.service.quotas.postgres import TABLES, QuotaExchange
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from phaseledger.service.settings import Settings
from tests.support.ledgers import own_ledger
from tests.support.polling import eventually
from tests.support.service.api_tables import BOT, PERSON
from tests.support.service.problems import problem
from tests.support.service.server import serving

GAMES = [UUID(int=number) for number in range(1, 6)]
ADDRESS, OTHER = b"\x7f\0\0\1", b"\xc6\x33\x64\1"


@pytest.fixture
def settings(postgres_dsn: str, tmp_path: Path) -> Iterator[Settings]:
    with own_ledger(postgres_dsn, tmp_path) as ledger:
        yield ledger


class Process:
    """What one process counts, and its exchange."""

    def __init__(self, settings: Settings, dsn: str = "") -> None:
        self.policy = RateLimitPolicy("reads", 0.001, 10)
        self.tables = OpenTables()
        self.exchange = QuotaExchange(
            dsn or settings.database_url, [self.policy], self.tables, schema=settings.schema
        )

    def remaining(self, key: bytes) -> int:
        return self.policy.look(key, self.exchange._clock()).remaining

    def charge(self, key: bytes, cost: float) -> None:
        self.policy.charge(key, cost, self.exchange._clock())


async def share(*processes: Process) -> None:
    for process in processes:
        await process.exchange.exchange()


def rows(settings: Settings, table: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(settings.database_url) as conn:
        name = Identifier(settings.schema, table)
        return conn.execute(SQL("TABLE {}").format(name)).fetchall()


def test_processes_share_buckets_and_tables(settings: Settings) -> None:
    async def scene() -> None:
        here, there = Process(settings), Process(settings)
        await share(here, there)
        here.charge(ADDRESS, 4)
        there.charge(ADDRESS, 3)
        there.charge(OTHER, 2)
        here.tables.add(GAMES[0], ADDRESS, bots=True)
        there.tables.add(GAMES[1], ADDRESS, bots=False)
        await share(here, there)
        assert (here.remaining(ADDRESS), there.remaining(ADDRESS)) == (6, 3)
        here.charge(ADDRESS, 1)
        await share(here, there)
        assert [here.remaining(key) for key in (ADDRESS, OTHER)] == [2, 10]
        for process in (here, there):
            assert (process.tables.count(ADDRESS), process.tables.bot_games(ADDRESS)) == (2, 1)
        there.tables.update(GAMES[0], bots=False)
        here.tables.close(GAMES[1])
        await share(here, there, here)
        late = Process(settings)  # as after a restart
        late.charge(ADDRESS, 1)
        await share(late)
        assert late.remaining(ADDRESS) == 1
        for process in (here, there, late):
            assert process.tables.of(ADDRESS) == [GAMES[0]]
            assert process.tables.bot_games(ADDRESS) == 0
            await process.exchange.close()

    asyncio.run(scene())


def test_without_the_database_nothing_is_lost(settings: Settings) -> None:
    async def scene() -> None:
        here, there = Process(settings), Process(settings)
        await share(here, there)
        here.charge(ADDRESS, 4)
        here.tables.add(GAMES[0], ADDRESS, bots=True)
        with psycopg.connect(settings.database_url, autocommit=True) as conn:
            name = Identifier(settings.schema, "token_buckets")
            conn.execute(SQL("ALTER TABLE {} RENAME TO gone").format(name))
            with pytest.raises(StoreUnavailable):
                await here.exchange.exchange()
            here.charge(ADDRESS, 1)
            assert here.remaining(ADDRESS) == 5, "it goes by what it knows"
            gone = Identifier(settings.schema, "gone")
            conn.execute(SQL("ALTER TABLE {} RENAME TO token_buckets").format(gone))
        there.charge(ADDRESS, 1)
        await share(here, there)
        assert (there.remaining(ADDRESS), there.tables.of(ADDRESS)) == (4, [GAMES[0]])
        for process in (here, there):
            await process.exchange.close()

    asyncio.run(scene())


def test_what_says_nothing_any_more_is_dropped(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        process = Process(settings)
        process.policy = RateLimitPolicy("reads", 1_000, 10)
        process.exchange._policies = {"reads": process.policy}
        await share(process)
        process.charge(OTHER, 1)  # full again within a millisecond
        process.charge(ADDRESS, 10_000_000)
        for game in GAMES[:2]:
            process.tables.add(game, ADDRESS, bots=False)
        process.tables.close(GAMES[0])
        await share(process)
        await asyncio.sleep(0.05)
        await process.exchange.prune()
        assert [row[1] for row in rows(settings, "token_buckets")] == [ADDRESS]
        assert len(rows(settings, "open_tables")) == 2, "others may not have heard of it"
        monkeypatch.setattr(postgres, "CLOSED", 0)
        await process.exchange.prune()
        assert [row[0] for row in rows(settings, "open_tables")] == [GAMES[1]]
        await process.exchange.close()

    asyncio.run(scene())


def test_the_service_shares_and_the_projections_see_no_address(
    postgres_dsn: str, empty_schema: str
) -> None:
    service, follower = (f"{kind}_{uuid4().hex[:8]}" for kind in ("service", "follower"))
    with psycopg.connect(postgres_dsn, autocommit=True) as conn:
        for role in (service, follower):
            conn.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(role)))
    settings = Settings(database_url=postgres_dsn, schema=empty_schema)

    async def exchanges() -> None:
        process = Process(settings, make_conninfo(postgres_dsn, user=service))
        await share(process)
        process.charge(ADDRESS, 1)
        process.tables.add(GAMES[0], ADDRESS, bots=True)
        await share(process, process)
        await process.exchange.prune()
        await process.exchange.close()

    try:
        upgrade(settings, application_role=service, projection_role=follower)
        asyncio.run(exchanges())
        assert [len(rows(settings, table)) for table in TABLES] == [1, 1]
        with psycopg.connect(make_conninfo(postgres_dsn, user=follower), autocommit=True) as conn:
            for table in TABLES:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    conn.execute(SQL("TABLE {}").format(Identifier(empty_schema, table)))
    finally:
        with psycopg.connect(postgres_dsn, autocommit=True) as conn:
            for role in (service, follower):
                conn.execute(SQL("DROP OWNED BY {0}; DROP ROLE {0}").format(Identifier(role)))


# --- two services ---------------------------------------------------------------------------------


@contextmanager
def nodes(
    settings: Settings, limits: Limits | None = None, **options: Any
) -> Iterator[list[httpx2.Client]]:
    """Clients of two services over one ledger; each service has policies of its own."""
    with ExitStack() as stack:
        clients = []
        for _ in range(2):
            given = limits._replace(reads=tuple(map(_alike, limits.reads))) if limits else None
            served = stack.enter_context(serving(in_postgres(settings), limits=given, **options))
            client = httpx2.Client(base_url=f"{served.url}/v1", timeout=None)
            clients.append(stack.enter_context(client))
        yield clients


def _alike(policy: RateLimitPolicy) -> RateLimitPolicy:
    return RateLimitPolicy(policy.name, 1 / policy._interval, policy._burst)


def exchange(settings: Settings, client: httpx2.Client) -> None:
    """Wait until the client's service has shared what it counts, and taken in what was shared."""

    def guesses() -> list[tuple[Any, ...]]:
        """What nobody but this client's service changes now."""
        return [row for row in rows(settings, "token_buckets") if row[0] == "join-guesses"]

    for _ in range(2):  # the first exchange has come to its end when the second one begins
        before = guesses()
        body = {"name": "Eve", "code": "ZZZZ-ZZZZ"}
        problem(client.post("/joins", json=body), 404, "no_such_code")
        eventually(lambda before=before: guesses() != before, bool)


def test_an_address_has_one_quota_of_reads_at_all_nodes(settings: Settings) -> None:
    pair = (RateLimitPolicy("address-reads", 0.01, 60), RateLimitPolicy("token-reads", 0.01, 60))
    with nodes(settings, Limits(pair, None), join_guesses=100) as (first, other):
        for client, reads in ((first, 30), (other, 29)):
            assert [client.get("/rulesets").status_code for _ in range(reads)] == [200] * reads
        exchange(settings, first)
        # A process learns what others took of a bucket when it has taken from it itself.
        assert other.get("/rulesets").status_code == 200
        exchange(settings, other)
        problem(other.get("/rulesets"), 429, "too_many_requests")


def test_an_address_has_one_quota_of_tables_and_guesses_at_all_nodes(settings: Settings) -> None:
    people = {"ruleset": "classic", "seats": [PERSON, PERSON]}
    bots = {"ruleset": "classic", "seats": [BOT, BOT]}
    with nodes(settings, quotas=(3, 1), join_guesses=8) as (first, other):
        opened = [first.post("/games", json=body) for body in (bots, people)]
        assert [answer.status_code for answer in opened] == [201, 201]
        exchange(settings, first)
        exchange(settings, other)
        problem(other.post("/games", json=bots), 429, "too_many_bot_games")
        assert other.post("/games", json=people).status_code == 201
        problem(other.post("/games", json=people), 429, "too_many_tables")
        exchange(settings, other)
        headers = {"Authorization": f"Bearer {opened[0].json()['host_token']}"}
        path = f"/games/{opened[0].json()['game']}/void"
        assert first.post(path, json={"reason": "x"}, headers=headers).status_code == 200
        exchange(settings, first)
        guess = {"name": "Eve", "code": "ZZZZ-ZZZZ"}
        problem(first.post("/joins", json=guess), 429, "too_many_guesses")
        eventually(
            lambda: other.post("/games", json=people).status_code, lambda status: status == 201
        )
