"""Positions drawn by number in which any question is open: hardly any cards, ties, replays, a ring.

They vary those of drawn_positions.py by what hardly ever comes up in a game. What a number stands
for never changes.
"""

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from phaseledger.domain.cards import TURNED, WILD
from phaseledger.domain.commands import Act
from phaseledger.domain.groups.lays import Effort
from phaseledger.domain.legal import legal
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.state import Question, QuestionKind, SeatState, State
from tests.support.chance import Pick, chooser
from tests.support.replay.drawn_positions import attempts, drawn_position, played_on

_PLENTY = 12
"""Cards in the stock with which no action is called off."""
_LISTED, _MOST_LISTED = 4, 40
"""How many listed moves are tried in each position, and out of how many."""
_OF_A_SPACE: tuple[QuestionKind, ...] = ("choose", "search", "swap", "ask")


def asked_position(ruleset: str, number: int) -> State:
    """The position of that number."""
    pick = chooser(f"question of {ruleset}".encode(), number)
    state = drawn_position(ruleset, number)
    if pick(2):
        state = _with_few_cards(state, pick)
    if pick(2):
        state = _near_the_end(state, pick)
    if not pick(4):
        state = _with_short_hands(state, pick)
    if state.ruleset.track:
        state = _on_the_ring(state, pick)
    elif state.stock and not pick(3):
        state = replace(state, waits=(Question(0, "draw"),), taken=b"")
    turns = pick(12)
    return replace(state, turn=turns + pick(3), round_turn=pick(2), passes=pick(len(state.seats)))


def _with_hand(state: State, number: int, hand: bytes) -> State:
    seats = [*state.seats]
    seats[number] = replace(state.seat(number), hand=hand)
    return replace(state, seats=tuple(seats))


def _with_few_cards(state: State, pick: Pick) -> State:
    """Hardly any cards to draw: the last seat holds the others."""
    stock, pile = state.stock, state.discard
    drawable, visible = stock[: pick(4)], pile[len(pile) - min(len(pile), pick(4)) :]
    surplus = stock[len(drawable) :] + pile[: len(pile) - len(visible)]
    last = len(state.seats) - 1
    hand = state.seat(last).hand + bytes(card & ~TURNED for card in surplus)
    return replace(_with_hand(state, last, hand), stock=drawable, discard=visible)


def _with_short_hands(state: State, pick: Pick) -> State:
    """One or two cards in the hand of who is asked: the others are in the stock."""
    hand, count = state.seat(0).hand, 1 + pick(2)
    left = bytes(card & ~TURNED for card in hand[count:])
    changed = replace(_with_hand(state, 0, hand[:count]), stock=state.stock + left)
    return replace(changed, taken=bytes(card for card in state.taken if card in hand[:count]))


def _near_the_end(state: State, pick: Pick) -> State:
    """Most have laid the last phase, often with the same points; sometimes that is replayed."""
    rules, count = state.ruleset, len(state.seats)
    last = len(rules.phases)
    everything = (1 << last) - 1
    by_round = rules.progress == "by_round"
    seats, done = [], []
    for number in range(count):
        seat = replace(state.seat(number), points=5 * pick(2))
        if pick(4):
            done.append(number)
            seat = replace(seat, phase=last, laid=last, made=everything)
        elif by_round:
            laid, made = (last, seat.made | 1 << last - 1) if seat.laid else (0, seat.made)
            seat = replace(seat, phase=last, laid=laid, made=made)
        seats.append(seat)
    if pick(2):
        seats = [_tied_if_seat_0_goes_out(seat, rules, number) for number, seat in enumerate(seats)]
    state = replace(state, seats=tuple(seats), round=last if by_round else state.round)
    if rules.finish != "last_phase" or rules.options.final_tie != "replay" or not pick(3):
        return state
    fewest = min((seats[number].points for number in done), default=0)
    tied = tuple(number for number in done if seats[number].points == fewest)
    everybody = rules.options.final_tie_replay == "everybody"
    if len(tied) < 2 or not (everybody or 0 in tied):
        return state
    players = tuple(range(count)) if everybody else tied
    replayed = [
        replace(seat, phase=last, laid=last if pick(2) else 0) if number in players else seat
        for number, seat in enumerate(seats)
    ]
    return replace(state, seats=tuple(replayed), replay=True, players=players)


def _tied_if_seat_0_goes_out(seat: SeatState, rules: RuleSet, number: int) -> SeatState:
    """The seat with so many points that all have the same after the round."""
    values = {**dict(enumerate(rules.points.ranks, 1)), WILD: rules.points.wild}
    in_hand = sum(values.get(card & 15, rules.points.skip) for card in seat.hand)
    return replace(seat, points=2_000 - (in_hand if number else 0))


def _on_the_ring(state: State, pick: Pick) -> State:
    """Pawns anywhere on the ring, and one of the ring's questions."""
    size, count = len(state.ruleset.track), len(state.seats)
    spaces = list(range(size))
    seats = []
    for number in range(count):
        place = 0 if not pick(6) else spaces.pop(1 + pick(len(spaces) - 1))
        seats.append(replace(state.seat(number), pawn=place))
    state = replace(state, seats=tuple(seats), rolls=1 + pick(2), dice=(1 + pick(6), 1 + pick(6)))
    kind = pick(9)
    if kind < 4:
        return replace(state, waits=(Question(0, "move"),), action="", taken=b"")
    may_cancel = state.ruleset.options.short_supply == "cancel"
    if kind == 8 or (may_cancel and len(state.stock) < _PLENTY):
        return replace(state, action=("AGAIN", "TAKE2")[pick(2)])
    if kind == 4:
        draws = 1 + pick(3)
        waits = (Question(0, "draw", draws),)
        return replace(state, waits=waits, action=f"TAKE{draws}", taken=b"")
    if kind == 5:
        return _with_a_giver(state, pick) or state
    question = _OF_A_SPACE[pick(len(_OF_A_SPACE))]
    if question == "search" and not state.discard:
        question = "ask"
    return replace(state, waits=(Question(0, question),), action=question.upper(), taken=b"")


def _with_a_giver(state: State, pick: Pick) -> State | None:
    """Somebody who is to give a card of a value; None where nobody has one."""
    giver = 1 + pick(len(state.seats) - 1)
    plain = [card & 15 for card in state.seat(giver).hand if card < TURNED and card & 15 < WILD]
    if not plain or not state.ruleset.options.ask_giver_chooses:
        return None
    waits = (Question(giver, "give", plain[pick(len(plain))]),)
    return replace(state, waits=waits, action="ASK", taken=b"")


def _listed(state: State, pick: Pick) -> Iterator[Act]:
    """Some of the moves that are listed as legal, of one who is asked."""
    seat = state.waits[pick(len(state.waits))].seat
    listed = list(islice(legal(state, seat, Effort(300)), _MOST_LISTED))
    for _ in range(min(len(listed), _LISTED)):
        yield Act(listed.pop(pick(len(listed))), seat)


def explored_questions(
    ruleset: str, number: int, tries: int = 16, moves: int = 6
) -> Iterator[tuple[State, Act]]:
    """Moves tried in an asked position and in those that good ones lead to, the next deal too."""
    state = asked_position(ruleset, number)
    pick = chooser(f"answers of {ruleset}".encode(), number)
    yield from played_on(
        state, pick, moves, lambda now: [*_listed(now, pick), *attempts(now, pick, tries)]
    )
