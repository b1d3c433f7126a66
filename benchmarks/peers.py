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
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

REQUIREMENTS = ("chess>=1.11,<2", "open-spiel>=1.6,<2", "rlcard>=1.2,<2")
CHESS_GAMES = 20
CHESS_PLIES = 120


# --- the loops; each yields after a step how many things were done -------------------------------


SPIEL_GAMES = {
    "gin_rummy": {},
    "crazy_eights": {"players": 4},
    "hearts": {},
    "euchre": {},
}
"""Card games of OpenSpiel with their parameters: gin_rummy for two, the others for four."""


def spiel_play(name: str) -> Iterator[int]:
    """OpenSpiel, random legal play from Python: decisions, told after each hand.

    Chance is uniform there. A fresh state is cloned: to make one anew took most of a short hand.
    """
    pyspiel = import_module("pyspiel")
    fresh = pyspiel.load_game(name, SPIEL_GAMES[name]).new_initial_state()
    chance = random.Random(1)
    while True:
        yield _spiel_hand(fresh.clone(), chance)


def spiel_setup() -> Iterator[int]:
    """OpenSpiel gin_rummy, each hand from `new_initial_state`, as in earlier figures: decisions."""
    game, chance = import_module("pyspiel").load_game("gin_rummy"), random.Random(1)
    while True:
        yield _spiel_hand(game.new_initial_state(), chance)


def _spiel_hand(state: Any, chance: random.Random) -> int:  # noqa: ANN401 - a pyspiel.State
    decisions = 0
    while not state.is_terminal():
        decisions += not state.is_chance_node()
        state.apply_action(chance.choice(state.legal_actions()))
    return decisions


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


def chess_pgn() -> Iterator[int]:
    """python-chess, PGN read: moves. Each is checked and made once, by the reader itself."""
    pgn = import_module("chess.pgn")
    texts = []
    for moves in _chess_games():
        game = node = pgn.Game()
        for move in moves:
            node = node.add_variation(move)
        texts.append(str(game))
    while True:
        for text in texts:
            yield sum(1 for _ in pgn.read_game(io.StringIO(text)).mainline_moves())


def chess_uci(*, checked: bool) -> Iterator[int]:
    """python-chess, moves in UCI notation made on a board, checked for legality or trusted."""
    chess = import_module("chess")
    texts = [[move.uci() for move in moves] for moves in _chess_games()]
    while True:
        for moves in texts:
            board = chess.Board()
            if checked:
                for move in moves:
                    board.push_uci(move)
            else:
                for move in moves:
                    board.push(chess.Move.from_uci(move))
            yield len(moves)


LOOPS: dict[str, Callable[[], Iterator[int]]] = {
    **{f"OpenSpiel {name}": partial(spiel_play, name) for name in SPIEL_GAMES},
    "OpenSpiel gin_rummy with its set-up": spiel_setup,
    "OpenSpiel legal_actions": spiel_legal,
    "OpenSpiel observation": spiel_view,
    "RLCard gin-rummy": rlcard_gin,
    "RLCard uno": rlcard_uno,
    "RLCard gin-rummy rules": rlcard_rules,
    "python-chess PGN": chess_pgn,
    "python-chess UCI, checked": partial(chess_uci, checked=True),
    "python-chess UCI, trusted": partial(chess_uci, checked=False),
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
            print(f"{name:36} {measure(program, name, 1.0):10,.0f} /s")


if __name__ == "__main__":
    main(sys.argv[1:])
