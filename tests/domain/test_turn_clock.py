"""Since when seats are asked, and until when they have time."""

import pytest

from phaseledger.domain.commands import Act, Draw, Pass, TimeOut
from phaseledger.domain.events import Event, TurnPassed
from phaseledger.domain.state import Question
from phaseledger.domain.terms import Clock
from phaseledger.domain.turn_clock import Deadline, askings_after, deadline
from tests.support.cases import looped

DRAW, PLAY = Question(0, "draw"), Question(0, "play")
GIVE, GIVE_ANOTHER = Question(1, "give", 7), Question(1, "give", 8)
NOBODY = TurnPassed(seat=0)
HOST = TurnPassed(seat=0, act=Act(TimeOut(1)))
FIRST = TurnPassed(seat=0, act=Act(Pass(), 0))
SECOND = TurnPassed(seat=1, act=Act(Draw(), 1))


@looped(
    ("clock", "due", "grace_until"),
    [(Clock(1), 6_000, 6_000), (Clock(30, 10), 35_000, 45_000)],
)
def test_the_deadline(clock: Clock, due: int, grace_until: int) -> None:
    assert deadline(clock, 5_000) == Deadline(due, grace_until)


@looped(
    ("before", "waits", "event", "expected"),
    [
        pytest.param((), (DRAW,), NOBODY, {0: "new"}, id="asked"),
        pytest.param((DRAW,), (DRAW,), NOBODY, {0: "old"}, id="asked still"),
        pytest.param((DRAW,), (DRAW,), HOST, {0: "old"}, id="the host has spoken"),
        pytest.param((DRAW,), (DRAW, GIVE), SECOND, {0: "old", 1: "new"}, id="another has"),
        pytest.param((DRAW,), (DRAW,), FIRST, {0: "new"}, id="asked the same anew"),
        pytest.param((DRAW,), (PLAY,), NOBODY, {0: "new"}, id="asked something else"),
        pytest.param((GIVE,), (GIVE_ANOTHER,), NOBODY, {1: "new"}, id="asked for another number"),
        pytest.param((GIVE,), (GIVE,), NOBODY, {1: "new"}, id="not known since when"),
        pytest.param((DRAW,), (), FIRST, {}, id="answered"),
        pytest.param((), (Question(0, "reveal"),), NOBODY, {}, id="a secret is due"),
    ],
)
def test_since_when_a_seat_is_asked(
    before: tuple[Question, ...],
    waits: tuple[Question, ...],
    event: Event,
    expected: dict[int, str],
) -> None:
    assert askings_after({0: "old"}, before, waits, event, "new") == expected
