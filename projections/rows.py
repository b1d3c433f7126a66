"""The mapping of views to rows of the projections' tables (`projections.sql`) and back."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeAlias
from uuid import UUID

import msgspec
from msgspec.structs import replace

from phaseledger.projections.archive import ArchivedGame
from phaseledger.projections.games import (
    Chapter,
    GameEntry,
    board,
    entry_of,
    is_late,
    is_listed,
    names,
    scoreboard,
    table,
)
from phaseledger.projections.rated_games import Entrant, RatedGame
from phaseledger.projections.ratings import Rating, rating_of
from phaseledger.projections.scoreboard import Player, Tally, ranked

Columns: TypeAlias = tuple[Any, ...]
Names: TypeAlias = tuple[str, ...]
LATE = -1
"""The listed round of a game that spectators see with a delay."""
_players = msgspec.json.Decoder(tuple[Player | None, ...]).decode
_numbers = msgspec.json.Decoder(tuple[int, ...]).decode


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def game_rows(
    chapters: Mapping[UUID, Chapter], archived: Mapping[UUID, ArchivedGame] = MappingProxyType({})
) -> list[Columns]:
    """Rows of ``games``."""
    rows = []
    for game, chapter in chapters.items():
        state, line = chapter.state, entry_of(chapter)
        ended = chapter.last if state.is_over else None
        if is_late(state):
            line = replace(line, round=LATE)
        rows.append(_game_row(game, line, chapter.position, ended, is_listed(state), names(state)))
    for game, summary in archived.items():
        ends = (summary.number, summary.ended)
        rows.append(_game_row(game, summary.entry, *ends, summary.listed, summary.names))
    return rows


def _game_row(
    game: UUID, line: GameEntry, number: int, ended: int | None, listed: bool, names: Names
) -> Columns:
    return (
        game,
        number,
        line.ruleset,
        line.stage,
        line.seats,
        _text(line.players),
        line.round,
        line.version,
        line.opened_at,
        line.updated_at,
        line.finished_at,
        _text(line.winners),
        ended,
        listed,
        _text(names),  # an array of arrays would have to be rectangular
        line.test,
    )


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
    scores = board(game.entry, game.rounds)
    return ViewRow(game.entry.version, leaf, _text(game.table), _text(scores))


def leaderboard_rows(tallies: Iterable[Tally]) -> list[Columns]:
    """The increments of ``leaderboard``, one row a player: a statement may touch a row once."""
    lines: dict[Player, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for tally in tallies:
        line = lines[ranked(tally.player)]
        for i, amount in enumerate((1, int(tally.won), tally.points, tally.phases)):
            line[i] += amount
    # PostgreSQL has no text with a zero character.
    return [
        (player.name.replace("\0", "\ufffd"), player.bot, *line) for player, line in lines.items()
    ]


def rated_rows(games: Iterable[RatedGame]) -> list[Columns]:
    """Rows of ``rated_seats``, each with the rating before the pool is folded."""
    return [
        (
            *(UUID(game.game), seat, game.digest, len(game.entrants), game.ruleset, game.at),
            *(entrant.name, entrant.bot, entrant.place, rating.mu, rating.sigma),
        )
        for game in games
        for seat, entrant in enumerate(game.entrants)
        for rating in (rating_of(entrant, {}),)
    ]


def history_rows(rated: Iterable[tuple[RatedGame, Mapping[str, Rating]]]) -> list[Columns]:
    """The players' ratings after each game, for ``rated_seats``."""
    return [
        (UUID(game.game), name, rating.mu, rating.sigma, rating.games)
        for game, after in rated
        for name, rating in after.items()
    ]


def rated_games(rows: Iterable[Columns]) -> Iterator[RatedGame]:
    """The games of rows of ``rated_seats``, which are sorted by game and seat."""
    for (game, at, ruleset, digest), seats in groupby(rows, key=lambda row: row[:4]):
        yield RatedGame(
            game=game,
            at=at,
            ruleset=ruleset,
            digest=digest,
            entrants=tuple(Entrant(*seat[4:]) for seat in seats),
        )


def entry(row: Columns) -> GameEntry:
    """A row of ``games``, without its number, as a line of the games list."""
    game, ruleset, stage, seats, seated, number, version, opened, updated, *rest = row
    finished, winners, test = rest
    if number == LATE:
        number, version, updated = 0, 1, opened
    return GameEntry(
        game=game,
        ruleset=ruleset,
        stage=stage,
        seats=seats,
        players=_players(seated),
        round=number,
        version=version,
        opened_at=opened,
        updated_at=updated,
        finished_at=finished,
        winners=_numbers(winners),
        test=test,
    )
