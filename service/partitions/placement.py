"""Placement of new games among partitions, so that a repeated opening finds its game again.

A new game goes to the partition that wins among those that take new ones (rendezvous hashing,
weights alike), so partitions that are added take their share and no more. A repeated opening has
the same key and looks where that key went, and would have gone, within a day of a change.
"""

import hashlib
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from uuid import UUID

from phaseledger.replay.records.partitions import PartitionLocation, id_in, number_of
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.protocols import GameStore
from phaseledger.service.lobby.opening import key_digest, new_game, uuid_of

KEY_SECONDS = 86_400.0  # seconds for which an opening is repeated with its key
SKEW = 300.0  # seconds by which the clocks of two nodes may differ

NewGame = Callable[[str], Awaitable[UUID]]
"""The id of the game that an idempotency key opens; a fresh id for an empty key."""


def unpartitioned_new_game(store: GameStore) -> NewGame:
    """The function that gives new games ids where there is one partition."""

    async def new_id(key: str) -> UUID:
        if not key:
            return new_game("")
        return await _unused_id(store, new_game(key), key, uuid_of)

    return new_id


async def _unused_id(
    store: GameStore, plain: UUID, key: str, id_of: Callable[[bytes], UUID]
) -> UUID:
    """The id of the game that the key has opened, or one that no lost game can have had.

    The ``plain`` one may be that of a game that was opened after a backup, and lost with its
    restore: there are receipts for its events, which another game must not contradict.
    """
    restorations = await store.restorations(plain)
    candidates = [plain, *(id_of(key_digest(key, at)) for at in restorations)]
    for candidate in candidates[:-1]:
        if await store.head(candidate):
            return candidate
    return candidates[-1]


def partitioned_new_game(
    places: Sequence[PartitionLocation], store: GameStore, now: Callable[[], float] = time.time
) -> NewGame:
    """The function that gives new games ids in these partitions."""

    async def new_id(key: str) -> UUID:
        if not key:
            return candidates(places, secrets.token_hex(32), now())[0]
        first, *earlier = candidates(places, key, now())
        for candidate in earlier:
            try:
                if await store.head(candidate):
                    return candidate
            except StoreUnavailable:
                continue  # a second table is the lesser evil: else no table could be opened
        return await _unused_id(store, first, key, partial(id_in, number_of(first)))

    return new_id


def candidates(places: Sequence[PartitionLocation], key: str, now: float) -> list[UUID]:
    """The ids under which a key may have opened a game, the one that it opens now first."""
    changes = {at for place in places for at in (place.since, place.until)}
    nearby = sorted(at for at in changes if now - KEY_SECONDS < at <= now + SKEW)
    digest = key_digest(key)
    ids = [id_in(_winner(places, digest, now), digest)]
    for at in nearby:
        ids += [
            id_in(_winner(places, digest, moment), digest)
            for moment in (at - 1, at)
            if moment != now
        ]
    second = min((place.since for place in places[1:]), default=float("inf"))
    if now - KEY_SECONDS < second:  # however long before that the first node got the file
        ids.append(new_game(key))  # the one partition's, before there were others
    return list(dict.fromkeys(ids))


def _winner(places: Sequence[PartitionLocation], digest: bytes, now: float) -> int:
    taking = [place.number for place in places if place.since <= now < place.until]
    numbers = taking or [place.number for place in places]
    return max(numbers, key=lambda number: hashlib.sha256(digest + number.to_bytes(2)).digest())
