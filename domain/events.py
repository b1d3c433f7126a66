"""The events of a game, in the past tense. An event carries outcomes: reading it needs no rule.

Fields are public. Values for some viewers stand in ``hidden``, by audience: ``"1"`` (one seat),
``"1,3"``, ``"not:2"`` (all but one), ``"stock"`` and ``"server"`` (no viewer before the end).
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from phaseledger.domain.commands import Act
from phaseledger.domain.ruleset import Action, RuleSet
from phaseledger.domain.script import Script
from phaseledger.domain.state import Question
from phaseledger.domain.terms import Overdue, Terms


class Secret(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A hidden value; each event says which of these it uses."""

    card: str = ""
    hand: str = ""
    stock: str = ""
    secret: str = ""
    said: Annotated[
        str, Meta(description="Cards that the command named, which the public decision leaves out.")
    ] = ""
    kept: Annotated[
        str,
        Meta(
            description="Kept cards whose faces their owner sees from now on (O-28), or kept "
            "jokers for all others."
        ),
    ] = ""
    pile: Annotated[str, Meta(description="Cards of the discard pile that nobody has seen.")] = ""
    place: Annotated[
        int, Meta(description="The place of a card in the discard pile, counted from its bottom.")
    ] = 0
    sig: Annotated[
        str,
        Meta(
            description="The signature of a command that names ``said``: by trial it would tell "
            "the cards."
        ),
    ] = ""
    script: Annotated[
        Script, Meta(description="The scripted deals of a table for tests, by round.")
    ] = ()


class Event(
    Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True, forbid_unknown_fields=True
):
    """The base of all events: what each may carry besides its own facts."""

    act: Act | None = None
    """The decision itself, on the first event of each command."""
    asks: tuple[Question, ...] | None = None
    """The open questions from here on; None leaves them unchanged."""
    hidden: dict[str, Secret] = {}


def belongs(audience: str, viewer: int | None) -> bool:
    """Whether a viewer (None: a spectator) is in the audience of a hidden value."""
    if viewer is None or audience in ("stock", "server"):
        return False
    if audience.startswith("not:"):
        return str(viewer) != audience[4:]
    return str(viewer) in audience.split(",")


class GameOpened(Event, frozen=True):
    """A table was opened. Hidden: the server's ``secret``, sealed until the end; and the ``script``
    of a table for tests.
    """

    game: str
    ruleset: RuleSet
    seats: int
    dealer: int
    server_commit: str
    table: Annotated[
        Terms | None,
        Meta(description="The table's terms; None for those of a public table without a clock."),
    ] = None


class SeatTaken(Event, frozen=True):
    """A seat was taken. Hidden, where the server made it: the seat's ``secret``."""

    seat: int
    name: str
    commit: str
    bot: str = ""
    brought_secret: Annotated[
        bool, Meta(description="Whether the seat committed to a secret of its own.")
    ] = False
    key: Annotated[
        str,
        Meta(
            description="Ed25519 public key (hex) with which the seat signs its commands; empty: "
            "it signs none."
        ),
    ] = ""


class SeatFreed(Event, frozen=True):
    """A seat became free again before the start, or its reservation ended."""

    seat: int
    by: Literal["seat", "host"]


class SeatHandedOver(Event, frozen=True):
    """A bot has the seat from now on; its key signs nothing any more."""

    seat: int
    bot: str
    why: Literal["left", "overdue"]


class SeatNamed(Event, frozen=True):
    """The guest in the seat has the name of an application's player from now on, a pseudonym."""

    seat: int
    name: str


class TurnTimedOut(Event, frozen=True):
    """A seat was asked and took too long; ``then`` says what the table's clock had in store.

    Under ``bot``, a bot answers for the seat until its next turn begins.
    """

    seat: int
    then: Overdue
    bot: str = ""


class TableSealed(Event, frozen=True):
    """All seats are taken and all commitments known; no more players join."""

    reveal_seconds: Annotated[
        int,
        Meta(
            description="How long seats have to reveal the secrets that they brought; 0 where "
            "none did."
        ),
    ] = 0


class SeatSecretRevealed(Event, frozen=True):
    """A seat opened its commitment."""

    seat: int
    secret: str


class DealOpened(Event, frozen=True):
    """The deal is fixed: SHA-256 (hex) of its transcript (docs/reference/deal.md)."""

    transcript: str


class RoundDealt(Event, frozen=True):
    """A round began. Hidden: each seat's ``hand`` in the order dealt, and the ``stock``."""

    round: int
    dealer: int
    players: Annotated[
        tuple[int, ...], Meta(description="Seats dealt in, in turn order from the first player.")
    ]
    hands: Annotated[tuple[int, ...], Meta(description="Number of cards of each seat.")]
    stock: int
    discard: Annotated[str, Meta(description="The initial discards, the last on top.")]
    phases: Annotated[tuple[int, ...], Meta(description="The phase that each seat attempts.")]
    skips: Annotated[tuple[int, ...], Meta(description="Turns that each seat is about to lose.")]
    returned: Annotated[
        str,
        Meta(description="Cards that were turned up first and went under the stock (O-11, O-12)."),
    ] = ""
    replay: bool = False
    kept: Annotated[
        tuple[int, ...],
        Meta(
            description="How many cards each seat has kept from the round before; they are part "
            "of its hand."
        ),
    ] = ()
    jokers: Annotated[
        tuple[int, ...],
        Meta(
            description="How many of the kept cards are jokers still; all but their owner see "
            "their faces."
        ),
    ] = ()
    covered: Annotated[
        int,
        Meta(
            description="Initial discards below the top that nobody may see; "
            "``hidden.stock.pile`` has them."
        ),
    ] = 0


class TurnBegan(Event, frozen=True):
    """A seat's turn began."""

    seat: int
    turn: int


class SkipServed(Event, frozen=True):
    """A seat lost its turn; a card lying in front of it went to the discard pile."""

    seat: int
    turn: int
    card: str = ""
    to: Literal["", "top", "bottom"] = ""


class StockShuffled(Event, frozen=True):
    """The discard pile became the new ``stock`` (hidden), all but its topmost ``kept`` cards."""

    shuffle: int
    count: int
    kept: int


class DiceRolled(Event, frozen=True):
    """The dice of the ``roll``-th throw (from 0) of a turn."""

    seat: int
    roll: int
    dice: tuple[int, ...]


class PawnMoved(Event, frozen=True):
    """A pawn went to a ``space`` of the ring, where an ``action`` waits for its owner."""

    seat: int
    space: int
    action: Action


class CardDrawn(Event, frozen=True):
    """A seat got a card: off the discard pile in public, off the stock or out of the pile hidden.

    ``top`` is the card that now lies on a pile whose cards no seat knew.
    """

    seat: int
    source: Literal["stock", "discard", "pile"]
    card: str = ""
    top: str = ""


class CardTurned(Event, frozen=True):
    """A seat got a joker: the stock's top ``card``, hidden only from the seat itself (B-29)."""

    seat: int


class CardsSwapped(Event, frozen=True):
    """A seat put cards on the pile, of which others see the ``top`` and which jokers left."""

    seat: int
    count: int
    top: str
    jokers: str = ""


class CardAsked(Event, frozen=True):
    """A seat asks the others for a card of a value."""

    seat: int
    value: int
    direction: Literal["left", "right"]


class CardGiven(Event, frozen=True):
    """A seat handed over a card, known to both (``card``); a ``joker`` to all but its owner."""

    seat: int
    to: int
    joker: str = ""


class CardsKept(Event, frozen=True):
    """A seat chose what it keeps for the next round; ``cards`` only where that is shown (O-33)."""

    seat: int
    cards: str = ""


class LaidGroup(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One group as it lies: a wild of a run stands for the rank of its position."""

    cards: str
    low: int
    high: int


class PhaseLaid(Event, frozen=True):
    """A seat laid a phase, one group per group asked for."""

    seat: int
    phase: int
    groups: tuple[LaidGroup, ...]
    credited: Annotated[
        bool, Meta(description="Whether it counts as made; a replay only decides a tie (C-72).")
    ] = True


class CardsHit(Event, frozen=True):
    """A seat added cards to a laid group; ``low`` and ``high`` are its ends afterwards."""

    seat: int
    group: int
    cards: str
    low: int
    high: int
    end: Literal["", "low", "high"] = ""
    half: int = 0


class CardDiscarded(Event, frozen=True):
    """A seat ended its turn with a card on the discard pile; a skip may name a ``target``.

    Where a joker is among the cards, ``faces`` has what lies on the pile from now on (B-65).
    """

    seat: int
    cards: str
    target: int | None = None
    faces: str = ""


class SkipPlaced(Event, frozen=True):
    """A seat ended its turn with a skip card laid in front of ``target``."""

    seat: int
    card: str
    target: int


class TurnPassed(Event, frozen=True):
    """A seat ended its turn without a discard, because the rules left it none."""

    seat: int


class Result(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The result of a round for one seat."""

    points: int
    total: int
    laid: Annotated[int, Meta(description="The phase laid in this round; 0 for none.")]
    phase: Annotated[
        int, Meta(description="The phase to attempt next; past the last when there is none.")
    ]
    hand: Annotated[str, Meta(description="The cards left, shown where they are counted.")] = ""


class RoundEnded(Event, frozen=True):
    """A round was over; ``out`` went out (None where a limit ended it)."""

    round: int
    results: tuple[Result, ...]
    out: int | None = None


class GameEnded(Event, frozen=True):
    """The game was won; several seats may share the win. The server's secret is revealed."""

    winners: tuple[int, ...]
    secret: str


class GameVoided(Event, frozen=True):
    """The game was broken off. The server's secret is revealed."""

    reason: str
    secret: str
    owing: Annotated[
        tuple[int, ...],
        Meta(
            description="Seats that still owed the secret they had committed to, or that did not "
            "answer in time."
        ),
    ] = ()


EVENTS: dict[str, type[Event]] = {
    f"{kind.__name__}/1": kind
    for kind in (
        GameOpened,
        SeatTaken,
        SeatFreed,
        TableSealed,
        SeatSecretRevealed,
        DealOpened,
        RoundDealt,
        TurnBegan,
        SkipServed,
        StockShuffled,
        DiceRolled,
        PawnMoved,
        CardDrawn,
        CardTurned,
        CardsSwapped,
        CardAsked,
        CardGiven,
        CardsKept,
        PhaseLaid,
        CardsHit,
        CardDiscarded,
        SkipPlaced,
        TurnPassed,
        TurnTimedOut,
        SeatHandedOver,
        SeatNamed,
        RoundEnded,
        GameEnded,
        GameVoided,
    )
}
"""Topic (tag and schema version) to event. Stored under the topic, never an import path."""
