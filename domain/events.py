"""What happened, in the past tense. An event carries outcomes: reading it needs no rule.

Fields are public. What only some may know stands in ``hidden``, by audience: ``"1"`` (one seat),
``"1,3"``, ``"not:2"`` (all but one), ``"stock"`` and ``"server"`` (nobody before the end).
"""

from typing import Literal

from msgspec import Struct

from domain.commands import Act
from domain.rules import RuleSet
from domain.state import Question


class Secret(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A hidden value; each event says which of these it uses."""

    card: str = ""
    hand: str = ""
    stock: str = ""
    secret: str = ""


class Event(
    Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True, forbid_unknown_fields=True
):
    """What every event may carry besides its own facts."""

    act: Act | None = None
    """The decision itself, on the first event of each command."""
    asks: tuple[Question, ...] | None = None
    """What the game waits for from here on; None leaves it as it was."""
    hidden: dict[str, Secret] = {}


class GameOpened(Event, frozen=True):
    """A table was opened. Hidden: the server's ``secret``, sealed until the end."""

    game: str
    ruleset: RuleSet
    seats: int
    dealer: int
    server_commit: str


class SeatTaken(Event, frozen=True):
    """Somebody sat down. Hidden, where the server made it: the seat's ``secret``."""

    seat: int
    name: str
    commit: str
    bot: str = ""
    brought_secret: bool = False
    """Whether the seat committed to a secret of its own."""


class TableSealed(Event, frozen=True):
    """All seats are taken and all commitments known; nobody joins any more."""


class SeatSecretRevealed(Event, frozen=True):
    """A seat opened its commitment."""

    seat: int
    secret: str


class DealOpened(Event, frozen=True):
    """The deal is fixed: SHA-256 (hex) of the transcript of section 5."""

    transcript: str


class RoundDealt(Event, frozen=True):
    """A round began. Hidden: each seat's ``hand`` in the order dealt, and the ``stock``."""

    round: int
    dealer: int
    players: tuple[int, ...]
    """Seats dealt in, in turn order from the first player."""
    hands: tuple[int, ...]
    """Number of cards of each seat."""
    stock: int
    discard: str
    """The initial discards, the last on top."""
    phases: tuple[int, ...]
    """The phase that each seat attempts."""
    skips: tuple[int, ...]
    """Turns that each seat is about to lose."""
    returned: str = ""
    """Cards that were turned up first and went under the stock (O-11, O-12)."""
    replay: bool = False


class TurnBegan(Event, frozen=True):
    """It is a seat's turn."""

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


class CardDrawn(Event, frozen=True):
    """A seat drew a card: from the discard pile in public, from the stock hidden (``card``)."""

    seat: int
    source: Literal["stock", "discard"]
    card: str = ""


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
    credited: bool = True
    """Whether it counts as made; a replay only decides a tie (C-72)."""


class CardsHit(Event, frozen=True):
    """A seat added cards to a laid group; ``low`` and ``high`` are its ends afterwards."""

    seat: int
    group: int
    cards: str
    low: int
    high: int
    end: Literal["", "low", "high"] = ""


class CardDiscarded(Event, frozen=True):
    """A seat ended its turn with a card on the discard pile; a skip may name a ``target``."""

    seat: int
    cards: str
    target: int | None = None


class SkipPlaced(Event, frozen=True):
    """A seat ended its turn with a skip card laid in front of ``target``."""

    seat: int
    card: str
    target: int


class TurnPassed(Event, frozen=True):
    """A seat ended its turn without a discard, because the rules left it none."""

    seat: int


class Result(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """How a round ended for one seat."""

    points: int
    total: int
    laid: int
    """The phase laid in this round; 0 for none."""
    phase: int
    """The phase to attempt next; past the last when there is none."""
    hand: str = ""
    """The cards left, shown where they are counted."""


class RoundEnded(Event, frozen=True):
    """A round was over; ``out`` went out (None where a limit ended it)."""

    round: int
    results: tuple[Result, ...]
    out: int | None = None


class GameEnded(Event, frozen=True):
    """Somebody won; several seats share the win. The server's secret is revealed."""

    winners: tuple[int, ...]
    secret: str


class GameVoided(Event, frozen=True):
    """The game was broken off. The server's secret is revealed."""

    reason: str
    secret: str


EVENTS: dict[str, type[Event]] = {
    f"{kind.__name__}/1": kind
    for kind in (
        GameOpened,
        SeatTaken,
        TableSealed,
        SeatSecretRevealed,
        DealOpened,
        RoundDealt,
        TurnBegan,
        SkipServed,
        StockShuffled,
        CardDrawn,
        PhaseLaid,
        CardsHit,
        CardDiscarded,
        SkipPlaced,
        TurnPassed,
        RoundEnded,
        GameEnded,
        GameVoided,
    )
}
"""Topic (tag and schema version) to event. Stored under the topic, never an import path."""
