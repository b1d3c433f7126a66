"""Integrity check: the log still has a game's events as stored, before any of it is signed.

A database can be changed behind the service's back. What has changed shows in the leaf that was
stored with each event, in the hash that the next event repeats, and in the public log's tree.
"""

from collections.abc import Sequence
from uuid import UUID

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.domain.evidence.tiles import HASH, WIDTH, TileName
from phaseledger.domain.words import Phrase
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.errors import LogDamaged
from phaseledger.service.games.game import Game, leaf_of
from phaseledger.service.readmodels.soundness import (
    DAMAGED,
    Damage,
    UnknownEvent,
    decoded,
    link_flaw,
)
from phaseledger.service.runtime.work import beside_loop
from phaseledger.service.transparency.errors import TreeError
from phaseledger.service.transparency.proofs import leaf_at
from phaseledger.service.transparency.tree import Tree


def seal_key(game: UUID, first: Row) -> bytes:
    """The key of the game's seals, out of its first event; raises LogDamaged."""
    try:
        opened = codec.decode_event(first.topic, first.state)
        if isinstance(opened, GameOpened):
            return codec.new_chain(opened).key
    except DAMAGED as cause:
        unread = UnknownEvent(1, Phrase("adds.damage.unread", seq=1))
        raise LogDamaged.of(game, unread) from cause
    raise LogDamaged(game, 1, "it does not open the game")


def require_chained(game: UUID, rows: Sequence[Row], key: bytes, head: str = "") -> list[str]:
    """The leaves of consecutive events, which follow the event with the hash ``head``, if any.

    Raises:
        LogDamaged: one is not what its stored leaf, or the event after it, says.

    """
    try:
        return chained(game, rows, key, head)
    except Damage as damage:
        raise LogDamaged.of(game, damage) from None


def chained(game: UUID, rows: Sequence[Row], key: bytes, head: str = "") -> list[str]:
    """What `require_chained` does; raises Damage."""
    leaves: list[str] = []
    for row in rows:
        before = codec.NO_PREVIOUS if row.version == 1 else leaves[-1] if leaves else head
        try:
            (place, _), leaf = decoded(row), leaf_of(row.state, key)
        except DAMAGED as cause:
            reason = Phrase("adds.damage.unread", seq=row.version)
            raise UnknownEvent(row.version, reason) from cause
        if flaw := link_flaw(game, row, place, leaf, before):
            raise Damage(row.version, f"event {row.version} {flaw}")
        leaves.append(leaf)
    return leaves


async def proven_rows(store: Store, game: Game, after: int, head: str = "") -> Sequence[Row]:
    """The rows of a game in memory above version ``after``, as they were stored.

    The chain of their hashes ends with the hash that this process has of the last one, so none of
    them could be something else. They follow the event with the hash ``head``, if that is given.

    Raises:
        LogDamaged: the log has other rows there, or lacks some.

    """
    assert game.now is not None
    version, chain = game.now.version, game.now.chain
    rows = await store.read(game.id, after, version - after)
    leaves = await beside_loop(lambda: require_chained(game.id, rows, chain.key, head), len(rows))
    if after + len(rows) < version:
        raise LogDamaged(game.id, after + len(rows) + 1, "it is gone")
    if leaves and leaves[-1] != chain.head:
        raise LogDamaged(game.id, version, "it is not what was stored")
    return rows


async def require_intact(
    tree: Tree | None,
    game: UUID,
    rows: Sequence[Row],
    key: bytes,
    *,
    first: int = 1,
    last: int = 1,
    placed: bool = False,
) -> None:
    """Require that the events from number ``first`` to ``last``, at least, are as stored.

    They are chained, and the tree has the last one that it covers: at its very number where it has
    to be ``placed``, for a proof; else also behind it in the tile, since events of another game
    that are gone from the log make the numbers after them too low.

    Raises:
        LogDamaged: they are not, or the tree's tiles are damaged.

    """
    if not rows or rows[0].version != first or rows[-1].version < last:
        raise LogDamaged(game, last, "it, or one before it, is gone")
    leaves = await beside_loop(lambda: require_chained(game, rows, key), len(rows))
    if tree is None:
        return
    seq = min(first + len(leaves) - 1, await tree.last_within(game, await tree.head()))
    if seq < first or (index := await tree.index(game, seq)) is None:
        return
    try:
        logged = await leaf_at(tree, index)
    except TreeError as damage:
        raise LogDamaged(game, seq, str(damage).rstrip(".")) from None
    leaf = leaves[seq - first]
    if logged.hex() != leaf and (placed or not await _is_behind(tree, index, leaf)):
        raise LogDamaged(game, seq, "it is not what the public log has")


async def _is_behind(tree: Tree, index: int, leaf: str) -> bool:
    """Whether the leaf is behind the index in its tile."""
    number, start = divmod(index, WIDTH)
    tile = (await tree.tiles([TileName(0, number)])).get(TileName(0, number), b"")
    hashes = (tile[at : at + HASH] for at in range(HASH * start, len(tile), HASH))
    return bytes.fromhex(leaf) in hashes
