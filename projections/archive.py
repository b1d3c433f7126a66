"""Summaries of archived games: the views of a game whose events are in a file.

A tombstone in the log has one, so that a rebuild of the views includes the game.
"""

import msgspec
from msgspec import Struct

from phaseledger.domain.view import TableView
from phaseledger.projections.games import Chapter, GameEntry, entry_of, is_listed, names, table
from phaseledger.projections.rated_games import RatedGame
from phaseledger.projections.scoreboard import RoundScore, Tally


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
    rated: RatedGame | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(ArchivedGame).decode


def summary(chapter: Chapter) -> ArchivedGame:
    """The summary of a game that is over, from the chapter with all of its events."""
    state = chapter.state
    return ArchivedGame(
        entry=entry_of(chapter),
        number=chapter.position,
        ended=chapter.last,
        listed=is_listed(state),
        names=names(state),
        table=table(state, chapter.version).table,
        rounds=chapter.rounds,
        tallies=chapter.tallies,
        rated=chapter.rated,
    )


def text_of(game: ArchivedGame) -> str:
    """The summary as it is stored."""
    return _encode(game).decode()


def summary_of(text: str) -> ArchivedGame:
    """The summary that was stored as the text."""
    return _decode(text)
