"""Reads that share a statement: none is older than its question, and none fails for another."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phaseledger.service.eventlog import batched_reads
from phaseledger.service.eventlog.batched_reads import BatchedReads
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.runtime.work import CURRENT, RequestWork, spend
from tests.simulation.chance import Chance
from tests.simulation.loop import VirtualLoop, run


class Versions:
    """What statements read: a number for each key, which takes a while to arrive."""

    def __init__(self, takes: Callable[[int], float] = lambda _: 0.01) -> None:
        self.now: dict[str, int] = {}
        self.statements: list[list[str]] = []
        self._takes = takes

    async def read(self, keys: Sequence[str]) -> Mapping[str, int]:
        self.statements.append([*keys])
        values = {key: self.now.get(key, 0) for key in keys}
        await asyncio.sleep(self._takes(len(self.statements)))
        return values


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_no_answer_is_older_than_its_question(seed: int) -> None:
    """Whatever the schedule: who has had a version acknowledged reads it, or a later one."""
    versions, chance = Versions(), Chance(seed)

    async def go_on(reads: BatchedReads[str, int], key: str) -> None:
        for _ in range(10):
            acknowledged = versions.now[key] = versions.now.get(key, 0) + 1
            assert await reads.read(key) >= acknowledged
            await asyncio.sleep(chance.between(0, 0.02))

    async def scene() -> None:
        reads = BatchedReads(versions.read, "versions")
        await asyncio.gather(*(go_on(reads, key) for key in "aabbcc"))

    run(VirtualLoop(Chance(seed)), scene())
    assert max(map(len, versions.statements)) > 1


async def test_what_is_asked_meanwhile_goes_into_the_next_statement() -> None:
    versions = Versions()

    reads = BatchedReads(versions.read, "versions")
    await asyncio.gather(*(reads.read(key) for key in "aabbc"))
    first = asyncio.create_task(reads.read("a"))
    await asyncio.sleep(0.005)
    await asyncio.gather(first, *(reads.read(key) for key in "abb"))
    assert versions.statements == [["a", "b", "c"], ["a"], ["a", "b"]]


async def test_a_statement_reads_so_many_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batched_reads, "AT_ONCE", 2)
    versions = Versions()

    reads = BatchedReads(versions.read, "versions")
    await asyncio.gather(*(reads.read(key) for key in "abcde"))
    assert versions.statements == [["a", "b"], ["c", "d"], ["e"]]


@pytest.mark.parametrize("patience", [0.05, None])
def test_a_statement_that_stalls_holds_up_only_what_has_no_patience(patience: float | None) -> None:
    versions = Versions(lambda number: 5.0 if number == 1 else 0.01)

    async def scene() -> tuple[float, float]:
        loop = asyncio.get_running_loop()
        reads = BatchedReads(versions.read, "versions", patience)
        stalled = asyncio.create_task(reads.read("a"))
        await asyncio.sleep(0.01)
        await reads.read("a")
        second = loop.time()
        await stalled
        return second, loop.time()

    second, first = run(VirtualLoop(Chance(1)), scene())
    assert first == pytest.approx(5.0, abs=0.1)
    assert second == pytest.approx(0.06 if patience else 5.01, abs=0.1)


async def test_an_outage_is_told_to_all_who_asked_and_the_next_read_asks_again() -> None:
    async def away(_: Sequence[str]) -> Mapping[str, int]:
        raise StoreUnavailable("it is away", retry_after=7)

    reads = BatchedReads(away, "versions")
    for _ in range(2):
        results = await asyncio.gather(*map(reads.read, "aab"), return_exceptions=True)
        assert len({id(error) for error in results}) == 3
        for error in results:
            assert isinstance(error, StoreUnavailable)
            assert (str(error), error.retry_after) == ("it is away", 7)


async def test_a_statement_that_lacks_a_key_fails_for_all_who_asked() -> None:
    """They would else wait for ever."""

    async def lacking(_: Sequence[str]) -> Mapping[str, int]:
        return {"a": 1}

    reads = BatchedReads(lacking, "versions")
    results = await asyncio.gather(*map(reads.read, "ab"), return_exceptions=True)
    assert [type(result) for result in results] == [KeyError, KeyError]


def test_who_gives_up_takes_nobody_along() -> None:
    versions = Versions()

    async def scene() -> int:
        reads = BatchedReads(versions.read, "versions")
        tasks = [asyncio.create_task(reads.read("a")) for _ in range(3)]
        await asyncio.sleep(0.005)
        tasks[0].cancel()
        return await tasks[1] + await tasks[2]

    assert asyncio.run(scene()) == 0


async def test_who_asks_bears_a_share_of_the_work() -> None:
    async def working(keys: Sequence[str]) -> Mapping[str, int]:
        spend(3.0)
        return dict.fromkeys(keys, 1)

    async def asked(reads: BatchedReads[str, int], key: str) -> float:
        work = RequestWork()
        CURRENT.set(work)
        await reads.read(key)
        return work.seconds

    reads = BatchedReads(working, "versions")
    assert await asyncio.gather(*(asked(reads, key) for key in "aab")) == pytest.approx(
        [1.0, 1.0, 1.0]
    )
