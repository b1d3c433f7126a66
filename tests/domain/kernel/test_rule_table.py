"""Every number of the compiled rules means something: where one is another, a game shows it."""

from array import array
from functools import cache
from itertools import islice

import pytest

from phaseledger.domain.bots import choose
from phaseledger.domain.commands import Command
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import Workspace, command, pack
from phaseledger.domain.kernel.table import compile_rules
from phaseledger.domain.state import State
from tests.support.kernel_scenes import CARD_GAMES, DIRECTED, RING, own_jokers, scenes
from tests.support.lockstep import Moment, Scene, follow, recorded
from tests.support.table import BOARD

SPACE = Workspace()
OTHER = {
    at.AFTER_SERVED: (0, 1, 2),
    at.PROGRESS: (0, 1, 2, 3),
    at.FINISH: (0, 1, 2),
    at.STOCK_EXHAUSTED: (0, 1, 2),
    at.SCOPE: (0, 1, 2),
    at.INITIAL_SKIP: (0, 1, 2, 3),
    at.PLAIN_DISCARD: (0, 1, 2),
    at.FIRST_PLAYER: (0, 1, 2),
    at.FINAL_TIE: (0, 1, 2),
    at.PAIR_HIT: (0, 1, 2),
    at.NATURAL_ON_FULL_SET: (0,),
    at.HAND_SIZE: (5, 6),
    at.PHASES: (4, 9),
    at.ROUNDS: (3,),
    at.INITIAL_DISCARDS: (2,),
    at.TURN_LIMIT: (0, 9, 60, 30),
    at.FULL_SET: (4, 8, 5),
    at.TRACK: (31,),
    at.KEEP_FOR_NEXT: (0, 4),
    at.TWO_WHEN_FULL: (0,),
    at.FULL_COLOUR: (0, 24, 25),
    at.ENDER_DEALS: (0,),
}
"""The values of numbers that are more than yes and no."""


@cache
def traces(*, ring: bool) -> list[list[Moment]]:
    """Recorded games, random ones and those from positions laid out by hand."""
    names, number, positions = (("board",), 8, RING) if ring else (CARD_GAMES, 25, DIRECTED)
    games = [
        islice(recorded(scene), 120) for name in names for scene in islice(scenes(name), number)
    ]
    games += [
        islice(recorded(Scene("", 0, {}, seed), state), 20)
        for state in positions.values()
        for seed in "ab"
    ]
    return [list(game) for game in games]


@cache
def decided() -> list[State]:
    """States of games on the ring in which a bot may decide."""
    games = [recorded(scene) for scene in islice(scenes("board", 7), 6)]
    games += [recorded(Scene("", 0, {}, "a"), state) for state in own_jokers()]
    return [moment.state for game in games for moment in islice(game, 60) if moment.listed]


def is_noticed(place: int, value: int, games: list[list[Moment]]) -> bool:
    """Whether some of the recorded games differs with that number in the rules."""
    for trace in reversed(games):
        rules = compile_rules(trace[0].state.ruleset)
        if rules[place] != value:
            changed = array("q", rules)
            changed[place] = value
            try:
                follow(trace, changed)
            except (AssertionError, IndexError, KeyError, ValueError):
                return True
    return False


def options() -> list[tuple[int, int]]:
    """The numbers that stand for options, each with every value that it may have."""
    return [
        (place, value)
        for place in range(at.HAND_SIZE, at.GIVER_CHOOSES + 1)
        for value in OTHER.get(place, (0, 1))
    ]


@pytest.mark.untraced
def test_every_option_is_noticed() -> None:
    games = {ring: traces(ring=ring) for ring in (False, True)}
    missed = [case for case in options() if not is_noticed(*case, games[case[0] >= at.TRACK])]
    assert missed == []


@pytest.mark.untraced
def test_what_bots_know_is_noticed() -> None:
    numbers = [(at.COVERED, 0), (at.NO_POINTS, 0), (at.JOKERS_KNOWN, 0), (at.JOKERS_KNOWN, 1)]
    for place, value in numbers:
        assert any(chosen(state) != chosen(state, (place, value)) for state in decided())


def chosen(state: State, *changes: tuple[int, int]) -> list[Command]:
    """What bots choose inside the kernel, with some numbers of the rules changed."""
    rules = compile_rules(state.ruleset)[:]
    for place, value in changes:
        rules[place] = value
    return [
        command(SPACE.moves, choose(bot, rules, pack(state), SPACE, b"a", 1), state)
        for bot in ("greedy", "expert")
    ]


@pytest.mark.untraced
def test_points_the_deck_the_forms_and_the_phases_are_noticed() -> None:
    games = traces(ring=False)
    classic = compile_rules(games[0][0].state.ruleset)
    places = [at.POINTS_AT + rank for rank in (1, 12, at.WILD, at.SKIP)]
    places += [at.DECK_AT + card for card in (1, 60, at.WILD, at.SKIP)]
    places += [
        at.FORM_AT + kind * at.FORM + number
        for kind in range(at.KINDS)
        for number in ((at.ALIKE,) if classic[at.FORM_AT + kind * at.FORM] else range(at.FORM))
        if (kind, number) not in ((6, at.COPIES), (6, at.ONE_COLOUR))  # 2 is as 1 there
    ]
    places += [
        at.PHASE_AT + place
        for place in (at.NEEDS, *range(at.NEED_AT, at.NEED_AT + 2 * at.NEED - 1))
    ]
    assert [place for place in places if not is_noticed(place, classic[place] + 1, games)] == []


@pytest.mark.untraced
def test_every_space_of_the_ring_is_noticed() -> None:
    spaces = [at.TRACK_AT + space for space in range(len(BOARD.track))]
    ring = compile_rules(BOARD)
    others = [(place, 1 + ring[place] % at.ON_CHOOSE) for place in spaces]
    assert [other for other in others if not is_noticed(*other, traces(ring=True))] == []
