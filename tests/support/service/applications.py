"""Applications for tests, made as the operator's listener makes them."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

from phaseledger.service.applications.application import SCOPES
from phaseledger.service.applications.store import Applications
from phaseledger.service.schemas.applications import Scope
from phaseledger.service.settings import Settings


def made(settings: Settings, name: str = "Club", scopes: Sequence[Scope] = SCOPES) -> str:
    """A key of a fresh application; the name gets a number."""

    async def make() -> str:
        application: UUID = uuid4()
        async with Applications(settings.database_url, schema=settings.schema) as store:
            await store.register(application, f"{name} {application}"[:40])
            return await store.issue(application, scopes, application)

    with ThreadPoolExecutor(1) as thread:  # a browser may have a loop in this one
        return thread.submit(lambda: asyncio.run(make())).result()
