"""The tables of the simulated database: the result of the committed changes, in their order."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from phaseledger.domain.evidence.tiles import TileName
from phaseledger.replay.formats.signing.receipts import SignedTree


class LogRow(NamedTuple):
    """An event in the log."""

    position: int
    game: UUID
    version: int
    topic: str
    state: bytes
    leaf: bytes | None


class Restoration(NamedTuple):
    """That the ledger has gone on from a restore, in seconds since 1970: its old log has ended."""

    position: int
    log: str
    published: int
    at: float


class Log:
    """The tree of one public log."""

    def __init__(self) -> None:
        self.checkpoints: dict[int, tuple[bytes, int, str | None]] = {}
        """By size: root, position, note."""
        self.tiles: dict[TileName, tuple[bytes, int | None]] = {}
        self.cosignatures: dict[tuple[int, str], str] = {}

    @property
    def size(self) -> int:
        """Its leaves; 0 for none."""
        return max(self.checkpoints, default=0)

    @property
    def position(self) -> int:
        """That of its last leaf."""
        return self.checkpoints[self.size][1] if self.checkpoints else 0


class Tables:
    """What is in the database: the result of the committed changes, in their order."""

    def __init__(self) -> None:
        self.log: list[LogRow] = []
        self.games: dict[UUID, list[LogRow]] = {}
        self.leaves: dict[UUID, dict[int, bytes | None]] = {}
        """By game and version."""
        self.views: dict[str, dict[Any, tuple[Any, ...]]] = defaultdict(dict)
        """By table, its rows by their key."""
        self.views_position = 0
        self.logs: dict[str, Log] = defaultdict(Log)
        self.credentials: dict[bytes, tuple[UUID, int | None, int]] = {}
        """By the token's hash: its game, seat, and the version that began the sitting."""
        self.restorations: list[Restoration] = []
        self.due_games: dict[UUID, tuple[bytes, int | None]] = {}
        """By game: the leaf after which it is due, and when."""
        self.archived: dict[UUID, tuple[Any, ...]] = {}
        """The tombstones of games whose events are in the log no more."""
        self.damaged: set[UUID] = set()
        """Games whose stored events were changed."""
        self.hurt: set[UUID] = set()
        """Those, and games of which a lost commit had done so: a node may have seen it."""
        self.receipt_trees: dict[int, SignedTree] = {}
        """The signatures over receipts, by the position of each event of their commit."""

    @property
    def position(self) -> int:
        """The log's last position."""
        return self.log[-1].position if self.log else 0

    def after(self, position: int, limit: int) -> list[LogRow]:
        """The log above a position."""
        low, high = 0, len(self.log)
        while low < high:
            middle = (low + high) // 2
            low, high = (
                (middle + 1, high) if self.log[middle].position <= position else (low, middle)
            )
        return self.log[low : low + limit]

    # --- changes ------------------------------------------------------------------------------

    def append(self, rows: Sequence[LogRow], tree: SignedTree | None = None) -> None:
        for row in rows:
            self.games.setdefault(row.game, []).append(row)
            self.leaves.setdefault(row.game, {})[row.version] = row.leaf
        self.log += rows
        if tree:
            self.receipt_trees |= {row.position: tree for row in rows}

    def append_out_of_order(self, rows: Sequence[LogRow], tree: SignedTree | None = None) -> None:
        """Of a server without the lock: others may have drawn later positions and be here."""
        self.append(rows, tree)
        self.log.sort(key=lambda row: row.position)

    def archive(self, game: UUID, at: float) -> None:
        """Of an operator: the game's events are in a file now; their positions and leaves stay."""
        rows, _ = self.games.pop(game), self.leaves.pop(game)
        digest = bytes(32)
        self.archived[game] = (len(rows), rows[-1].leaf, f"{game}.bundle.ndjson", digest, False, at)

    def damage(self, game: UUID) -> None:
        """Of a disk: a byte of the game's first event is another one."""
        rows = self.games[game]
        rows[0] = rows[0]._replace(state=rows[0].state.replace(b'"at":1', b'"at":2', 1))
        place = next(n for n, row in enumerate(self.log) if row.position == rows[0].position)
        self.log[place] = rows[0]
        self.damaged.add(game)
        self.hurt.add(game)

    def note_due(self, over: Sequence[UUID], noted: Mapping[UUID, tuple[bytes, Any]]) -> None:
        self.due_games = {g: due for g, due in self.due_games.items() if g not in over}
        self.due_games.update(noted)

    def track(self, position: int) -> None:
        self.views_position = position

    def put_views(self, table: str, rows: Mapping[Any, tuple[Any, ...]]) -> None:
        self.views[table].update(rows)

    def forget_views(self, table: str, games: Collection[UUID]) -> None:
        rows = self.views[table]
        self.views[table] = {key: row for key, row in rows.items() if key[0] not in games}

    def add_standings(self, rows: Sequence[tuple[Any, ...]]) -> None:
        lines = self.views["leaderboard"]
        for player, bot, *amounts in rows:
            before = lines.get((player, bot), (0,) * len(amounts))
            lines[player, bot] = tuple(map(sum, zip(before, amounts, strict=True)))

    def issue(self, token: bytes, credential: tuple[UUID, int | None, int]) -> None:
        self.credentials.setdefault(token, credential)

    def restore(self, restoration: Restoration) -> None:
        self.restorations.append(restoration)

    def extend(
        self,
        log: str,
        size: int,
        root: bytes,
        position: int,
        tiles: Mapping[TileName, tuple[bytes, int | None]],
    ) -> None:
        tree = self.logs[log]
        for name, (hashes, first) in tiles.items():
            stored = tree.tiles.get(name)
            tree.tiles[name] = (hashes, stored[1] if stored else first)
        tree.checkpoints[size] = (root, position, None)

    def cosign(self, log: str, size: int, key: str, line: str) -> None:
        self.logs[log].cosignatures[size, key] = line

    def sign(self, log: str, size: int, note: str) -> None:
        root, position, _ = self.logs[log].checkpoints[size]
        self.logs[log].checkpoints[size] = (root, position, note)
