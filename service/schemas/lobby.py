"""Bodies of the routes around the play: sitting down by code, filling up, claims, playing again."""

from typing import Annotated

from msgspec import Meta, Struct

from phaseledger.domain.commands import Hex32, SeatNumber
from phaseledger.domain.view import TableView
from phaseledger.projections.scoreboard import Player
from phaseledger.service.schemas.games import CommandReceipt, HeadToSign, JoinCode, JoinTable
from phaseledger.service.schemas.terms import Body, Level

LONGEST_TURN_ON = 366 * 24 * 3_600
"""Seconds."""


class JoinByCode(JoinTable, frozen=True, kw_only=True):
    """A player who sits down at the table with this code."""

    code: JoinCode


class FillTable(Body, frozen=True):
    """The level of the bots that take the free seats."""

    level: Level = "greedy"


class PlayAgain(Body, frozen=True):
    """A seat's contribution to the rematch, as to any table. The id of the rematch, for `commit`,
    is UUID version 8 over the SHA-256 of the lines "p10-rematch/v1" and the game's id, the last one
    not ended; your number there is one above the old one, or 0 after the last.
    """

    commit: Hex32 | None = None
    key: Annotated[
        Hex32 | None,
        Meta(
            description="An Ed25519 public key, as hex; left out: the one that the seat had in "
            "the game before."
        ),
    ] = None


class Claim(Body, frozen=True):
    """The overdue seat; default: the seat that is overdue longest."""

    seat: SeatNumber | None = None


class TurnClock(Body, frozen=True):
    """How far to turn the clock of a table for tests on."""

    seconds: Annotated[
        int,
        Meta(ge=1, le=LONGEST_TURN_ON, description="From now: repeated turns do not add up."),
    ]


class Again(Struct, frozen=True):
    """The rematch, and the caller's token there: the host's, or its seat's."""

    game: str
    seat: Annotated[int | None, Meta(description="The caller's seat; null for the host.")]
    token: str
    version: int
    table: TableView
    head: HeadToSign
    receipt: CommandReceipt
    code: Annotated[str | None, Meta(description="A private table's code, for the host.")] = None


class Following(Struct, frozen=True):
    """The rematch of a game, as who played there may know it before they take their seats."""

    game: Annotated[str | None, Meta(description="Null until somebody asks to play again.")]
    players: Annotated[
        tuple[Player | None, ...],
        Meta(description="Who sits there already, in seat order; null for a free seat."),
    ]
