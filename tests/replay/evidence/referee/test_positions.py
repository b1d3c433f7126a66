"""The referee against the rules, move by move: what they refuse, it objects to, and nothing else.

Games show where a referee is too strict; where it is too lenient only moves show that no game has.
"""

from itertools import chain, islice

import pytest

from phaseledger.domain.bots.registry import chooser
from phaseledger.domain.events import PawnMoved
from phaseledger.domain.evolve import evolve
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.state import State
from phaseledger.replay.evidence.referee.referee import Referee
from phaseledger.replay.laboratory.simulate.game import play
from tests.support.cases import looped
from tests.support.replay.asked_positions import explored_questions
from tests.support.replay.drawn_positions import explored
from tests.support.replay.judged_positions import judged_moves
from tests.support.replay.option_pairs import plans
from tests.support.replay.rare_positions import explored_rarities, explored_supplies
from tests.support.replay.recorded_positions import BY_RULE, WORKED, recorded_moves
from tests.support.replay.referee_tables import table_facts, table_of
from tests.support.replay.refereed_games import events_of_game

SLICE = 12
"""Positions of each rule set; `benchmarks/referee.py positions` draws them by the thousand."""
ACTIONS = 18
"""Each action of the ring, with either way to deal with a short supply."""


@pytest.mark.parametrize("modules", [WORKED, BY_RULE], ids=["worked cases", "by rule"])
def test_positions_laid_out_by_hand(modules: tuple[str, ...]) -> None:
    """RULES.md section 8, and the positions of each rule's own tests."""
    tried = recorded_moves(modules)
    judged = list(judged_moves(((move.state, move.act) for move in tried), to_the_end=False))
    assert [move.fault for move in judged if move.fault] == []
    assert len(tried) > 400
    assert {move.is_lawful for move in judged} == {True, False}


@looped("ruleset", GAMES)
def test_drawn_positions(ruleset: str) -> None:
    """House rules by pairwise coverage, moves good and spoilt."""
    moves = chain.from_iterable(explored(ruleset, number) for number in range(SLICE))
    judged = list(judged_moves(moves))
    assert [move.fault for move in judged if move.fault] == []
    assert sum(move.is_lawful for move in judged) > SLICE
    assert sum(not move.is_lawful for move in judged) > 20 * SLICE


@looped("ruleset", GAMES)
def test_positions_in_which_any_question_is_open(ruleset: str) -> None:
    """Hardly any cards, ties, replays, the ring; moves good and spoilt, on into the next deal."""
    moves = chain.from_iterable(explored_questions(ruleset, number) for number in range(SLICE))
    judged = list(judged_moves(moves))
    assert [move.fault for move in judged if move.fault] == []
    due = {"draw", "play"} | (
        {"ask", "choose", "keep", "move", "search", "swap"} if ruleset == "board" else set()
    )
    assert {move.state.waits[0].kind for move in judged} >= due
    assert sum(move.is_lawful for move in judged) > SLICE


@looped("ruleset", GAMES)
def test_rare_positions(ruleset: str) -> None:
    """Nothing to draw or to discard, groups of wilds alone, runs of all ranks and longer."""
    moves = chain.from_iterable(explored_rarities(ruleset, number) for number in range(SLICE))
    judged = list(judged_moves(moves))
    assert [move.fault for move in judged if move.fault] == []
    assert {move.is_lawful for move in judged} == {True, False}


def test_actions_with_few_cards() -> None:
    """B-21, O-01, O-34: each action of the ring with 0 to 3 cards in either pile."""
    moves = chain.from_iterable(explored_supplies(number) for number in range(ACTIONS))
    judged = list(judged_moves(moves))
    assert [move.fault for move in judged if move.fault] == []
    landed = [move for move in judged if move.is_lawful and isinstance(move.events[0], PawnMoved)]
    assert {move.events[0].action for move in landed} >= {"TAKE3", "EVERY", "SWAP", "JOKER"}
    assert {move.state.ruleset.options.short_supply for move in landed} == {
        "cancel",
        "as_many_as_possible",
    }


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
    """Nobody is accused for a tab in a command: the rules take it, and so does the referee."""
    spaced = [
        (state, act)
        for state, act in islice(explored("classic", 5, tries=400, moves=1), 400)
        if any(space in repr(act.command) for space in ("\\t", "\\u2028", "\\x1c", "\\u3000"))
    ]
    judged = list(judged_moves(spaced))
    assert any(move.is_lawful for move in judged)
    assert [move.fault for move in judged if move.fault] == []
