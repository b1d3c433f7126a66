"""Golden games event by event, and who may look at them."""

from functools import cache

from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import State
from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.table import Step
from tests.golden.games import game


@cache
def golden_steps(name: str) -> tuple[Step, ...]:
    """A golden game, event by event."""
    state: State | None = None
    steps = []
    for _, events in game(name)[1]:
        for event in events:
            state = evolve(state, event)
            steps.append(Step(event, state))
    return tuple(steps)


def viewers(seats: int) -> tuple[Viewer, ...]:
    return ("all", None, *range(seats))
