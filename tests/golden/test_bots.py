"""The bots choose as they ever did: the moves of a recorded game are decided again.

`bots.txt` has a line for each scene and bot: two hex digits for each decision, of the hash of what
the bot would choose there. ``GOLDEN=write pytest tests/golden`` writes it anew, which is right only
after new scenes or for a bot under a new name.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice

import pytest
from msgspec.json import encode

from phaseledger.domain.bots import BOTS, decision
from phaseledger.domain.state import State
from tests.golden.games import HERE, MODE
from tests.support.kernel_scenes import CROWDED, DIRECTED, GAMES, RING, scenes
from tests.support.lockstep import Scene, recorded

FILE = HERE / "bots.txt"
DECISIONS = 100
"""Of each random game."""


def recordings() -> Iterator[tuple[str, list[State]]]:
    """Scenes by name, each with the states at which a seat is asked."""
    for ruleset in GAMES:
        for number, scene in enumerate(islice(scenes(ruleset, 7), 12)):
            yield f"{ruleset} {number}", asked(scene, DECISIONS)
    for number, scene in enumerate(CROWDED):
        yield f"crowded {number}", asked(scene, DECISIONS)
    for name, state in {**DIRECTED, **RING}.items():
        yield name, asked(Scene("", 0, {}, "a"), 20, state)


def asked(scene: Scene, most: int, start: State | None = None) -> list[State]:
    """The states of a recorded game, as many as are wanted."""
    moments = islice(recorded(scene, start), most)
    return [moment.state for moment in moments if moment.listed]


def choices(bot: str, states: list[State]) -> str:
    """Two digits for each choice of the bot."""
    chosen = [
        decision(bot, state, state.waits[0].seat, b"lockstep", count)
        for count, state in enumerate(states)
    ]
    return "".join([sha256(encode(command)).hexdigest()[:2] for command in chosen])


@pytest.mark.untraced
def test_bots_choose_as_ever() -> None:
    lines = [
        f"{name}, {bot}: {choices(bot, states)}" for name, states in recordings() for bot in BOTS
    ]
    if MODE:
        FILE.write_text("".join(f"{line}\n" for line in lines))
    assert lines == FILE.read_text().splitlines()
