"""Webhook delivery: from the log to messages, and from there to their endpoints.

Every process runs both halves. One at a time reads the log; the endpoints are shared out among
all, each served by one process at a time, in the order of the messages as long as it takes them.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from secrets import SystemRandom
from typing import Self
from uuid import UUID, uuid5

import msgspec
import structlog

from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.games.game import Game, Snapshot, apply_rows
from phaseledger.service.runtime import metrics
from phaseledger.service.runtime.logs import trace
from phaseledger.service.runtime.tasks import cancel_and_wait, wait_unless
from phaseledger.service.runtime.work import beside_loop
from phaseledger.service.schemas.webhooks import CHALLENGE, Attempt
from phaseledger.service.webhooks.messages import (
    OutgoingMessage,
    challenge_in,
    message_name,
    messages_of,
    signature_headers,
)
from phaseledger.service.webhooks.sender import AttemptResult, Sender
from phaseledger.service.webhooks.store import (
    ATTEMPTS,
    DueDelivery,
    Hook,
    Webhooks,
    WebhookTransaction,
)

SCHEDULE = (5, 30, 300, 1_800, 7_200, 18_000, 28_800, 28_800)
"""Seconds from one attempt to the next; with the first one, nine attempts in some 24 hours."""
JITTER = 0.1  # of the wait, to either side
PATIENCE = 5 * 86_400
"""Seconds without any success after which a webhook is disabled."""
LEASE = 30.0  # seconds, more than any attempt takes
AT_ONCE = 32  # endpoints
FAILING = AT_ONCE // 2
"""Places that endpoints may take whose last attempt failed: each attempt may last `sender.TIMEOUT`,
and others would wait for their backlogs.
"""
ROUND = 50  # messages to one endpoint before others have their turn
STEP = 10_000  # positions of the log at a time
POLL = 1.0  # seconds between looks at log and deliveries when nothing wakes
LINGER = 0.05  # seconds between looks at the log
RETRY = 0.5  # seconds until a lost database is tried again
CACHED_GAMES = 1_000  # games whose state is kept, about 7 kB each
DAYS = 30.0  # that a delivery can be looked at
HOUR = 3_600.0  # seconds between looks for older ones

log = structlog.get_logger("phaseledger.webhooks")
_chance = SystemRandom()


class Deliveries:
    """The delivery of all games' webhooks; waits are in seconds."""

    def __init__(
        self,
        store: Store,
        hooks: Webhooks,
        sender: Sender,
        *,
        schedule: Sequence[float] = SCHEDULE,
        lease: float = LEASE,
        patience: float = PATIENCE,
    ) -> None:
        self.hooks = hooks
        self.sender = sender
        self._store = store
        self._schedule = schedule
        self._lease = lease
        self._patience = patience
        self._games: OrderedDict[UUID, Snapshot] = OrderedDict()
        """Snapshots at the version reported to webhooks, least recently reported first."""
        self._has_webhooks = True  # as far as this process knows
        self._era = 0  # changes whenever what is kept may never have been
        self._news = asyncio.Event()
        self._due = asyncio.Event()

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
        """Wake both loops, since a webhook may have news; returns at once."""
        self._news.set()
        self._due.set()

    def distrust(self) -> None:
        """Read every game anew before it is told of again: the log may have gone back."""
        self._era += 1
        self._games.clear()

    async def run(self) -> None:
        """Write messages and deliver them, until cancelled; a lost database is waited for."""
        parts = (self._message_loop(), self._delivery_loop(), self._prune_loop())
        tasks = [asyncio.create_task(part) for part in parts]
        try:
            await asyncio.gather(*tasks)
        finally:
            await cancel_and_wait(*tasks)

    # --- from the log to messages ---------------------------------------------------------------

    async def _message_loop(self) -> None:
        while True:
            self._news.clear()
            try:
                has_more = await self.tell()
            except StoreUnavailable as lost:
                log.warning("webhooks wait for the database", reason=str(lost))
                await asyncio.sleep(RETRY)
                continue
            if not has_more:
                await wait_unless(asyncio.sleep(POLL), self._news)
            await asyncio.sleep(LINGER)

    async def tell(self) -> bool:
        """Write the messages about the log's next events; whether there are more events.

        Does nothing where another process is writing them.
        """
        async with self.hooks.transaction() as work:
            position = await work.run("position")
            if not position:
                return False
            ((before,),), ((head,),) = position, await work.run("head")
            until = min(head, before + STEP)
            ((self._has_webhooks,),) = await work.run("any")
            if has_webhooks := self._has_webhooks:
                for game, reported in await work.run("games", before, until):
                    await self._write_messages(work, game, reported)
            else:
                until = head
            if until != before:
                await work.run("move", until)
        if has_webhooks:
            self._due.set()
        return bool(until < head)

    async def _write_messages(self, work: WebhookTransaction, game: UUID, reported: int) -> None:
        before, era = self._games.pop(game, None), self._era
        if before and before.version != reported:  # another process wrote messages too
            before = None
        try:
            rows = await self._store.read(game, before.version if before else 0)
            if before and era != self._era:  # meanwhile, so they may not follow from it
                before, rows = None, await self._store.read(game)
            if before is None and reported:
                past = rows[:reported]
                before, _ = await beside_loop(lambda: apply_rows(None, past), len(past))
            messages: list[OutgoingMessage] = []
            if rows := [row for row in rows if row.version > reported]:
                before, messages = messages_of(before, rows)
        except StoreUnavailable:
            raise
        except Exception as bug:  # noqa: BLE001 - one bad game must not stop the others
            log.error("webhooks are not told of a game", game=str(game), **trace(bug))  # noqa: TRY400
            await work.run("told", reported, game)
            return
        if before is not None:
            reported = before.version
            self._keep(game, before)
        listening = await work.run("listening", game)
        await work.insert(
            [
                (
                    uuid5(hook, f"{message.version} {number}"),
                    hook,
                    message.type,
                    message.body.decode(),
                )
                for number, message in enumerate(messages)
                for hook, types, since in listening
                if message.type in types and message.version > since
            ]
        )
        await work.run("told", reported, game)

    def _keep(self, game: UUID, now: Snapshot) -> None:
        if not now.revealed:
            self._games[game] = now
        if len(self._games) > CACHED_GAMES:
            self._games.popitem(last=False)

    # --- from messages to endpoints -------------------------------------------------------------

    async def _delivery_loop(self) -> None:
        healthy: set[asyncio.Task[None]] = set()
        failing: set[asyncio.Task[None]] = set()
        try:
            while True:
                self._due.clear()
                try:
                    await self._serve_more(healthy, AT_ONCE - len(failing), failing=False)
                    room = min(AT_ONCE - len(healthy), FAILING)
                    await self._serve_more(failing, room, failing=True)
                except StoreUnavailable as lost:
                    log.warning("webhooks wait for the database", reason=str(lost))
                    await asyncio.sleep(RETRY)
                    continue
                await wait_unless(asyncio.sleep(POLL), self._due)
                await asyncio.sleep(LINGER)
        finally:
            await cancel_and_wait(*healthy, *failing)

    async def _serve_more(
        self, serving: set[asyncio.Task[None]], most: int, *, failing: bool
    ) -> None:
        """Start to serve further endpoints, until ``most`` of that kind are served."""
        if most <= len(serving):
            return
        for hook in await self.hooks.claim(most - len(serving), self._lease, failing=failing):
            task = asyncio.create_task(self._serve(hook), name=f"webhook {hook.id}")
            serving.add(task)
            task.add_done_callback(serving.discard)
            task.add_done_callback(lambda _: self._due.set())

    async def _serve(self, hook: Hook) -> None:
        """Deliver the messages due to one endpoint, up to the first failure."""
        try:
            for _ in range(ROUND):
                due = await self.hooks.next(hook.id)
                if due is None or not await self._deliver(hook, due):
                    break
        except StoreUnavailable as lost:
            log.warning("a delivery is not noted", webhook=str(hook.id), reason=str(lost))
        except Exception as bug:  # noqa: BLE001 - nobody awaits this task, so it is told here
            log.error("webhook broke", webhook=str(hook.id), **trace(bug))  # noqa: TRY400
        finally:
            with suppress(StoreUnavailable):  # the lease runs out by itself
                await self.hooks.release(hook.id)

    async def _deliver(self, hook: Hook, due: DueDelivery) -> bool:
        at, body = time.time(), due.body.encode()
        headers = signature_headers(hook.secret, message_name(due.id), int(at), body)
        challenge = challenge_in(due.type, body)
        outcome = await self.sender.post(hook.url, headers, body, challenge)
        result = "delivered" if outcome.is_success else "gone" if outcome.is_gone else "failed"
        metrics.WEBHOOKS.labels(result).inc()
        log.info("webhook", webhook=str(hook.id), outcome=result, ms=outcome.ms)
        await self._settle(hook, due, outcome, int(1000 * at))
        return outcome.is_success

    async def _settle(self, hook: Hook, due: DueDelivery, outcome: AttemptResult, at: int) -> None:
        """Record the attempt's outcome; it may be retried later, or the webhook disabled."""
        attempt = Attempt(at, outcome.status, outcome.ms, outcome.reason)
        record = ATTEMPTS, msgspec.json.encode([attempt]).decode(), due.id
        async with self.hooks.transaction() as work:
            await work.run("lock", hook.id)
            if outcome.is_success:
                await work.run("attempted", "delivered", due.tries, 0, *record)
                await work.run("resume", hook.id)
                await work.run("well", due.type == CHALLENGE, self._lease, hook.id)
                return
            last = outcome.is_gone or due.tries >= len(self._schedule)
            wait = 0.0 if last else _jittered(self._schedule[due.tries])
            state = "failed" if last else "pending"
            await work.run("attempted", state, due.tries + 1, wait, *record)
            overdue = await work.run("ill", at, hook.id, self._patience)
            reason = "it answered 410" if outcome.is_gone else "it failed for too long"
            is_unanswered = last and due.type == CHALLENGE and hook.confirmed_at is None
            if is_unanswered and not outcome.is_gone:
                reason = "it has not answered its challenge"
            if outcome.is_gone or is_unanswered or overdue == [(True,)]:
                await work.run("disable", reason, hook.id)
                await work.run("abandon", hook.id)
                log.warning("webhook disabled", webhook=str(hook.id), reason=reason)

    async def _prune_loop(self) -> None:
        while True:
            try:
                await self.hooks.prune(DAYS)
            except StoreUnavailable:
                await asyncio.sleep(RETRY)
            else:
                await asyncio.sleep(HOUR)


def _jittered(wait: float) -> float:
    return wait * _chance.uniform(1 - JITTER, 1 + JITTER)
