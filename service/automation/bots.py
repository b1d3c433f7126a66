"""Bots: the service plays their seats, each move an ordinary command with its own commit.

A move's key and chance derive from the version it answers: two processes that play the same seat
make the same move, and the log takes it once.

They think in threads beside the event loop, so that a hard position holds up no request, for a
limited time. A thread cannot be ended, so a game that overruns twice is set aside.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog
from typing_extensions import override

from phaseledger.domain.bots import decision
from phaseledger.domain.commands import Act, Command
from phaseledger.domain.legal import legal
from phaseledger.domain.state import State
from phaseledger.projections.pages import ViewsUnavailable
from phaseledger.service.automation.game_tasks import GameTasks
from phaseledger.service.automation.later_looks import LaterLooks
from phaseledger.service.eventlog.clock import elapsed_ms
from phaseledger.service.eventlog.errors import Conflict, GameUnreadable, StoreUnavailable
from phaseledger.service.games.errors import GameArchived, LogDamaged, NoSuchGame, StaleVersion
from phaseledger.service.games.game import Game, Snapshot
from phaseledger.service.games.writer import GameService
from phaseledger.service.quotas.errors import TooManyEvents
from phaseledger.service.readmodels.errors import GameSetAside
from phaseledger.service.runtime.logs import trace
from phaseledger.service.runtime.tasks import cancel_and_wait
from phaseledger.service.schemas.versions import named

PATIENCE = 60.0  # seconds; the longest pause between attempts while the log is away
THINKING = 5.0
"""Seconds that a bot has for a move: a hundred times what the hardest takes."""
PAUSE = 0.02  # seconds, at least, after a move where many games of bots alone wait for theirs
AT_ONCE = 2  # bots that think at once; they share one interpreter with the loop
OVERRUNS = 2  # after which a game is set aside

_threads = ThreadPoolExecutor(32, thread_name_prefix="bots")
"""More than think at once, since the threads that overran are busy still."""

T = TypeVar("T")
log = structlog.get_logger("phaseledger.bots")


def is_unattended(game: Game, pause_seconds: float) -> bool:
    """Whether bots have all seats, without a watcher or a command for these seconds; 0: for ever.

    When the last command was given stands in the log, so another process that takes the game over
    knows that it is waited for.
    """
    now = game.now
    if not pause_seconds or now is None or not all(seat and seat.bot for seat in now.state.seats):
        return False
    pause = 1000 * pause_seconds
    if game.watched_at is not None and elapsed_ms() - game.watched_at < pause:
        return False
    try:
        return now.clock.estimate() - now.marks.commanded_at >= pause
    except StoreUnavailable:
        return False


def seat_to_move(state: State) -> int | None:
    """A seat whose answer the game waits for and that a bot plays; None where there is none."""
    for question in state.waits:
        seat = state.seat(question.seat)
        if seat.bot or seat.stand_in:
            return question.seat
    return None


class Autoplay(GameTasks):
    """One task for each game that waits for a bot, until it waits for a person or is over.

    Bots that are alone pause after ``pause_seconds`` without a watcher, and go on with the next
    one; 0: they never pause.
    """

    def __init__(self, games: GameService, pause_seconds: float = 0) -> None:
        super().__init__(games)
        self._pause_seconds = pause_seconds
        self._thinking = asyncio.Semaphore(AT_ONCE)
        self._thinking_alone, self._alone = asyncio.Semaphore(AT_ONCE), 0
        self._unreadable = set[UUID]()
        """Games that could not be read when they were looked at."""
        self._looking: asyncio.Task[None] | None = None
        self._later = LaterLooks(self.look, games.clock)
        self._overruns: WeakKeyDictionary[Game, int] = WeakKeyDictionary()

    @override
    def wake(self, game: Game) -> None:
        if game.now is None or not self.may_begin(game):
            return
        if is_unattended(game, self._pause_seconds):
            return
        if seat_to_move(game.now.state) is not None:
            self.begin(game, self._play(game), "bots")

    async def resume(self) -> None:
        """Look at the unfinished games, once they are due."""
        find = partial(self._games.store.due_games, self._games.bounds.game)
        for game, due_at in await retry_while_unavailable(find):
            if not (due_at and self._later.put(game, due_at)):
                await self.look(game)

    async def look(self, game: UUID) -> None:
        """Look at the game, which calls the watchers; one that fails again is set aside.

        One that cannot be read here is looked at again later, and not waited for.
        """
        for is_last in (False, True):
            try:
                await retry_while_unavailable(partial(self._games.look, game), (GameUnreadable,))
            except GameArchived:
                return  # it is over
            except GameUnreadable:
                self._look_later(game)
            except GameSetAside as aside:
                log.info("game is set aside", game=str(game), reason=str(aside.detail))
            except (LogDamaged, NoSuchGame) as loss:  # it is inspected, or there is none any more
                log.error("game was not resumed", game=str(game), **trace(loss))  # noqa: TRY400
            except Exception as wrong:  # noqa: BLE001 - the other games go on
                log.error("game was not resumed", game=str(game), **trace(wrong))  # noqa: TRY400
                if is_last:
                    reason = f"it cannot be resumed ({type(wrong).__name__})"
                    await self._set_aside(game, 0, reason)
                continue
            return

    def _look_later(self, game: UUID) -> None:
        self._unreadable.add(game)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_again(), name="unreadable games")

    async def _look_again(self) -> None:
        pause = 1.0
        while self._unreadable:
            log.warning("games wait for a key, or a newer release", games=len(self._unreadable))
            await asyncio.sleep(pause)
            pause = min(2 * pause, PATIENCE)
            games, self._unreadable = self._unreadable, set()
            for game in games:
                await self.look(game)

    @override
    async def close(self) -> None:
        """Stop between two moves, or abandon a move in flight; it can be made again."""
        await self._later.close()
        await cancel_and_wait(*filter(None, (self._looking,)))
        await super().close()

    async def _play(self, game: Game) -> None:
        pause = 0.1
        while (now := game.now) and (seat := seat_to_move(now.state)) is not None:
            if is_unattended(game, self._pause_seconds):
                log.info("bots pause: nobody watches", game=str(game.id), version=now.version)
                return
            if quota_pause := self._games.tables.pause(game.id):
                log.info("bots pause: a quota is used up", game=str(game.id), version=now.version)
                await asyncio.sleep(quota_pause)
                continue
            try:
                if not await self._move(game, now, seat):
                    log.error("bot has no move", game=str(game.id), version=now.version, seat=seat)
                    return
                pause = 0.1
                await asyncio.sleep(0)  # an in-memory log never waits; others want the loop too
            except _Overran:
                reason = f"bots took over {THINKING:g} seconds for a move, {OVERRUNS} times"
                await self._set_aside(game.id, now.version, reason)
                return
            except GameSetAside:
                return
            except (StaleVersion, TooManyEvents):
                continue  # the game, or others of the address, went on meanwhile
            except (StoreUnavailable, Conflict) as reason:
                log.warning("bot waits for the log", game=str(game.id), reason=str(reason))
                await asyncio.sleep(pause)
                pause = min(2 * pause, PATIENCE)
            except Exception as wrong:  # noqa: BLE001 - this task is not awaited, so it is told here
                fields = trace(wrong)
                log.error("bot gave up", game=str(game.id), version=now.version, **fields)  # noqa: TRY400
                return

    async def _move(self, game: Game, now: Snapshot, seat: int) -> bool:
        """Move for the seat; whether it has a move. Raises _Overran, and what `send` does.

        It waits first for as long as the table's terms say. Where another process moves meanwhile,
        that is a StaleVersion, and the seat is asked anew.
        """
        if pace := now.state.terms.pace:
            await asyncio.sleep(pace)
        command = await self._decide(game, now, seat)
        if command is None:
            return False
        key = f"bot {now.version}"
        answered = {named(now.version, now.chain.head)}
        # Where another process was faster, its move is read, and no answer to it.
        await self._games.send(game.id, Act(command, seat), key, answered, repeats=False)
        return True

    @asynccontextmanager
    async def _slot(self, state: State) -> AsyncIterator[None]:
        """Hold a place to think. Games in which bots are alone have places of their own.

        Where more such games wait, each move is followed by a pause: people want the loop too.
        """
        if not all(seat and seat.bot for seat in state.seats):
            async with self._thinking:
                yield
            return
        self._alone += 1
        try:
            async with self._thinking_alone:
                began = time.perf_counter()
                yield
                if self._alone > AT_ONCE:
                    await asyncio.sleep(max(PAUSE, 3 * (time.perf_counter() - began)))
        finally:
            self._alone -= 1

    async def _decide(self, game: Game, now: Snapshot, seat: int) -> Command | None:
        """The bot's move, or a plain one where that takes too long. Raises _Overran."""
        loop, choose = asyncio.get_running_loop(), _choose
        while True:
            try:
                async with self._slot(now.state):
                    async with asyncio.timeout(THINKING):
                        command = await loop.run_in_executor(_threads, choose, now, seat)
            except TimeoutError:
                overruns = self._overruns[game] = self._overruns.get(game, 0) + 1
                log.error("bot overran", game=str(game.id), version=now.version, seat=seat)  # noqa: TRY400
                if overruns >= OVERRUNS:
                    raise _Overran from None
                choose = _first
            else:
                if choose is _choose:  # what held it up was not this game
                    self._overruns.pop(game, None)
                return command

    async def _set_aside(self, game: UUID, version: int, reason: str) -> None:
        set_aside = partial(self._games.quarantine.set_aside, game, version, reason)
        await retry_while_unavailable(set_aside)


class _Overran(Exception):
    """The game has taken its bots too long, as often as is put up with."""


async def retry_while_unavailable(
    work: Callable[[], Awaitable[T]], given_up: tuple[type[Exception], ...] = ()
) -> T:
    """The result of the work, retried until the log takes it and no quota is in its way.

    Exceptions that are ``given_up`` are raised at once.
    """
    pause = 0.1
    while True:
        try:
            return await work()
        except given_up:
            raise
        except TooManyEvents as quota:
            log.info("waiting for a quota", reason=str(quota))
            await asyncio.sleep(min(quota.retry_after or pause, PATIENCE))
        except (StoreUnavailable, Conflict, ViewsUnavailable) as reason:
            log.warning("waiting for the log", reason=str(reason))
            await asyncio.sleep(pause)
            pause = min(2 * pause, PATIENCE)


def _choose(now: Snapshot, seat: int) -> Command | None:
    """The bot's move; the first legal one when the bot fails, None when there is none."""
    state = now.state
    name = state.seat(seat).bot or state.seat(seat).stand_in
    try:
        return decision(name, state, seat, bytes.fromhex(state.server_secret), now.version)
    except Exception as bug:  # noqa: BLE001 - it must not stop the game for the others there
        fields = trace(bug)
        log.error("bot failed", game=state.game, version=now.version, bot=name, **fields)  # noqa: TRY400
        return _first(now, seat)


def _first(now: Snapshot, seat: int) -> Command | None:
    """The first legal command."""
    return next(legal(now.state, seat), None)
