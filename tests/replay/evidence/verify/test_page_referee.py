"""The page's referee, held against the one in Python: they object to the same events in the same
words, or to none.
"""

from itertools import chain, islice

import pytest

from phaseledger.domain.rulesets import GAMES
from phaseledger.replay.laboratory.simulate.game import play
from tests.support.browser import Verifier
from tests.support.campaigns import sampled
from tests.support.replay.drawn_positions import explored
from tests.support.replay.event_mutations import CHANGEABLE, mutations
from tests.support.replay.judged_positions import judged_moves, on_the_page
from tests.support.replay.option_pairs import plans
from tests.support.replay.option_swaps import other_readings
from tests.support.replay.page_referee import RefereedGame, compared, replacing
from tests.support.replay.rare_positions import explored_rarities, explored_supplies
from tests.support.replay.recorded_positions import WORKED, recorded_moves
from tests.support.replay.refereed_games import events_of_game, nothing_but_again

pytestmark = pytest.mark.system

SLICE = 3
"""Games of each rule set; `benchmarks/referee.py page` has them by the hundred."""


@pytest.mark.parametrize("ruleset", GAMES)
def test_good_games(page: Verifier, ruleset: str) -> None:
    games = [
        RefereedGame(f"{ruleset} {number}", events_of_game(play(plan, number).lines))
        for number, plan in islice(plans(ruleset, "slice"), SLICE)
    ]
    assert compared(page, games) == (0, [])


def test_a_turn_of_nothing_but_again(page: Verifier) -> None:
    assert compared(page, [RefereedGame("again", nothing_but_again(2))]) == (0, [])


@pytest.mark.parametrize("ruleset", GAMES)
def test_games_by_one_value_of_a_house_rule_read_by_another(page: Verifier, ruleset: str) -> None:
    number = CHANGEABLE[ruleset][0]
    _, plan = next(plans(ruleset, "changes", number))
    events = events_of_game(play(plan, number).lines)
    readings = [
        replacing(f"{option} = {value}", 1, events, changed)
        for option, value, changed in other_readings(plan, events, sorted(GAMES[ruleset].settings))
    ]
    judged = compared(page, [RefereedGame(ruleset, events, readings)])
    assert judged.disagreements == []
    assert judged.objections > 0


@pytest.mark.parametrize("ruleset", GAMES)
def test_games_with_one_event_changed(page: Verifier, ruleset: str) -> None:
    games = []
    for number in CHANGEABLE[ruleset]:
        _, plan = next(plans(ruleset, "changes", number))
        events = events_of_game(play(plan, number).lines)
        changes = [
            replacing(mutation.name, seq, events, changed)
            for mutation, seq, changed in mutations(events, number)
        ]
        games.append(RefereedGame(f"{ruleset} {number}", events, changes))
    judged = compared(page, games)
    assert judged.disagreements == []
    assert judged.objections == sum(len(game.changes) for game in games)


def test_worked_cases(page: Verifier) -> None:
    """RULES.md section 8: lawful moves, and forged ones in their place."""
    tried = ((move.state, move.act) for move in recorded_moves(WORKED))
    assert on_the_page(page, judged_moves(tried, to_the_end=False)) == []


@pytest.mark.parametrize("numbers", sampled([range(4), range(4, 8)], range(4)), ids=str)
@pytest.mark.parametrize("ruleset", GAMES)
def test_drawn_positions(page: Verifier, ruleset: str, numbers: range) -> None:
    """Moves that no game has; test_positions.py holds the referee in Python to the rules."""
    moves = chain.from_iterable(
        chain(explored(ruleset, number), explored_rarities(ruleset, number)) for number in numbers
    )
    assert on_the_page(page, judged_moves(moves)) == []


SUPPLIES = (0, 3, 6)
"""Drawings for the suite."""


@pytest.mark.parametrize("number", sampled(range(8), *SUPPLIES))
def test_piles_before_each_action_of_the_ring(page: Verifier, number: int) -> None:
    """With few cards in them (B-21, O-01, O-34): what is asked next, too."""
    moves = explored_supplies(number)
    assert on_the_page(page, judged_moves(moves)) == []
