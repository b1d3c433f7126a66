"""Between the domain and the kernel: a state as a game, a listed move as a command."""

from array import array

from phaseledger.domain import commands as c
from phaseledger.domain.cards import NAMES, TURNED, WILD
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import GroupEnd
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.expert import BOT_WORK
from phaseledger.domain.kernel.table import KINDS
from phaseledger.domain.kernel.tunings import EXPERT, TUNINGS
from phaseledger.domain.kernel.values import VALUES_WEIGHTS
from phaseledger.domain.state import Group, State

_ENDS: tuple[GroupEnd, ...] = ("", "low", "high")


def game_size(seats: int) -> int:
    """The number of ints of a game, by its seats."""
    return at.SEAT_AT + seats * at.SEAT


class Workspace:
    """The arrays that the kernel works in, for one game at a time."""

    __slots__ = ("chance", "game", "moves", "tuning", "weights", "work")

    def __init__(
        self, seats: int = at.MOST_SEATS, tunings: tuple[tuple[float, ...], ...] = TUNINGS
    ) -> None:
        self.game = ints(game_size(seats))
        self.chance = ints(at.CHANCE + 4)
        self.moves = ints(1 + at.MOVES * at.MOVE)
        self.work = ints(BOT_WORK)
        self.tuning = array("d", [number for tuning in (EXPERT, *tunings) for number in tuning])
        self.weights = array("d", bytes(8 * VALUES_WEIGHTS))


def ints(count: int) -> "array[int]":
    """An array of zeros."""
    return array("q", bytes(8 * count))


def pack(state: State) -> "array[int]":
    """The state of a game that is played, as a game of the kernel; hidden cards are 0 there."""
    game = ints(game_size(len(state.seats)))
    question = state.waits[0] if state.waits else None
    header = {
        at.ROUND: state.round,
        at.DEALER: state.dealer,
        at.REPLAY: state.replay,
        at.ACTIVE: state.active,
        at.TURN: state.turn,
        at.ROUND_TURN: state.round_turn,
        at.SHUFFLES: state.shuffles,
        at.PASSES: state.passes,
        at.OUT: -1 if state.out is None else state.out,
        at.ASK: {"draw": at.ASK_DRAW, "play": at.ASK_PLAY}[question.kind] if question else 0,
        at.SEATS: len(state.seats),
        at.TAKEN: state.taken[0] if state.taken else 0,
        at.WINNERS: sum(1 << winner for winner in state.winners),
    }
    for place, number in header.items():
        game[place] = int(number)
    _write(game, at.PLAYERS, at.ORDER, bytes(state.players))
    _write(game, at.STOCK, at.STOCK_AT, state.stock[::-1])
    _write(game, at.PILE, at.PILE_AT, state.discard)
    game[at.GROUPS] = len(state.groups)
    for number, group in enumerate(state.groups):
        _pack_group(game, at.GROUP_AT + number * at.GROUP, group)
    for number in range(len(state.seats)):
        _pack_seat(game, at.SEAT_AT + number * at.SEAT, state, number)
    return game


def _write(game: "array[int]", count_at: int, cards_at: int, cards: bytes) -> None:
    game[count_at] = len(cards)
    game[cards_at : cards_at + len(cards)] = array("q", list(cards))


def _pack_group(game: "array[int]", place: int, group: Group) -> None:
    colours = [card >> 4 for card in group.cards if card & 15 != WILD and card < TURNED]
    shows = FORMS[group.need.kind].one_colour and bool(colours)
    game[place : place + at.GROUP - 1] = array(
        "q",
        (
            KINDS.index(group.need.kind),
            group.owner,
            group.low,
            group.high,
            group.half,
            len(group.cards),
            colours[0] if shows else -1,
        ),
    )
    for card in group.cards:
        game[at.TABLE + card] += 1


def _pack_seat(game: "array[int]", place: int, state: State, number: int) -> None:
    seat = state.seat(number)
    numbers = (seat.phase, seat.made, seat.laid, seat.points, seat.skips, int(seat.served))
    game[place : place + 7] = array("q", (*numbers, len(seat.front)))
    _write(game, place + at.HAND, place + at.HAND_AT, seat.hand)
    _write(game, place + at.OPEN, place + at.OPEN_AT, seat.taken)
    _write(game, place + at.SPURNED, place + at.SPURNED_AT, seat.spurned)


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
