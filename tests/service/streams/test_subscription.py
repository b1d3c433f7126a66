"""The streams of one origin share a pace: what is offered meanwhile goes out together."""

import asyncio

import pytest

from phaseledger.service.games.writer import GameService
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from phaseledger.service.streams.hub import Streams
from phaseledger.service.streams.subscription import Stream
from tests.support.service.memory_store import MemoryStore


def test_so_many_parts_at_once_and_then_one_an_interval() -> None:
    pace = RateLimitPolicy("parts", 4, 2)
    assert [pace.reserve(b"one", 10.0) for _ in range(4)] == [0, 0, 0.25, 0.5]
    assert (pace.reserve(b"one", 10.5), pace.reserve(b"other", 10.5)) == (0.25, 0)
    # What was not used is not saved up.
    assert [pace.reserve(b"one", 20.0) for _ in range(3)] == [0, 0, 0.25]


async def parts_of(stream: Stream, into: list[bytes]) -> None:
    async for part in stream.taken():
        into.append(part)  # noqa: PERF401 - they are looked at meanwhile


async def test_what_waits_for_its_turn_goes_out_together() -> None:
    hub, parts = Streams(GameService(MemoryStore()), 120), [list[bytes]() for _ in range(3)]
    streams = [Stream("ndjson", origin=origin) for origin in (b"one", b"one", b"other")]
    with hub.hold(streams[0]), hub.hold(streams[1]), hub.hold(streams[2]):
        pace = streams[0].pace
        assert pace is not None
        while pace.reserve(b"one", asyncio.get_running_loop().time()) < 0.2:
            pass  # the readers of this origin have had what they may have for a while
        tasks = [
            asyncio.create_task(parts_of(stream, into))
            for stream, into in zip(streams, parts, strict=True)
        ]
        for frame in (b"1 ", b"2 ", b"3 "):
            for stream in streams:
                stream.offer(frame)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert parts == [[], [], [b"1 ", b"2 ", b"3 "]]
        while not (parts[0] and parts[1]):
            await asyncio.sleep(0.001)
        assert parts[:2] == [[b"1 2 3 "], [b"1 2 3 "]]
        for stream in streams:
            stream.finish()
        await asyncio.gather(*tasks)


@pytest.mark.parametrize("end", ["finish", "close"])
async def test_the_end_of_a_stream_waits_for_no_turn(end: str) -> None:
    stream, parts = Stream("sse"), list[bytes]()
    stream.pace = RateLimitPolicy("parts", 0.001, 1)
    stream.pace.reserve(stream.origin, asyncio.get_running_loop().time())
    stream.offer(b"frame ")
    if end == "finish":
        stream.finish()
    else:
        stream.close("shutting_down")
    await parts_of(stream, parts)
    (part,) = parts
    assert part == b"frame " if end == "finish" else b"shutting_down" in part
