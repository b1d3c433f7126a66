"""The NDJSON export of finished games: their events one a line, as `phaseledger audit` reads them.

Before each game stands a line about it, and after all of them a line that says so. Both begin with
``{"export":``, and name the cursor to go on from. Games come in the order of their ends, so a
reader that comes back with the last cursor gets what has ended since, and misses nothing.

A page of games and the position that it is complete up to are read in one moment. Where the views
or the log went back, the export is broken off without its last line, since that would promise all
games. ``next`` names the last event that it covers, so a log that has lost that is told from one
that went on. A game whose record is damaged is replaced by a line that says so, and so is one that
was archived; the others go on.
"""

import zlib
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from uuid import UUID

import msgspec

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.domain.words import Phrase
from phaseledger.projections.pages import (
    LEAF_DIGITS,
    Filter,
    FinishedGame,
    FinishedPlace,
    ViewsWentBack,
    finished_cursor,
)
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.integrity import chained
from phaseledger.service.readmodels.soundness import DAMAGED, Damage
from phaseledger.service.readmodels.views import Views
from phaseledger.service.schemas.streams import (
    ArchivedHeader,
    ExportEnd,
    GameHeader,
    SetAsideHeader,
)

GAMES_AT_A_TIME = 100  # games looked up at a time
PAGE = 200  # events read and redacted at a time, which takes some milliseconds


async def export_lines(
    store: Store,
    views: Views,
    criteria: Filter,
    place: FinishedPlace,
    limit: int,
    suspect: Callable[[UUID], None] = lambda _: None,
) -> AsyncGenerator[bytes]:
    """The export's lines: the finished games above the place, ``limit`` of them, 0: all.

    ``suspect`` is told of games that turn out to be damaged.

    Raises:
        ViewsWentBack: views or log lost what they had, so games would be missing.

    """
    until = await place_of(store, await views.position())
    source = _FinishedGames(views, criteria, place.position, until.position)
    games = 0
    while (limit == 0 or games < limit) and await source.first(GAMES_AT_A_TIME):
        game = source.queue.popleft()
        cursor = finished_cursor(FinishedPlace(game.place - 1))
        reason = game.set_aside
        if not reason:
            try:
                lines = await _game_lines(store, game, cursor)
            except Damage as damage:
                if tombstone := await store.archived(game.game):
                    line = ArchivedHeader(
                        game=str(game.game), archived=tombstone.file, cursor=cursor
                    )
                    yield msgspec.json.encode(line) + b"\n"
                else:
                    reason = damage.reason
                    suspect(game.game)
            else:
                games += 1
                for part in lines:
                    yield part
        if reason:
            header = SetAsideHeader(game=str(game.game), set_aside=reason, cursor=cursor)
            yield msgspec.json.encode(header) + b"\n"
        source.place = game.place
    if await place_of(store, until.position) != until:
        raise ViewsWentBack("The log has other events than when the export began.")
    end = ExportEnd(games=games, next=finished_cursor(await place_of(store, source.place)))
    yield msgspec.json.encode(end) + b"\n"


async def place_of(store: Store, position: int) -> FinishedPlace:
    """The place at a log position, with the leaf of its event if there is one."""
    for notice in await store.leaves(position - 1, 1):
        if notice.position == position and notice.row.leaf:
            return FinishedPlace(position, notice.row.leaf.hex()[:LEAF_DIGITS])
    return FinishedPlace(position)


class _FinishedGames:
    """A cursor over the finished games of the log, with a queue of games read ahead."""

    def __init__(self, views: Views, criteria: Filter, place: int, until: int) -> None:
        self.place = place
        self.queue: deque[FinishedGame] = deque()
        self._views, self._criteria, self._until = views, criteria, until
        self._is_over = False

    async def first(self, limit: int) -> bool:
        """Whether there is another game, which is then the first of the queue.

        A page that is not full is the last one, since `finished` vouches for all up to ``until``.
        """
        if not self.queue and not self._is_over:
            page = await self._views.finished(limit, self.place, self._until, self._criteria)
            self.queue.extend(page)
            self._is_over = len(page) < limit
        if not self.queue:
            self.place = max(self.place, self._until)
        return bool(self.queue)


async def _game_lines(store: Store, game: FinishedGame, cursor: str) -> list[bytes]:
    """The game's lines, a page of events at a time.

    They are read before the first of them is sent, since its header says how many there are.

    Raises:
        Damage: the log does not have them all, or one cannot be read, or is not what was stored.

    """
    header = GameHeader(
        game=str(game.game),
        ruleset=game.ruleset,
        stage=game.stage,
        events=game.version,
        opened_at=game.opened_at,
        finished_at=game.finished_at,
        cursor=cursor,
    )
    parts, key, head = [msgspec.json.encode(header) + b"\n"], b"", ""
    for after in range(0, game.version, PAGE):
        rows = await store.read(game.game, after, PAGE)
        key = key or _key(rows)
        parts.append(b"".join(_lines(rows, after, min(game.version, after + PAGE), key)))
        head = chained(game.game, rows, key, head)[-1]
    return parts


def _lines(rows: Sequence[Row], after: int, last: int, key: bytes) -> Iterator[bytes]:
    for number in range(after + 1, last + 1):
        row = rows[number - after - 1] if number - after <= len(rows) else None
        if row is None or row.version != number:
            raise Damage(number, Phrase("adds.damage.missing", seq=number))
        try:
            codec.decode_event(row.topic, row.state)
            yield codec.redact(row.state, key, None, opened=True) + b"\n"
        except DAMAGED as cause:
            raise Damage(number, Phrase("adds.damage.unread", seq=number)) from cause


def _key(rows: Sequence[Row]) -> bytes:
    if not rows or rows[0].version != 1:
        raise Damage(1, Phrase("adds.damage.missing", seq=1))
    try:
        event = codec.decode_event(rows[0].topic, rows[0].state)
        if isinstance(event, GameOpened):
            return codec.new_chain(event).key
    except DAMAGED as cause:
        raise Damage(1, Phrase("adds.damage.unread", seq=1)) from cause
    raise Damage(1, Phrase("adds.damage.opening", seq=1))


async def gzip_stream(parts: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """The parts compressed as gzip (RFC 1952), at the fastest level."""
    compressor = zlib.compressobj(1, wbits=zlib.MAX_WBITS | 16)
    async for part in parts:
        if chunk := compressor.compress(part):
            yield chunk
    yield compressor.flush()
