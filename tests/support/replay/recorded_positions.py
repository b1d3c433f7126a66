"""The positions of RULES.md section 8, and what is tried in them: those of the rules' own tests.

`tests/domain/rulesets` lays out every worked case by its ID. Each of its tests is run here, and
what it asks of the rules is written down.
"""

import re
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from phaseledger.domain.commands import Act, OpenGame
from phaseledger.domain.state import State
from tests.support import table

_FOLDER = Path(__file__).parents[2] / "domain" / "rulesets"
_NAMES = sorted(path.stem for path in _FOLDER.glob("test_*.py"))
WORKED = tuple(name for name in _NAMES if name.startswith("test_worked_"))
"""Modules with the cases of the catalogue's section 8."""
BY_RULE = tuple(
    name
    for name in _NAMES
    if re.match(r"test_(board|classic|express|standard_deck)(_(?!games)|$)", name)
)
"""Modules with positions of each rule."""


class RecordedMove(NamedTuple):
    """A move that a test tries."""

    test: str
    state: State
    act: Act


def recorded_moves(modules: tuple[str, ...]) -> list[RecordedMove]:
    """What the tests of these modules ask of the rules in positions where somebody is asked."""
    moves: list[RecordedMove] = []
    current = ""
    decide = table.step

    def recording(state: State | None, act: Act) -> Any:
        is_play = state is not None and state.stage == "playing" and state.waits
        if state is not None and is_play and not isinstance(act.command, OpenGame):
            moves.append(RecordedMove(current, state, act))
        return decide(state, act)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "step", recording)
        for module in modules:
            for name, test in vars(import_module(f"tests.domain.rulesets.{module}")).items():
                if name.startswith("test_") and not signature(test).parameters:
                    current = name
                    test()
    return moves
