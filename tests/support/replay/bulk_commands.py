"""Commands for many games, each with small inputs of its own."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import msgspec

from tests.support.replay.log_edits import encode, rechained, short_game, trees
from tests.support.replay.report_games import games

SHORT = ["--option", "variant=n_phases(1)"]


class BulkCommand(NamedTuple):
    """The words of a command, which are for the folder that it is run in."""

    words: tuple[str, ...]
    parts: int = 0
    """Parts of its work whose results are kept."""
    printed: Callable[[bytes], object] = bytes
    """What of its output does not depend on the time that it took."""


def _file(path: Path, *lines: bytes) -> None:
    path.write_bytes(b"".join(line.removesuffix(b"\n") + b"\n" for line in lines))


def edited(number: int) -> list[bytes]:
    """A game with a score changed, and the chain made anew."""
    made = trees(str(UUID(int=number)), f"bulk {number}")
    ended = next(tree for tree in made if tree["type"] == "RoundEnded/1")
    ended["data"]["results"][0]["total"] += 5
    return [encode(tree) for tree in rechained(made)]


def _audited(folder: Path) -> None:
    home = folder / "logs"
    home.mkdir()
    for number in range(20, 25):
        _file(home / f"{number}.ndjson", *short_game(str(UUID(int=number)), f"bulk {number}"))
    _file(home / "21.ndjson", *edited(21))
    _file(home / "23.ndjson", *edited(23)[:-1], b"\xff\xfe")
    (home / "gone.ndjson").symlink_to(home / "nowhere")


def _reported(folder: Path) -> None:
    damaged = [line for number, line in enumerate(games("classic", 1)[0]) if number != 20]
    whole = [line for game in games("classic", 3)[1:] for line in game]
    _file(folder / "reported.ndjson", *damaged, *whole)


def _without_times(printed: bytes) -> object:
    return {**msgspec.json.decode(printed), "measured": None}


COMMANDS: Mapping[str, BulkCommand] = {
    "audit": BulkCommand(("audit", "--all", "logs"), 5),
    "report": BulkCommand(("report", "reported.ndjson")),
    "tournament": BulkCommand(
        ("simulate", "--tournament", "--seed", "cup", "--games", "6", "--players", "2",
         "--bots", "greedy,random", *SHORT, "--json"), printed=_without_times,
    ),
}  # fmt: skip


def write_inputs(folder: Path) -> None:
    """Write the inputs of all commands."""
    _audited(folder)
    _reported(folder)
