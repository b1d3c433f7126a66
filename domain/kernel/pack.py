"""Between the domain and the kernel: a state as a game, a listed move as a command."""

from array import array
from collections.abc import Iterable

from phaseledger.domain import commands as c
from phaseledger.domain.cards import NAMES, TURNED, WILD, remove
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import TOP, GroupEnd
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.policies.scratch import OUTLOOK_WORK
from phaseledger.domain.kernel.policies.tunings import EXPERT, TUNINGS
from phaseledger.domain.kernel.rollouts.values import VALUES_WEIGHTS
from phaseledger.domain.kernel.table import KINDS
from phaseledger.domain.state import Group, SeatState, State, cards_in_play

ASKS = {"draw": at.ASK_DRAW, "play": at.ASK_PLAY}
"""What the active seat owes, by the kind of the open question."""
_SPURNED_ROOM = at.SEAT - at.SPURNED_AT
_MOST_POINTS = 1_000_000
"""Points that no game comes near to; sort keys of bots have room for them."""
_ENDS: tuple[GroupEnd, ...] = ("", "low", "high")


def game_size(seats: int) -> int:
    """The number of ints of a game, by its seats."""
    return at.SEAT_AT + seats * at.SEAT


class UnlawfulState(ValueError):
    """A state that no rules have made, as a forged log may have it."""


class Workspace:
    """The arrays that the kernel works in, for one game at a time."""

    __slots__ = ("chance", "game", "moves", "tuning", "weights", "work")

    def __init__(
        self, seats: int = at.MOST_SEATS, tunings: tuple[tuple[float, ...], ...] = TUNINGS
    ) -> None:
        self.game = ints(game_size(seats))
        self.chance = ints(at.CHANCE + 4)
        self.moves = ints(1 + at.MOVES * at.MOVE)
        self.work = ints(OUTLOOK_WORK)
        self.tuning = array("d", [number for tuning in (EXPERT, *tunings) for number in tuning])
        self.weights = array("d", bytes(8 * VALUES_WEIGHTS))


def ints(count: int) -> "array[int]":
    """An array of zeros."""
    return array("q", bytes(8 * count))


def pack(state: State, viewer: int | None = None) -> "array[int]":
    """The state of a game that is played, as a game of the kernel; hidden cards are 0 there.

    For a viewer the stock is hidden, and the other hands but for what they openly took, which
    comes first there: all that is left is public or in the viewer's hand.

    Raises:
        UnlawfulState: no rules have made the state. For a viewer that is not looked at: bots play
            games that the rules make.

    """
    if viewer is None and not _fits(state):
        raise UnlawfulState("no rules have made such a state")
    game = ints(game_size(len(state.seats)))
    # As `layout` numbers them from 0 on.
    header = [
        *(state.round, state.dealer, state.replay, state.active, state.turn, state.round_turn),
        *(state.shuffles, state.passes, -1 if state.out is None else state.out),
        ASKS[state.waits[0].kind] if state.waits else at.ASK_NOTHING,
        *(len(state.seats), len(state.players), state.taken[0] if state.taken else 0),
        sum([1 << winner for winner in state.winners]),
        *(len(state.groups), len(state.stock), len(state.discard)),
    ]
    _write(game, 0, header)
    _write(game, at.ORDER, state.players)
    if viewer is None:
        _write(game, at.STOCK_AT, state.stock[::-1])
    _write(game, at.PILE_AT, state.discard)
    groups: list[int] = []
    for group in state.groups:
        groups += _group(group)
        for card in group.cards:
            game[at.TABLE + card] += 1
    _write(game, at.GROUP_AT, groups)
    seats: list[int] = []
    for number, seat in enumerate(state.seats):
        assert seat is not None
        hand = seat.hand if viewer in (None, number) else seat.taken.ljust(len(seat.hand), b"\0")
        seats += _seat(seat, hand)
    _write(game, at.SEAT_AT, seats)
    return game


def _fits(state: State) -> bool:
    """Whether a state, perhaps folded from a forged log, stays within the arrays: compiled code
    does not look at their bounds.
    """
    seats, players = len(state.seats), state.players
    return (
        state.stage in ("playing", "ended")
        and seats <= at.MOST_SEATS
        and seats * state.ruleset.hand + state.ruleset.initial_discards < at.MOST_CARDS
        and all(seat is not None and _seat_fits(state, seat) for seat in state.seats)
        and {*players, state.dealer, *state.winners} <= {*range(seats)}
        and 0 < len(players) == len({*players})
        and (state.active in players or not state.waits)
        and {question.kind for question in state.waits} <= ASKS.keys()
        and len(cards_in_play(state)) <= at.MOST_CARDS
        and _are_cards(state.stock + state.discard)
        and len(state.groups) <= at.MOST_GROUPS
        and all(map(_group_fits, state.groups))
    )


def _are_cards(cards: bytes) -> bool:
    return max(cards, default=0) < TURNED


def _group_fits(group: Group) -> bool:
    return (
        _are_cards(group.cards)
        and 1 <= group.low <= TOP
        and group.low <= group.high < group.low + TOP
        and 0 <= group.half <= 3
    )


def _seat_fits(state: State, seat: SeatState) -> bool:
    phases = len(state.ruleset.phases)
    return (
        _are_cards(seat.hand + seat.taken + seat.spurned)
        and len(seat.hand) < at.MOST_HAND
        and remove(seat.hand, seat.taken) is not None
        and len(seat.spurned) <= at.MOST_SPURNED
        and seat.phase >= 1
        and 0 <= seat.laid <= phases
        and 0 <= seat.made < 1 << phases
        and 0 <= seat.skips <= at.MOST_CARDS
        and abs(seat.points) < _MOST_POINTS
    )


def _write(game: "array[int]", place: int, numbers: Iterable[int]) -> None:
    written = array("q", [*numbers])
    game[place : place + len(written)] = written


def _group(group: Group) -> list[int]:
    kind, cards, colour = group.need.kind, group.cards, -1
    if FORMS[kind].one_colour:
        colours = [card >> 4 for card in cards if card & 15 != WILD and card < TURNED]
        colour = colours[0] if colours else -1
    ends = (group.low, group.high, group.half)
    return [KINDS.index(kind), group.owner, *ends, len(cards), colour, 0]


def _seat(seat: SeatState, hand: bytes) -> list[int]:
    """The seat's block: the numbers, then three lists of cards."""
    return [
        *(seat.phase, seat.made, seat.laid, seat.points, seat.skips, seat.served, len(seat.front)),
        len(hand),
        *hand.ljust(at.MOST_HAND, b"\0"),
        len(seat.taken),
        *seat.taken.ljust(at.MOST_HAND, b"\0"),
        len(seat.spurned),
        *seat.spurned.ljust(_SPURNED_ROOM, b"\0"),
    ]


def command(moves: "array[int]", number: int, state: State) -> c.Command:
    """The listed move of that number, from 0, as a command at the state."""
    names = NAMES[state.ruleset.deck.notation]
    place = 1 + number * at.MOVE
    kind, first, second, third, fourth = moves[place : place + 5]
    if kind == at.LAY:
        return _lay(moves, place, state)
    if kind == at.HIT:
        cards = names[third] + (f" {names[fourth]}" if fourth else "")
        return c.Hit(first, cards, _ENDS[second])
    if kind == at.DISCARD:
        return c.Discard(names[first], None if second < 0 else second)
    if kind == at.PASS:
        return c.Pass()
    return c.Draw("stock" if kind == at.DRAW_STOCK else "discard")


def _lay(moves: "array[int]", place: int, state: State) -> c.Lay:
    """The command as `legal.lay_command` writes it."""
    names, seat = NAMES[state.ruleset.deck.notation], state.seat(state.active)
    groups, here = [], place + at.LAY_CARDS
    for number in range(moves[place + 2]):
        low, count = moves[place + at.LAY_GROUPS + 2 * number :][:2]
        cards = moves[here : here + count]
        here += count
        value = low if all(card == WILD for card in cards) else None
        groups.append(c.GroupToLay(" ".join([names[card] for card in cards]), value))
    is_free = state.ruleset.progress == "free" and not state.replay
    open_phases = len(state.ruleset.phases) - seat.made.bit_count()
    return c.Lay(tuple(groups), moves[place + 1] if is_free and open_phases > 1 else None)
