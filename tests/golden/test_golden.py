"""Whole games and counts of legal lines, kept in files: any slip of the rules changes them.

After a change that is meant, run ``GOLDEN=write pytest tests/golden`` and read the difference.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from domain.codec import redact
from domain.commands import Act
from domain.decide import step
from domain.legal import legal
from domain.options import OptionValue
from domain.state import State
from domain.view import view
from tests.scenario import decisions, records
from tests.table import GAME

HERE = Path(__file__).parent


def compare(name: str, text: str) -> None:
    """The text is what the file says; with GOLDEN=write the file says what the text is."""
    file = HERE / name
    if os.environ.get("GOLDEN") == "write":
        file.write_text(text)
    assert file.read_text() == text


def transcript(seats: int, seed: str, options: dict[str, OptionValue]) -> Iterator[str]:
    """Every decision with its events, and after it each viewer's table and legal commands."""
    steps = list(decisions(GAME, seats, seed, options, "greedy"))
    entries = iter(records([event for _, events in steps for event in events]))
    for state, events in steps:
        for event in events:
            entry = next(entries)
            tree = msgspec.json.decode(redact(entry.stored, b"", None, opened=True))
            hidden = f" {text(tree['hidden'])}" if "hidden" in tree else ""
            yield f"{entry.seq} {entry.topic} {text(tree['data'])}{hidden} leaf {entry.leaf[:16]}"
            assert event is not None
        for viewer in (None, *range(seats)):
            shown = msgspec.to_builtins(view(state, viewer))
            for constant in ("game", "ruleset"):
                del shown[constant]
            yield f"  seen by {'all' if viewer is None else viewer}: {text(shown)}"
        for seat in range(seats):
            listed = [text(msgspec.to_builtins(command)) for command in legal(state, seat)]
            if listed:
                yield f"  legal for {seat}: {' '.join(listed)}"


def text(tree: object) -> str:
    """Compact JSON."""
    return msgspec.json.encode(tree, order="sorted").decode()


GAMES = [
    ("classic-2.txt", 2, {"variant": "n_phases(1)"}),
    ("classic-3-twist.txt", 3, {"variant": "n_phases(2)", "initial_skip": "cover"}),
]


@pytest.mark.parametrize(("name", "seats", "options"), GAMES)
def test_golden_games(name: str, seats: int, options: dict[str, OptionValue]) -> None:
    """The same seed gives the same game, event by event and view by view."""
    compare(name, "\n".join(transcript(seats, name, options)) + "\n")


def perft(state: State, depth: int) -> int:
    """The number of legal lines of that many decisions."""
    if depth == 0 or state.stage != "playing":
        return 1
    seat = state.waits[0].seat
    commands = list(legal(state, seat))
    if depth == 1:
        return len(commands)
    return sum(perft(step(state, Act(command, seat))[0], depth - 1) for command in commands)


def positions() -> Iterator[tuple[str, State]]:
    """Openings and positions deep in games, with groups to hit and phases to lay."""
    for seats in (2, 4, 6):
        for deep in (0, 33, 150):
            for count, (state, _) in enumerate(
                decisions(GAME, seats, f"perft {seats}", {}, "greedy")
            ):
                if count == seats + 1 + deep:
                    yield f"seats {seats} decision {deep}", state
                    break


def test_perft() -> None:
    """Legal lines from fixed seeds to a fixed depth."""
    lines = [
        f"{name}: {' '.join(str(perft(state, depth)) for depth in range(1, 5))}"
        for name, state in positions()
    ]
    compare("perft-classic.txt", "\n".join(lines) + "\n")
