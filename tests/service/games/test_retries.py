"""Commands whose caller asks again in a long game, or leaves while they are stored."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import psycopg
import pytest
from typing_extensions import override

from phaseledger.domain.bots import decision
from phaseledger.domain.commands import Act, Discard, Pass
from phaseledger.domain.events import Event
from phaseledger.domain.evidence import codec
from phaseledger.domain.evidence.codec import Record
from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.errors import KeyReused, LogDamaged
from phaseledger.service.games.game import Answer
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest, new_game, opening
from tests.support.polling import comes_about
from tests.support.service.database_locks import until_blocked
from tests.support.service.memory_store import MemoryStore

ROBOTS = (SeatRequest("greedy", "A"), SeatRequest("greedy", "B"))


class Damaged(MemoryStore):
    """A log of which a row can be damaged."""

    damaged = 0

    @override
    async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
        rows = await super().read(game, after, limit)
        return [
            row._replace(state=row.state.replace(b'"at":1', b'"at":2'), leaf=None)
            if row.version == self.damaged
            else row
            for row in rows
        ]


async def opened(games: GameService, seats: tuple[SeatRequest, ...] = ROBOTS) -> UUID:
    game = new_game("a table")
    acts = opening(game, "classic", seats, options={}, dealer=0, start=True)
    await games.open(acts, game, "a key that opens")
    return game


def move(games: GameService, game: UUID) -> Act:
    """What the seat that is asked does."""
    now = games.cached(game)
    assert now is not None
    seat = now.state.waits[0].seat
    return Act(decision("greedy", now.state, seat, b"chance", now.version), seat)


def repeated(answer: Answer) -> Answer:
    """The answer as it is given again."""
    return answer._replace(is_repeated=True)


async def played(games: GameService, game: UUID, moves: int) -> list[tuple[Act, Answer]]:
    done = []
    for number in range(moves):
        act = move(games, game)
        done.append((act, await games.send(game, act, f"key {number}")))
    return done


async def test_repeating_the_newest_command_folds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[bytes] = []

    def counted(topic: str, stored: bytes) -> tuple[Record[Any], Event]:
        decoded.append(stored)
        return codec.decode(topic, stored)

    games = GameService(MemoryStore())
    game = await opened(games)
    act, answer = (await played(games, game, 60))[-1]
    monkeypatch.setattr(
        "phaseledger.service.games.idempotency.codec", SimpleNamespace(decode=counted)
    )
    assert await games.send(game, act, "key 59") == repeated(answer)
    assert tuple(decoded) == answer.stored


async def test_every_command_is_answered_again_as_it_was() -> None:
    games = GameService(MemoryStore())
    game = await opened(games)
    for number, (act, answer) in enumerate(await played(games, game, 40)):
        assert await games.send(game, act, f"key {number}") == repeated(answer)
    with pytest.raises(KeyReused):
        await games.send(game, Act(Pass(), act.seat), "key 39")


@pytest.mark.parametrize("place", [0, -1])
async def test_what_was_changed_behind_the_service_is_not_answered_again(place: int) -> None:
    store = Damaged()
    games = GameService(store)
    game = await opened(games)
    done = await played(games, game, 30)
    number, (act, answer) = next(
        (n, exchange)
        for n, exchange in reversed(list(enumerate(done)))
        if len(exchange[1].stored) > 1
    )
    own = range(answer.version - len(answer.stored) + 1, answer.version + 1)
    store.damaged = own[place]
    with pytest.raises(LogDamaged):
        await games.send(game, act, f"key {number}")


async def test_damage_elsewhere_does_not_hinder_an_answer_that_is_still_known() -> None:
    """It is met by whoever asks for the events that were changed."""
    store = Damaged()
    games = GameService(store)
    game = await opened(games)
    act, answer = (await played(games, game, 30))[-1]
    store.damaged = 3
    assert await games.send(game, act, "key 29") == repeated(answer)
    assert tuple(row.state for row in await games.rows(game, answer.version - 1, answer.version))
    with pytest.raises(LogDamaged):
        await games.rows(game, 0, 5)


async def test_bots_that_several_processes_move_read_each_event_once() -> None:
    class Counted(MemoryStore):
        rows_read = 0

        @override
        async def read(self, game: UUID, after: int = 0, limit: int | None = None) -> list[Row]:
            rows = await super().read(game, after, limit)
            self.rows_read += len(rows)
            return rows

        @override
        async def append(self, game: UUID, rows: Sequence[Row], prev: bytes | None = None) -> int:
            await asyncio.sleep(0)  # as a log elsewhere, so that both may be about to write
            return await super().append(game, rows, prev)

    store = Counted()
    game = await opened(GameService(store))
    both = [GameService(store), GameService(store)]
    bots = [Autoplay(games) for games in both]
    for games in both:
        await games.look(game)
    await comes_about(lambda: both[0].look(game), lambda now: now.revealed)
    await both[1].look(game)
    assert store.rows_read <= 2 * await store.head(game)
    for autoplay in bots:
        await autoplay.close()


@asynccontextmanager
async def held_up(dsn: str, schema: str) -> AsyncIterator[None]:
    """Nothing can be appended in the block."""
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        await conn.execute(f"LOCK TABLE {schema}.stored_events IN EXCLUSIVE MODE")
        yield


async def test_a_bot_moves_after_a_command_whose_caller_has_left(
    postgres_dsn: str, fresh_schema: str
) -> None:
    async with PostgresStore(postgres_dsn, schema=fresh_schema) as store:
        games = GameService(store)
        game = await opened(games)
        number = 0
        while not isinstance((act := move(games, game)).command, Discard):
            number += 1
            await games.send(game, act, f"key {number}")
        bots = Autoplay(games)
        async with held_up(postgres_dsn, fresh_schema):
            sent = asyncio.create_task(games.send(game, act, "key of one who leaves"))
            await until_blocked(postgres_dsn)
            sent.cancel()
            with pytest.raises(asyncio.CancelledError):
                await sent
        before = games.cached(game)
        assert before is not None
        # Only the log is asked: a look at the game through the service would wake the bots.
        await comes_about(lambda: store.head(game), lambda head: head >= before.version + 10)
        await bots.close()
