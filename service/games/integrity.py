"""Integrity check: the log still has a game's events as stored, before any of it is signed.

A database can be changed behind the service's back. What has changed shows in the leaf that was
stored with each event, in the hash that the next event repeats, and in the public log's tree.
"""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.domain.evidence.tiles import HASH, WIDTH, TileName
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.errors import LogDamaged
from phaseledger.service.games.game import Game, Snapshot, leaf_of
from phaseledger.service.readmodels.soundness import DAMAGED, Damage, decoded, link_flaw
from phaseledger.service.runtime.work import beside_loop
from phaseledger.service.transparency.errors import TreeError
from phaseledger.service.transparency.tree import Tree, leaf_at


class ProvenRows(NamedTuple):
    """Consecutive rows of a game that are as they were stored, and what they follow."""

    before: Snapshot | None
    """The game before the first of them; None: it begins with that."""
    rows: Sequence[Row]

    def above(self, version: int) -> Sequence[Row]:
        """The rows above that version, which is not below the first one's."""
        return self.rows[version - (self.before.version if self.before else 0) :]


def seal_key(game: UUID, first: Row) -> bytes:
    """The key of the game's seals, out of its first event; raises LogDamaged."""
    try:
        opened = codec.decode_event(first.topic, first.state)
        if isinstance(opened, GameOpened):
            return codec.new_chain(opened).key
    except DAMAGED:
        pass
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
            raise Damage(row.version, f"event {row.version} cannot be read") from cause
        if flaw := link_flaw(game, row, place, leaf, before):
            raise Damage(row.version, f"event {row.version} {flaw}")
        leaves.append(leaf)
    return leaves


async def proven_rows(store: Store, game: Game, after: int, last: int) -> ProvenRows:
    """The rows above version ``after`` up to ``last``, which the game has reached, and some around.

    They begin and end at milestones, which this process knows to be sound, and the chain of hashes
    from the one to the other leaves nothing between them that could be something else.

    Raises:
        LogDamaged: the log has other rows there, or lacks some.

    """
    assert game.now is not None
    key, before = game.now.chain.key, game.milestones.at_most(after)
    begin, head = (before.version, before.chain.head) if before else (0, "")
    until = game.milestones.at_least(last)
    rows = await store.read(game.id, begin, until.version - begin)
    leaves = await beside_loop(lambda: require_chained(game.id, rows, key, head), len(rows))
    if begin + len(rows) < until.version:
        raise LogDamaged(game.id, begin + len(rows) + 1, "it is gone")
    if leaves and leaves[-1] != until.chain.head:
        raise LogDamaged(game.id, until.version, "it is not what was stored")
    return ProvenRows(before, rows)


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
    await require_logged(tree, game, first, leaves, placed=placed)


async def require_logged(
    tree: Tree | None, game: UUID, first: int, leaves: Sequence[str], *, placed: bool = False
) -> None:
    """Require that the tree has the last of the events that it covers, as in `require_intact`.

    The ``leaves`` are of consecutive events from number ``first`` on, which are chained.

    Raises:
        LogDamaged: it has another one, or its tiles are damaged.

    """
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
