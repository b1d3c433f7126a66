"""Between the domain and the kernel: a state as a game, a listed move as a command."""

from array import array
from collections.abc import Iterable

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import NAMES, TURNED, face_down, is_wild, remove
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import TOP, GroupEnd
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.policies.scratch import OUTLOOK_WORK
from phaseledger.domain.kernel.policies.tunings import EXPERT, TUNINGS
from phaseledger.domain.kernel.rollouts.values import VALUES_WEIGHTS
from phaseledger.domain.kernel.table import ACTIONS, KINDS
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.sight import jokers_seen, pile_seen, remembers_pile
from phaseledger.domain.state import Group, Question, SeatState, State, cards_in_play

ASKS = {
    "draw": at.ASK_DRAW,
    "play": at.ASK_PLAY,
    "move": at.ASK_MOVE,
    "choose": at.ASK_CHOOSE,
    "search": at.ASK_SEARCH,
    "swap": at.ASK_SWAP,
    "ask": at.ASK_VALUE,
    "give": at.ASK_GIVE,
    "keep": at.ASK_KEEP,
}
"""What a seat owes, by the kind of the open question."""
_MOST_HELD = 20
"""The cards of a hand where there is no ring that makes it larger."""
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
    comes first there, and for the faces of their jokers: the rest is public or in its hand.

    Raises:
        UnlawfulState: no rules have made the state. For a viewer that is not looked at: bots play
            games that the rules make.

    """
    if viewer is None and not _fits(state):
        raise UnlawfulState("no rules have made such a state")
    game = ints(game_size(len(state.seats)))
    asked = next((q for q in state.waits if viewer in (None, q.seat)), None)
    dice, is_public = state.dice or (0, 0), viewer is None or remembers_pile(state)
    taken = state.taken if is_public or state.active == viewer else b""
    # As `layout` numbers them from 0 on.
    header = [
        *(state.round, state.dealer, state.replay, state.active, state.turn, state.round_turn),
        *(state.shuffles, state.passes, -1 if state.out is None else state.out),
        ASKS[asked.kind] if asked else at.ASK_NOTHING,
        *(len(state.seats), len(state.players)),
        ACTIONS.index(state.action) if state.action else 0,
        sum([1 << winner for winner in state.winners]),
        *(len(state.groups), len(state.stock), len(state.discard)),
        *((asked.seat, asked.number) if asked else (-1, 0)),
        *(state.rolls, *dice, *taken),
    ]
    _write(game, 0, header)
    _write(game, at.ORDER, state.players)
    if viewer is None:
        _write(game, at.STOCK_AT, state.stock[::-1])
    _write(game, at.PILE_AT, state.discard if viewer is None else pile_seen(state, viewer))
    groups: list[int] = []
    for group in state.groups:
        groups += _group(group)
        for card in group.cards if viewer is None else face_down(group.cards):
            game[at.TABLE + card] += 1
    _write(game, at.GROUP_AT, groups)
    for number, seat in enumerate(state.seats):
        assert seat is not None
        if viewer is not None:
            seat = replace(seat, hand=_hand_seen(state, number, viewer), kept=None)
        _write_seat(game, at.SEAT_AT + number * at.SEAT, seat, remembered=is_public)
    return game


def _hand_seen(state: State, number: int, viewer: int) -> bytes:
    """A hand as the viewer may see it, jokers with their faces or without."""
    seat = state.seat(number)
    jokers = bytes([TURNED | face for face in jokers_seen(state, number, viewer)])
    if number != viewer:
        taken = seat.taken if remembers_pile(state) else b""
        return taken + bytes(len(seat.hand) - len(taken) - len(jokers)) + jokers
    left = iter(jokers)
    return bytes([next(left) if card & TURNED else card for card in seat.hand])


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
        and (state.active in players or state.stage == "ended")
        and state.out in (None, *range(seats))
        and all(_question_fits(state, question) for question in state.waits)
        and len(cards_in_play(state)) <= (at.MOST_HAND if state.ruleset.track else at.MOST_CARDS)
        and len(state.taken) <= at.MOST_TAKEN
        and len(state.dice) in (0, 2)
        and {*state.dice} <= {*range(1, 7)}
        and state.action in ("", *state.ruleset.track)
        and _are_cards(state.stock + state.discard)
        and all(map(_group_fits, state.groups))
        and _most_groups(state) <= at.MOST_GROUPS
    )


def _most_groups(state: State) -> int:
    """The most groups that may lie on the table in this round."""
    most = max(len(phase.needs) for phase in state.ruleset.phases)
    return len(state.groups) + most * sum(not seat.laid for seat in state.seats if seat)


def _question_fits(state: State, question: Question) -> bool:
    kinds, most = (ASKS.keys(), TOP) if state.ruleset.track else ({"draw", "play"}, 0)
    if question.kind == "keep":
        most = state.ruleset.keep
    if question.kind == "draw" and len(state.taken) + max(question.number, 1) > at.MOST_TAKEN:
        return False  # what is drawn is noted beside what was taken
    is_asked = question.kind in kinds and question.seat in state.players
    return is_asked and 0 <= question.number <= most


def _are_cards(cards: bytes) -> bool:
    return max(cards, default=0) < TURNED


def _group_fits(group: Group) -> bool:
    return (
        0 < max(group.cards, default=0) < 2 * TURNED
        and 1 <= group.low <= TOP
        and group.low <= group.high < group.low + TOP
        and 0 <= group.half <= 3
    )


def most_held(ruleset: RuleSet) -> int:
    """The number of cards in one hand for which there is no room any more."""
    return at.MOST_HAND if ruleset.track else _MOST_HELD


def _seat_fits(state: State, seat: SeatState) -> bool:
    phases, has_ring = len(state.ruleset.phases), bool(state.ruleset.track)
    return (
        _are_cards(seat.taken)
        and max(seat.hand + seat.spurned, default=0) < (2 * TURNED if has_ring else TURNED)
        and len(seat.hand) < most_held(state.ruleset)
        and 0 <= seat.pawn < max(1, len(state.ruleset.track))
        and len(seat.kept or b"") <= state.ruleset.keep
        and remove(seat.hand, seat.kept or b"") is not None
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
        colours = [card >> 4 for card in cards if not is_wild(card)]
        colour = colours[0] if colours else -1
    ends = (group.low, group.high, group.half)
    return [KINDS.index(kind), group.owner, *ends, len(cards), colour, 0]


def _write_seat(game: "array[int]", place: int, seat: SeatState, *, remembered: bool) -> None:
    """The seat's block: the numbers, then four lists of cards, without what went through the pile
    where that is not ``remembered``.
    """
    kept = seat.kept
    numbers = [
        *(seat.phase, seat.made, seat.laid, seat.points, seat.skips, seat.served, len(seat.front)),
        *(seat.pawn, 0 if kept is None else 1 + len(kept), *(kept or b"")),
    ]
    _write(game, place, numbers)
    _write(game, place + at.HAND, (len(seat.hand), *seat.hand))
    if remembered:
        _write(game, place + at.OPEN, (len(seat.taken), *seat.taken))
        _write(game, place + at.SPURNED, (len(seat.spurned), *seat.spurned))


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
        cards = names[first] + (f" {names[second]}" if second else "")
        return c.Discard(cards, None if third < 0 else third)
    if kind == at.PASS:
        return c.Pass()
    if kind in (at.DRAW_STOCK, at.DRAW_PILE):
        return c.Draw("stock" if kind == at.DRAW_STOCK else "discard")
    return _answer(moves, place, names)


def _answer(moves: "array[int]", place: int, names: tuple[str, ...]) -> c.Command:
    """An answer to a question of the ring, or cards kept for the next round."""
    kind, first, second = moves[place : place + 3]
    if kind == at.MOVE_PAWN:
        return c.Move(first)
    if kind == at.CHOOSE:
        return c.Choose(ACTIONS[first])
    if kind == at.SEARCH:
        return c.Search(names[first])
    if kind == at.ASK_FOR:
        return c.Ask(first, "right" if second else "left")
    if kind == at.GIVE:
        return c.Give(names[first])
    chosen = moves[place + at.CHOSEN_AT :][:first]
    cards = " ".join([names[card] for card in chosen])
    return c.Swap(cards) if kind == at.SWAP else c.Keep(cards)


def _lay(moves: "array[int]", place: int, state: State) -> c.Lay:
    """The command as `legal.lay_command` writes it."""
    names, seat = NAMES[state.ruleset.deck.notation], state.seat(state.active)
    groups, here = [], place + at.LAY_CARDS
    for number in range(moves[place + 2]):
        low, count = moves[place + at.LAY_GROUPS + 2 * number :][:2]
        cards = moves[here : here + count]
        here += count
        value = low if all(map(is_wild, cards)) else None
        groups.append(c.GroupToLay(" ".join([names[card] for card in cards]), value))
    is_free = state.ruleset.progress == "free" and not state.replay
    open_phases = len(state.ruleset.phases) - seat.made.bit_count()
    return c.Lay(tuple(groups), moves[place + 1] if is_free and open_phases > 1 else None)
