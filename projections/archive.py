"""Summaries of archived games: the views of a game whose events are in a file.

A tombstone in the log has one, so that a rebuild of the views includes the game.
"""

from typing import LiteralString

import msgspec
from msgspec import Struct

from phaseledger.domain.view import TableView
from phaseledger.projections.games import Chapter, GameEntry, is_listed, names
from phaseledger.projections.scoreboard import RoundScore, Scoreboard, Tally, players
from phaseledger.projections.table import table

MISSING: LiteralString = """
    SELECT archived.game, archived.summary::text, archived.head
    FROM {schema}.archived_games AS archived LEFT JOIN {games} AS games USING (game)
    WHERE games.finished_at IS NULL OR archived.game = %s ORDER BY archived.game LIMIT 500
"""
"""Games that are missing or incomplete in the views, and one that is asked for: their summaries,
and the leaves of their last events. Beside `STATEMENTS`.
"""


class ArchivedGame(Struct, frozen=True, gc=False):
    """A finished game as the views have it; stored as JSON for as long as its tombstone."""

    entry: GameEntry
    number: int
    """The log position of its first event."""
    ended: int
    """The log position of its last event."""
    listed: bool
    names: tuple[str, ...]
    table: TableView
    rounds: tuple[RoundScore, ...]
    tallies: tuple[Tally, ...]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(ArchivedGame).decode


def summary(chapter: Chapter) -> ArchivedGame:
    """The summary of a game that is over, from the chapter with all of its events."""
    state = chapter.state
    return ArchivedGame(
        entry=GameEntry(
            game=state.game,
            ruleset=state.ruleset.id,
            stage=state.stage,
            seats=len(state.seats),
            players=players(state),
            round=state.round,
            version=chapter.version,
            opened_at=chapter.began_at,
            updated_at=chapter.at,
            finished_at=chapter.at,
            winners=state.winners,
        ),
        number=chapter.position,
        ended=chapter.last,
        listed=is_listed(state),
        names=names(state),
        table=table(state, chapter.version).table,
        rounds=chapter.rounds,
        tallies=chapter.tallies,
    )


def text_of(game: ArchivedGame) -> str:
    """The summary as it is stored."""
    return _encode(game).decode()


def summary_of(text: str) -> ArchivedGame:
    """The summary that was stored so."""
    return _decode(text)


def archived_scoreboard(game: ArchivedGame) -> Scoreboard:
    """The scoreboard of the game."""
    entry = game.entry
    return Scoreboard(
        game=entry.game,
        version=entry.version,
        ruleset=entry.ruleset,
        stage=entry.stage,
        players=entry.players,
        rounds=game.rounds,
        winners=entry.winners,
    )
