"""The Merkle leaf hashes of events, stored with them or computed from their bytes."""

from collections import OrderedDict
from uuid import UUID

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Notice

GAMES = 1_000  # seal keys remembered


class UnknownLeaf(Exception):
    """An event whose public form cannot be computed, since its game's opening is damaged."""


class LeafReader:
    """The leaf hashes of a store's events."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._keys: OrderedDict[UUID, bytes] = OrderedDict()

    async def of(self, notice: Notice) -> bytes:
        """The leaf hash of an event: as it was stored, or computed from its bytes and seal key.

        Raises:
            UnknownLeaf: it was not stored, and cannot be computed.

        """
        row = notice.row
        if row.leaf is not None:
            return row.leaf
        try:
            key = await self._key(notice.game) if b'"hidden":' in row.state else b""
            public = codec.redact(row.state, key, None, opened=False)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as damage:
            raise UnknownLeaf(
                f"Event {row.version} of game {notice.game} has no leaf, and none can be made: "
                f"{type(damage).__name__}."
            ) from damage
        return bytes.fromhex(codec.leaf_hash(public))

    async def _key(self, game: UUID) -> bytes:
        if game not in self._keys:
            events = [
                codec.decode_event(row.topic, row.state)
                for row in await self._store.read(game, 0, 1)
            ]
            if not events or not isinstance(events[0], GameOpened):
                raise ValueError("the game's first event does not open it")
            self._keys[game] = codec.new_chain(events[0]).key
            if len(self._keys) > GAMES:
                self._keys.popitem(last=False)
        return self._keys[game]
