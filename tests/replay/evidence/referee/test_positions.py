"""The referee against the rules, move by move: what they refuse, it objects to, and nothing else.

Games show where a referee is too strict; where it is too lenient only moves show that no game has.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

import pytest

from phaseledger.domain.commands import Act
from phaseledger.domain.events import PawnMoved
from phaseledger.domain.evolve import evolve
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.state import State
from phaseledger.replay.evidence.referee.referee import Referee
from phaseledger.replay.laboratory.simulate.game import play
from tests.support.cases import looped
from tests.support.chance import chooser
from tests.support.replay.asked_positions import explored_questions
from tests.support.replay.drawn_positions import explored
from tests.support.replay.judged_positions import JudgedMove, judged_moves
from tests.support.replay.option_pairs import plans
from tests.support.replay.rare_positions import explored_rarities, explored_supplies
from tests.support.replay.recorded_positions import BY_RULE, WORKED, recorded_moves
from tests.support.replay.referee_tables import table_facts, table_of
from tests.support.replay.refereed_games import events_of_game

SLICE = 12
"""Positions of each rule set; `benchmarks/referee.py positions` draws them by the thousand."""
ACTIONS = 18
"""Each action of the ring, with either way to deal with a short supply."""

Moves = Iterable[tuple[State, Act]]


def agreed(moves: Moves, *, to_the_end: bool = True) -> list[JudgedMove]:
    """The moves judged, some of which are lawful and some not, and none judged otherwise."""
    judged = list(judged_moves(moves, to_the_end=to_the_end))
    assert [move.fault for move in judged if move.fault] == []
    assert {move.is_lawful for move in judged} == {True, False}
    return judged


@pytest.mark.parametrize("modules", [WORKED, BY_RULE], ids=["worked cases", "by rule"])
def test_positions_laid_out_by_hand(modules: tuple[str, ...]) -> None:
    """RULES.md section 8, and the positions of each rule's own tests."""
    tried = recorded_moves(modules)
    agreed(((move.state, move.act) for move in tried), to_the_end=False)
    assert len(tried) > 300


@looped("ruleset", GAMES)
@looped(("explore", "of"), [(explored, 2), (explored_questions, 4), (explored_rarities, 4)])
def test_drawn_positions(
    ruleset: str, explore: Callable[[str, int], Iterator[tuple[State, Act]]], of: int
) -> None:
    """House rules by pairwise coverage, any question open, rare piles and groups; one move in some.

    On into the next deal, moves good and spoilt.
    """
    moves = chain.from_iterable(explore(ruleset, number) for number in range(SLICE))
    judged = agreed(islice(moves, 0, None, of))
    if explore is explored_questions:
        of_the_ring = {"ask", "choose", "keep", "move", "search", "swap"}
        due = {"draw", "play"} | (of_the_ring if ruleset == "board" else set())
        assert {move.state.waits[0].kind for move in judged} >= due


def test_actions_with_few_cards() -> None:
    """B-21, O-01, O-34: each action of the ring with 0 to 3 cards in either pile."""
    moves = chain.from_iterable(explored_supplies(number) for number in range(ACTIONS))
    judged = agreed(islice(moves, 0, None, 5))
    landed = [move for move in judged if move.is_lawful and isinstance(move.events[0], PawnMoved)]
    assert {move.events[0].action for move in landed} >= {"TAKE3", "EVERY", "SWAP", "JOKER"}
    supplies = {move.state.ruleset.options.short_supply for move in landed}
    assert supplies == {"cancel", "as_many_as_possible"}


@looped("ruleset", GAMES)
def test_a_table_set_up_is_the_one_that_a_referee_comes_to(ruleset: str) -> None:
    """What these tests build on: a state says all that the referee has gathered until then."""
    number, plan = next(plans(ruleset, "positions"))
    events = events_of_game(play(plan, number).lines)
    state: State | None = None
    referee, pick, compared = Referee(), chooser(b"tables", number), 0
    for event, following in zip(events, [*events[1:], events[0]], strict=True):
        state = evolve(state, event)
        referee.watch(event)
        if following.act is None or state.stage != "playing" or not state.waits or pick(20):
            continue
        assert referee.table
        assert _lasting(table_facts(table_of(state))) == _lasting(table_facts(referee.table))
        compared += 1
    assert compared > 10


def _lasting(facts: dict[str, dict[str, object]]) -> dict[str, object]:
    """Without what only the moment's question or the last round has to do with."""
    passing = {"lastOut", "out", "winners", "askedValue", "tied", "gifts", "wanted"}
    kept = {name: value for name, value in facts["facts"].items() if name not in passing}
    return {**facts, "facts": kept}


def test_a_command_may_be_spaced_in_any_way() -> None:
    """A tab in a command is no foul: the rules take it, and so does the referee."""
    spaces = ("\\t", "\\u2028", "\\x1c", "\\u3000")
    drawn = islice(explored("classic", 5, tries=400, moves=1), 400)
    agreed(move for move in drawn if any(space in repr(move[1].command) for space in spaces))
