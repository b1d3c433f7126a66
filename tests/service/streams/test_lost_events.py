"""Streams of a game whose log goes back, as after a failover to a standby that lagged."""

import asyncio

import msgspec
import pytest

from phaseledger.domain.commands import Act, TakeSeat
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest, new_game, new_key, opening
from phaseledger.service.streams.feed import Feed, Standpoint
from phaseledger.service.streams.hub import Streams
from phaseledger.service.streams.subscription import Stream
from tests.support.polling import comes_about
from tests.support.service.memory_store import MemoryStore


@pytest.mark.parametrize("seats", [(), (5,), (5, 4), (5, 4, 3)])
def test_a_stream_of_events_that_were_lost_ends(seats: tuple[int, ...]) -> None:
    """The log goes back, and others sit down; none of it is added to what was sent."""

    async def scene() -> list[int]:
        store, game = MemoryStore(), new_game("")
        here = GameService(store)
        acts = opening(game, "classic", [SeatRequest()] * 6, options={}, dealer=0, start=False)
        await here.open(acts, game, new_key())
        streams, stream = Streams(here, 120), Stream("ndjson")
        with streams.feed(game, await here.look(game), None) as feed:
            feed.attach(stream, Standpoint(None))
            for number in range(2):
                command = TakeSeat(f"Seat {number}", secret="ab" * 32)
                await here.send(game, Act(command, number), new_key())
            await feed.reached(3)
            older = MemoryStore()
            await older.append(game, await store.read(game, 0, 1))
            there, here.store = GameService(older), older
            here.cache.distrust()
            for number in seats:
                command = TakeSeat(f"Seat {number}", secret="cd" * 32)
                await there.send(game, Act(command, number), new_key())
            await here.look(game)
            await comes_about(lambda: _breaks(feed))
            lines = b"".join([lines async for lines in stream.taken()])
        return [msgspec.json.decode(line)["seq"] for line in lines.splitlines() if b'"seq"' in line]

    assert set(asyncio.run(scene())) <= {2, 3}


async def _breaks(feed: Feed) -> bool:
    return feed.is_broken
