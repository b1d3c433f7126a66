"""Applications for tests, made as the operator's listener makes them, and fixtures of theirs."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest

from phaseledger.service.app import in_postgres
from phaseledger.service.applications.application import SCOPES
from phaseledger.service.applications.store import Applications
from phaseledger.service.database.sealing import open_sealing
from phaseledger.service.schemas.applications import Scope
from phaseledger.service.settings import Settings
from tests.support.ledgers import own_ledger
from tests.support.service.operator import Both, running


@pytest.fixture(scope="module")
def settings(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A ledger of the module's own."""
    with own_ledger(postgres_dsn, tmp_path_factory.mktemp("ledger")) as ledger:
        open_sealing(ledger)
        yield ledger


@pytest.fixture(scope="module")
def both(settings: Settings) -> Iterator[Both]:
    """The service over the module's ledger, and its operator's listener."""
    with running(in_postgres(settings)) as both:
        yield both


def done(answer: httpx2.Response) -> dict[str, Any]:
    """The body of an answer that is none of a refusal."""
    assert answer.is_success, answer.text
    return answer.json() if answer.content else {}


def made(settings: Settings, name: str = "Club", scopes: Sequence[Scope] = SCOPES) -> str:
    """A key of a fresh application; the name gets a number."""

    async def make() -> str:
        application: UUID = uuid4()
        async with Applications(settings.database_url, schema=settings.schema) as store:
            await store.register(application, f"{name} {application}"[:40])
            return await store.issue(application, scopes, application)

    with ThreadPoolExecutor(1) as thread:  # a browser may have a loop in this one
        return thread.submit(lambda: asyncio.run(make())).result()
