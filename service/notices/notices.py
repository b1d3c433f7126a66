"""Notices: when one is due to a player who is away, and what it says.

A seat gets one for a turn, however often it is asked in it; one when the game begins, and one when
it is over. The outbox has only which of these it is: what it says, and whether it still holds, is
read off the game when it is sent. So no name stands in the outbox, and no player is called to a
turn that is over.
"""

import asyncio
import time
from collections.abc import Callable, Collection
from typing import Final
from uuid import UUID, uuid5

import msgspec
import structlog
from msgspec import Struct

from phaseledger.domain.explain.wording import title
from phaseledger.domain.words import Language, message
from phaseledger.service.credentials.errors import TokenRefused
from phaseledger.service.credentials.store import Credentials
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.games.errors import BotHasSeat, SeatGivenUp
from phaseledger.service.games.game import Snapshot, apply_rows
from phaseledger.service.games.play import Sitting
from phaseledger.service.games.time_limits import dues
from phaseledger.service.notices.web_push import PushKeys, SenderKey, decoded, encoded, encrypted
from phaseledger.service.readmodels.soundness import Damage
from phaseledger.service.runtime.work import beside_loop
from phaseledger.service.schemas.notices import PushSubscription
from phaseledger.service.webhooks.sender import AttemptResult, Sender
from phaseledger.service.webhooks.store import AWAY, DueMessage, RunStatement, Webhooks

GRACE = 3.0
"""Seconds in which a turn may be answered before a notice of it is sent."""
EVERY = 2.0
"""Seconds between looks at who is connected."""
LASTS = 7 * 86_400
"""Seconds that a push service keeps a notice for a browser that is away, where no clock runs."""
LAST: Final = 2**31 - 1
GONE = AttemptResult(410, "the seat is the subscriber's no more")
"""As a push service answers for a browser that wants no more messages."""

log = structlog.get_logger("phaseledger.notices")


def is_asked(now: Snapshot, seat: int) -> bool:
    """Whether the game waits for the seat's player."""
    occupant = now.state.seats[seat]
    waits = any(question.seat == seat for question in now.state.waits)
    return waits and occupant is not None and not occupant.stand_in


def stage_of(now: Snapshot, seat: int) -> int:
    """How far the game is for a seat: notices are about what is further than the last one."""
    if now.state.is_over:
        return LAST
    if now.state.stage == "lobby":
        return 0
    return 2 * now.state.turn + 1 + is_asked(now, seat)


def has_seat(now: Snapshot, sitting: Sitting) -> bool:
    """Whether the seat is still the subscriber's."""
    try:
        sitting.require(now)
    except (BotHasSeat, SeatGivenUp):
        return False
    return True


def notice_of(now: Snapshot, seat: int, kind: str, lang: Language) -> dict[str, str] | None:
    """What a notice of that kind says by now; None where there is nothing to say any more.

    It names the game and the other players, and no card.
    """
    state = now.state
    if state.is_over:
        kind = "void" if state.stage == "voided" else "over"
    elif is_asked(now, seat):
        kind = "turn"
    elif kind != "start":
        return None
    others = [player.name for number, player in enumerate(state.seats) if player and number != seat]
    return {
        "game": state.game,
        "title": message(lang, f"notice.{kind}", title=title(state.ruleset, lang)),
        "body": message(lang, "notice.with", names=", ".join(others)) if others else "",
    }


class Subscription(Struct, frozen=True):
    """What is sealed of a subscription: where notices go, and the hash of the token that asked."""

    to: PushSubscription
    token: bytes


class Notices:
    """Notices by Web Push; they are sealed, sent, tried again and given up as webhooks are."""

    def __init__(
        self,
        store: Store,
        credentials: Credentials,
        hooks: Webhooks,
        sender: Sender,
        key: SenderKey,
    ) -> None:
        self.hooks = hooks
        self.sender = sender
        self.key = key
        self._store = store
        self._credentials = credentials

    async def write(self, run: RunStatement, now: Snapshot) -> None:
        """Write what the game's subscribers are to be told, in the place of what waits for them.

        Whose seat is no longer theirs is told nothing any more.
        """
        game = UUID(now.state.game)
        for hook, seat, since, noticed in await run("subscribed", game):
            stage = stage_of(now, seat)
            if not has_seat(now, Sitting(seat, since)):
                await run("unsubscribe", hook)
            elif stage == LAST:
                await run("notice", *_notice(hook, stage, "over"))
                await run("end", hook)
                await run("expire", hook)
            elif stage > noticed and (is_asked(now, seat) or noticed == 0):
                kind = "turn" if is_asked(now, seat) else "start"
                await run("notice", *_notice(hook, stage, kind))

    async def post(self, due: DueMessage) -> AttemptResult:
        """Send a notice that is due, if it still holds."""
        rows = await self._store.read(due.game)
        if not rows:
            return GONE
        try:
            now, _ = await beside_loop(lambda: apply_rows(None, rows), len(rows))
        except Damage:
            return AttemptResult(None, "the game cannot be read")
        assert due.seat is not None
        secret = self.hooks.unsealed(due.hook, due.secret)
        to, token = msgspec.structs.astuple(msgspec.json.decode(secret, type=Subscription))
        if not (has_seat(now, Sitting(due.seat, due.since)) and await self._counts(token)):
            return GONE
        notice = notice_of(now, due.seat, due.body, due.language)
        lasts = _seconds_left(now, due.seat)
        if notice is None or not lasts:
            return AttemptResult(None, "")
        headers = {
            "Authorization": self.key.authorization(to.endpoint),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(lasts),
            "Topic": encoded(due.hook.bytes),
            "Urgency": "normal",
        }
        content = encrypted(msgspec.json.encode(notice), keys_of(to))
        outcome = await self.sender.send(to.endpoint, headers, content)
        return outcome._replace(status=410) if outcome.status == 404 else outcome  # RFC 8030, 7.3

    async def _counts(self, token: bytes) -> bool:
        """Whether the token is valid still: who has lost it is to hear of its seat no more."""
        try:
            return await self._credentials.find_hash(token) is not None
        except TokenRefused:
            return False

    async def note_presences(self, seats: Callable[[], Collection[tuple[UUID, int]]]) -> None:
        """Note who is connected to a stream of this process, until cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            if not (present := [*seats()]):
                continue
            try:
                async with self.hooks.transaction() as run:
                    games, numbers = zip(*present, strict=True)
                    await run("present", [*games], [*numbers], AWAY / 2)
            except StoreUnavailable as away:
                log.warning("presences are not noted", seats=len(present), reason=str(away))


def _notice(hook: UUID, stage: int, kind: str) -> tuple[object, ...]:
    """The parameters of the statement that writes a notice."""
    waits = kind == "turn"  # until the seat is away, where it is not yet
    return (stage, hook, stage, uuid5(hook, str(stage)), kind, GRACE, waits, AWAY)


def keys_of(wanted: PushSubscription) -> PushKeys:
    """The keys of a subscription; raises ValueError."""
    return PushKeys(decoded(wanted.keys.p256dh), decoded(wanted.keys.auth))


def _seconds_left(now: Snapshot, seat: int) -> int:
    """How long the notice makes sense: until the seat's deadline, if there is one."""
    ends = [due.grace_until / 1000 - time.time() for due in dues(now, seat)]
    return max(0, int(min([LASTS, *ends])))
