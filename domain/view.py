"""The view of a state: what a viewer may know, a seat its own hand, a spectator no hand (law 7)."""

from collections.abc import Iterable
from functools import cache
from typing import Annotated

from msgspec import Meta, Struct

from phaseledger.domain.cards import NAMES, TURNED, face_up, owner_names, show
from phaseledger.domain.events import CardTurned
from phaseledger.domain.state import Question, Stage, State


class SeatView(Struct, frozen=True, gc=False, omit_defaults=True):
    """One seat as anybody sees it."""

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
    phase_rule: Annotated[
        str,
        Meta(
            description="The catalogue's ID of the phase attempted, where a variant leaves out "
            "phases (even_phases, n_phases); left out in other games."
        ),
    ] = ""
    made_rules: Annotated[
        tuple[str, ...],
        Meta(description="The catalogue's IDs of the phases made so far, in such games."),
    ] = ()


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


@cache
def _phases(made: int) -> tuple[int, ...]:
    return tuple(n + 1 for n in range(made.bit_length()) if made >> n & 1)


def _jokers(state: State, number: int, viewer: int | None) -> bytes:
    """The faces of a seat's jokers, as far as the viewer may see them (B-30, O-38)."""
    hand = state.seat(number).hand
    if not hand or max(hand) < TURNED:
        return b""
    jokers = bytes(card for card in hand if card & TURNED)
    always = state.ruleset.options.joker_memory == "owner_sees_always"
    if viewer is None or (viewer == number and not always):
        return bytes(len(jokers))
    return face_up(jokers)


def _seat(state: State, number: int, viewer: int | None) -> SeatView | None:
    seat = state.seats[number]
    if seat is None:
        return None
    notation = state.ruleset.deck.notation
    # Where the pile is covered, so is what went through it (B-25).
    is_public = state.ruleset.pile == "seen"
    # Between the end of a round and the next deal the seat's phase is already the next one.
    phase, made = seat.laid or min(seat.phase, len(state.ruleset.phases)), _phases(seat.made)
    return SeatView(
        seat=number,
        name=seat.name,
        bot=seat.bot,
        stand_in=seat.stand_in,
        cards=len(seat.hand),
        phase=phase,
        laid=seat.laid > 0,
        made=made,
        points=seat.points,
        skips=seat.skips,
        playing=number in state.players,
        front=show(seat.front, notation),
        jokers=show(_jokers(state, number, viewer), notation),
        pawn=seat.pawn if state.ruleset.track else None,
        key=seat.key,
        taken=show(seat.taken, notation) if is_public else "",
        spurned=show(seat.spurned, notation) if is_public else "",
        phase_rule=state.ruleset.phase_rule(phase),
        made_rules=tuple(filter(None, map(state.ruleset.phase_rule, made))),
    )


def _pile(state: State, viewer: int | None) -> bytes:
    """The discard pile as the viewer may see it: whoever searches it sees it all (B-23)."""
    pile = state.discard
    if state.ruleset.pile == "seen":
        return pile
    if any(q.kind == "search" and q.seat == viewer for q in state.waits):
        return pile
    return bytes(len(pile) - 1) + pile[-1:] if pile else pile


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
        pile=show(_pile(state, viewer), notation),
        dice=state.dice,
        action=state.action,
        seats=tuple([_seat(state, number, viewer) for number in range(len(state.seats))]),
        groups=tuple(
            [
                GroupView(i, g.owner, g.need.kind, show(_backs(g.cards), notation), g.low, g.high)
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


def _backs(cards: bytes) -> bytes:
    """A laid group, its jokers with their backs up."""
    if max(cards) < TURNED:
        return cards
    return bytes(TURNED if card & TURNED else card for card in cards)
