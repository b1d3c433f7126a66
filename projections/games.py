"""The fold behind all read models: a game so far, and the content of its views."""

from collections.abc import Iterable
from typing import Annotated
from unicodedata import normalize

from msgspec import Meta, Struct

from phaseledger.domain.events import (
    Event,
    GameEnded,
    RoundEnded,
    SeatHandedOver,
    SeatNamed,
    TurnTimedOut,
)
from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import Stage, State
from phaseledger.domain.view import TableView, view
from phaseledger.projections.rated_games import RatedGame, rated_game
from phaseledger.projections.scoreboard import (
    Player,
    RoundScore,
    Scoreboard,
    Tally,
    players,
    round_score,
    tallies,
)


class GameEntry(Struct, frozen=True, gc=False, omit_defaults=True):
    """A line of the games list. Times are milliseconds since 1970, by the events.

    While a game with delayed spectators is played, `version`, `round` and `updated_at` have their
    values at its opening.
    """

    game: str
    ruleset: str
    stage: Stage
    seats: int
    players: tuple[Player | None, ...]
    round: int
    version: int
    opened_at: int
    updated_at: int
    finished_at: Annotated[
        int | None, Meta(description="When the game ended or was voided; null before.")
    ]
    winners: tuple[int, ...]
    test: Annotated[
        bool, Meta(description="Whether the table is for tests, so counts for nothing.")
    ] = False


class PublicTable(Struct, frozen=True, gc=False):
    """A game's public table. ``version`` is the number of events that led to it."""

    version: int
    table: TableView


class Chapter(Struct, frozen=True, gc=False):
    """A game from its first event to some later one, for its views."""

    state: State
    version: int
    position: int
    """The log position of the first event."""
    last: int
    """The log position of the latest event."""
    began_at: int
    """The time of the first event, in milliseconds since 1970."""
    at: int
    """The time of the latest event."""
    rounds: tuple[RoundScore, ...] = ()
    """The rounds that have ended."""
    tallies: tuple[Tally, ...] = ()
    """The gains of the leaderboard, once the game has ended."""
    is_unrated: bool = False
    """Whether a bot has played for a seat that was overdue or had left, or a guest has become a
    player after the lobby, when it showed how the game goes."""
    rated: RatedGame | None = None
    """The result for the ratings, once the game has ended, where it counts."""


def continued(chapter: Chapter | None, position: int, at: int, event: Event) -> Chapter:
    """The chapter with its next event; None for a game that the event opens."""
    if chapter is None:
        return Chapter(evolve(None, event), 1, position, position, at, at)
    state = evolve(chapter.state, event)
    rounds, gains, rated = chapter.rounds, chapter.tallies, chapter.rated
    is_late = isinstance(event, SeatNamed) and state.stage != "lobby"
    is_unrated = chapter.is_unrated or is_late or isinstance(event, SeatHandedOver | TurnTimedOut)
    if isinstance(event, RoundEnded):
        rounds += (round_score(chapter.state, event),)
    elif isinstance(event, GameEnded) and is_listed(state):
        gains += tallies(state)
        rated = None if is_unrated else rated_game(state, at)
    return Chapter(
        state=state,
        version=chapter.version + 1,
        position=chapter.position,
        last=position,
        began_at=chapter.began_at,
        at=at,
        rounds=rounds,
        tallies=gains,
        is_unrated=is_unrated,
        rated=rated,
    )


def whole(first: int, last: int, events: Iterable[tuple[int, Event]]) -> Chapter:
    """The chapter with all of a game's events, each with its time in milliseconds since 1970.

    ``first`` and ``last`` are the log positions of the first and the last one.
    """
    chapter: Chapter | None = None
    for at, event in events:
        chapter = continued(chapter, last if chapter else first, at, event)
    if chapter is None:
        raise ValueError("a game has at least the event that opens it")
    return chapter


def table(state: State, version: int) -> PublicTable:
    """The table after ``version`` events, as a spectator sees it: no hand, no stock (law 7)."""
    return PublicTable(version, view(state, None))


def entry_of(chapter: Chapter) -> GameEntry:
    """The game's line of the games list, its progress not hidden."""
    state = chapter.state
    return GameEntry(
        game=state.game,
        ruleset=state.ruleset.id,
        stage=state.stage,
        seats=len(state.seats),
        players=players(state),
        round=state.round,
        version=chapter.version,
        opened_at=chapter.began_at,
        updated_at=chapter.at,
        finished_at=chapter.at if state.is_over else None,
        winners=state.winners,
        test=state.terms.test,
    )


def scoreboard(chapter: Chapter) -> Scoreboard:
    """The scoreboard of the game."""
    return board(entry_of(chapter), chapter.rounds)


def board(entry: GameEntry, rounds: tuple[RoundScore, ...]) -> Scoreboard:
    """The scoreboard of the game with that line and these rounds."""
    return Scoreboard(
        game=entry.game,
        version=entry.version,
        ruleset=entry.ruleset,
        stage=entry.stage,
        players=entry.players,
        rounds=rounds,
        winners=entry.winners,
    )


def is_listed(state: State) -> bool:
    """Whether the game is in the public list: at no private table nor one for tests, and at one
    without spectators only before the first deal.
    """
    terms = state.terms
    return not (terms.private or terms.test) and (
        terms.spectators != "none" or state.stage in ("lobby", "sealed")
    )


def is_late(state: State) -> bool:
    """Whether spectators see the game with a delay, so that the list must hide its progress."""
    return state.terms.spectators in ("delayed", "round") and state.stage == "playing"


def names(state: State) -> tuple[str, ...]:
    """The names in the seats, case-folded for comparison, sorted and none twice."""
    return tuple(sorted({folded_name(seat.name) for seat in state.seats if seat}))


def folded_name(name: str) -> str:
    """The name in one form of Unicode and without case, to compare names.

    PostgreSQL has no text with a zero character.
    """
    return normalize("NFKC", normalize("NFKC", name).casefold()).replace("\0", "\ufffd")
