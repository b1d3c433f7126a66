"""Other libraries doing the like, each in a process of its own that prints one line of JSON.

    python benchmarks/peers.py            sets their environment up and measures each once
    python benchmarks/peers.py LOOP [SECONDS]    one loop, in the environment that has them

They are installed from the package index into an environment of their own under the user's cache
folder (or PHASELEDGER_PEERS), never into the project's. Rates are per second of processor time.
"""

import hashlib
import json
import os
import random
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

REQUIREMENTS = ("chess>=1.11,<2", "open-spiel>=2,<3")
CHESS_GAMES = 20
CHESS_PLIES = 120


# --- the loops; each yields after a step how many things were done -------------------------------


def spiel_play(game: str) -> Iterator[int]:
    """Random legal play from Python in OpenSpiel: decisions, told after each hand.

    Chance is uniform there. A fresh state is cloned: to make one anew took most of a short hand.
    """
    fresh = import_module("pyspiel").load_game(game).new_initial_state()
    chance = random.Random(1)
    while True:
        state, decisions = fresh.clone(), 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            state.apply_action(chance.choice(state.legal_actions()))
        yield decisions


def _chess_games() -> list[list[Any]]:
    """Games of random moves."""
    chess, chance = import_module("chess"), random.Random(1)
    games = []
    for _ in range(CHESS_GAMES):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < CHESS_PLIES:
            board.push(chance.choice(list(board.legal_moves)))
        games.append(board.move_stack)
    return games


def chess_uci() -> Iterator[int]:
    """python-chess, moves in UCI notation made on a board, trusted."""
    chess = import_module("chess")
    texts = [[move.uci() for move in moves] for moves in _chess_games()]
    while True:
        for moves in texts:
            board = chess.Board()
            for move in moves:
                board.push(chess.Move.from_uci(move))
            yield len(moves)


LOOPS: dict[str, Callable[[], Iterator[int]]] = {
    "OpenSpiel gin_rummy": partial(spiel_play, "gin_rummy"),
    "OpenSpiel crazy_eights": partial(spiel_play, "crazy_eights(players=4)"),
    "python-chess UCI, trusted": chess_uci,
}
VERSIONS = {"chess": "python-chess", "open-spiel": "OpenSpiel"}


def per_second(steps: Iterator[int], seconds: float) -> float:
    """Things done per second of this process's processor time; the first step warms up."""
    next(steps)
    done, start = 0, time.process_time()
    end = start + seconds
    for count in steps:
        done += count
        if (now := time.process_time()) >= end:
            return done / (now - start)
    raise AssertionError("the loops never end")


# --- from the project's environment --------------------------------------------------------------


def environment(name: str, requirements: tuple[str, ...]) -> Path:
    """The interpreter of an environment with these packages, which is made if it is not there."""
    mark = hashlib.sha256(repr((requirements, sys.version)).encode()).hexdigest()[:12]
    cache = os.environ.get("PHASELEDGER_PEERS") or os.environ.get("XDG_CACHE_HOME")
    place = Path(cache or Path.home() / ".cache") / "phaseledger" / f"{name}-{mark}"
    program = place / "bin" / "python"
    if not (place / "complete").exists():
        print(f"Installing {', '.join(requirements)} into {place}.", file=sys.stderr)
        venv.create(place, with_pip=True, clear=True)
        install = [str(program), "-m", "pip", "install", "--quiet", *requirements]
        subprocess.run(install, check=True)
        (place / "complete").touch()
    return program


def python() -> Path:
    """The interpreter of the peers' environment."""
    return environment("peers", REQUIREMENTS)


def measure(program: Path, name: str, seconds: float) -> float:
    """One round of a peer's loop, in a new process."""
    command = [str(program), __file__, name, str(seconds)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rate: float = json.loads(output.splitlines()[-1])["rate"]
    return rate


def versions(program: Path) -> dict[str, str]:
    """What was measured."""
    shown = subprocess.run([str(program), __file__, "versions"], check=True, capture_output=True)
    by_package: dict[str, str] = json.loads(shown.stdout)
    return by_package


def main(arguments: list[str]) -> None:
    """One loop here or, from the project's environment, all of them there."""
    if arguments == ["versions"]:
        print(json.dumps({name: version(package) for package, name in VERSIONS.items()}))
    elif arguments:
        seconds = float(arguments[1]) if len(arguments) > 1 else 1.0
        print(json.dumps({"rate": per_second(LOOPS[arguments[0]](), seconds)}))
    else:
        program = python()
        print(versions(program))
        for name in LOOPS:
            print(f"{name:36} {measure(program, name, 1.0):10,.0f} /s")


if __name__ == "__main__":
    main(sys.argv[1:])
