"""The golden games: which there are, and their decisions."""

import os
from functools import cache
from itertools import islice
from pathlib import Path

from phaseledger.domain.commands import Act
from phaseledger.domain.draft import decision
from phaseledger.domain.options import OptionValue
from tests.golden.transcript import Decided, decisions_of, replayed
from tests.support.scenario import decisions
from tests.support.table import GAME

HERE = Path(__file__).parent


MODE = os.environ.get("GOLDEN", "")


BOTS = ("random,greedy", "greedy,random", "greedy")
"""Who plays the games written anew: the shortest of some games is kept."""


STYLES = ("complete_ordered", "ten_rounds_ordered", "complete_free", "ten_rounds_free")


GAMES: dict[str, tuple[str, int, dict[str, OptionValue]]] = {
    **{f"classic-{seats}": ("classic", seats, {}) for seats in range(2, 7)},
    "classic-3-twist": ("classic", 3, {"variant": "n_phases(2)", "initial_skip": "cover"}),
    "classic-2-ten-rounds": ("classic", 2, {"variant": "ten_rounds"}),
    **{
        f"standard-deck-{seats}-{style.replace('_', '-')}": (
            "standard-deck",
            seats,
            {"style": style},
        )
        for style in STYLES
        for seats in (3, 4, 5)
    },
    **{f"express-{seats}": ("express", seats, {}) for seats in range(2, 7)},
    "express-3-ten-rounds": ("express", 3, {"variant": "ten_rounds"}),
    "express-4-n-phases": ("express", 4, {"variant": "n_phases(4)"}),
    **{f"board-{seats}": ("board", seats, {}) for seats in range(2, 7)},
}

SAMPLE = (
    *("classic-2-ten-rounds", "classic-3-twist", "classic-6"),
    *("standard-deck-3-ten-rounds-free", "standard-deck-5-complete-ordered"),
    *("express-2", "express-4-n-phases", "board-4"),
)
"""Every rule set, and each of its variants or styles with few or with many seats."""


LONGEST = 3_000
"""Decisions after which a game is given up: at some tables nobody can go out any more."""


def played_by_bots(name: str) -> list[Act]:
    """The decisions of the shortest of some games."""
    ruleset, seats, options = GAMES[name]
    played = []
    for bots in BOTS:
        for seed in (name, f"{name} again"):
            steps = decisions(GAME, seats, seed, options, bots, ruleset)
            taken = list(islice(steps, LONGEST))
            if taken[-1][0].stage == "ended":
                played.append([decision(events[0]) for _, events in taken])
    shortest = min(played, key=len)
    return [act for act in shortest if act is not None]


@cache
def game(name: str) -> tuple[list[Act], Decided]:
    """The game's decisions and what they lead to."""
    file = HERE / f"{name}.txt"
    anew = MODE == "bots" or (MODE and not file.exists())
    acts = played_by_bots(name) if anew else decisions_of(file.read_text())
    return acts, replayed(acts)
