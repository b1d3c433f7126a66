"""Other libraries doing the like, each in a process of its own that prints one line of JSON.

    python benchmarks/peers.py            sets their environment up and measures each once
    python benchmarks/peers.py LOOP [SECONDS]    one loop, in the environment that has them

They are installed from the package index into an environment of their own under the user's cache
folder (or PHASELEDGER_PEERS), never into the project's. Rates are per second of processor time.
"""

import hashlib
import io
import json
import os
import random
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

REQUIREMENTS = ("chess>=1.11,<2", "open-spiel>=1.6,<2", "rlcard>=1.2,<2")
PGN_GAMES = 20
PGN_PLIES = 120


# --- the loops; each yields after a step how many things were done -------------------------------


def spiel_play() -> Iterator[int]:
    """OpenSpiel gin_rummy, random legal play from Python: decisions. Chance is uniform there."""
    pyspiel = import_module("pyspiel")
    game, chance = pyspiel.load_game("gin_rummy"), random.Random(1)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            decided = not state.is_chance_node()
            state.apply_action(chance.choice(state.legal_actions()))
            yield decided


def _spiel_states(count: int = 200) -> list[Any]:
    """States of random play that ask for a decision."""
    game, chance = import_module("pyspiel").load_game("gin_rummy"), random.Random(1)
    states: list[Any] = []
    state = game.new_initial_state()
    while len(states) < count:
        if state.is_terminal():
            state = game.new_initial_state()
        if not state.is_chance_node():
            states.append(state.clone())
        state.apply_action(chance.choice(state.legal_actions()))
    return states


def spiel_legal() -> Iterator[int]:
    """OpenSpiel gin_rummy: lists of legal actions."""
    states = _spiel_states()
    while True:
        for state in states:
            state.legal_actions()
        yield len(states)


def spiel_view() -> Iterator[int]:
    """OpenSpiel gin_rummy: what a player observes, as text."""
    states = _spiel_states()
    while True:
        for state in states:
            state.observation_string(state.current_player())
        yield len(states)


def _rlcard(name: str) -> Iterator[int]:
    env, chance = import_module("rlcard").make(name), random.Random(1)
    while True:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(chance.choice(list(state["legal_actions"])))
            yield 1


def rlcard_gin() -> Iterator[int]:
    """RLCard gin-rummy, random legal play: decisions."""
    return _rlcard("gin-rummy")


def rlcard_uno() -> Iterator[int]:
    """RLCard uno, random legal play: decisions."""
    return _rlcard("uno")


def rlcard_rules() -> Iterator[int]:
    """RLCard gin-rummy by its own rule agents: decisions."""
    env = import_module("rlcard").make("gin-rummy")
    agents = import_module("rlcard.models").load("gin-rummy-novice-rule").agents
    while True:
        state, player = env.reset()
        while not env.is_over():
            state, player = env.step(agents[player].step(state), agents[player].use_raw)
            yield 1


def chess_pgn() -> Iterator[int]:
    """python-chess, replay of PGN games of random moves: moves."""
    pgn = import_module("chess.pgn")
    chance, texts = random.Random(1), []
    for _ in range(PGN_GAMES):
        game = node = pgn.Game()
        board = game.board()
        while not board.is_game_over() and board.ply() < PGN_PLIES:
            move = chance.choice(list(board.legal_moves))
            board.push(move)
            node = node.add_variation(move)
        texts.append(str(game))
    while True:
        for text in texts:
            read = pgn.read_game(io.StringIO(text))
            moves = 0
            board = read.board()
            for move in read.mainline_moves():
                board.push(move)
                moves += 1
            yield moves


LOOPS: dict[str, Callable[[], Iterator[int]]] = {
    "OpenSpiel gin_rummy": spiel_play,
    "OpenSpiel legal_actions": spiel_legal,
    "OpenSpiel observation": spiel_view,
    "RLCard gin-rummy": rlcard_gin,
    "RLCard uno": rlcard_uno,
    "RLCard gin-rummy rules": rlcard_rules,
    "python-chess PGN": chess_pgn,
}
VERSIONS = {"chess": "python-chess", "open-spiel": "OpenSpiel", "rlcard": "RLCard"}


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
            print(f"{name:26} {measure(program, name, 1.0):10,.0f} /s")


if __name__ == "__main__":
    main(sys.argv[1:])
