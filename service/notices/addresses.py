"""A player's addresses: where notices of all tables go, as the player's application puts them.

They stand sealed in the player's own row, which erasing overwrites. What the outbox has of one is
a row among the webhooks with the player's pseudonym, which goes with the player.
"""

import re
from collections.abc import Sequence
from uuid import UUID, uuid4

import msgspec
from msgspec import Struct

from phaseledger.domain.words import Language, Phrase
from phaseledger.replay.formats.sealing import SealingError
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.notices.errors import NoticeRefused, NoticesOff
from phaseledger.service.notices.quiet_hours import zone_of
from phaseledger.service.players.store import sealing_context
from phaseledger.service.schemas.notices import (
    ADDRESSES,
    NoticeAddress,
    PutNotices,
    QuietHours,
)
from phaseledger.service.webhooks.store import RunStatement, Webhooks


class Addressed(Struct, frozen=True):
    """An address, and the id of its row among the webhooks."""

    hook: UUID
    to: NoticeAddress


class Recipient(Struct, frozen=True):
    """A player as notices know one."""

    language: Language
    quiet: QuietHours | None
    addresses: Sequence[Addressed]

    def address(self, hook: UUID) -> NoticeAddress | None:
        """The address of a row among the webhooks; None where the player has it no more."""
        return next((address.to for address in self.addresses if address.hook == hook), None)


def require_form(wanted: PutNotices, *, web_push: bool) -> None:
    """Require addresses of the forms that `ADDRESSES` declares, and a known time zone.

    Raises NoticeRefused, and NoticesOff for a browser where the service sends no Web Push.
    """
    if wanted.quiet and zone_of(wanted.quiet.zone) is None:
        raise NoticeRefused(Phrase("adds.zone"))
    for address in wanted.addresses:
        kind = ADDRESSES[address.kind]
        if not re.fullmatch(kind.form, address.url):
            raise NoticeRefused(Phrase("adds.address", example=kind.example))
        if (address.keys is not None) != kind.has_keys:
            raise NoticeRefused(Phrase("adds.address_keys"))
        if kind.has_keys and not web_push:
            raise NoticesOff


async def put_addresses(hooks: Webhooks, player: str, wanted: PutNotices) -> None:
    """Put the player's addresses, by pseudonym, in the place of those before; the ones that stay
    stay as they are, also where they have ended.
    """
    async with hooks.transaction() as run:
        before = await recipient(hooks, run, player, "lock_player")
        if before is None:
            return  # was erased meanwhile
        ids = {address.to: address.hook for address in before.addresses}
        kept = [Addressed(ids.get(to) or uuid4(), to) for to in dict.fromkeys(wanted.addresses)]
        sealed = hooks.sealing.seal(msgspec.json.encode(kept), sealing_context(player))
        quiet = msgspec.json.encode(wanted.quiet).decode() if wanted.quiet else None
        await run("put_notices", sealed if kept else None, quiet, player)
        await run("keep_addresses", player, [address.hook for address in kept])
        for place, (hook, to) in enumerate(map(msgspec.structs.astuple, kept)):
            await run("add_address", hook, [to.kind], place, player)
        if kept:
            await run("follow_player", player)


async def recipient(
    hooks: Webhooks, run: RunStatement, player: str, statement: str = "player"
) -> Recipient | None:
    """The player with that pseudonym; None for one who is erased."""
    rows = await run(statement, player)
    if not rows:
        return None
    ((language, quiet, sealed),) = rows
    addresses: list[Addressed] = []
    if sealed is not None:
        try:
            plain = hooks.sealing.unseal(bytes(sealed), sealing_context(player))
        except SealingError as unusable:
            raise StoreUnavailable(str(unusable)) from None
        addresses = msgspec.json.decode(plain, type=list[Addressed])
    hours = msgspec.json.decode(quiet, type=QuietHours) if quiet else None
    return Recipient(language, hours, addresses)
