"""The state of a game: its whole truth as frozen values. Only `evolve` makes the next one."""

from typing import Literal

from msgspec import Struct

from phaseledger.domain.cards import face_up
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.script import Script
from phaseledger.domain.terms import OPEN, Terms

Stage = Literal["lobby", "sealed", "playing", "ended", "voided"]
QuestionKind = Literal[
    "reveal", "draw", "play", "move", "choose", "search", "swap", "ask", "give", "keep"
]


class Question(Struct, frozen=True, gc=False, omit_defaults=True):
    """A decision that one seat owes. A turn is a question; so is revealing a secret.

    ``number`` says what else the answer depends on: how many cards are still to be drawn by an
    action, the value asked for, or how many cards may be kept.
    """

    seat: int
    kind: QuestionKind
    number: int = 0


class Group(Struct, frozen=True, gc=False):
    """A laid group. ``low`` and ``high`` are the ranks at a run's ends (above 12 where it wraps).

    For other kinds both hold what the cards have in common: the rank of a set, 1 + the colour of
    a colour group, 1 (odd) or 2 (even) of a parity group.
    """

    owner: int
    need: Need
    cards: bytes
    low: int
    high: int
    half: int = 0
    """Ends of a run of pairs where a single card lies, as bits: 1 low, 2 high (O-21)."""


class SeatState(Struct, frozen=True, gc=False):
    """One player. Phases are numbered from 1 by their place in the rule set's list, so the phases
    of `even_phases` are 1 to 5; ``made`` has bit n - 1 set for phase n.
    """

    name: str
    bot: str = ""
    stand_in: str = ""
    """The bot that answers for the seat until its next turn begins, since it was overdue."""
    commit: str = ""
    secret: str = ""
    key: str = ""
    """Ed25519 public key (hex) that signs the seat's commands; empty where it signs none."""
    hand: bytes = b""
    phase: int = 1
    made: int = 0
    laid: int = 0
    """The phase laid in this round; 0 before."""
    points: int = 0
    skips: int = 0
    """Turns that the seat is about to lose."""
    served: bool = False
    """Whether a turn was lost since the last normal one (O-10)."""
    front: bytes = b""
    """Skip cards lying in front of the seat."""
    taken: bytes = b""
    """Cards taken from the top of the discard pile in this round and not played since."""
    spurned: bytes = b""
    """The last cards of this round that the seat discarded, or left to draw from the stock."""
    pawn: int = 0
    """The space of the ring, counted clockwise from the start."""
    kept: bytes | None = None
    """Cards chosen for the next round, until all have chosen (B-83)."""


class State(Struct, frozen=True, gc=False):
    """One game after some number of events. ``stock[0]`` is its top, ``discard[-1]`` the pile's."""

    game: str
    ruleset: RuleSet
    server_commit: str
    server_secret: str
    dealer: int
    seats: tuple[SeatState | None, ...]
    stage: Stage = "lobby"
    terms: Terms = OPEN
    script: Script = ()
    """The scripted deals of a table for tests, where they are known."""
    reserved: tuple[int, ...] = ()
    """Free seats that are reserved for a player."""
    transcript: str = ""
    """SHA-256 (hex) of the deal transcript, once the table is sealed and all secrets are known."""
    waits: tuple[Question, ...] = ()
    """The open questions of the game. No other seat may act."""
    round: int = 0
    replay: bool = False
    """Whether this round decides a tie (C-71)."""
    players: tuple[int, ...] = ()
    """Seats dealt in, in turn order from the first player."""
    active: int = -1
    turn: int = 0
    """Turns counted from 1 over the whole game, lost ones included."""
    round_turn: int = 0
    """The number of turns that had passed when the round was dealt."""
    shuffles: int = 0
    taken: bytes = b""
    """Cards taken from the discard pile in this turn, or since its last throw of the dice."""
    passes: int = 0
    """Turns in a row in which no seat drew, laid, hit or discarded anything."""
    stock: bytes = b""
    discard: bytes = b""
    groups: tuple[Group, ...] = ()
    dice: tuple[int, ...] = ()
    """The last throw."""
    rolls: int = 0
    """The number of throws of the dice in this turn."""
    throws: int = 0
    """The number of throws of the dice in this round."""
    action: str = ""
    """The action that the pawn's space asked for since the last throw."""
    out: int | None = None
    """The seat that went out, between the end of a round and the next deal."""
    winners: tuple[int, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended or was voided, so that nothing of it is hidden any more."""
        return self.stage in ("ended", "voided")

    def seat(self, number: int) -> SeatState:
        """The occupied seat of that number."""
        seat = self.seats[number]
        assert seat is not None
        return seat


def cards_in_play(state: State) -> bytes:
    """Every card of the game wherever it lies, sorted: the deck itself, at all times (N-03)."""
    on_table = [state.stock, state.discard, *(group.cards for group in state.groups)]
    at_seats = [pile for seat in state.seats if seat for pile in (seat.hand, seat.front)]
    return bytes(sorted(face_up(b"".join([*on_table, *at_seats]))))
