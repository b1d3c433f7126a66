"""Commands for many games, each with small inputs of its own."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import msgspec

from phaseledger.domain.options import OptionValue
from tests.support.replay.bundles import PLANS, good, of_kind
from tests.support.replay.log_edits import encode, rechained, short_game, trees
from tests.support.replay.operator_games import OPERATOR
from tests.support.replay.report_games import games
from tests.support.scenario import play_random, records

VARIANT: dict[str, OptionValue] = {"variant": "n_phases(1)"}
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


def _rejudged(folder: Path) -> None:
    home = folder / "rejudged"
    home.mkdir()
    for number in range(4):
        _, events = play_random(str(UUID(int=50 + number)), 2, f"re {number}", VARIANT)
        _file(home / f"{number}.ndjson", *(entry.stored for entry in records(events)))


def _reported(folder: Path) -> None:
    damaged = [line for number, line in enumerate(games("classic", 1)[0]) if number != 20]
    whole = [line for game in games("classic", 3)[1:] for line in game]
    _file(folder / "reported.ndjson", *damaged, *whole)


def _verified(folder: Path) -> None:
    for name in BUNDLES:
        _file(folder / name, *good(name.partition(" ")[0]))
    _file(folder / BUNDLES[-1], good()[0])
    _file(folder / "kept.ndjson", *map(msgspec.json.encode, of_kind(good(), "receipt")[4:7]))
    (folder / "club.toml").write_text(f'keys = ["{OPERATOR.public}"]\n')


def _without_times(printed: bytes) -> object:
    return {**msgspec.json.decode(printed), "measured": None}


BUNDLES = [f"{kind} {number}.bundle" for number in range(3) for kind in sorted(PLANS)]

COMMANDS: Mapping[str, BulkCommand] = {
    "audit": BulkCommand(("audit", "--all", "logs"), 5),
    "rejudge": BulkCommand(("rejudge", "rejudged", "--option", "discard_taken_card=false")),
    "report": BulkCommand(("report", "reported.ndjson")),
    "verify": BulkCommand(
        ("verify", *BUNDLES, "--receipt", "kept.ndjson", "--policy", "club.toml", "--json")
    ),
    "tournament": BulkCommand(
        ("simulate", "--tournament", "--seed", "cup", "--games", "6", "--players", "2",
         "--bots", "greedy,random", *SHORT, "--json"), printed=_without_times,
    ),
}  # fmt: skip


def write_inputs(folder: Path) -> None:
    """Write the inputs of all commands."""
    for write in (_audited, _rejudged, _reported, _verified):
        write(folder)
