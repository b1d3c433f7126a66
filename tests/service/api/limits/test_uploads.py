"""Files that arrive: slow ones lose their slots where others wait, and only then."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from phaseledger.service.api.limits import uploads
from phaseledger.service.api.limits.uploads import Upload, Uploads


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "GRACE", 0.05)


@asynccontextmanager
async def _sending(files: Uploads, caller: bytes) -> AsyncIterator[Upload]:
    async with files.slots.held(caller), files.arriving() as upload:
        yield upload


def test_a_slow_file_has_its_time_while_there_is_room() -> None:
    async def run() -> None:
        files = Uploads(2, 1, seconds=0.3)
        clock = asyncio.get_running_loop().time
        began = clock()

        async def send() -> None:
            async with _sending(files, b"a"):
                async with _sending(files, b"b"):
                    pass
                await asyncio.Event().wait()

        with pytest.raises(TimeoutError):
            await send()
        assert clock() - began >= 0.3

    asyncio.run(run())


def test_a_slow_file_loses_its_slot_to_who_waits_and_a_fast_one_does_not() -> None:
    async def run() -> None:
        files, ends = Uploads(2, 1, seconds=3600), list[str]()
        go_on = asyncio.Event()

        async def send(caller: str, size: int) -> None:
            try:
                async with _sending(files, caller.encode()) as upload:
                    upload.receive(size)
                    await go_on.wait()
                    ends.append(f"{caller} whole")
            except TimeoutError:
                ends.append(f"{caller} cut off")

        tasks = [
            asyncio.create_task(send("fast", 3600 * uploads.CONTENDED_RATE)),
            asyncio.create_task(send("slow", 0)),
        ]
        await asyncio.sleep(0.2)
        assert ends == []
        async with _sending(files, b"third"):
            assert ends == ["slow cut off"]
            assert not files.slots.is_contended
        go_on.set()
        await asyncio.gather(*tasks)
        assert ends == ["slow cut off", "fast whole"]

    asyncio.run(run())


def test_who_waits_in_vain_presses_nobody_any_more() -> None:
    async def run() -> None:
        files = Uploads(1, 1, seconds=3600)

        async def wait() -> None:
            async with files.slots.held(b"b"):
                pass

        async with _sending(files, b"a"):
            waiting = asyncio.create_task(wait())
            await asyncio.sleep(0)
            assert files.slots.is_contended
            waiting.cancel()
            await asyncio.wait({waiting})
            assert not files.slots.is_contended
            await asyncio.sleep(4 * uploads.GRACE)  # nobody takes its slot

    asyncio.run(run())


def test_whoever_comes_while_a_slot_is_being_lost_waits_as_others_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between the end of a file's time and its task's learning of it the loop runs others."""
    monkeypatch.setattr(uploads, "GRACE", 0.0)

    async def run() -> None:
        files = Uploads(1, 1, seconds=3600)

        async def send() -> None:
            async with _sending(files, b"slow"):
                await asyncio.Event().wait()

        async def wait(caller: bytes, steps: int) -> None:
            for _ in range(steps):
                await asyncio.sleep(0)
            async with files.slots.held(caller):
                pass

        slow = asyncio.create_task(send())
        await asyncio.sleep(0)
        await asyncio.gather(*(wait(b"%d" % steps, steps) for steps in range(5)))
        with pytest.raises(TimeoutError):
            await slow
        async with files.slots.held(b"fast"):
            assert files.slots.reason_to_refuse(b"other")
            assert not files.slots.is_contended, "nobody waits any more"

    asyncio.run(run())


def test_who_waits_for_a_slot_of_its_own_presses_nobody() -> None:
    """It would gain nothing by another's slot."""

    async def run() -> None:
        files = Uploads(2, 1, seconds=3600)

        async def wait() -> None:
            async with files.slots.held(b"a"):
                pass

        async with _sending(files, b"a"), _sending(files, b"b"):
            waiting = asyncio.create_task(wait())
            await asyncio.sleep(4 * uploads.GRACE)  # nobody loses its slot
            assert not files.slots.is_contended
        await waiting

    asyncio.run(run())
