"""Whether the log still has a game's events as they were stored, before any of it is signed.

A database can be changed behind the service's back. What has changed shows in the leaf that was
stored with each event, in the hash that the next event repeats, and in the public log's tree.
"""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from msgspec import Struct

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.service.eventlog.postgres import Row
from phaseledger.service.games.errors import LogDamaged
from phaseledger.service.games.game import leaf_of
from phaseledger.service.transparency.errors import TreeError
from phaseledger.service.transparency.tree import Tree, leaf_at

NOTHING = "0" * 64
"""What the first event repeats."""
_DAMAGE = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


class _Place(Struct):
    game: str
    prev: str
    seq: int


_place = msgspec.json.Decoder(_Place).decode


def seal_key(game: UUID, first: Row) -> bytes:
    """The key of the game's seals, out of its first event; raises LogDamaged."""
    try:
        opened = codec.decode_event(first.topic, first.state)
        if isinstance(opened, GameOpened):
            return codec.new_chain(opened).key
    except _DAMAGE:
        pass
    raise LogDamaged(game, 1, "it does not open the game")


def require_chained(game: UUID, rows: Sequence[Row], key: bytes, head: str = "") -> list[str]:
    """The leaves of consecutive events, which follow the event with the hash ``head``, if any.

    Raises:
        LogDamaged: one is not what its stored leaf, or the event after it, says.

    """
    leaves: list[str] = []
    for row in rows:
        before = NOTHING if row.version == 1 else leaves[-1] if leaves else head
        try:
            place, leaf = _place(row.state), leaf_of(row.state, key)
        except _DAMAGE:
            raise LogDamaged(game, row.version, "it cannot be read") from None
        if row.leaf not in (None, bytes.fromhex(leaf)):
            raise LogDamaged(game, row.version, "it is not what was stored")
        if (place.game, place.seq) != (str(game), row.version):
            raise LogDamaged(game, row.version, "it belongs elsewhere")
        if before and place.prev != before:
            raise LogDamaged(game, row.version, "it does not follow from the one before")
        leaves.append(leaf)
    return leaves


async def require_intact(
    tree: Tree | None, game: UUID, rows: Sequence[Row], key: bytes, *, first: int = 1, last: int = 1
) -> None:
    """See that the events from the number ``first`` to ``last``, at least, are those stored.

    They are chained, and the tree has the last one that it covers.

    Raises:
        LogDamaged: they are not, or the tree's tiles are damaged.

    """
    if not rows or rows[0].version != first or rows[-1].version < last:
        raise LogDamaged(game, last, "it, or one before it, is gone")
    leaves = require_chained(game, rows, key)
    if tree is None:
        return
    seq = min(rows[-1].version, await tree.last_within(game, await tree.head()))
    if seq < rows[0].version or (index := await tree.index(game, seq)) is None:
        return
    try:
        logged = await leaf_at(tree, index)
    except TreeError as damage:
        raise LogDamaged(game, seq, str(damage).rstrip(".")) from None
    if logged.hex() != leaves[seq - rows[0].version]:
        raise LogDamaged(game, seq, "it is not what the public log has")
