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
async def _sending(slots: Uploads, caller: bytes) -> AsyncIterator[Upload]:
    async with slots.held(caller), slots.arriving() as upload:
        yield upload


def test_a_slow_file_has_its_time_while_there_is_room() -> None:
    async def run() -> None:
        slots = Uploads(2, 1, seconds=0.3)
        clock = asyncio.get_running_loop().time
        began = clock()

        async def send() -> None:
            async with _sending(slots, b"a"):
                async with _sending(slots, b"b"):
                    pass
                await asyncio.Event().wait()

        with pytest.raises(TimeoutError):
            await send()
        assert clock() - began >= 0.3

    asyncio.run(run())


def test_a_slow_file_loses_its_slot_to_who_waits_and_a_fast_one_does_not() -> None:
    async def run() -> None:
        slots, ends = Uploads(2, 1, seconds=3600), list[str]()
        go_on = asyncio.Event()

        async def send(caller: str, size: int) -> None:
            try:
                async with _sending(slots, caller.encode()) as upload:
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
        async with _sending(slots, b"third"):
            assert ends == ["slow cut off"]
            assert not slots.is_contended
        go_on.set()
        await asyncio.gather(*tasks)
        assert ends == ["slow cut off", "fast whole"]

    asyncio.run(run())


def test_who_waits_in_vain_presses_nobody_any_more() -> None:
    async def run() -> None:
        slots = Uploads(1, 1, seconds=3600)

        async def wait() -> None:
            async with slots.held(b"b"):
                pass

        async with _sending(slots, b"a"):
            waiting = asyncio.create_task(wait())
            await asyncio.sleep(0)
            assert slots.is_contended
            waiting.cancel()
            await asyncio.wait({waiting})
            assert not slots.is_contended
            await asyncio.sleep(4 * uploads.GRACE)  # nobody takes its slot

    asyncio.run(run())


def test_whoever_comes_while_a_slot_is_being_lost_waits_as_others_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between the end of a file's time and its task's learning of it the loop runs others."""
    monkeypatch.setattr(uploads, "GRACE", 0.0)

    async def run() -> None:
        slots = Uploads(1, 1, seconds=3600)

        async def send() -> None:
            async with _sending(slots, b"slow"):
                await asyncio.Event().wait()

        async def wait(caller: bytes, steps: int) -> None:
            for _ in range(steps):
                await asyncio.sleep(0)
            async with slots.held(caller):
                pass

        slow = asyncio.create_task(send())
        await asyncio.sleep(0)
        await asyncio.gather(*(wait(b"%d" % steps, steps) for steps in range(5)))
        with pytest.raises(TimeoutError):
            await slow
        async with slots.held(b"fast"):
            assert slots.slots.is_full
            assert not slots.is_contended, "nobody waits any more"

    asyncio.run(run())
