"""A game that is read from its stored snapshot and its tail is the one that is folded whole."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain.evidence import codec
from phaseledger.domain.evidence.tiles import WIDTH, TileName
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.eventlog.snapshots import StoredSnapshot
from phaseledger.service.games import log_times, snapshots
from phaseledger.service.games.errors import LogDamaged
from phaseledger.service.games.game import (
    Game,
    Snapshot,
    apply_rows,
    leaf_of,
)
from phaseledger.service.games.loading import Head, load
from phaseledger.service.games.service import GameService
from phaseledger.service.games.snapshots import restored, stored_snapshot
from phaseledger.service.transparency.tree import TreeHead
from tests.golden.games import GAMES
from tests.golden.games import game as golden_game
from tests.support.service.game_courses import ID, Course, Reads, logged, timed


@pytest.fixture(autouse=True, scope="module")
def one_moment() -> Iterator[None]:
    """All is seen at one moment: when a process saw an event is no part of a game."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (log_times, snapshots):
            patch.setattr(module, "elapsed_ms", lambda: 77)
        yield


@pytest.mark.parametrize("name", GAMES)
def test_a_snapshot_at_any_point_is_the_game_folded(name: str) -> None:
    """Law 3: for all rule sets, after every command, with and without a clock."""
    acts, _ = golden_game(name)
    course = Course(timed(acts) if len(name) % 2 else acts)
    folded, ends = apply_rows(None, course.rows, pass_by=(passed := list[Snapshot]()).append)
    assert [*passed, folded] == [*course.snapshots[: len(passed)], course.snapshots[-1]]
    for now, snapshot in zip(course.snapshots, course.stored, strict=True):
        read = restored(snapshot, now.clock)
        assert read is not None
        assert read.now == now
    assert restored(course.stored[-1], folded.clock).commands == course.game.commands.marks  # type: ignore[union-attr]
    assert len(course.game.commands.marks) == 4 * len(ends)


@pytest.fixture(scope="module")
def course() -> Course:
    return Course(timed(golden_game("board-2")[0])[:-20])


@given(data=st.data())
def test_a_game_read_from_a_snapshot_is_the_game_folded(
    course: Course, data: st.DataObject
) -> None:
    """What is in memory, each command's version, and the milestones once they are asked for."""
    taken = data.draw(st.integers(0, len(course.stored) - 1))

    async def scene() -> None:
        whole = GameService(await logged(course))
        resumed = GameService(await logged(course, course.stored[taken]))
        now = await whole.look(ID)
        assert await resumed.look(ID) == now == course.snapshots[-1]
        game, other = resumed._live[ID], whole._live[ID]
        assert game.base == course.snapshots[taken]
        assert game.commands.marks == other.commands.marks
        version = data.draw(st.integers(1, now.version))
        assert await resumed.past(ID, version) == await whole.past(ID, version)
        assert await resumed.rows(ID, version - 1, now.version) == course.rows[version - 1 :]
        await resumed._read_earlier(game)
        assert game.base is None
        assert game.milestones.at_most(version - 1) in course.snapshots or version < 100
        for number in range(len(course.snapshots)):
            cmd = next(iter(_ids(course, number)))
            assert game.commands[cmd] == other.commands[cmd] == course.snapshots[number].version

    asyncio.run(scene())


def _ids(course: Course, number: int) -> list[str]:
    last = course.snapshots[number].version
    return [codec.decode(row.topic, row.state)[0].cmd for row in course.rows[last - 1 : last]]


def test_a_cold_game_costs_one_read_of_its_snapshot_and_its_tail(course: Course) -> None:
    async def scene() -> None:
        store = Reads()
        await store.append(ID, course.rows)
        await store.keep_snapshots([course.stored[-3]])
        assert await GameService(store).look(ID) == course.snapshots[-1]
        (cold,) = store.cold
        assert [row.version for row in cold.rows] == [
            *range(course.stored[-3].version, course.rows[-1].version + 1)
        ]
        assert store.others == 1  # of this store itself, which reads the tail so

    asyncio.run(scene())


# --- snapshots that are not served ----------------------------------------------------------------

Wrong = Callable[[Course, StoredSnapshot], StoredSnapshot]


def of_another_program(_: Course, snapshot: StoredSnapshot) -> StoredSnapshot:
    return snapshot._replace(program=bytes(len(snapshot.program)))


def unreadable(_: Course, snapshot: StoredSnapshot) -> StoredSnapshot:
    return snapshot._replace(body=snapshot.body[:-1])


def not_genuine(_: Course, snapshot: StoredSnapshot) -> StoredSnapshot:
    return snapshot._replace(body=b"")


def of_another_game(course: Course, snapshot: StoredSnapshot) -> StoredSnapshot:
    game = Game(UUID(int=5))
    now = course.snapshots[-5]
    game.now = now._replace(state=replace(now.state, game=str(game.id)))
    return snapshot._replace(body=stored_snapshot(game).body)


def that_the_tail_does_not_fit(course: Course, snapshot: StoredSnapshot) -> StoredSnapshot:
    """As one by a program that folds otherwise and was taken for this one."""
    return snapshot._replace(body=course.stored[0].body)


def ahead_of_the_log(course: Course, snapshot: StoredSnapshot) -> StoredSnapshot:
    """As after a failover to a standby that lagged."""
    return snapshot._replace(version=course.rows[-1].version + 3)


def of_a_lost_history(_: Course, snapshot: StoredSnapshot) -> StoredSnapshot:
    return snapshot._replace(leaf=bytes(32))


WRONG = (
    of_another_program,
    unreadable,
    not_genuine,
    of_another_game,
    that_the_tail_does_not_fit,
    ahead_of_the_log,
    of_a_lost_history,
)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.__name__)
def test_a_wrong_snapshot_is_ignored(course: Course, wrong: Wrong) -> None:
    async def scene() -> None:
        store = await logged(course)
        store._snapshots[ID] = wrong(course, course.stored[-5])
        games = GameService(store)
        assert await games.look(ID) == course.snapshots[-1]
        assert games._live[ID].base is None

    asyncio.run(scene())


def edited(row: Row, key: bytes, *, leaf: bool) -> Row:
    """The event at another time; perhaps with a leaf that fits."""
    state = row.state.replace(b'{"at":1', b'{"at":2')
    assert state != row.state
    return row._replace(state=state, leaf=bytes.fromhex(leaf_of(state, key)) if leaf else row.leaf)


@pytest.mark.parametrize("leaf", [False, True])
@pytest.mark.parametrize("place", [-2, -1, 0, 1])
def test_the_snapshot_of_a_damaged_game_is_not_served(
    course: Course, place: int, leaf: bool
) -> None:
    """At the event that it names, before it or after it: where it is read, it is noticed."""
    snapshot = course.stored[-5]
    number = snapshot.version + place

    async def scene() -> None:
        store = await logged(course, snapshot)
        row = store._games[ID][number - 1]
        store._games[ID][number - 1] = edited(row, course.snapshots[0].chain.key, leaf=leaf)
        games = GameService(store)
        if place >= 0:
            with pytest.raises(LogDamaged):
                await games.look(ID)
        else:  # an event that led to it is noticed when it is read
            assert await games.look(ID) == course.snapshots[-1]
            with pytest.raises(LogDamaged):
                await games.rows(ID, number - 1, number)
            with pytest.raises(LogDamaged):
                await games.past(ID, number)

    asyncio.run(scene())


class LoggedTree:
    """The tree of a public log that has this game alone, and covers so many of its events."""

    def __init__(self, rows: Sequence[Row], covered: int) -> None:
        self.leaves = [row.leaf or b"" for row in rows[:covered]]
        self.asked = 0

    async def head(self) -> TreeHead:
        self.asked += 1
        return TreeHead(len(self.leaves))

    async def last_within(self, _: UUID, head: TreeHead) -> int:
        return head.size

    async def index(self, _: UUID, seq: int) -> int:
        return seq - 1

    async def tiles(self, names: Iterable[TileName]) -> dict[TileName, bytes]:
        return {
            name: b"".join(self.leaves[WIDTH * name.number : WIDTH * (name.number + 1)])
            for name in names
            if name.level == 0
        }


def another_tail(course: Course, after: int) -> list[Row]:
    """The game's events, those after that one at another time, and chained as if stored so."""
    key, made = course.snapshots[0].chain.key, course.rows[:after]
    for row in course.rows[after:]:
        state = row.state.replace(b'{"at":1', b'{"at":2')
        tree = {**msgspec.json.decode(state), "prev": leaf_of(made[-1].state, key)}
        state = msgspec.json.encode(tree, order="sorted")
        made.append(row._replace(state=state, leaf=bytes.fromhex(leaf_of(state, key))))
    return made


@pytest.mark.parametrize("covered", [-1, -9])
def test_the_tail_is_held_against_the_public_log(course: Course, covered: int) -> None:
    """As far as that covers it: here all but the last event, or nothing of the tail."""
    snapshot, number = course.stored[-5], len(course.rows) + covered
    tail_is_covered = number > snapshot.version
    tree: Any = LoggedTree(course.rows, number)

    async def scene() -> None:
        store = await logged(course, snapshot)
        store._games[ID] = another_tail(course, snapshot.version)
        games = GameService(store, tree=tree)
        if tail_is_covered:
            with pytest.raises(LogDamaged, match="public log"):
                await games.look(ID)
        else:
            assert (await games.look(ID)).version == course.snapshots[-1].version

    asyncio.run(scene())


@pytest.mark.parametrize("is_known", [False, True])
def test_the_tree_is_asked_unless_the_process_knows_the_head(
    course: Course, is_known: bool
) -> None:
    tree: Any = LoggedTree(course.rows, len(course.rows))
    now = course.snapshots[-1]

    async def scene() -> None:
        store = await logged(course, course.stored[-5])
        proven = Head(now.version, now.chain.head if is_known else "another")
        loaded = await load(store, tree, ID, now.clock, proven)
        assert loaded is not None
        assert loaded.now == now
        assert loaded.base == course.snapshots[-5]
        assert tree.asked == (0 if is_known else 1)

    asyncio.run(scene())


def test_what_led_to_the_snapshot_is_held_against_the_public_log(course: Course) -> None:
    """Once it is asked for."""
    tree: Any = LoggedTree(course.rows, len(course.rows))

    async def scene() -> None:
        games = GameService(await logged(course, course.stored[-5]), tree=tree)
        await games.look(ID)
        assert tree.asked == 1
        await games.rows(ID, 3, 5)
        await games.past(ID, 9)
        assert tree.asked == 2

    asyncio.run(scene())


def test_what_led_to_the_snapshot_is_held_against_it(course: Course) -> None:
    """Where no public log covers it: another history, whole in itself, is noticed."""

    async def scene() -> None:
        store = await logged(course, course.stored[-5])
        games = GameService(store)
        await games.look(ID)
        store._games[ID] = another_tail(course, 5)
        for number in (7, 9):
            with pytest.raises(LogDamaged):
                await games.past(ID, number)

    asyncio.run(scene())


def test_a_game_whose_earlier_part_is_gone_is_damaged(course: Course) -> None:
    async def scene() -> None:
        store = await logged(course, course.stored[-5])
        games = GameService(store)
        await games.look(ID)
        del store._games[ID][:10]
        with pytest.raises(LogDamaged):
            await games.rows(ID, 3, 5)

    asyncio.run(scene())
