"""Opening a table: fresh secrets, the game id, the bots' names."""

import hashlib
import secrets
from collections.abc import Collection, Mapping, Sequence
from itertools import count
from typing import NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from phaseledger.domain.commands import Act, OpenGame, RejectCode, Rejected, Start, TakeSeat
from phaseledger.domain.names import hides, look
from phaseledger.domain.options import OptionValue
from phaseledger.domain.resolve import revision_of
from phaseledger.domain.script import Script
from phaseledger.domain.terms import OPEN, Terms
from phaseledger.replay.formats.ledgers import id_in, is_numbered
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.lobby.errors import NameTaken


class SeatRequest(NamedTuple):
    """A seat of an opening; ``bot`` is empty for a person, and ``name`` for one who joins later."""

    bot: str = ""
    name: str = ""


def new_secret() -> str:
    """32 bytes from the operating system, as hex."""
    return secrets.token_hex(32)


def new_key() -> str:
    """A fresh idempotency key for a request without one."""
    return secrets.token_hex(32)


def new_game(key: str, ledger: int = 0) -> UUID:
    """A game id: derived from the idempotency key, or a fresh one without a key.

    From a key the id is UUID version 8 with SHA-256 over the key, so that a repeated request finds
    its game again without any index of keys; without one, UUID version 7 where the ledger has no
    number.
    """
    if not key and not ledger:
        return uuid7()
    return _id_of(key_digest(key or new_key()), ledger)


async def unused_game(store: Store, key: str, ledger: int) -> UUID:
    """The id of the game that the key has opened, or one that no lost game can have had.

    The first one that the key gives may be of a game that was opened after a backup, and lost with
    its restore: there are receipts for its events, which another game must not contradict.

    Raises:
        StoreUnavailable: the database is away.

    """
    game = new_game(key, ledger)
    if not key:
        return game
    restorations = await store.restorations(game)
    candidates = [game, *(_id_of(key_digest(key, at), ledger) for at in restorations)]
    for candidate in candidates[:-1]:
        if await store.head(candidate):
            return candidate
    return candidates[-1]


def _id_of(digest: bytes, ledger: int) -> UUID:
    return id_in(ledger, digest) if ledger else uuid_of(digest)


def key_digest(key: str, restored_at: int = 0) -> bytes:
    """The digest behind the id of the game that a key opens; a new one after each restoration."""
    restoration = f"\n{restored_at}" if restored_at else ""
    return hashlib.sha256(f"p10-open/v1\n{key}{restoration}".encode()).digest()


def uuid_of(digest: bytes) -> UUID:
    """UUID version 8 of the digest's first 122 bits.

    It never has the number of a ledger, which a caller who tries enough keys could make it have.
    """
    number = int.from_bytes(digest[:16]) & ~(0xF << 76) | 8 << 76
    uuid = UUID(int=number & ~(0b11 << 62) | 0b10 << 62)
    return UUID(int=uuid.int ^ 1 << 127) if is_numbered(uuid) else uuid


def bot_name(level: str, seat: int, taken: Collection[str] = ()) -> str:
    """The default name of a bot, none of the ``taken`` ones at its table."""
    names = {look(name) for name in taken}
    candidates = (f"{level.capitalize()} {number}" for number in count(seat + 1))
    return next(name for name in candidates if look(name) not in names)


def opening(
    game: UUID,
    ruleset: str,
    places: Sequence[SeatRequest],
    *,
    options: Mapping[str, OptionValue],
    dealer: int,
    start: bool,
    terms: Terms = OPEN,
    script: Script = (),
) -> list[Act]:
    """The acts of an opening: open the table, seat bots and players, start it on request."""
    command = OpenGame(
        game=str(game),
        ruleset=ruleset,
        seats=len(places),
        options=dict(options),
        dealer=dealer,
        secret=new_secret(),
        table=None if terms == OPEN else terms,
        revision=revision_of(options),
        script=script,
    )
    acts = [Act(command)]
    taken = [place.name for place in places if place.name]
    if len({look(name) for name in taken}) < len(taken):
        raise NameTaken
    if any(map(hides, taken)):
        raise Rejected(RejectCode.BAD_TEXT)
    for seat, place in enumerate(places):
        if place.bot or place.name:
            name = place.name or bot_name(place.bot, seat, taken)
            taken.append(name)
            acts.append(Act(TakeSeat(name=name, bot=place.bot, secret=new_secret()), seat))
    return [*acts, Act(Start())] if start else acts
