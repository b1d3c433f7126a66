"""Tasks that are ended have ended, also where one cancellation is lost on the way."""

import asyncio

import pytest

from phaseledger.service.credentials.store import SEATS, Credentials
from phaseledger.service.credentials.tokens import new_token
from phaseledger.service.eventlog.migrations import migrate
from phaseledger.service.runtime import tasks
from phaseledger.service.runtime.background import in_background
from phaseledger.service.runtime.tasks import cancel_and_wait
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.sender import Sender
from phaseledger.service.webhooks.store import Webhooks
from tests.support.service.memory_store import MemoryStore


class Deaf:
    """A task that loses its first cancellations, as `asyncio.wait_for` may before Python 3.12."""

    def __init__(self, deaf_to: int) -> None:
        self.left = deaf_to
        self.is_over = False

    async def run(self) -> None:
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                if not self.left:
                    self.is_over = True
                    raise
                self.left -= 1


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "CANCEL_INTERVAL", 0.05)


async def begun(*works: Deaf) -> list[asyncio.Task[None]]:
    all_tasks = [asyncio.create_task(work.run()) for work in works]
    await asyncio.sleep(0)
    return all_tasks


async def test_tasks_end_whatever_was_lost() -> None:
    async def failed() -> None:
        raise ValueError("told to nobody")

    works = [Deaf(lost) for lost in (0, 1, 3)]
    await cancel_and_wait(*await begun(*works), asyncio.create_task(failed()))
    await cancel_and_wait()
    assert all(work.is_over for work in works)


async def test_whoever_ends_tasks_may_be_ended_but_not_before() -> None:
    work = Deaf(2)
    all_tasks = await begun(work)
    ending = asyncio.create_task(cancel_and_wait(*all_tasks))
    await asyncio.sleep(0)
    ending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ending
    assert work.is_over


async def test_credentials_close_in_the_moment_in_which_they_get_a_connection(
    postgres_dsn: str, empty_schema: str
) -> None:
    """Their watch is given its first one just then, which lost the cancellation once in forty."""
    migrate(postgres_dsn, schema=empty_schema, extra=SEATS)

    for _ in range(80):
        credentials = Credentials(postgres_dsn, schema=empty_schema)
        await credentials.open()
        assert await credentials.find(new_token(0)) is None
        await credentials.close()


async def test_deliveries_end_with_all_their_parts(
    postgres_dsn: str, empty_schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    works = [Deaf(1), Deaf(2), Deaf(3)]
    parts = iter(works)
    for name in ("_repeat", "_send_loop"):
        monkeypatch.setattr(Deliveries, name, lambda *_, **_given: next(parts).run())

    hooks = Webhooks(postgres_dsn, schema=empty_schema)
    async with in_background(Deliveries(MemoryStore(), hooks, Sender()).run):
        await asyncio.sleep(0.05)
    assert all(work.is_over for work in works)
