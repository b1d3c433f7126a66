"""The mapping of views to rows of the projections' tables (`projections.sql`) and back."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol, TypeAlias
from uuid import UUID

import msgspec

from phaseledger.projections.archive import ArchivedGame, archived_scoreboard
from phaseledger.projections.games import (
    Chapter,
    GameEntry,
    is_late,
    is_listed,
    is_over,
    names,
    scoreboard,
)
from phaseledger.projections.scoreboard import Player, Tally, players
from phaseledger.projections.table import table

Columns: TypeAlias = tuple[Any, ...]
LATE = -1
"""The listed round of a game that spectators see with a delay."""
_players = msgspec.json.Decoder(tuple[Player | None, ...]).decode
_numbers = msgspec.json.Decoder(tuple[int, ...]).decode


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def game_rows(chapters: Mapping[UUID, Chapter]) -> list[Columns]:
    """Rows of ``games``."""
    rows = []
    for game, chapter in chapters.items():
        state = chapter.state
        rows.append(
            (
                game,
                chapter.position,
                state.ruleset.id,
                state.stage,
                len(state.seats),
                _text(players(state)),
                LATE if is_late(state) else state.round,
                chapter.version,
                chapter.began_at,
                chapter.at,
                chapter.at if is_over(state) else None,
                _text(state.winners),
                chapter.last if is_over(state) else None,
                is_listed(state),
                # An array of arrays would have to be rectangular.
                _text(names(state)),
            )
        )
    return rows


class MacKeys(Protocol):
    """Keys that the database has not, and the codes (MAC) under them that bind a value."""

    current: str
    """The id of the key under which codes are made; empty where there is none."""

    def mac(self, value: bytes) -> str:
        """The code of the value; empty where there is no key."""
        ...

    def is_mac(self, mac: str, value: bytes) -> bool:
        """Whether `mac` has given this code of the value."""
        ...


class ViewRow(NamedTuple):
    """A row of ``table_views`` without its game: the views after the event with that leaf."""

    version: int
    leaf: bytes
    table: str
    scoreboard: str

    def bound(self, game: UUID) -> bytes:
        """What the row's MAC binds."""
        version, leaf, *views = self
        lines = ("phaseledger views", str(game), str(version), leaf.hex(), *views)
        return "\n".join(lines).encode()

    def fault(self, game: UUID, mac: str, keys: MacKeys, version: int, leaf: bytes | None) -> str:
        """Why the row does not fit the log, whose last event of the game has that version and leaf
        (None: it was not stored); empty where it does.
        """
        if self.version == 0:
            return "there are none"
        if not keys.is_mac(mac, self.bound(game)):
            return "their MAC does not fit" if mac else "they have no MAC"
        if self.version != version or leaf not in (None, self.leaf):
            return f"they follow event {self.version}, and the log has {version}"
        return ""


def view_rows(
    chapters: Mapping[UUID, Chapter],
    archived: Mapping[UUID, ArchivedGame],
    leaves: Mapping[UUID, bytes],
    keys: MacKeys | None,
) -> list[Columns]:
    """Rows of ``table_views``, each after the event with its game's leaf."""
    views = {
        game: ViewRow(
            chapter.version,
            leaves[game],
            _text(table(chapter.state, chapter.version).table),
            _text(scoreboard(chapter)),
        )
        for game, chapter in chapters.items()
    }
    views |= {game: archived_views(summary, leaves[game]) for game, summary in archived.items()}
    return [(game, *row, keys.mac(row.bound(game)) if keys else "") for game, row in views.items()]


def archived_views(game: ArchivedGame, leaf: bytes) -> ViewRow:
    """The views of an archived game, whose last event has that leaf."""
    board = archived_scoreboard(game)
    return ViewRow(game.entry.version, leaf, _text(game.table), _text(board))


def archived_game_rows(archived: Mapping[UUID, ArchivedGame]) -> list[Columns]:
    """Rows of ``games`` for archived games."""
    return [
        (
            game,
            summary.number,
            summary.entry.ruleset,
            summary.entry.stage,
            summary.entry.seats,
            _text(summary.entry.players),
            summary.entry.round,
            summary.entry.version,
            summary.entry.opened_at,
            summary.entry.updated_at,
            summary.entry.finished_at,
            _text(summary.entry.winners),
            summary.ended,
            summary.listed,
            _text(summary.names),
        )
        for game, summary in archived.items()
    ]


def leaderboard_rows(tallies: Iterable[Tally]) -> list[Columns]:
    """The increments of ``leaderboard``, one row a player: a statement may touch a row once."""
    lines: dict[Player, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for tally in tallies:
        line = lines[tally.player]
        for i, amount in enumerate((1, int(tally.won), tally.points, tally.phases)):
            line[i] += amount
    # PostgreSQL has no text with a zero character.
    return [
        (player.name.replace("\0", "\ufffd"), player.bot, *line) for player, line in lines.items()
    ]


def entry(row: Columns) -> GameEntry:
    """A row of ``games``, without its number, as a line of the games list."""
    (
        game,
        ruleset,
        stage,
        seats,
        players_json,
        number,
        version,
        opened,
        updated,
        finished,
        winners,
    ) = row
    if number == LATE:
        number, version, updated = 0, 1, opened
    return GameEntry(
        game=game,
        ruleset=ruleset,
        stage=stage,
        seats=seats,
        players=_players(players_json),
        round=number,
        version=version,
        opened_at=opened,
        updated_at=updated,
        finished_at=finished,
        winners=_numbers(winners),
    )
