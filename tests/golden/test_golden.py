"""Whole games and counts of legal lines, kept in files: any slip of the rules changes them.

A file holds the decisions too, so a game is played again by what was decided then, whatever the
bots would do now. After a change that is meant, run ``GOLDEN=write pytest tests/golden``, which
writes what the same decisions lead to, and read the difference. ``GOLDEN=bots`` lets the bots of
`BOTS` play all games anew, which is needed only where old decisions have become illegal.
"""

from collections.abc import Iterator

import pytest

from phaseledger.domain.commands import Act
from phaseledger.domain.decide import step
from phaseledger.domain.legal import legal
from phaseledger.domain.state import State
from tests.golden.games import GAMES, HERE, MODE, SAMPLE, game
from tests.golden.transcript import lines, narration
from tests.support.campaigns import sampled

TOLD = {
    "classic-2-ten-rounds": (45, 25),
    "classic-3-twist": (45, 25),
    "standard-deck-3-complete-ordered": (30, 15),
    "standard-deck-3-ten-rounds-ordered": (30, 15),
    "standard-deck-4-complete-free": (30, 15),
    "standard-deck-4-ten-rounds-free": (30, 15),
    "express-2": (45, 25),
    "express-3-ten-rounds": (45, 25),
    "board-3": (70, 40),
    "board-4": (70, 40),
}
"""Games told at length: how many of their first and of their last decisions."""
BRIEFLY = (14, 7)
"""So many of all others."""


def compare(name: str, written: str) -> None:
    """The text is what the file says; when writing, the file says what the text is."""
    file = HERE / name
    if MODE:
        file.write_text(written)
    assert file.read_text() == written


@pytest.mark.parametrize("name", sampled(GAMES, *SAMPLE))
def test_golden_games(name: str) -> None:
    """The same decisions lead to the same events, views and legal commands, to the end."""
    acts, steps = game(name)
    opened = steps[0][0]
    ruleset, seats, _ = GAMES[name]
    assert (opened.ruleset.name, len(opened.seats)) == (ruleset, seats)
    assert steps[-1][0].stage == "ended"
    compare(f"{name}.txt", "".join(f"{line}\n" for line in lines(acts, steps)))
    # Each event, what it changes for each viewer, and what is legal, for people to read.
    first, last = TOLD.get(name, BRIEFLY)
    compare(
        f"{name}-told.txt", "".join(f"{line}\n" for line in narration(acts, steps, first, last))
    )


# --- counts of legal lines ----------------------------------------------------------------------

LINES = 1_000
"""Lines counted at a depth before the next depth is left out."""
DEPTH = 5


def perft(state: State, depth: int) -> int:
    """The number of legal lines of that many decisions."""
    if depth == 0 or state.stage != "playing":
        return 1
    seat = state.waits[0].seat
    commands = list(legal(state, seat))
    if depth == 1:
        return len(commands)
    return sum(perft(step(state, Act(command, seat))[0], depth - 1) for command in commands)


def counts(state: State) -> Iterator[int]:
    """Legal lines of one decision, of two, and so on while they are not too many."""
    for depth in range(1, DEPTH + 1):
        count = perft(state, depth)
        yield count
        if count > LINES:
            break


def openings_and_later(name: str) -> dict[int, State]:
    """The opening, positions deep in the game, and the first of each kind of question."""
    _, steps = game(name)
    states = {number: state for number, (state, _) in enumerate(steps) if state.waits}
    at = sorted(states)
    chosen = {at[0], *(at[len(at) * part // 8] for part in (2, 4, 6, 7))}
    kinds: set[object] = set()
    for number in at[len(at) // 3 :]:
        state = states[number]
        kind = (state.waits[0].kind, state.action, bool(state.groups))
        if state.action and kind not in kinds:
            kinds.add(kind)
            chosen.add(number)
    return {number: states[number] for number in sorted(chosen)}


COUNTED = [name for name, (ruleset, *_) in GAMES.items() if ruleset != "board" or name in TOLD]


@pytest.mark.parametrize("name", sampled(COUNTED, *(name for name in SAMPLE if name != "board-4")))
def test_perft(name: str) -> None:
    """Legal lines from fixed positions to a fixed depth."""
    perft = [
        f"{number} {state.waits[0].kind} {state.action}".rstrip()
        + f": {' '.join(map(str, counts(state)))}\n"
        for number, state in openings_and_later(name).items()
    ]
    compare(f"{name}-perft.txt", "".join(perft))
