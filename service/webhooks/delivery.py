"""Webhook delivery: from the log to an outbox of messages, and from there to their endpoints.

Every process runs both halves. One at a time reads the log; each message that is due is sent by
one process, beside all others.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from secrets import SystemRandom
from typing import NamedTuple, Protocol, Self
from uuid import UUID, uuid5

import structlog

from phaseledger.domain.evidence.codec import UnreadableEvent
from phaseledger.service.eventlog.errors import StoreUnavailable, of_newer_release
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.games.game import Game, Snapshot, apply_rows
from phaseledger.service.readmodels.soundness import UnknownEvent
from phaseledger.service.runtime import metrics
from phaseledger.service.runtime.logs import trace
from phaseledger.service.runtime.tasks import cancel_and_wait, wait_unless
from phaseledger.service.runtime.work import beside_loop
from phaseledger.service.webhooks.messages import OutgoingMessage, messages_of
from phaseledger.service.webhooks.sender import AttemptResult, Sender
from phaseledger.service.webhooks.store import DueMessage, RunStatement, Webhooks

SCHEDULE = (5, 30, 300, 1_800, 7_200, 18_000, 28_800, 28_800)
"""Seconds from one attempt to the next; with the first one, nine attempts in some 24 hours."""
JITTER = 0.1  # of the wait, to either side
PATIENCE = 5 * 86_400
"""Seconds without any success after which a webhook is disabled."""
UNPROVEN = 30
"""Failed attempts after which a webhook is disabled whose endpoint never took a message."""
LEASE = 30.0  # seconds, more than any attempt takes
AT_ONCE = 64
"""Messages to endpoints that took the last one, and half as many to others: each attempt may last
`sender.TIMEOUT`, and the first would wait for the backlog of the others.
"""
STEP = 10_000  # positions of the log at a time
POLL = 1.0  # seconds between looks at log and outbox when nothing wakes
LINGER = 0.05  # seconds between looks
RETRY = 0.5  # seconds until a lost database is tried again
CACHED_GAMES = 1_000  # games whose state is kept, about 7 kB each

log = structlog.get_logger("phaseledger.webhooks")
_chance = SystemRandom()


class GameNews(NamedTuple):
    """What has become of a game: its messages to webhooks, and the version that they reach."""

    reached: int
    messages: list[OutgoingMessage]
    now: Snapshot | None
    """The game as it is; None where the log has nothing of it."""


class NoticeChannel(Protocol):
    """What brings messages to people; they stand in the outbox beside those to webhooks."""

    async def write(self, run: RunStatement, now: Snapshot) -> None:
        """Write the messages that are due about the game as it is."""

    async def post(self, due: DueMessage) -> AttemptResult:
        """Send one."""

    @property
    def has_web_push(self) -> bool:
        """Whether browsers of seats are told."""


class Deliveries:
    """The delivery of all games' webhooks and notices; waits are in seconds."""

    def __init__(
        self,
        store: Store,
        hooks: Webhooks,
        sender: Sender,
        *,
        schedule: Sequence[float] = SCHEDULE,
        lease: float = LEASE,
        patience: float = PATIENCE,
        notices: NoticeChannel | None = None,
    ) -> None:
        self.hooks = hooks
        self.sender = sender
        self._store = store
        self._schedule = schedule
        self._lease = lease
        self._patience = patience
        self._notices = notices
        self._games: OrderedDict[UUID, Snapshot] = OrderedDict()
        """Snapshots at the version reported to webhooks, least recently reported first."""
        self._has_webhooks = True  # as far as this process knows
        self._news = asyncio.Event()
        self._due = (asyncio.Event(), asyncio.Event())  # of the loops for others, and for proven

    async def __aenter__(self) -> Self:
        await self.hooks.open()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.sender.close()
        await self.hooks.close()

    def hear(self, _: Game) -> None:
        """Wake the loop that writes messages, since a game may have news; returns at once.

        Where there is no webhook at all, it looks for one every `POLL` seconds.
        """
        if self._has_webhooks:
            self._news.set()

    def wake(self) -> None:
        """Wake the loop that writes messages, since there is a new webhook; returns at once."""
        self._news.set()

    def distrust(self) -> None:
        """Read every game anew before it is told of again: the log may have gone back."""
        self._games = OrderedDict()

    async def run(self) -> None:
        """Write messages and deliver them, until cancelled; a lost database is waited for."""
        telling = self._repeat(self.tell, self._news)
        loops = (telling, self._send_loop(proven=True), self._send_loop(proven=False))
        tasks = [asyncio.create_task(part) for part in loops]
        try:
            await asyncio.gather(*tasks)
        finally:
            await cancel_and_wait(*tasks)

    @staticmethod
    async def _repeat(step: Callable[[], Awaitable[bool]], news: asyncio.Event) -> None:
        """Take the step again and again: at once where it says so, else when there is news."""
        while True:
            news.clear()
            try:
                has_more = await step()
            except StoreUnavailable as lost:
                log.warning("webhooks wait for the database", reason=str(lost))
                await asyncio.sleep(RETRY)
                continue
            if not has_more:
                await wait_unless(asyncio.sleep(POLL), news)
            await asyncio.sleep(LINGER)

    # --- from the log to the outbox -------------------------------------------------------------

    async def tell(self) -> bool:
        """Write the messages about the log's next events; whether there are more events.

        Does nothing where another process is writing them.
        """
        async with self.hooks.transaction() as run:
            position = await run("position")
            if not position:
                return False
            ((before,),), ((head,),) = position, await run("head")
            until = min(head, before + STEP)
            ((self._has_webhooks,),) = await run("any")
            if has_webhooks := self._has_webhooks:
                await run("adopt", before, until)
                for game, reported in await run("games", before, until):
                    await self._write_messages(run, game, reported)
            else:
                until = head
            if until != before:
                await run("move", until)
        if has_webhooks:
            for due in self._due:
                due.set()
        return bool(until < head)

    async def _write_messages(self, run: RunStatement, game: UUID, reported: int) -> None:
        try:
            news = await self._news_of(game, reported)
        except StoreUnavailable:
            raise
        except Exception as bug:
            # One bad game must not stop the others.
            if isinstance(bug, (UnreadableEvent, UnknownEvent)) and await self._store.is_ahead():
                raise of_newer_release(game) from bug
            log.error("webhooks are not told of a game", game=str(game), **trace(bug))  # noqa: TRY400
            news = GameNews(reported, [], None)
        messages = news.messages
        listening = await run("listening", game, game) if messages else []
        for number, message in enumerate(messages):
            for hook, types, since in listening:
                if message.type in types and message.version > since:
                    name = uuid5(hook, f"{game} {message.version} {number}")
                    await run("insert", name, hook, message.body)
        if self._notices and news.now:
            await self._notices.write(run, news.now)
        await run("told", news.reached, game)

    async def _news_of(self, game: UUID, reported: int) -> GameNews:
        """What follows the ``reported`` version."""
        games = self._games
        before = games.pop(game, None)
        if before and before.version != reported:  # another process wrote messages too
            before = None
        rows = await self._store.read(game, before.version if before else 0)
        if before and games is not self._games:  # they may not follow from it
            before, rows = None, await self._store.read(game)
        if before is None and reported:
            past = rows[:reported]
            before, _ = await beside_loop(lambda: apply_rows(None, past), len(past))
        messages, now = list[OutgoingMessage](), before
        if rows := [row for row in rows if row.version > reported]:
            before, messages, now = messages_of(before, rows)
        if before is None:
            return GameNews(reported, messages, now)
        if not before.revealed:
            games[game] = before
        if len(games) > CACHED_GAMES:
            games.popitem(last=False)
        return GameNews(before.version, messages, now)

    # --- from the outbox to endpoints -----------------------------------------------------------

    async def _send_loop(self, *, proven: bool) -> None:
        """Send what is due to endpoints that took the last message, or to the others."""
        sending: set[asyncio.Task[None]] = set()
        most, news = AT_ONCE if proven else AT_ONCE // 2, self._due[proven]

        async def send_due() -> bool:
            room = most - len(sending)
            if not room:
                return False
            sends_notices = self._notices is not None and self._notices.has_web_push
            for due in await self.hooks.claim(
                self._lease, room, proven=proven, notices=sends_notices
            ):
                task = asyncio.create_task(self._send(due), name=f"webhook {due.hook}")
                sending.add(task)
                task.add_done_callback(sending.discard)
                task.add_done_callback(lambda _: news.set())
            return False

        try:
            await self._repeat(send_due, news)
        finally:
            await cancel_and_wait(*sending)

    async def _send(self, due: DueMessage) -> None:
        hook = str(due.hook)
        try:
            outcome = await self.attempt(due)
            await self._settle(due, outcome)
        except StoreUnavailable as lost:  # it is sent again once its lease is over
            log.warning("webhook waits for the database", webhook=hook, reason=str(lost))
        except Exception as bug:  # noqa: BLE001 - no other task awaits this one
            log.error("webhook broke", webhook=hook, **trace(bug))  # noqa: TRY400
        else:
            label = "gone" if outcome.status == 410 else "failed" if outcome.reason else "delivered"
            if outcome.wait and not outcome.reason:
                label = "postponed"
            metrics.WEBHOOKS.labels(label).inc()
            log.info("webhook", webhook=hook, outcome=label, reason=outcome.reason)

    async def attempt(self, due: DueMessage) -> AttemptResult:
        """Send a message once."""
        if not due.is_notice:
            secrets = self.hooks.signing(due)
            return await self.sender.post(due.url, secrets, due.name, due.body)
        assert self._notices is not None, "no other node claims notices"
        return await self._notices.post(due)

    async def _settle(self, due: DueMessage, outcome: AttemptResult) -> None:
        """Record the attempt's outcome: the message is tried again later, or the webhook ends."""
        async with self.hooks.transaction() as run:
            if outcome.wait:  # all else that goes there waits too
                await run("postpone", outcome.wait, due.hook)
            if outcome.reason:
                await self._record_failure(run, due, outcome)
            elif outcome.wait:
                await run("again", 0, outcome.wait, due.id)
            else:
                if outcome.status is not None:
                    await run("well", due.hook)
                await run("remove", due.id)
            if due.seat is not None:
                await run("expire", due.hook)

    async def _record_failure(
        self, run: RunStatement, due: DueMessage, outcome: AttemptResult
    ) -> None:
        bounds, counted = (self._patience, UNPROVEN), 0 if outcome.wait else 1
        over = await run("ill", counted, outcome.reason, due.hook, *bounds)
        is_gone = outcome.status in ((404, 410) if due.is_notice else (410,))
        if is_gone or over == [(True,)]:
            reason = f"it answered {outcome.status}" if is_gone else "it failed for too long"
            await run("disable", due.hook, reason, due.hook)
            log.warning("webhook disabled", webhook=str(due.hook), reason=reason)
        elif due.tries < len(self._schedule):
            wait = self._schedule[due.tries] * _chance.uniform(1 - JITTER, 1 + JITTER)
            await run("again", 1, outcome.wait or wait, due.id)
        else:
            await run("remove", due.id)
