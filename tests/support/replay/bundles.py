"""A bundle of every game, and what stands in its lines."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from tests.support.replay.operator_games import Plan, bundled, played

PLANS = {
    "classic": Plan("classic", 3, "told", {"variant": "n_phases(1)"}, ("greedy",), (0, 2), (1, 2)),
    "standard-deck": Plan(
        "standard-deck", 3, "told", {"max_turns_per_round": 5}, ("random",), (1,), (1,), 40
    ),
    "express": Plan("express", 2, "told", {"max_turns_per_round": 5}, ("greedy",), (), (0,), 40),
    "board": Plan("board", 3, "told", {}, ("random",), (0,), (0, 1), 90),
}


@cache
def game(name: str) -> tuple[bytes, ...]:
    """The stored events of one of the games."""
    return tuple(played(PLANS[name]))


@cache
def good(name: str = "classic") -> tuple[bytes, ...]:
    """The lines of its bundle."""
    return tuple(bundled(game(name)))


def content_of(line: bytes) -> Any:
    """What stands in a line."""
    (value,) = msgspec.json.decode(line).values()
    return value


def of_kind(lines: tuple[bytes, ...] | list[bytes], kind: str) -> list[Any]:
    """What stands in the lines of one kind."""
    return [content_of(line) for line in lines if line.startswith(f'{{"{kind}":'.encode())]


def good_files(folder: Path, count: int) -> list[Path]:
    """Files of one good bundle: `verify` refuses to read one of them twice."""
    files = [folder / f"good {number}" for number in range(count)]
    for file in files:
        file.write_bytes(b"".join(good()))
    return files
