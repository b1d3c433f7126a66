"""Subscriptions: the browsers that a seat's player wants notices in.

One is a row among the webhooks, with a seat. Its endpoint and keys are sealed as a webhook's secret
is: they would tell which seats of which tables are the same person's.
"""

from uuid import UUID, uuid5

import msgspec

from phaseledger.domain.words import Language, Phrase
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.play import Sitting
from phaseledger.service.notices.addresses import require_form
from phaseledger.service.notices.errors import NoticeRefused
from phaseledger.service.notices.notices import LAST, Notices, Subscription, keys_of, stage_of
from phaseledger.service.notices.web_push import encrypted
from phaseledger.service.schemas.notices import PushSubscription, PutNotices
from phaseledger.service.webhooks.egress import AddressRefused
from phaseledger.service.webhooks.store import Webhooks, secret_context

MOST = 5
"""Browsers of one seat; another one takes the place of the one that came first."""


async def subscribe(
    notices: Notices,
    now: Snapshot,
    sitting: Sitting,
    device: UUID,
    wanted: Subscription,
    lang: Language,
) -> None:
    """Send notices of the seat there from now on; the same device again replaces what it was.

    Raises:
        NoticeRefused: nothing would be sent there.
        SeatGivenUp, BotHasSeat: the seat is no longer the caller's.

    """
    sitting.require(now)
    await require_allowed(notices, wanted.to)
    if (stage := stage_of(now, sitting.seat)) == LAST:
        return  # nothing follows
    game, hooks = UUID(now.state.game), notices.hooks
    hook = _id(game, sitting, device)
    secret = hooks.sealing.seal(msgspec.json.encode(wanted), secret_context(hook))
    async with hooks.transaction() as run:
        await run("follow", game, now.version)
        row = (hook, game, secret, sitting.since, sitting.seat, lang, stage)
        await run("subscribe", *row)
        await run("bound", game, sitting.seat, game, sitting.seat, MOST)


async def require_allowed(notices: Notices, wanted: PushSubscription) -> None:
    """Require that notices may be sent to a browser there; raises NoticeRefused."""
    try:
        await notices.sender.checked(wanted.endpoint)
        encrypted(b"", keys_of(wanted))
    except AddressRefused as refused:
        raise NoticeRefused(refused.args[0]) from None
    except ValueError:
        raise NoticeRefused(Phrase("adds.push_key")) from None


async def require_allowed_addresses(notices: Notices, wanted: PutNotices) -> None:
    """Require that notices to a player may be sent there; raises NoticeRefused, NoticesOff."""
    require_form(wanted, web_push=notices.has_web_push)
    for address in wanted.addresses:
        if address.keys is not None:
            browser = PushSubscription(endpoint=address.url, keys=address.keys)
            await require_allowed(notices, browser)


async def unsubscribe(hooks: Webhooks, game: UUID, sitting: Sitting, device: UUID) -> None:
    """Send the device no notices of the seat any more; it need not have had any."""
    async with hooks.transaction() as run:
        await run("lock_game", game)  # a notice of the game may be about to be written
        await run("unsubscribe", _id(game, sitting, device))


def _id(game: UUID, sitting: Sitting, device: UUID) -> UUID:
    return uuid5(game, f"notice {sitting.seat} {sitting.since} {device}")
