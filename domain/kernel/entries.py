"""The functions of the kernel that are called from outside: those of `compiled`, where it is.

The build reads the imports: what is imported here from a module of the kernel becomes a function of
`compiled`, of the same name. It takes an `array.array` for each array, uncompiled any list too.
"""

from phaseledger.domain.kernel import compiled_functions
from phaseledger.domain.kernel.chance import pick, seed_chance, shuffle
from phaseledger.domain.kernel.games import choose, play_on
from phaseledger.domain.kernel.groups import extend, extends, follows
from phaseledger.domain.kernel.luck import add_draw_luck
from phaseledger.domain.kernel.moves import list_moves
from phaseledger.domain.kernel.reasons import weigh_discard
from phaseledger.domain.kernel.rollouts import copy_game, play_samples, roll_out
from phaseledger.domain.kernel.rules import deal_round, open_game, play
from phaseledger.domain.kernel.values import add_slopes, chances, expect_draw, write_features
from phaseledger.domain.kernel.worlds import draw_world

__all__ = [
    "add_draw_luck",
    "add_slopes",
    "chances",
    "choose",
    "copy_game",
    "deal_round",
    "draw_world",
    "expect_draw",
    "extend",
    "extends",
    "follows",
    "list_moves",
    "open_game",
    "pick",
    "play",
    "play_on",
    "play_samples",
    "roll_out",
    "seed_chance",
    "shuffle",
    "weigh_discard",
    "write_features",
]

globals().update(compiled_functions(__all__))
