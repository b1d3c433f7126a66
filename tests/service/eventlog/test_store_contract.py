"""One contract for every store."""

import asyncio
from uuid import UUID, uuid4

import pytest

from phaseledger.service.eventlog.errors import Conflict, PredecessorMissing
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import DueGame, Notice, Row
from tests.support.service.memory_store import MemoryStore

GAME, OTHER = UUID(int=1), UUID(int=2)


def rows(first: int, last: int, mark: str = "") -> list[Row]:
    return [
        Row(version, "CardDrawn/1", f"{mark}{version}".encode())
        for version in range(first, last + 1)
    ]


async def test_a_new_store_is_empty(store: Store) -> None:
    async with store:
        assert await store.position() == 0
        assert await store.head(GAME) == 0
        assert await store.read(GAME) == []
        assert await store.tail(0) == []


async def test_what_was_appended_is_read_in_order(store: Store) -> None:
    async with store:
        assert await store.append(GAME, rows(1, 3)) == 3
        assert await store.append(OTHER, rows(1, 1)) == 4
        assert await store.append(GAME, rows(4, 5)) == 6
        assert await store.read(GAME) == rows(1, 5)
        assert await store.read(GAME, after=2) == rows(3, 5)
        assert await store.read(GAME, after=2, limit=2) == rows(3, 4)
        assert await store.read(GAME, after=5) == []
        assert await store.head(GAME) == 5
        assert await store.head(OTHER) == 1
        assert await store.position() == 6


async def test_rows_come_back_with_their_types_and_bytes(store: Store) -> None:
    every_byte = Row(1, "Größe/1", bytes(range(256)) * 1000)
    async with store:
        await store.append(GAME, [every_byte])
        (row,) = await store.read(GAME)
        (notice,) = await store.tail(0)
    assert row == every_byte == notice.row
    assert (type(row), type(row.state), type(notice.row)) == (Row, bytes, Row)
    assert type(notice.game) is UUID


async def test_tail_gives_the_log_in_order_and_pages(store: Store) -> None:
    async with store:
        await store.append(GAME, rows(1, 2))
        await store.append(OTHER, rows(1, 1))
        log = await store.tail(0)
        assert [(notice.game, notice.row.version) for notice in log] == [
            (GAME, 1),
            (GAME, 2),
            (OTHER, 1),
        ]
        assert await store.tail(0, limit=2) == log[:2]
        assert await store.tail(log[1].position) == log[2:]
        assert log[-1].position == await store.position()
        assert isinstance(log[0], Notice)


async def test_unfinished_games_are_those_whose_last_event_is_not_the_end(store: Store) -> None:
    async with store:
        assert await store.unfinished() == []
        for number, last in enumerate(("CardDrawn/1", "GameEnded/1", "X/1", "GameVoided/1"), 1):
            await store.append(UUID(int=number), [*rows(1, 2), Row(3, last, b"x")])
        assert {game.int for game in await store.unfinished()} == {1, 3}


def test_a_game_is_due_at_once_unless_its_last_event_has_a_note(store: Store) -> None:
    def leaf(version: int) -> bytes:
        return bytes([version]) * 32

    def row(version: int, topic: str = "X/1") -> Row:
        return Row(version, topic, b"x", leaf(version))

    async def due(overlong: int = 0) -> dict[int, int]:
        return {game.int: at for game, at in await store.due_games(overlong)}

    async def scenario() -> None:
        async with store:
            await store.note_due([])
            for number in range(1, 5):
                await store.append(UUID(int=number), [row(1), row(2)])
            await store.append(UUID(int=5), rows(1, 2))  # whose leaves are not stored
            assert await due() == dict.fromkeys(range(1, 6), 0)
            if not (await store.read(GAME))[0].leaf:
                return  # the library's recorder stores none, so nothing noted counts
            dues = ((4, None), (3, 2 << 40), (2, 7))
            noted = [DueGame(UUID(int=game), 2, leaf(2), at) for game, at in dues]
            await store.note_due([*noted, DueGame(UUID(int=5), 2, leaf(2), None)])
            assert await due() == {1: 0, 2: 7, 3: 2 << 40, 5: 0}
            await store.note_due([DueGame(UUID(int=2), 2, leaf(2), 8)], [UUID(int=3)])
            assert await due() == {1: 0, 2: 8, 3: 0, 5: 0}
            await store.append(UUID(int=4), [row(3)], leaf(2))
            await store.append(UUID(int=1), [row(3, "GameEnded/1")], leaf(2))
            assert await due() == {2: 8, 3: 0, 4: 0, 5: 0}
            assert await due(3) == {2: 8, 3: 0, 4: 0, 5: 0}
            assert await due(2) == {2: 0, 3: 0, 4: 0, 5: 0}

    asyncio.run(scenario())


async def test_a_taken_version_is_a_conflict_and_nothing_is_stored(store: Store) -> None:
    async with store:
        await store.append(GAME, rows(1, 3))
        with pytest.raises(Conflict) as caught:
            await store.append(GAME, rows(3, 5, "late "))
        assert (caught.value.game, caught.value.version) == (GAME, 3)
        assert await store.read(GAME) == rows(1, 3)
        # the same bytes again are a conflict too: only the caller knows what it meant
        with pytest.raises(Conflict):
            await store.append(GAME, rows(1, 3))
        await store.append(GAME, rows(4, 4))
        assert [notice.row for notice in await store.tail(0)] == rows(1, 4)


async def test_an_append_that_makes_no_sense_is_refused(store: Store) -> None:
    async with store:
        for bad in ([], rows(0, 0), [*rows(1, 1), *rows(3, 3)], [*rows(2, 2), *rows(1, 1)]):
            with pytest.raises(ValueError, match="append"):
                await store.append(GAME, bad)
        assert await store.position() == 0


async def test_of_racers_for_one_version_exactly_one_wins(store: Store) -> None:
    async with store:
        answers = await asyncio.gather(
            *(store.append(GAME, rows(1, 2, f"racer {n} ")) for n in range(16)),
            return_exceptions=True,
        )
        assert sum(isinstance(answer, Conflict) for answer in answers) == 15
        (winner,) = (n for n, answer in enumerate(answers) if isinstance(answer, int))
        assert await store.read(GAME) == rows(1, 2, f"racer {winner} ")


async def test_64_callers_get_the_positions_of_their_own_rows(store: Store) -> None:
    async with store:

        async def caller(game: UUID) -> list[tuple[int, UUID, int]]:
            mine = []
            for first in range(1, 10, 3):
                position = await store.append(game, rows(first, first + 2))
                mine.append((position, game, first + 2))
            return mine

        answers = await asyncio.gather(*(caller(uuid4()) for _ in range(64)))
        log = await store.tail(0)
        places = {(entry.position, entry.game, entry.row.version) for entry in log}
        assert {answer for mine in answers for answer in mine} <= places
        assert len(log) == 64 * 9
        positions = [entry.position for entry in log]
        assert positions == sorted(set(positions))
        for game in {entry.game for entry in log}:
            assert [entry.row.version for entry in log if entry.game == game] == [*range(1, 10)]


def chained(first: int, last: int) -> list[Row]:
    return [row._replace(leaf=bytes([row.version]) * 32) for row in rows(first, last)]


@pytest.fixture(params=["memory", "postgres"])
def guarded_store(request: pytest.FixtureRequest) -> Store:
    """A store that compares what precedes; the library's own recorder does not."""
    if request.param == "memory":
        return MemoryStore()
    dsn, schema = (request.getfixturevalue(name) for name in ("postgres_dsn", "fresh_schema"))
    return PostgresStore(dsn, schema=schema)


async def test_rows_that_the_log_does_not_lead_to_are_refused_and_nothing_is_stored(
    guarded_store: Store,
) -> None:
    """Fault model: a log that has gone back is not written over with holes."""
    async with guarded_store as store:
        await store.append(GAME, chained(1, 3), None)
        for first, prev in ((5, None), (5, bytes([4]) * 32), (4, bytes([9]) * 32)):
            with pytest.raises(PredecessorMissing) as caught:
                await store.append(GAME, chained(first, 6), prev)
            assert (caught.value.game, caught.value.version) == (GAME, first)
        with pytest.raises(PredecessorMissing):
            await store.append(OTHER, chained(2, 2), bytes([1]) * 32)
        assert await store.position() == 3
        await store.append(GAME, chained(4, 6), bytes([3]) * 32)
        assert await store.read(GAME) == chained(1, 6)


async def test_one_of_a_batch_that_does_not_follow_holds_up_no_other(guarded_store: Store) -> None:
    async with guarded_store as store:
        games = [uuid4() for _ in range(20)]
        starts = [1 + number % 2 for number in range(20)]
        answers = await asyncio.gather(
            *(
                store.append(game, chained(start, start))
                for game, start in zip(games, starts, strict=True)
            ),
            return_exceptions=True,
        )
        for game, start, answer in zip(games, starts, answers, strict=True):
            assert isinstance(answer, int if start == 1 else PredecessorMissing)
            assert await store.head(game) == (1 if start == 1 else 0)


async def test_an_event_without_a_stored_leaf_may_be_followed_by_any(guarded_store: Store) -> None:
    """Events from before leaves were stored have none."""
    async with guarded_store as store:
        await store.append(GAME, rows(1, 2))
        await store.append(GAME, rows(3, 3), bytes(32))
        assert await store.head(GAME) == 3
