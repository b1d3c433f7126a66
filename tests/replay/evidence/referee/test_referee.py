"""The second referee: it agrees with the rules that play, and finds what they do wrong."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from phaseledger.domain import policies
from phaseledger.domain.draft import Draft
from phaseledger.domain.events import GameOpened, TurnBegan
from phaseledger.domain.evolve import evolve
from phaseledger.domain.options import PARAMETERS
from phaseledger.domain.play.rounds import end_round
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.state import State
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.evidence.referee.referee import judge
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from tests.support.cases import looped
from tests.support.replay.event_mutations import CHANGEABLE, MUTATIONS, mutations
from tests.support.replay.log_edits import rows
from tests.support.replay.option_pairs import VALUES, option_rows, plans
from tests.support.replay.refereed_games import events_of_game, refereed

SLICE = 12
"""Games of each rule set; `benchmarks/referee.py agree` plays them by the thousand."""


def test_every_option_is_among_the_pairs() -> None:
    """All 43 names of section 7, each in the games that have it."""
    assert set(VALUES) == set(PARAMETERS)
    for name, game in GAMES.items():
        for option in game.settings:
            met = {row.get(option, ()) for row in option_rows(name)}
            assert met == {
                value for value in VALUES[option] if value not in game.settings[option].without
            }


@looped("ruleset", GAMES)
def test_it_agrees_with_the_rules_that_play(ruleset: str) -> None:
    for number, plan in islice(plans(ruleset, "slice"), SLICE):
        assert refereed(play(plan, number).lines) is None, (number, plan.options)


def test_a_changed_event_of_every_kind_is_found() -> None:
    """Whatever is changed against the rules, in that event or where it first shows."""
    unnoticed, met = [], set()
    for ruleset, number in [(name, number) for name in GAMES for number in CHANGEABLE[name]]:
        _, plan = next(plans(ruleset, "changes", number))
        events = events_of_game(play(plan, number).lines)
        for mutation, seq, changed in mutations(events, number):
            met.add(mutation.name)
            objection = judge(changed)
            if objection is None or objection.seq < seq:
                unnoticed.append((ruleset, number, mutation.name, seq, objection))
    assert unnoticed == []
    assert [mutation.name for mutation in MUTATIONS if mutation.name not in met] == []


@looped("ruleset", [name for name in GAMES if name != "board"])
def test_a_round_does_not_end_for_nothing(ruleset: str) -> None:
    """C-61: with cards to draw and nobody out the next turn begins."""
    number, plan = next(plans(ruleset, "slice"))
    events = events_of_game(play(plan, number).lines)
    places = [place for place, event in enumerate(events) if isinstance(event, TurnBegan)]
    for place in places[1:6]:
        state: State | None = None
        for event in events[:place]:
            state = evolve(state, event)
        assert state
        draft = Draft(state)
        end_round(draft, None)
        objection = judge([*events[:place], *draft.events])
        assert objection is not None
        assert objection.seq == place + 1


@looped("ruleset", GAMES)
def test_a_rule_set_that_is_not_its_sheet(ruleset: str) -> None:
    """A game that says to be the catalogue's is opened with other points, or another deck."""
    number, plan = next(plans(ruleset, "slice"))
    opened, *others = events_of_game(play(plan, number).lines)
    assert isinstance(opened, GameOpened)
    rules = opened.ruleset
    for changed in (
        replace(rules, seats_max=rules.seats_max + 1),
        replace(rules, deck=replace(rules.deck, copies=rules.deck.copies + 1)),
    ):
        objection = judge([replace(opened, ruleset=changed), *others])
        assert objection is not None
        assert objection.seq == 1


WRONG_RULES: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "C-64": (policies.SCORING, "points", lambda *of: policies._hand_points(*of) + 5),
    "C-70": (policies.FINISH, "last_phase", lambda state: _dearest(state)),
    "C-67": (policies.NEXT_PHASE, "in_order", lambda state, seat, _: state.seat(seat).phase),
}


def _dearest(state: State) -> policies.RoundOutcome:
    outcome = policies._last_phase(state)
    if outcome.follows != "win":
        return outcome
    seats = range(len(state.seats))
    return replace(outcome, seats=(max(seats, key=lambda seat: state.seat(seat).points),))


@looped("rule", WRONG_RULES)
def test_a_wrong_rule_is_invisible_to_an_audit_without_it(
    rule: str,
) -> None:
    """The audit decides again by the rules that played, so only the referee objects."""
    table, key, wrong = WRONG_RULES[rule]
    short = SimulationPlan("wrong rule", "classic", 3, ("greedy",), {"variant": "n_phases(2)"}, 400)
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(table, key, wrong)
        lines = list(play(short, 1).lines)
        (alone,) = audit(rows(lines))
        (judged,) = audit(rows(lines), with_referee=True)

    assert (alone.sound, judged.sound) == (True, False)
    (finding,) = judged.findings
    assert (finding.code, finding.rule) == ("against_rules", rule)
    (sound,) = audit(rows(list(play(short, 1).lines)), with_referee=True)
    assert sound.sound
