"""Many finished games in one answer: their events one a line, as `phaseledger audit` reads them.

Before each game stands a line about it, and after all of them a line that says so. Both begin with
``{"export":``, and name the cursor to go on from. Games come in the order of their ends, so whoever
comes back with the last cursor gets what has ended since, and misses nothing.
"""

import zlib
from collections.abc import AsyncGenerator, AsyncIterator

import msgspec

from domain import codec
from domain.events import GameOpened
from projections.pages import Filter, Finished, finished_cursor
from service.schemas_streams import ExportEnd, GameHeader
from service.store import Row, Store
from service.views import Views

LISTED = 100  # games looked up at a time
PAGE = 200  # events read and redacted at a time, which takes some milliseconds


async def exported(
    store: Store, views: Views, wanted: Filter, place: int, limit: int
) -> AsyncGenerator[bytes]:
    """The lines of the finished games above ``place``, some at a time; ``limit`` 0: of all."""
    until, games = await views.position(), 0
    while more := min(LISTED, limit - games if limit else LISTED):
        found = await views.finished(more, place, until, wanted)
        for each in found:
            async for lines in _game(store, each):
                yield lines
            place, games = each.place, games + 1
        if len(found) < more:
            place = max(place, until)
            break
    end = ExportEnd(games=games, next=finished_cursor(place))
    yield msgspec.json.encode(end) + b"\n"


async def _game(store: Store, each: Finished) -> AsyncIterator[bytes]:
    header = GameHeader(
        game=str(each.game),
        ruleset=each.ruleset,
        stage=each.stage,
        events=each.version,
        opened_at=each.opened_at,
        finished_at=each.finished_at,
        cursor=finished_cursor(each.place - 1),
    )
    head, key = msgspec.json.encode(header) + b"\n", b""
    for after in range(0, each.version, PAGE):
        rows = await store.read(each.game, after, PAGE)
        key = key or _key(rows[0])
        lines = (codec.redact(row.state, key, None, opened=True) + b"\n" for row in rows)
        yield head + b"".join(lines)
        head = b""


def _key(first: Row) -> bytes:
    opened = codec.decode_event(first.topic, first.state)
    assert isinstance(opened, GameOpened)
    return codec.new_chain(opened).key


async def zipped(parts: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """The parts as gzip (RFC 1952), as fast as it goes."""
    packer = zlib.compressobj(1, wbits=zlib.MAX_WBITS | 16)
    async for part in parts:
        if packed := packer.compress(part):
            yield packed
    yield packer.flush()
