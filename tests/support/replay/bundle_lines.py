"""A bundle's lines, to be changed."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from tests.support.chance import Pick
from tests.support.replay.operator_games import Plan, bundled, played
from tests.support.replay.outcome_forgeries import Tree

Lines = list[bytes]


class Made(NamedTuple):
    """A good bundle, and the log behind it."""

    plan: Plan
    stored: tuple[bytes, ...]
    lines: tuple[bytes, ...]


def made(plan: Plan) -> Made:
    """The game played, and its bundle."""
    stored = played(plan)
    return Made(plan, tuple(stored), tuple(bundled(stored)))


def kind(line: bytes) -> str:
    """What the line holds."""
    return line[2 : line.index(b'"', 2)].decode()


def places(lines: Sequence[bytes], *kinds: str) -> list[int]:
    """Where lines of these kinds stand."""
    return [n for n, line in enumerate(lines) if kind(line) in kinds]


def tree_of(line: bytes) -> Tree:
    """What stands in a line."""
    (tree,) = msgspec.json.decode(line).values()
    held: Tree = tree
    return held


def line_with(name: str, tree: Tree) -> bytes:
    """A line that holds that."""
    return msgspec.json.encode({name: tree}, order="sorted") + b"\n"


def rewrite(lines: Lines, place: int, change: Callable[[Tree], object]) -> None:
    """Change what a line holds."""
    tree = tree_of(lines[place])
    change(tree)
    lines[place] = line_with(kind(lines[place]), tree)


def counted(lines: Lines) -> bool:
    """Put the numbers of events and lines right, as a careful forger would."""
    events = len(places(lines, "event"))
    rewrite(lines, 0, lambda tree: tree.update(events=events))
    rewrite(lines, -1, lambda tree: tree.update(lines=len(lines) - 1))
    return True


def some_line(lines: Lines, pick: Pick, *kinds: str) -> int | None:
    indices = places(lines, *kinds)
    return indices[pick(len(indices))] if indices else None


def event_blocks(lines: Lines) -> list[tuple[int, int]]:
    """Where each event begins and ends with the seals that are opened under it."""
    starts = places(lines, "event")
    return [
        (start, next(n for n in range(start + 1, len(lines)) if kind(lines[n]) != "opens"))
        for start in starts
    ]
