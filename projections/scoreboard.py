"""Scores: the points of each round for each seat, and the leaderboard gains of an ended game."""

from typing import Annotated
from unicodedata import normalize

from msgspec import Meta, Struct

from phaseledger.domain.events import RoundEnded
from phaseledger.domain.state import Stage, State


class Player(Struct, frozen=True, gc=False):
    """The player of a seat; ``bot`` is the level of a bot, empty for a person."""

    name: str
    bot: str


def ranked(player: Player) -> Player:
    """The player of the leaderboard: of bots each level is one, whatever names its seats have."""
    return Player(player.bot.capitalize(), player.bot) if player.bot else player


class SeatScore(Struct, frozen=True, gc=False):
    """One seat's part of a round that is over."""

    phase: Annotated[
        int, Meta(description="The phase attempted; 0 for a seat that was not dealt in.")
    ]
    laid: Annotated[int, Meta(description="The phase laid; 0 for none.")]
    points: Annotated[
        int, Meta(description="0 in every round of a game that counts no points (B-73).")
    ]
    total: int
    next: Annotated[
        int,
        Meta(
            description="The phase to attempt next, where a marker stands; past the last when "
            "there is none."
        ),
    ]


class RoundScore(Struct, frozen=True, gc=False):
    """A round that is over, its scores in seat order."""

    round: int
    replay: Annotated[
        bool,
        Meta(
            description="Whether the round decided a tie (C-71): it gives no points and completes "
            "no phase."
        ),
    ]
    out: Annotated[
        int | None, Meta(description="Who went out; null where a limit ended the round.")
    ]
    seats: tuple[SeatScore, ...]


class Scoreboard(Struct, frozen=True, gc=False):
    """A game's rounds up to ``version``; ``players`` in seat order, null for a free seat."""

    game: str
    version: int
    ruleset: str
    stage: Stage
    players: tuple[Player | None, ...]
    rounds: tuple[RoundScore, ...]
    winners: tuple[int, ...]


class Tally(Struct, frozen=True, gc=False):
    """The increment of a player's line of the leaderboard, from one seat of a game that ended."""

    player: Player
    won: bool
    points: int
    phases: int
    """The number of phases that the seat made."""


def round_score(state: State, event: RoundEnded) -> RoundScore:
    """The round's scores, from the state in which it ended.

    The state before the event still holds the attempted phases; after it, the next ones.
    """
    return RoundScore(
        round=event.round,
        replay=state.replay,
        out=event.out,
        seats=tuple(
            SeatScore(
                phase=state.seat(number).phase if number in state.players else 0,
                laid=result.laid,
                points=result.points,
                total=result.total,
                next=result.phase,
            )
            for number, result in enumerate(event.results)
        ),
    )


def players(state: State) -> tuple[Player | None, ...]:
    """The player in each seat, None for a free seat."""
    return tuple(Player(seat.name, seat.bot) if seat else None for seat in state.seats)


def tallies(state: State) -> tuple[Tally, ...]:
    """The tally of each seat of the ended game. A shared win counts as a win for each of its seats,
    and a player in two seats (two bots of one level) counts twice.
    """
    return tuple(
        Tally(
            player=Player(normalize("NFC", seat.name), seat.bot),
            won=number in state.winners,
            points=seat.points,
            phases=seat.made.bit_count(),
        )
        for number, seat in enumerate(state.seats)
        if seat
    )
