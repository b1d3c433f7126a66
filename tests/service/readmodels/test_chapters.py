"""Chapters folded from the log: the same as whole ones, and each event is read once."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.game import Snapshot, apply_rows
from phaseledger.service.readmodels.chapters import Chapters
from phaseledger.service.readmodels.views import folded
from tests.support.projection_logs import game_id, played

GAME = game_id(1)
OF_TWO, OF_THREE = played(1, 2)[1], played(1, 3)[1]


def end(now: Snapshot) -> tuple[int, str]:
    return now.version, now.chain.head


class Log:
    """A game's rows, of which it counts those that are read."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows, self.count = rows, 0

    async def read(self, _: UUID, after: int, last: int) -> Sequence[Row]:
        self.count += last - after
        return self.rows[after:last]


def test_a_game_that_goes_on_is_read_once() -> None:
    log = Log(OF_TWO)
    chapters = Chapters(log.read)
    for version in (*range(1, len(OF_TWO), 7), len(OF_TWO), len(OF_TWO)):
        now, _ = apply_rows(None, OF_TWO[:version])
        chapter = asyncio.run(chapters.at(GAME, *end(now)))
        assert chapter == folded(None, OF_TWO[:version])
    assert chapter.rounds
    assert log.count == len(OF_TWO)


def test_an_earlier_version_is_not_mixed_up_with_the_newest() -> None:
    chapters = Chapters(Log(OF_TWO).read)
    for version in (len(OF_TWO), 50, len(OF_TWO)):
        now, _ = apply_rows(None, OF_TWO[:version])
        assert asyncio.run(chapters.at(GAME, *end(now))) == folded(None, OF_TWO[:version])


def test_what_a_log_that_went_back_has_lost_is_forgotten() -> None:
    """A failover may lose the end of a game, which then goes on otherwise."""
    log = Log(OF_TWO)
    chapters = Chapters(log.read)
    asyncio.run(chapters.at(GAME, *end(apply_rows(None, OF_TWO[:40])[0])))
    log.rows = OF_THREE
    for version in (41, 40, 300):
        now, _ = apply_rows(None, OF_THREE[:version])
        assert asyncio.run(chapters.at(GAME, *end(now))) == folded(None, OF_THREE[:version])
