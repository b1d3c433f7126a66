"""Many finished games in one answer: their events one a line, as `phaseledger audit` reads them.

Before each game stands a line about it, and after all of them a line that says so. Both begin with
``{"export":``, and name the cursor to go on from. Games come in the order of their ends, so whoever
comes back with the last cursor gets what has ended since, and misses nothing.
"""

import zlib
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Sequence

import msgspec

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.projections.pages import Filter, FinishedGame, finished_cursor
from phaseledger.service.eventlog.postgres import Row
from phaseledger.service.eventlog.protocols import GameStore
from phaseledger.service.readmodels.views import Views
from phaseledger.service.schemas.streams import ExportEnd, GameHeader

GAMES_AT_A_TIME = 100  # games looked up at a time
PAGE = 200  # events read and redacted at a time, which takes some milliseconds


async def export_lines(
    store: GameStore, logs: Sequence[Views], wanted: Filter, places: Sequence[int], limit: int
) -> AsyncGenerator[bytes]:
    """The lines of the finished games above the places, one of each log, some at a time.

    ``limit`` 0: of all. Games of several logs come in the order of their ends as the clocks say.
    """
    sources = [
        _Ends(views, wanted, place, await views.position())
        for views, place in zip(logs, places, strict=True)
    ]
    games = 0
    while limit == 0 or games < limit:
        wait = [each for each in sources if await each.first(GAMES_AT_A_TIME)]
        if not wait:
            break
        source = min(wait, key=lambda each: each.found[0].finished_at)
        each = source.found.popleft()
        source.place = each.place - 1
        async for lines in _game(store, each, finished_cursor([s.place for s in sources])):
            yield lines
        source.place, games = each.place, games + 1
    end = ExportEnd(games=games, next=finished_cursor([each.place for each in sources]))
    yield msgspec.json.encode(end) + b"\n"


class _Ends:
    """The finished games of one log, some of which are looked up ahead."""

    def __init__(self, views: Views, wanted: Filter, place: int, until: int) -> None:
        self.place = place
        self.found: deque[FinishedGame] = deque()
        self._views, self._wanted, self._until = views, wanted, until
        self._is_over = False

    async def first(self, most: int) -> bool:
        """Whether there is another one, which is then the first that was found."""
        if not self.found and not self._is_over:
            told = await self._views.finished(most, self.place, self._until, self._wanted)
            self.found.extend(told)
            self._is_over = len(told) < most
        if not self.found:
            self.place = max(self.place, self._until)
        return bool(self.found)


async def _game(store: GameStore, each: FinishedGame, cursor: str) -> AsyncIterator[bytes]:
    header = GameHeader(
        game=str(each.game),
        ruleset=each.ruleset,
        stage=each.stage,
        events=each.version,
        opened_at=each.opened_at,
        finished_at=each.finished_at,
        cursor=cursor,
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


async def gzip_stream(parts: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """The parts as gzip (RFC 1952), as fast as it goes."""
    packer = zlib.compressobj(1, wbits=zlib.MAX_WBITS | 16)
    async for part in parts:
        if packed := packer.compress(part):
            yield packed
    yield packer.flush()
