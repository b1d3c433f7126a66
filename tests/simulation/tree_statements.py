"""The statements on the public log's tree, as the simulated server carries them out."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import psycopg

from phaseledger.domain.evidence.tiles import HASH, WIDTH, TileName
from tests.simulation.postgres import Rows, Session
from tests.simulation.tables import Log, Tables


def _tree(session: Session, log: str) -> Log:
    return session.server.tables.logs[log]


def _checkpoint(tree: Log, size: int, *, cosigned: bool) -> tuple[Any, ...]:
    root, position, note = tree.checkpoints[size]
    lines = sorted(item for item in tree.cosignatures.items() if item[0][0] == size)
    added = "".join(line for _, line in lines) if cosigned else ""
    return size, root, position, (note or "") + added


def head(session: Session, log: str) -> Rows:
    tree = _tree(session, log)
    size = tree.size
    return [_checkpoint(tree, size, cosigned=False)] if size else []


def signed(session: Session, log: str, size: int | None = None) -> Rows:
    tree = _tree(session, log)
    signed = [candidate for candidate, (_, _, note) in tree.checkpoints.items() if note is not None]
    sizes = [candidate for candidate in signed if size in (None, candidate)]
    return [_checkpoint(tree, max(sizes), cosigned=True)] if sizes else []


def cosigned(session: Session, log: str) -> Rows:
    sizes = {size for size, _ in _tree(session, log).cosignatures}
    return signed(session, log, max(sizes)) if sizes else []


def signed_logs(session: Session) -> Rows:
    tables = session.server.tables
    ended = {restoration.log for restoration in tables.restorations}
    logs = {log: signed(session, log) for log in tables.logs}
    return [(log, head[0][0], log in ended, False) for log, head in logs.items() if head]


def tiles(session: Session, levels: Sequence[int], numbers: Sequence[int], log: str) -> Rows:
    tiles = _tree(session, log).tiles
    names = [TileName(*name) for name in zip(levels, numbers, strict=True)]
    return [(*name, tiles[name][0]) for name in names if name in tiles]


def first(session: Session, log: str, number: int) -> Rows:
    tile = _tree(session, log).tiles.get(TileName(0, number))
    return [(tile[1],)] if tile else []


def index(session: Session, log: str, _: str, game: UUID, seq: int) -> Rows:
    tables, tree = session.server.tables, _tree(session, log)
    rows = [row for row in tables.games.get(game, []) if row.version == seq]
    if not rows or rows[0].position > tree.position:
        return []
    position = rows[0].position
    starts = [
        (first, name.number)
        for name, (_, first) in tree.tiles.items()
        if name.level == 0 and first is not None and first <= position
    ]
    if not starts:
        return []
    first, number = max(starts)
    before = [row for row in tables.after(first - 1, WIDTH) if row.position < position]
    return [(number * WIDTH + len(before),)]


def faulty_tile(session: Session, log: str, _: str, start: int, stop: int) -> Rows:
    tables, tree = session.server.tables, _tree(session, log)
    stored = {name.number: tile for name, tile in tree.tiles.items() if name.level == 0}
    end = max(-(-tree.size // WIDTH), max(stored, default=-1) + 1)
    for number in range(start, min(stop, end)):
        hashes, first = stored.get(number, (b"", None))
        following = stored.get(number + 1, (b"", None))[1] or tree.position + 1
        rows = tables.after((first or 1) - 1, WIDTH + 1)
        events = sum(row.position < following for row in rows)
        if not len(hashes) // HASH == min(WIDTH, tree.size - WIDTH * number) == events:
            return [(number,)]
    return []


def last(session: Session, game: UUID, position: int) -> Rows:
    rows = session.server.tables.games.get(game, [])
    versions = [row.version for row in rows if row.position <= position]
    return [(max(versions, default=0),)]


class TreeRefused(psycopg.DatabaseError):
    """What `extend_tree` raises."""

    sqlstate = "TR001"


def extend(
    session: Session,
    log: str,
    old_size: int,
    size: int,
    root: bytes,
    position: int,
    levels: Sequence[int],
    numbers: Sequence[int],
    tiles: Sequence[bytes],
    firsts: Sequence[int | None],
) -> Rows:
    tree = _tree(session, log)
    if tree.size != old_size or size <= old_size or position <= tree.position:
        raise TreeRefused(f"The tree has {tree.size} leaves: it cannot grow from {old_size}.")
    given = {
        TileName(level, number): (hashes, first)
        for level, number, hashes, first in zip(levels, numbers, tiles, firsts, strict=True)
    }
    for name, (hashes, _) in given.items():
        stored, _ = tree.tiles.get(name, (b"", None))
        if len(hashes) <= len(stored) or not hashes.startswith(stored):
            raise TreeRefused("A tile of the tree would be changed, or is missing.")
    last = max(name for name in {*tree.tiles, *given} if name.level == 0)
    hashes, _ = given.get(last) or tree.tiles[last]
    if last.number * WIDTH + len(hashes) // HASH != size:
        raise TreeRefused("A tile of the tree would be changed, or is missing.")
    session.change(Tables.extend, log, size, root, position, given)
    return [(None,)]


def sign(session: Session, log: str, size: int, note: str) -> Rows:
    if size in _tree(session, log).checkpoints:
        session.change(Tables.sign, log, size, note)
    return [(None,)]


def cosign(session: Session, log: str, size: int, key: str, line: str) -> Rows:
    session.change(Tables.cosign, log, size, key, line)
    return [(None,)]


_SIGNED = r"FROM checkpoints AS c WHERE c\.log = %s AND c\.note IS NOT NULL "
TREE: tuple[tuple[str, Callable[..., Any]], ...] = (
    (r"coalesce\(max\(originator_version\), 0\).*notification_id <= %s$", last),
    (r"^SELECT size, root, position, coalesce\(note", head),
    (_SIGNED + r"ORDER BY", signed),
    (_SIGNED + r"AND c\.size = %s", signed),
    (_SIGNED + r"AND c\.size = \(SELECT max", cosigned),
    (r"^WITH RECURSIVE logs AS", signed_logs),
    (r"^SELECT level, number, hashes FROM tree_tiles", tiles),
    (r"^SELECT first FROM tree_tiles", first),
    (r"^WITH newest AS .* tiles AS NOT MATERIALIZED", faulty_tile),
    (r"^SELECT tile\.number \* 256", index),
    (r"^SELECT extend_tree\(", extend),
    (r"^SELECT sign_checkpoint\(", sign),
    (r"^SELECT cosign_checkpoint\(", cosign),
)
"""What carries a statement out, by a pattern of its text."""
