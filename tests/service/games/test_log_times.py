"""What the shell marks of a game beside its state."""

from msgspec.structs import replace

from phaseledger.domain.commands import Act, Keep
from phaseledger.domain.decide import step
from phaseledger.domain.state import Question
from phaseledger.domain.terms import Clock, Terms
from phaseledger.service.games.log_times import NONE, QuestionTime, times_after
from tests.support.table import board


def test_an_answer_gives_nobody_else_more_time() -> None:
    """Three seats choose what to keep; the last to answer has no more time than the first."""
    waits = tuple(Question(seat, "keep", 5) for seat in range(3))
    state = replace(
        board(["R1 R2", "B1 B2", "G1 G2"], waits=waits), terms=Terms(clock=Clock(9)), active=-1
    )
    marks = NONE._replace(asked=dict.fromkeys(range(3), QuestionTime(1_000, 7)))
    after, events = step(state, Act(Keep(), 1))
    marks = times_after(marks, state, after, 8, 5_000, events[0])
    assert marks.asked == {0: QuestionTime(1_000, 7), 2: QuestionTime(1_000, 7)}
