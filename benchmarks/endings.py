"""Decisions near the end of a round, solved by full enumeration, beside rollouts (`account.py`).

The other seat's hidden cards and every draw are enumerated, and `expert` goes on at both seats, to
the end of the round, whose scoreboard the value model appraises.
"""

from array import array
from collections.abc import Iterator
from itertools import count, starmap
from statistics import fmean

from phaseledger.domain.events import Event
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import ints, pack
from phaseledger.domain.kernel.policies.games import EXPERT
from phaseledger.domain.kernel.policies.outlook import STRAY, TUNING
from phaseledger.domain.kernel.rollouts.values import CHANCE_AT
from phaseledger.replay.laboratory.account.account import Appraiser
from phaseledger.replay.laboratory.account.moments import DecidedStep, moments
from phaseledger.replay.laboratory.columns.rows import by_topic
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play

TWO_SEATS = ("classic", "express")
WORLDS = 10_000
"""Worlds of the rollouts that are held against an enumeration."""
MOST_STEPS = 100_000
"""Decisions of an enumeration; a position that takes more is left out."""
MOST_HIDDEN = 2
"""Cards of the other hand that the enumerated seat does not know."""
MOST_MOVES = 12
ALIKE = 1e-6
"""Equities that differ by less are alike."""
LIMIT = 20
"""Turns of a round of the endings."""


def events(plan: SimulationPlan, index: int) -> Iterator[Event]:
    """The events of one game."""
    return starmap(decode_event, by_topic(play(plan, index).lines))


class TooLong(Exception):
    """An enumeration of more than MOST_STEPS decisions."""


class Enumeration:
    """The equity of a seat's moves: the mean over every world and every order of draws."""

    def __init__(self, appraiser: Appraiser, seat: int) -> None:
        self._appraiser, self._seat = appraiser, seat
        self._steps = 0
        kernel.seed_chance(appraiser.space.chance, 1, 1)

    def equity(self, game: "array[int]", move: "array[int]") -> float:
        """The equity of a move, as it stands in a list of moves."""
        worlds = list(self._worlds(game))
        return sum(weight * self._after(world, move) for world, weight in worlds)

    def _worlds(self, game: "array[int]") -> Iterator[tuple["array[int]", float]]:
        """The hands that the other may hold, each with its probability."""
        other = at.SEAT_AT + (1 - self._seat) * at.SEAT
        held, opened = game[other + at.HAND], game[other + at.OPEN]
        hand = list(game[other + at.HAND_AT : other + at.HAND_AT + held])
        taken = list(game[other + at.OPEN_AT : other + at.OPEN_AT + opened])
        for card in taken:
            hand.remove(card)
        pool = sorted([*hand, *game[at.STOCK_AT : at.STOCK_AT + game[at.STOCK]]])
        for drawn, rest, weight in _draws(pool, len(hand)):
            world = game[:]
            world[other + at.HAND_AT : other + at.HAND_AT + held] = array("q", [*taken, *drawn])
            world[at.STOCK_AT : at.STOCK_AT + len(rest)] = array("q", rest)
            yield world, weight

    def _after(self, game: "array[int]", move: "array[int]") -> float:
        """The equity after a move, which may be a draw from the stock."""
        if move[0] != at.DRAW_STOCK:
            return self._played_on(self._play(game[:], move), game[at.ROUND])
        total = 0.0
        stock = game[at.STOCK]
        if not stock:
            raise TooLong
        cards = list(game[at.STOCK_AT : at.STOCK_AT + stock])
        for drawn, rest, weight in _draws(cards, 1):
            branch = game[:]
            branch[at.STOCK_AT : at.STOCK_AT + stock] = array("q", [*rest, *drawn])
            total += weight * self._played_on(self._play(branch, move), game[at.ROUND])
        return total

    def _play(self, game: "array[int]", move: "array[int]") -> "array[int]":
        space = self._appraiser.space
        kernel.play(self._appraiser.rules, game, space.chance, array("q", [1, *move]), 1)
        return game

    def _played_on(self, game: "array[int]", round_number: int) -> float:
        """The equity of a game that `expert` plays on, to the end of the round."""
        space, rules = self._appraiser.space, self._appraiser.rules
        while game[at.ASK] != at.ASK_NOTHING and game[at.ROUND] == round_number:
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise TooLong
            number = kernel.choose(
                rules,
                game,
                space.chance,
                space.moves,
                space.work,
                space.tuning,
                space.weights,
                EXPERT,
            )
            place = 1 + number * at.MOVE
            move = space.moves[place : place + at.MOVE]
            if move[0] == at.DRAW_STOCK:
                return self._after(game, move)
            self._play(game, move)
        kernel.appraise(
            rules, game, self._appraiser.model, 0, space.work, space.tuning, space.weights
        )
        return space.weights[CHANCE_AT + self._seat]


def _draws(pool: list[int], number: int) -> Iterator[tuple[list[int], list[int], float]]:
    """The ways to draw so many cards in order: the cards, what is left, and the probability."""
    if not number:
        yield [], pool, 1.0
        return
    for card in sorted({*pool}):
        rest = pool[:]
        rest.remove(card)
        for drawn, left, weight in _draws(rest, number - 1):
            yield [card, *drawn], left, weight * pool.count(card) / len(pool)


def solved_endings() -> Iterator[tuple[bool, float]]:
    """One decision of each game that has such: whether rollouts have the same best move, and the
    greatest difference of an equity.
    """
    for index in count(1):
        name = TWO_SEATS[index % 2]
        plan = SimulationPlan("endings", name, 2, ("expert",), {"max_turns_per_round": LIMIT})
        appraiser: Appraiser | None = None
        for moment in moments(events(plan, index)):
            appraiser = appraiser or _without_chance(Appraiser(moment.after))
            result = _solve(appraiser, moment) if _is_ending(moment) else None
            if result:
                yield result
                break


def _without_chance(appraiser: Appraiser) -> Appraiser:
    """An appraiser whose `expert` discards no card at random."""
    appraiser.space.tuning[TUNING + STRAY] = 2.0**31
    return appraiser


def _is_ending(moment: DecidedStep) -> bool:
    state = moment.before
    if state.stage != "playing" or moment.act.seat != state.active:
        return False
    other = state.seat(1 - state.active)
    hidden = len(other.hand) - len(other.taken)
    return hidden <= MOST_HIDDEN and state.turn - state.round_turn > LIMIT - 2


def _solve(appraiser: Appraiser, moment: DecidedStep) -> tuple[bool, float] | None:
    """Whether the best moves are alike, and the greatest difference of an equity; None where moves
    are too many, or all alike.
    """
    game, space = pack(moment.before), appraiser.space
    moves = ints(1 + at.MOVES * at.MOVE)
    kernel.list_moves(appraiser.rules, game, moves, space.work, at.LISTED)
    if moves[0] > MOST_MOVES:
        return None
    places = range(1, 1 + moves[0] * at.MOVE, at.MOVE)
    enumeration = Enumeration(appraiser, moment.before.active)
    try:
        exact = [enumeration.equity(game, moves[place : place + at.MOVE]) for place in places]
    except TooLong:
        return None
    if max(exact) - min(exact) < ALIKE:
        return None
    rolled = array("d", bytes(8 * WORLDS * moves[0]))
    kernel.roll_out(
        appraiser.rules,
        game,
        ints(len(game)),
        ints(len(game)),
        space.chance,
        space.moves,
        moves,
        space.work,
        space.tuning,
        space.weights,
        appraiser.model,
        array("q", [EXPERT, EXPERT]),
        1,
        0,
        WORLDS,
        1_000,
        rolled,
    )
    means = [fmean(rolled[number :: moves[0]]) for number in range(moves[0])]
    best = exact[means.index(max(means))] > max(exact) - ALIKE
    return best, max(abs(mean - equity) for mean, equity in zip(means, exact, strict=True))
