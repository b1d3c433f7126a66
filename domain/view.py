"""The view of a state: what a viewer may know, a seat its own hand, a spectator no hand (law 7)."""

from collections.abc import Iterable
from typing import Annotated, cast

from msgspec import Meta, Struct

from phaseledger.domain.cards import NAMES, OWN, TURNED, face_down, owner_names, parse, show
from phaseledger.domain.events import CardTurned
from phaseledger.domain.ruleset import Kind, Need, RuleSet
from phaseledger.domain.sight import (
    jokers_seen,
    phase_attempted,
    phases_made,
    pile_seen,
    remembers_pile,
)
from phaseledger.domain.state import Group, Question, SeatState, Stage, State


class SeatView(Struct, frozen=True, gc=False, omit_defaults=True):
    """One seat as every viewer sees it."""

    seat: int
    name: str
    bot: str
    cards: Annotated[int, Meta(description="How many cards the seat holds.")]
    phase: Annotated[int, Meta(description="The phase attempted in this round.")]
    laid: bool
    made: Annotated[tuple[int, ...], Meta(description="Numbers of the phases made so far.")]
    points: int
    skips: Annotated[int, Meta(description="Turns that the seat is about to lose.")]
    playing: Annotated[bool, Meta(description="Whether the seat was dealt in this round.")]
    front: Annotated[str, Meta(description="Skip cards lying in front of the seat.")]
    jokers: Annotated[
        str,
        Meta(
            description="Its face-down jokers in the order received, by what lies on the other "
            "side: ``?`` for whoever may not see it."
        ),
    ]
    pawn: Annotated[
        int | None, Meta(description="Where its pawn stands on the ring; null where there is none.")
    ]
    stand_in: Annotated[
        str,
        Meta(
            description="The bot that answers for the seat until its next turn begins, since it "
            "was overdue."
        ),
    ] = ""
    key: Annotated[
        str,
        Meta(
            description="The public key that signs the seat's commands; left out where there is "
            "none."
        ),
    ] = ""
    taken: Annotated[
        str,
        Meta(
            description="Cards that it openly took from the discard pile in this round and has "
            "not played since."
        ),
    ] = ""
    spurned: Annotated[
        str,
        Meta(
            description="The last cards of this round that it discarded or, drawing from the "
            "stock, left lying."
        ),
    ] = ""


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
    active: Annotated[int | None, Meta(description="Whose turn it is.")]
    waits: Annotated[
        tuple[Question, ...],
        Meta(description="Who has to decide what. A seat that is not named here cannot act."),
    ]
    stock: Annotated[int, Meta(description="Number of cards in the stock.")]
    discard: Annotated[str | None, Meta(description="The top card of the discard pile.")]
    discards: Annotated[int, Meta(description="Number of cards in the discard pile.")]
    pile: Annotated[
        str,
        Meta(
            description="The discard pile from its bottom to its top; ``?`` for a card that you "
            "may not see."
        ),
    ]
    dice: Annotated[tuple[int, ...], Meta(description="The last throw.")]
    action: Annotated[
        str, Meta(description="The action of the space that the pawn reached in this turn.")
    ]
    seats: tuple[SeatView | None, ...]
    groups: tuple[GroupView, ...]
    winners: tuple[int, ...]
    you: int | None
    hand: Annotated[
        str | None,
        Meta(
            description="Your cards in the order they came; the last is the one drawn. ``J1`` is "
            "your first joker."
        ),
    ]


def _seat(state: State, number: int, viewer: int | None) -> SeatView | None:
    seat = state.seats[number]
    if seat is None:
        return None
    notation = state.ruleset.deck.notation
    is_public = remembers_pile(state)
    return SeatView(
        seat=number,
        name=seat.name,
        bot=seat.bot,
        stand_in=seat.stand_in,
        cards=len(seat.hand),
        phase=phase_attempted(state, seat),
        laid=seat.laid > 0,
        made=phases_made(seat.made),
        points=seat.points,
        skips=seat.skips,
        playing=number in state.players,
        front=show(seat.front, notation),
        jokers=show(jokers_seen(state, number, viewer), notation),
        pawn=seat.pawn if state.ruleset.track else None,
        key=seat.key,
        taken=show(seat.taken, notation) if is_public else "",
        spurned=show(seat.spurned, notation) if is_public else "",
    )


def view(state: State, viewer: int | None) -> TableView:
    """The table for a seat (from 0), or for a spectator (None)."""
    notation = state.ruleset.deck.notation
    seat = None if viewer is None else state.seats[viewer]
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
        pile=show(pile_seen(state, viewer), notation),
        dice=state.dice,
        action=state.action,
        seats=tuple([_seat(state, number, viewer) for number in range(len(state.seats))]),
        groups=tuple(
            [
                GroupView(
                    i, g.owner, g.need.kind, show(face_down(g.cards), notation), g.low, g.high
                )
                for i, g in enumerate(state.groups)
            ]
        ),
        winners=state.winners,
        you=viewer,
        hand=None if seat is None else show(owner_names(seat.hand), notation),
    )


def face_seen(turned: Iterable[CardTurned], seat: int | None) -> str | None:
    """The face of the joker that the seat has just drawn: its one look at it (B-29)."""
    faces = (event.hidden[f"not:{seat}"].card for event in turned if event.seat == seat)
    return next(faces, None)


def state_seen(view: TableView, ruleset: RuleSet) -> State:
    """A state whose view for the viewer is this one: cards that the viewer cannot know are 0.

    A group has its kind alone, as in the view.
    """
    return State(
        game=view.game,
        ruleset=ruleset,
        server_commit="",
        server_secret="",
        dealer=view.dealer,
        seats=tuple([_seat_seen(view, seat) if seat else None for seat in view.seats]),
        stage=view.stage,
        waits=view.waits,
        round=view.round,
        replay=view.replay,
        players=tuple(seat.seat for seat in view.seats if seat and seat.playing),
        active=-1 if view.active is None else view.active,
        turn=view.turn,
        stock=bytes(view.stock),
        discard=parse(view.pile),
        groups=tuple(
            Group(g.owner, Need(cast("Kind", g.kind), 1), parse(g.cards), g.low, g.high)
            for g in view.groups
        ),
        dice=view.dice,
        action=view.action,
        winners=view.winners,
    )


def _seat_seen(view: TableView, seat: SeatView) -> SeatState:
    jokers = bytes(TURNED | face for face in parse(seat.jokers))
    hand = jokers + bytes(seat.cards - len(jokers))
    if seat.seat == view.you:
        own = parse(view.hand or "")
        hand = bytes(jokers[(card ^ OWN) - 1] if card > OWN else card for card in own)
    return SeatState(
        name=seat.name,
        bot=seat.bot,
        stand_in=seat.stand_in,
        key=seat.key,
        hand=hand,
        phase=seat.phase,
        made=sum(1 << number - 1 for number in seat.made),
        laid=seat.phase if seat.laid else 0,
        points=seat.points,
        skips=seat.skips,
        front=parse(seat.front),
        taken=parse(seat.taken),
        spurned=parse(seat.spurned),
        pawn=seat.pawn or 0,
    )
