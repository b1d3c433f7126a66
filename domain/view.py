"""What a viewer may know of a state: a seat its own hand, a spectator no hand at all (law 7)."""

from msgspec import Struct

from domain.cards import NAMES, show
from domain.state import Question, Seat, Stage, State


class SeatView(Struct, frozen=True, gc=False):
    """One seat as anybody sees it."""

    seat: int
    name: str
    bot: str
    cards: int
    """How many cards the seat holds."""
    phase: int
    """The phase attempted in this round."""
    laid: bool
    made: tuple[int, ...]
    """Numbers of the phases made so far."""
    points: int
    skips: int
    """Turns that the seat is about to lose."""
    playing: bool
    """Whether the seat was dealt in this round."""


class GroupView(Struct, frozen=True, gc=False):
    """A laid group. ``low`` and ``high`` are a run's ends; else what its cards share."""

    group: int
    owner: int
    kind: str
    cards: str
    low: int
    high: int


class TableView(Struct, frozen=True, gc=False):
    """The table as one viewer sees it. ``you`` and ``hand`` are null for a spectator."""

    game: str
    ruleset: str
    stage: Stage
    round: int
    replay: bool
    dealer: int
    turn: int
    active: int | None
    """Whose turn it is."""
    waits: tuple[Question, ...]
    """Who has to decide what. A seat that is not named here cannot act."""
    stock: int
    """Number of cards in the stock."""
    discard: str | None
    """The top card of the discard pile."""
    discards: int
    """Number of cards in the discard pile."""
    pile: str
    """The discard pile from its bottom to its top; ``?`` for a card that you may not see."""
    seats: tuple[SeatView | None, ...]
    groups: tuple[GroupView, ...]
    winners: tuple[int, ...]
    you: int | None
    hand: str | None
    """Your cards in the order they came; the last is the one drawn."""


def _phases(made: int) -> tuple[int, ...]:
    return tuple(n + 1 for n in range(made.bit_length()) if made >> n & 1)


def _seat(state: State, number: int, seat: Seat | None) -> SeatView | None:
    if seat is None:
        return None
    return SeatView(
        seat=number,
        name=seat.name,
        bot=seat.bot,
        cards=len(seat.hand),
        # Between the end of a round and the next deal the seat's phase is already the next one.
        phase=seat.laid or min(seat.phase, len(state.ruleset.phases)),
        laid=seat.laid > 0,
        made=_phases(seat.made),
        points=seat.points,
        skips=seat.skips,
        playing=number in state.players,
    )


def view(state: State, viewer: int | None) -> TableView:
    """The table for a seat (from 0), or for a spectator (None)."""
    notation = state.ruleset.deck.notation
    own = None if viewer is None else state.seats[viewer]
    return TableView(
        game=state.game,
        ruleset=state.ruleset.id,
        stage=state.stage,
        round=state.round,
        replay=state.replay,
        dealer=state.dealer,
        turn=state.turn,
        active=state.active if state.active >= 0 else None,
        waits=state.waits,
        stock=len(state.stock),
        discard=NAMES[notation][state.discard[-1]] if state.discard else None,
        discards=len(state.discard),
        pile=show(state.discard, notation),
        seats=tuple(_seat(state, number, seat) for number, seat in enumerate(state.seats)),
        groups=tuple(
            GroupView(i, g.owner, g.need.kind, show(g.cards, notation), g.low, g.high)
            for i, g in enumerate(state.groups)
        ),
        winners=state.winners,
        you=viewer,
        hand=None if own is None else show(own.hand, notation),
    )
