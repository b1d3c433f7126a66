"""The commands of a game, and the codes of their refusals.

A command is an imperative with its arguments; `Act` adds who speaks. Cards are text (cards.py).
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from phaseledger.domain.options import OptionValue
from phaseledger.domain.rejections.codes import RejectCode as RejectCode
from phaseledger.domain.rejections.codes import Rejected as Rejected
from phaseledger.domain.ruleset import Action
from phaseledger.domain.script import Script
from phaseledger.domain.terms import Terms

Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes as lower-case hex."""
CardText = Annotated[str, Meta(max_length=400)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]


class GroupToLay(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One group to lay. Cards of a run stand in run order, which gives each wild its place.

    ``value`` names what no natural shows: a set's rank or a run's first rank (1..12), a colour
    group's colour (1..4 in the order of the notation). It is needed only without naturals.
    """

    cards: CardText
    value: Annotated[int, Meta(ge=1, le=12)] | None = None


class _Command(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, tag_field="type"
):
    """Arguments equal to their default are omitted, in answers and in the log."""


class OpenGame(_Command, frozen=True, tag="open_game"):
    """Open a table. ``secret`` is the server's 32 bytes (hex); the log keeps it sealed."""

    game: str
    ruleset: str
    seats: Annotated[int, Meta(ge=1, le=16)]
    options: dict[str, OptionValue] = {}
    dealer: Annotated[
        SeatNumber,
        Meta(description="Who deals the first round; where nobody deals, who starts it (B-13)."),
    ] = 0
    secret: str = ""
    table: Annotated[
        Terms | None,
        Meta(description="The table's terms; None for those of a public table without a clock."),
    ] = None
    revision: Annotated[
        int,
        Meta(
            ge=0,
            le=1,
            description="Which reading of the house rules holds; 0 in games opened before there "
            "were two, and where both readings are the same.",
        ),
    ] = 0
    script: Annotated[
        Script, Meta(description="The scripted deals of a table for tests, kept as the secret is.")
    ] = ()


class TakeSeat(_Command, frozen=True, tag="take_seat"):
    """Sit down. With ``commit`` the seat brings its own secret; else the server made ``secret``."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    bot: str = ""
    commit: str = ""
    secret: str = ""
    key: Annotated[
        str,
        Meta(
            description="Ed25519 public key (64 hex digits) that signs every command of the seat "
            "from then on."
        ),
    ] = ""


class Start(_Command, frozen=True, tag="start"):
    """Seal the table: no more players join, the secrets are due, the first round is dealt."""

    reveal_seconds: Annotated[
        int,
        Meta(
            ge=0,
            le=86_400,
            description="How long seats have to reveal the secrets that they brought; 0: that is "
            "not said.",
        ),
    ] = 0


class KickSeat(_Command, frozen=True, tag="kick_seat"):
    """Free a seat before the start: its player, or the one it is reserved for, loses it."""

    free: SeatNumber


class LeaveSeat(_Command, frozen=True, tag="leave_seat"):
    """Get up: before the start the seat is free again, after it a bot has it for good."""


class NameSeat(_Command, frozen=True, tag="name_seat"):
    """Record that the guest in a seat is an application's player, who has shown that it is so.

    The host says it, so that the seat's clock does not begin anew.
    """

    named: SeatNumber
    name: Annotated[str, Meta(min_length=1, max_length=40, description="The player's pseudonym.")]


class TimeOut(_Command, frozen=True, tag="time_out"):
    """Do to an overdue seat what the table's clock says.

    The caller, who has a clock, decides whether the seat is overdue.
    """

    overdue: SeatNumber


class RevealSecret(_Command, frozen=True, tag="reveal_secret"):
    """Reveal the secret (32 bytes, hex) that the seat committed to on sitting down."""

    secret: Hex32


class VoidGame(_Command, frozen=True, tag="void_game"):
    """Break the game off without a winner; the server's secret is revealed all the same."""

    reason: Annotated[str, Meta(min_length=1, max_length=200)]


class VoidRestored(_Command, frozen=True, tag="void_restored"):
    """Break the game off because its ledger goes on from a backup, without its later events.

    Players who went on after the backup have seen cards that the same seed would deal again.
    """

    epoch: Annotated[
        int,
        Meta(ge=1, lt=2**53, description="How often the ledger has gone on from a backup by now."),
    ]
    log: Annotated[
        str,
        Meta(min_length=1, max_length=300, description="The public log that ends with this."),
    ]
    published: Annotated[
        int,
        Meta(
            ge=0,
            lt=2**53,
            description="The events under the last checkpoint of that log; 0: none was published, "
            "or it is not known what was.",
        ),
    ] = 0


class CloseReveal(_Command, frozen=True, tag="close_reveal"):
    """Break the game off because secrets did not come in time; it names the seats that owe."""


class Draw(_Command, frozen=True, tag="draw"):
    """Draw the top card of the stock or of the discard pile."""

    source: Literal["stock", "discard"] = "stock"


class Lay(_Command, frozen=True, tag="lay"):
    """Lay the phase, whole, one group per group of the phase and in its order."""

    groups: Annotated[tuple[GroupToLay, ...], Meta(min_length=1, max_length=8)]
    phase: Annotated[
        Annotated[int, Meta(ge=1, le=99)] | None,
        Meta(description="The phase's number, needed only where several are open."),
    ] = None


class Hit(_Command, frozen=True, tag="hit"):
    """Add cards to a laid group; ``group`` counts from 0 over the table, in the order laid."""

    group: Annotated[int, Meta(ge=0, le=99)]
    cards: CardText
    end: Annotated[
        Literal["", "low", "high"],
        Meta(description="Which end of a run; may be left out where only one is possible."),
    ] = ""


class Discard(_Command, frozen=True, tag="discard"):
    """End the turn with a card; a skip names its ``target`` seat. Two cards only under B-63."""

    cards: CardText
    target: SeatNumber | None = None


class Pass(_Command, frozen=True, tag="pass"):
    """End the turn without a discard: lawful only when the rules leave no card to discard."""


class Move(_Command, frozen=True, tag="move"):
    """Move the pawn by one of the two dice, or after a double by twice its value too."""

    steps: Annotated[int, Meta(ge=1, le=12)]


class Choose(_Command, frozen=True, tag="choose"):
    """Pick another action: the pawn goes to its first free space. ``TAKE`` only under O-27."""

    action: Action | Literal["TAKE"]


class Search(_Command, frozen=True, tag="search"):
    """Take one card out of the discard pile; the topmost of its kind."""

    card: CardText


class Swap(_Command, frozen=True, tag="swap"):
    """Discard one to four cards, the last on top, and draw one card more from the stock."""

    cards: CardText


class Ask(_Command, frozen=True, tag="ask"):
    """Ask the others for a card of a value, one by one in a direction, until one has it."""

    value: Annotated[int, Meta(ge=1, le=12)]
    direction: Literal["left", "right"] = "left"


class Give(_Command, frozen=True, tag="give"):
    """Hand over a card of the value asked for."""

    card: CardText


class Keep(_Command, frozen=True, tag="keep"):
    """Keep these cards, or none, for the next round; the others are given up."""

    cards: CardText = ""


Play = (
    RevealSecret
    | Draw
    | Lay
    | Hit
    | Discard
    | Pass
    | Move
    | Choose
    | Search
    | Swap
    | Ask
    | Give
    | Keep
)
"""The commands that a seat may send once the table is sealed."""

Command = (
    OpenGame
    | TakeSeat
    | KickSeat
    | LeaveSeat
    | NameSeat
    | Start
    | VoidGame
    | VoidRestored
    | CloseReveal
    | TimeOut
    | Play
)


class Act(Struct, frozen=True, gc=False, omit_defaults=True):
    """A decision: the seat that speaks (None: the host, for the table) and its command.

    ``sig`` is the Ed25519 signature (128 hex digits) of a seat that registered a key. The rules
    require its presence; the caller, who has the keys, checks that it is genuine.
    """

    command: Command
    seat: int | None = None
    sig: str = ""
