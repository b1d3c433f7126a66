"""Notices: when one is due to a player who is away, and what it says.

A seat gets one for a turn, however often it is asked in it; one when the game begins, and one when
it is over. The outbox has only which of these it is: what it says, and whether it still holds, is
read off the game when it is sent. So no name stands in the outbox, and no player is called to a
turn that is over.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final
from uuid import UUID, uuid4, uuid5

import msgspec
import structlog
from msgspec import Struct

from phaseledger.domain.explain.wording import title
from phaseledger.domain.names import is_pseudonym
from phaseledger.domain.rulesets import preset
from phaseledger.domain.words import Language, message
from phaseledger.service.credentials.errors import TokenRefused
from phaseledger.service.credentials.store import Credentials
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.games.errors import BotHasSeat, SeatGivenUp
from phaseledger.service.games.game import Snapshot, apply_rows
from phaseledger.service.games.play import Sitting
from phaseledger.service.games.time_limits import dues
from phaseledger.service.notices.addresses import recipient
from phaseledger.service.notices.quiet_hours import seconds_left
from phaseledger.service.notices.web_push import PushKeys, SenderKey, decoded, encoded, encrypted
from phaseledger.service.players.store import Players
from phaseledger.service.readmodels.soundness import Damage
from phaseledger.service.runtime.work import beside_loop
from phaseledger.service.schemas.notices import ADDRESSES, NoticeAddress, PushSubscription
from phaseledger.service.schemas.webhooks import Type
from phaseledger.service.webhooks.samples import GAME, SampleSent, in_time
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
DROPPED = AttemptResult(None, "")
"""There is nothing to say any more."""

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


def kind_of(now: Snapshot, seat: int) -> str:
    """The kind of notice that is due to a seat, if one is."""
    return "over" if now.state.is_over else "turn" if is_asked(now, seat) else "start"


def notice_of(
    now: Snapshot, seat: int, kind: str, lang: Language, names: Mapping[str, str]
) -> dict[str, str] | None:
    """What a notice of that kind says by now; None where there is nothing to say any more.

    It names the game and the other players, by the ``names`` for their pseudonyms, and no card.
    """
    state = now.state
    if state.is_over:
        kind = "void" if state.stage == "voided" else "over"
    elif is_asked(now, seat):
        kind = "turn"
    elif kind != "start":
        return None
    recorded = [player.name for at, player in enumerate(state.seats) if player and at != seat]
    others = [name for name in (names.get(name, name) for name in recorded) if name]
    return {
        "game": state.game,
        "title": message(lang, f"notice.{kind}", title=title(state.ruleset, lang)),
        "body": message(lang, "notice.with", names=", ".join(others)) if others else "",
    }


KINDS: Mapping[Type, str] = {
    "turn.asked": "turn",
    "game.started": "start",
    "game.ended": "over",
    "game.voided": "void",
}
"""The kind of notice that people get where webhooks get a message of a type."""


class Subscription(Struct, frozen=True):
    """What is sealed of a subscription: where notices go, and the hash of the token that asked."""

    to: PushSubscription
    token: bytes


class ToAddress(Struct, frozen=True):
    """What the outbox has of a notice to an address: which it is, of which seat, at which stage."""

    game: UUID
    seat: int
    since: int
    stage: int
    kind: str


class Notices:
    """Notices to browsers of seats, and to players; they are sealed, sent, tried again and given up
    as webhooks are.

    Without a ``key`` there is no Web Push. ``public_url`` is where people reach the service.
    """

    def __init__(
        self,
        store: Store,
        credentials: Credentials,
        players: Players,
        hooks: Webhooks,
        sender: Sender,
        key: SenderKey | None,
        public_url: str = "",
    ) -> None:
        self.hooks = hooks
        self.sender = sender
        self.key = key
        self.clock: Callable[[], float] = time.time
        self._store = store
        self._credentials = credentials
        self._players = players
        self._public_url = public_url

    @property
    def has_web_push(self) -> bool:
        """Whether browsers are about."""
        return self.key is not None

    async def write(self, run: RunStatement, now: Snapshot) -> None:
        """Write what the game's subscribers are to be told, in the place of what waits for them.

        Whose seat is no longer theirs is told nothing any more.
        """
        game = UUID(now.state.game)
        await self._enlist(run, game, now)
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

    async def _enlist(self, run: RunStatement, game: UUID, now: Snapshot) -> None:
        """Have the players at the table told of it who have addresses, and are not yet.

        One who has sat there for longer hears of the turn that waits, and of no beginning.
        """
        if now.state.is_over:
            return
        noticed = 0 if now.state.turn <= 1 else 2 * now.state.turn + 1
        rows = []
        for seat, occupant in enumerate(now.state.seats):
            if occupant and not occupant.bot and is_pseudonym(occupant.name):
                since = max(1, now.marks.freed.get(seat, 0))
                hook = uuid5(game, f"player {seat} {since} {occupant.name}")
                rows.append((hook, since, seat, noticed, occupant.name))
        if rows:
            await run("enlist", game, *map(list, zip(*rows, strict=True)))

    async def post(self, due: DueMessage) -> AttemptResult:
        """Send a notice that is due, if it still holds."""
        if due.seat is None:
            return await self._post_to_address(due)
        now = await self._look(due.game, Sitting(due.seat, due.since))
        if isinstance(now, AttemptResult):
            return now
        if due.player is not None:
            if kind_of(now, due.seat) != due.body:
                return DROPPED
            return await self._spread(due, due.player, stage_of(now, due.seat))
        secret = self.hooks.unsealed(due.hook, due.secret)
        to, token = msgspec.structs.astuple(msgspec.json.decode(secret, type=Subscription))
        if not await self._counts(token):
            return GONE
        notice = notice_of(now, due.seat, due.body, due.language, {})
        lasts = _seconds_left(now, due.seat)
        if notice is None or not lasts:
            return DROPPED
        return await self._push(to, notice, due.hook, lasts)

    async def _look(self, game: UUID, sitting: Sitting) -> Snapshot | AttemptResult:
        """The game as it is, if the seat is still the recipient's."""
        if not (rows := await self._store.read(game)):
            return GONE
        try:
            now, _ = await beside_loop(lambda: apply_rows(None, rows), len(rows))
        except Damage:
            return AttemptResult(None, "the game cannot be read")
        return now if has_seat(now, sitting) else GONE

    async def _spread(self, due: DueMessage, player: str, stage: int) -> AttemptResult:
        """Put a notice to a player into the outbox for each of the player's addresses."""
        assert due.seat is not None
        about = ToAddress(game=due.game, seat=due.seat, since=due.since, stage=stage, kind=due.body)
        body = msgspec.json.encode(about).decode()
        async with self.hooks.transaction() as run:
            addresses = await run("addresses", player)
            for (address,) in addresses:
                await run("insert", uuid5(address, f"{due.game} {stage}"), address, body)
        return DROPPED if addresses else GONE

    async def _post_to_address(self, due: DueMessage) -> AttemptResult:
        """Send a notice to a player's address, if the game is still where it was; in the player's
        quiet hours, later.
        """
        assert due.player is not None
        about = msgspec.json.decode(due.body, type=ToAddress)
        async with self.hooks.transaction() as run:
            to = await recipient(self.hooks, run, due.player)
        address = to.address(due.hook) if to else None
        if to is None or address is None:
            return GONE
        if wait := seconds_left(to.quiet, datetime.fromtimestamp(self.clock(), UTC)):
            return AttemptResult(None, "", wait)
        now = await self._look(about.game, Sitting(about.seat, about.since))
        if isinstance(now, AttemptResult) or kind_of(now, about.seat) != about.kind:
            return DROPPED
        if about.kind == "turn" and stage_of(now, about.seat) != about.stage:
            return DROPPED  # another one is under way
        recorded = [p.name for p in now.state.seats if p and is_pseudonym(p.name)]
        names = {**dict.fromkeys(recorded, ""), **await self._players.names(recorded)}
        notice = notice_of(now, about.seat, about.kind, to.language, names)
        lasts = _seconds_left(now, about.seat)
        if notice is None or not lasts:
            return DROPPED
        if self._public_url:
            notice["url"] = f"{self._public_url}/play/{about.game}"
        return await self._tell(address, notice, uuid5(due.hook, str(about.game)), lasts)

    async def sample(self, player: str, kind: str) -> Sequence[SampleSent]:
        """Send a sample of a notice to each address of a player, by pseudonym, at any hour."""
        async with self.hooks.transaction() as run:
            to = await recipient(self.hooks, run, player)
        if to is None:
            return ()
        named = message(to.language, f"notice.{kind}", title=title(preset("classic"), to.language))
        body = message(to.language, "notice.sample")
        notice = {"game": str(GAME), "title": named, "body": body}

        async def send(to: NoticeAddress) -> SampleSent:
            outcome = await in_time(self._tell(to, notice, uuid4(), 60))
            return SampleSent(
                to=to.kind,
                id="",
                body=f"{named}: {body}",
                status=outcome.status,
                reason=outcome.reason,
            )

        return await asyncio.gather(*(send(address.to) for address in to.addresses))

    async def _tell(
        self, to: NoticeAddress, notice: dict[str, str], topic: UUID, lasts: int
    ) -> AttemptResult:
        make = ADDRESSES[to.kind].body
        if make is None:
            assert to.keys is not None
            browser = PushSubscription(endpoint=to.url, keys=to.keys)
            return await self._push(browser, notice, topic, lasts)
        body = make(f"{notice['title']}\n{notice['body']}".strip(), notice.get("url", ""))
        headers = {"Content-Type": "application/json"}
        return await self.sender.send(to.url, headers, msgspec.json.encode(body))

    async def _push(
        self, to: PushSubscription, notice: dict[str, str], topic: UUID, lasts: int
    ) -> AttemptResult:
        if self.key is None:
            return AttemptResult(None, "the service sends no Web Push")
        headers = {
            "Authorization": self.key.authorization(to.endpoint),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(lasts),
            "Topic": encoded(topic.bytes),
            "Urgency": "normal",
        }
        content = encrypted(msgspec.json.encode(notice), keys_of(to))
        return await self.sender.send(to.endpoint, headers, content)

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
