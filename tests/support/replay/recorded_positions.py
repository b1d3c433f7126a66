"""The positions of RULES.md section 8, and what is tried in them: those of the rules' own tests.

`tests/domain/rulesets` lays out every worked case by its ID. Each of its tests is run here, and
what it asks of the rules is written down.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from inspect import signature
from itertools import product
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
                if not name.startswith("test_"):
                    continue
                for arguments in _arguments(test):
                    current = f"{name} {arguments.get('case', '')}".strip()
                    test(**arguments)
    return moves


def _arguments(test: Any) -> Iterator[dict[str, Any]]:
    """Each set of arguments that a test is run with; none where it needs a fixture."""
    choices: list[list[dict[str, Any]]] = []
    for mark in getattr(test, "pytestmark", []):
        if mark.name == "parametrize":
            names, rows = mark.args
            names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
            choices.append([_named(names, row) for row in rows])
    for chosen in product(*choices):
        arguments = {name: value for some in chosen for name, value in some.items()}
        if {*signature(test).parameters} == {*arguments}:
            yield arguments


def _named(names: Any, row: Any) -> dict[str, Any]:
    values = getattr(row, "values", row) if hasattr(row, "marks") else row
    return dict(
        zip(names, values if len(names) > 1 or hasattr(row, "marks") else [values], strict=True)
    )
