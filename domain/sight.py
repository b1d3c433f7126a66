"""One seat's sight of the table, as cards: `view` writes the same as text (law 7).

Everything is computed on demand. Besides the seat's own hand, a sight shows what the view shows;
nothing else of the state is public here.
"""

from functools import cache, cached_property

from phaseledger.domain.cards import TURNED, face_up, owner_names
from phaseledger.domain.ruleset import Kind, Need
from phaseledger.domain.state import Group, Question, SeatState, State

_BACKS = bytes(TURNED if code & TURNED else code for code in range(256))


def backs(cards: bytes) -> bytes:
    """A laid group, its jokers with their backs up."""
    return cards.translate(_BACKS)


def jokers_seen(state: State, number: int, viewer: int | None) -> bytes:
    """The faces of a seat's jokers, as far as the viewer may see them (B-30, O-38)."""
    hand = state.seat(number).hand
    if not hand or max(hand) < TURNED:
        return b""
    jokers = bytes(card for card in hand if card & TURNED)
    always = state.ruleset.options.joker_memory == "owner_sees_always"
    if viewer is None or (viewer == number and not always):
        return bytes(len(jokers))
    return face_up(jokers)


def pile_seen(state: State, viewer: int | None) -> bytes:
    """The discard pile as the viewer may see it: a seat that searches it sees it all (B-23)."""
    pile = state.discard
    if state.ruleset.pile == "seen":
        return pile
    if any(q.kind == "search" and q.seat == viewer for q in state.waits):
        return pile
    return bytes(len(pile) - 1) + pile[-1:] if pile else pile


def remembers_pile(state: State) -> bool:
    """Whether cards that went through the pile are public: under a cover they are not (B-25)."""
    return state.ruleset.pile == "seen"


def phase_attempted(state: State, seat: SeatState) -> int:
    """The phase of this round; from its end to the next deal the state has the next phase."""
    return seat.laid or min(seat.phase, len(state.ruleset.phases))


@cache
def phases_made(made: int) -> tuple[int, ...]:
    """The numbers of the phases whose bits are set."""
    return tuple(n + 1 for n in range(made.bit_length()) if made >> n & 1)


@cache
def _any_need(kind: Kind) -> Need:
    """A need of the kind; a laid group no longer shows which need it met."""
    return Need(kind, 1)


class SeatSight:
    """One seat as another one, or itself, sees it. The names are those of `view.SeatView`."""

    __slots__ = ("_seat", "_state", "_viewer", "seat")

    def __init__(self, state: State, number: int, viewer: int) -> None:
        self._state = state
        self._seat = state.seat(number)
        self._viewer = viewer
        self.seat = number

    @property
    def cards(self) -> int:
        """The number of cards that the seat holds."""
        return len(self._seat.hand)

    @property
    def phase(self) -> int:
        """The phase attempted in this round."""
        return phase_attempted(self._state, self._seat)

    @property
    def laid(self) -> bool:
        """Whether the seat has laid in this round."""
        return self._seat.laid > 0

    @property
    def made(self) -> tuple[int, ...]:
        """The phases made so far."""
        return phases_made(self._seat.made)

    @property
    def points(self) -> int:
        """The seat's points so far."""
        return self._seat.points

    @property
    def skips(self) -> int:
        """Turns that the seat is about to lose."""
        return self._seat.skips

    @property
    def playing(self) -> bool:
        """Whether the seat was dealt in this round."""
        return self.seat in self._state.players

    @property
    def jokers(self) -> bytes:
        """The faces of the seat's jokers; 0 for one that the viewer may not see."""
        return jokers_seen(self._state, self.seat, self._viewer)

    @property
    def pawn(self) -> int:
        """The pawn's space on the ring."""
        return self._seat.pawn

    @property
    def taken(self) -> bytes:
        """Cards that the seat openly took from the pile in this round and has not played since."""
        return self._seat.taken if remembers_pile(self._state) else b""

    @property
    def spurned(self) -> bytes:
        """The last cards of this round that the seat discarded or left lying."""
        return self._seat.spurned if remembers_pile(self._state) else b""


class Sight:
    """The table as the seat ``you`` sees it. The names are those of `view.TableView`."""

    def __init__(self, state: State, you: int) -> None:
        self._state = state
        self.you = you
        self.me = SeatSight(state, you, you)
        self.hand = owner_names(state.seat(you).hand)
        """The seat's cards in the order they came, jokers by its own names for them."""

    @cached_property
    def seats(self) -> tuple[SeatSight, ...]:
        """All seats; in a game that is played none is empty."""
        return tuple([SeatSight(self._state, n, self.you) for n in range(len(self._state.seats))])

    @property
    def replay(self) -> bool:
        """Whether this round decides a tie."""
        return self._state.replay

    @property
    def waits(self) -> tuple[Question, ...]:
        """The open questions and the seats that they ask."""
        return self._state.waits

    @property
    def discard(self) -> bytes:
        """The top card of the discard pile; empty where there is none."""
        return self._state.discard[-1:]

    @property
    def discards(self) -> int:
        """The number of cards in the discard pile."""
        return len(self._state.discard)

    @property
    def pile(self) -> bytes:
        """The discard pile from its bottom to its top; 0 for a card that the seat may not see."""
        return pile_seen(self._state, self.you)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The laid groups, each with the kind alone of the need it met."""
        return tuple(
            [
                Group(group.owner, _any_need(group.need.kind), backs(group.cards), *ends)
                for group in self._state.groups
                for ends in ((group.low, group.high),)
            ]
        )
