"""Background work is tried again after whatever went wrong."""

import asyncio

import pytest

from phaseledger.service.runtime import background
from phaseledger.service.runtime.background import in_background, in_background_until


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "SHORTEST", 0.01)
    monkeypatch.setattr(background, "LONGEST", 0.04)
    monkeypatch.setattr(background, "SETTLED", 0.05)


def test_what_fails_is_tried_again_until_it_is_done() -> None:
    async def scenario() -> None:
        tries, done = 0, asyncio.Event()

        async def work() -> None:
            nonlocal tries
            tries += 1
            if tries < 5:
                raise RuntimeError("once more")
            done.set()

        async with in_background(work):
            await done.wait()
        assert tries == 5

    asyncio.run(scenario())


def test_a_failure_is_reported_until_the_work_has_run_for_a_while() -> None:
    async def scenario() -> None:
        reports, runs, settled = list[bool](), 0, asyncio.Event()

        async def work(stop: asyncio.Event) -> None:
            nonlocal runs
            runs += 1
            if runs < 3:
                raise ValueError("an error that nobody thought of")
            await stop.wait()

        def report(failed: bool) -> None:
            reports.append(failed)
            if not failed:
                settled.set()

        async with in_background_until(work, "it failed", (), report):
            await settled.wait()
        assert reports == [True, True, False]

    asyncio.run(scenario())


async def test_the_end_does_not_wait_for_the_next_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "SHORTEST", 3_600.0)

    failed = asyncio.Event()

    async def work(_: asyncio.Event) -> None:
        raise RuntimeError

    async with in_background_until(work, "it failed", (RuntimeError,), lambda _: failed.set()):
        await failed.wait()


async def test_work_that_is_cancelled_is_not_tried_again() -> None:
    began = list[int]()

    async def work() -> None:
        began.append(1)
        await asyncio.Event().wait()

    async with in_background(work):
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.05)
    assert began == [1]
