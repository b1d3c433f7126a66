"""Where new games go in a ledger of several partitions, and where a repeated opening finds its own.

A new game goes to the partition that wins among those that take new ones (rendezvous hashing,
weights alike), so partitions that are added take their share and no more. A repeated opening has
the same key and looks where that key went, and would have gone, within a day of a change.
"""

import hashlib
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

from phaseledger.replay.records.partitions import PartitionLocation, id_in
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.protocols import GameStore
from phaseledger.service.lobby.opening import new_game

KEY_SECONDS = 86_400.0  # seconds for which an opening is repeated with its key
SKEW = 300.0  # seconds by which the clocks of two nodes may differ

NewGame = Callable[[str], Awaitable[UUID]]
"""The id of the game that an Idempotency-Key opens; empty: of one that nobody has opened."""


async def unpartitioned_new_game(key: str) -> UUID:
    """The id of a game where there is one partition."""
    return new_game(key)


def partitioned_new_game(
    places: Sequence[PartitionLocation], store: GameStore, now: Callable[[], float] = time.time
) -> NewGame:
    """How ids are found for new games in these partitions."""

    async def found(key: str) -> UUID:
        if not key:
            return candidates(places, secrets.token_hex(32), now())[0]
        first, *others = candidates(places, key, now())
        for other in others:
            try:
                if await store.head(other):
                    return other
            except StoreUnavailable:
                continue  # a second table is the lesser evil: else no table could be opened
        return first

    return found


def candidates(places: Sequence[PartitionLocation], key: str, now: float) -> list[UUID]:
    """The ids under which a key may have opened a game, first the one that it opens now."""
    changes = {at for place in places for at in (place.since, place.until)}
    near = sorted(at for at in changes if now - KEY_SECONDS < at <= now + SKEW)
    digest = hashlib.sha256(f"p10-open/v1\n{key}".encode()).digest()
    found = [id_in(_winner(places, digest, now), digest)]
    for at in near:
        found += [
            id_in(_winner(places, digest, when), digest) for when in (at - 1, at) if when != now
        ]
    second = min((place.since for place in places[1:]), default=float("inf"))
    if now - KEY_SECONDS < second:  # however long before that the first node got the file
        found.append(new_game(key))  # the one partition's, before there were others
    return list(dict.fromkeys(found))


def _winner(places: Sequence[PartitionLocation], digest: bytes, now: float) -> int:
    taking = [place.number for place in places if place.since <= now < place.until]
    numbers = taking or [place.number for place in places]
    return max(numbers, key=lambda each: hashlib.sha256(digest + each.to_bytes(2)).digest())
