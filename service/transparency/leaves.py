"""The Merkle leaves of events, those included whose leaf was not stored with them."""

from collections import OrderedDict
from uuid import UUID

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.reader import Notice

GAMES = 1_000  # seal keys remembered


class UnknownLeaf(Exception):
    """An event whose public form cannot be known, since its game's opening is damaged."""


class LeafReader:
    """Leaves out of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._keys: OrderedDict[UUID, bytes] = OrderedDict()

    async def of(self, notice: Notice) -> bytes:
        """The leaf of an event: as it was stored, or out of its bytes and its game's secret.

        Raises:
            UnknownLeaf: it was not stored, and cannot be made.

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
            opened = [
                codec.decode_event(row.topic, row.state)
                for row in await self._store.read(game, 0, 1)
            ]
            if not opened or not isinstance(opened[0], GameOpened):
                raise ValueError("the game's first event does not open it")
            self._keys[game] = codec.new_chain(opened[0]).key
            if len(self._keys) > GAMES:
                self._keys.popitem(last=False)
        return self._keys[game]
