"""The mapping of views to rows of the projections' tables (`projections.sql`) and back."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias
from uuid import UUID

import msgspec

from phaseledger.projections.archive import ArchivedGame
from phaseledger.projections.games import Chapter, GameEntry, is_late, is_listed, is_over, names
from phaseledger.projections.scoreboard import (
    Player,
    RoundScore,
    Scoreboard,
    SeatScore,
    Tally,
    players,
)
from phaseledger.projections.table import table

Columns: TypeAlias = tuple[Any, ...]
LATE = -1
"""The listed round of a game that spectators see with a delay."""
_players = msgspec.json.Decoder(tuple[Player | None, ...]).decode
_numbers = msgspec.json.Decoder(tuple[int, ...]).decode
_scores = msgspec.json.Decoder(tuple[SeatScore, ...]).decode


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


def table_rows(chapters: Mapping[UUID, Chapter]) -> list[Columns]:
    """Rows of ``table_views``."""
    return [
        (game, chapter.version, _text(table(chapter.state, chapter.version).table))
        for game, chapter in chapters.items()
    ]


def round_rows(games: Mapping[UUID, Chapter | ArchivedGame]) -> list[Columns]:
    """Rows of ``scoreboard_rounds``."""
    return [
        (game, score.round, score.replay, score.out, _text(score.seats))
        for game, scored in games.items()
        for score in scored.rounds
    ]


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


def archived_table_rows(archived: Mapping[UUID, ArchivedGame]) -> list[Columns]:
    """Rows of ``table_views`` for archived games."""
    return [
        (game, summary.entry.version, _text(summary.table)) for game, summary in archived.items()
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


def scores(game: UUID, rows: Sequence[Columns]) -> Scoreboard:
    """The scoreboard from a game's row joined with its rounds' rows (one without, if none)."""
    version, ruleset, stage, players_json, winners, *_ = rows[0]
    return Scoreboard(
        game=str(game),
        version=version,
        ruleset=ruleset,
        stage=stage,
        players=_players(players_json),
        rounds=tuple(
            RoundScore(number, replay, out, _scores(seats))
            for *_, number, replay, out, seats in rows
            if number is not None
        ),
        winners=_numbers(winners),
    )
