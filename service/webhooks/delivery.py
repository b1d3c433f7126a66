"""Delivering webhooks: from the log to messages, and from there to their endpoints.

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
from phaseledger.service.schemas.webhooks import Attempt
from phaseledger.service.webhooks.messages import (
    OutgoingMessage,
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
    """The webhooks of all games, and their delivery; waits are in seconds."""

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
        """Games as far as their webhooks were told, those longest without news first."""
        self._news = asyncio.Event()
        self._due = asyncio.Event()

    async def __aenter__(self) -> Self:
        await self.hooks.open()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.sender.close()
        await self.hooks.close()

    def wake(self, _: Game | None = None) -> None:
        """Take notice that a game, or a webhook, may have news; returns at once."""
        self._news.set()
        self._due.set()

    async def run(self) -> None:
        """Tell and deliver, for ever; a database that goes away is waited for."""
        parts = (self._telling(), self._delivering(), self._pruning())
        tasks = [asyncio.create_task(part) for part in parts]
        try:
            await asyncio.gather(*tasks)
        finally:
            await cancel_and_wait(*tasks)

    # --- from the log to messages ---------------------------------------------------------------

    async def _telling(self) -> None:
        while True:
            self._news.clear()
            try:
                more = await self.tell()
            except StoreUnavailable as lost:
                log.warning("webhooks wait for the database", reason=str(lost))
                await asyncio.sleep(RETRY)
                continue
            if not more:
                await wait_unless(asyncio.sleep(POLL), self._news)
            await asyncio.sleep(LINGER)

    async def tell(self) -> bool:
        """Write down what is to be told of the log's next events; whether there are more.

        Nothing, where another process is at it.
        """
        async with self.hooks.transaction() as work:
            position = await work.run("position")
            if not position:
                return False
            ((before,),), ((head,),) = position, await work.run("head")
            until = min(head, before + STEP)
            ((anybody,),) = await work.run("any")
            if anybody:
                for game, told in await work.run("games", before, until):
                    await self._tell(work, game, told)
            else:
                until = head
            if until != before:
                await work.run("move", until)
        if anybody:
            self._due.set()
        return bool(until < head)

    async def _tell(self, work: WebhookTransaction, game: UUID, told: int) -> None:
        before = self._games.pop(game, None)
        if before and before.version != told:  # another process told more
            before = None
        try:
            rows = await self._store.read(game, before.version if before else 0)
            if before is None and told:
                before, _ = apply_rows(None, rows[:told])
            found: list[OutgoingMessage] = []
            if rows := [row for row in rows if row.version > told]:
                before, found = messages_of(before, rows)
        except StoreUnavailable:
            raise
        except Exception as bug:  # noqa: BLE001 - one bad game must not stop the others
            log.error("webhooks are not told of a game", game=str(game), **trace(bug))  # noqa: TRY400
            await work.run("told", told, game)
            return
        if before is not None:
            told = before.version
            self._keep(game, before)
        listening = await work.run("listening", game)
        await work.insert(
            [
                (uuid5(hook, f"{each.version} {number}"), hook, each.type, each.body.decode())
                for number, each in enumerate(found)
                for hook, types, since in listening
                if each.type in types and each.version > since
            ]
        )
        await work.run("told", told, game)

    def _keep(self, game: UUID, now: Snapshot) -> None:
        if not now.opened:
            self._games[game] = now
        if len(self._games) > CACHED_GAMES:
            self._games.popitem(last=False)

    # --- from messages to endpoints -------------------------------------------------------------

    async def _delivering(self) -> None:
        well: set[asyncio.Task[None]] = set()
        failing: set[asyncio.Task[None]] = set()
        try:
            while True:
                self._due.clear()
                try:
                    await self._serve_more(well, AT_ONCE - len(failing), failing=False)
                    room = min(AT_ONCE - len(well), FAILING)
                    await self._serve_more(failing, room, failing=True)
                except StoreUnavailable as lost:
                    log.warning("webhooks wait for the database", reason=str(lost))
                    await asyncio.sleep(RETRY)
                    continue
                await wait_unless(asyncio.sleep(POLL), self._due)
                await asyncio.sleep(LINGER)
        finally:
            await cancel_and_wait(*well, *failing)

    async def _serve_more(
        self, serving: set[asyncio.Task[None]], most: int, *, failing: bool
    ) -> None:
        """Serve further endpoints, up to so many of that kind."""
        if most <= len(serving):
            return
        for hook in await self.hooks.claim(most - len(serving), self._lease, failing=failing):
            task = asyncio.create_task(self._serve(hook), name=f"webhook {hook.id}")
            serving.add(task)
            task.add_done_callback(serving.discard)
            task.add_done_callback(lambda _: self._due.set())

    async def _serve(self, hook: Hook) -> None:
        """Deliver what is due to one endpoint, up to the first failure."""
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
                await self.hooks.release(hook.id, self._schedule[0])

    async def _deliver(self, hook: Hook, due: DueDelivery) -> bool:
        at, body = time.time(), due.body.encode()
        headers = signature_headers(hook.secret, message_name(due.id), int(at), body)
        outcome = await self.sender.post(hook.url, headers, body)
        became = "delivered" if outcome.is_success else "gone" if outcome.is_gone else "failed"
        metrics.WEBHOOKS.labels(became).inc()
        log.info("webhook", webhook=str(hook.id), outcome=became, ms=outcome.ms)
        await self._settle(hook, due, outcome, int(1000 * at))
        return outcome.is_success

    async def _settle(self, hook: Hook, due: DueDelivery, outcome: AttemptResult, at: int) -> None:
        """Note what became of the attempt, and what follows from it."""
        attempt = Attempt(at, outcome.status, outcome.ms, outcome.reason)
        told = ATTEMPTS, msgspec.json.encode([attempt]).decode(), due.id
        async with self.hooks.transaction() as work:
            await work.run("lock", hook.id)
            if outcome.is_success:
                await work.run("attempted", "delivered", due.tries, 0, *told)
                await work.run("well", self._lease, hook.id)
                return
            last = outcome.is_gone or due.tries >= len(self._schedule)
            wait = 0.0 if last else _jittered(self._schedule[due.tries])
            state = "failed" if last else "pending"
            await work.run("attempted", state, due.tries + 1, wait, *told)
            long = await work.run("ill", hook.id, self._patience)
            reason = "it answered 410" if outcome.is_gone else "it failed for too long"
            if outcome.is_gone or long == [(True,)]:
                await work.run("disable", reason, hook.id)
                await work.run("abandon", hook.id)
                log.warning("webhook disabled", webhook=str(hook.id), reason=reason)

    async def _pruning(self) -> None:
        while True:
            try:
                await self.hooks.prune(DAYS)
            except StoreUnavailable:
                await asyncio.sleep(RETRY)
            else:
                await asyncio.sleep(HOUR)


def _jittered(wait: float) -> float:
    return wait * _chance.uniform(1 - JITTER, 1 + JITTER)
