"""The fold behind all read models: a game so far, and the content of its views."""

from collections.abc import Iterable
from typing import Annotated
from unicodedata import normalize

from msgspec import Meta, Struct

from phaseledger.domain.events import Event, GameEnded, RoundEnded
from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import Stage, State
from phaseledger.projections.scoreboard import (
    Player,
    RoundScore,
    Scoreboard,
    Tally,
    players,
    round_score,
    tallies,
)


class GameEntry(Struct, frozen=True, gc=False):
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


def begin(position: int, at: int, event: Event) -> Chapter:
    """The chapter of the event that opens its game."""
    return Chapter(evolve(None, event), 1, position, position, at, at)


def advance(chapter: Chapter, position: int, at: int, event: Event) -> Chapter:
    """The chapter with its next event."""
    state = evolve(chapter.state, event)
    rounds, new_tallies = _scored(chapter.state, event, state)
    return Chapter(
        state=state,
        version=chapter.version + 1,
        position=chapter.position,
        last=position,
        began_at=chapter.began_at,
        at=at,
        rounds=chapter.rounds + rounds,
        tallies=chapter.tallies + new_tallies,
    )


def continued(chapter: Chapter | None, position: int, at: int, event: Event) -> Chapter:
    """The chapter with its next event; None for a game that the event opens."""
    return advance(chapter, position, at, event) if chapter else begin(position, at, event)


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


def scoreboard(chapter: Chapter) -> Scoreboard:
    """The scoreboard of the game."""
    state = chapter.state
    return Scoreboard(
        game=state.game,
        version=chapter.version,
        ruleset=state.ruleset.id,
        stage=state.stage,
        players=players(state),
        rounds=chapter.rounds,
        winners=state.winners,
    )


def is_over(state: State) -> bool:
    """Whether the game has ended or was voided, so that nothing of it is hidden any more."""
    return state.is_over


def is_listed(state: State) -> bool:
    """Whether the game is in the public list: at no private table, and at one without spectators
    only before the first deal.
    """
    terms = state.terms
    return not terms.private and (terms.spectators != "none" or state.stage in ("lobby", "sealed"))


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


def _scored(
    before: State, event: Event, after: State
) -> tuple[tuple[RoundScore, ...], tuple[Tally, ...]]:
    if isinstance(event, RoundEnded):
        return (round_score(before, event),), ()
    if isinstance(event, GameEnded):
        return (), tallies(after) if is_listed(after) else ()
    return (), ()
