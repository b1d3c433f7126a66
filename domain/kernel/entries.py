"""The functions of the kernel that are called from outside: those of `compiled`, where it is.

The build reads the imports: what is imported here from a module of the kernel becomes a function of
`compiled`, of the same name. It takes an `array.array` for each array, uncompiled any list too.
"""

from phaseledger.domain.kernel import compiled_functions
from phaseledger.domain.kernel.moves.listing import list_moves
from phaseledger.domain.kernel.play.chance import pick, seed_chance
from phaseledger.domain.kernel.play.rounds import deal_round, open_game
from phaseledger.domain.kernel.play.turns import play
from phaseledger.domain.kernel.policies.games import choose, play_on
from phaseledger.domain.kernel.rollouts.reasons import weigh_discard, weigh_draw
from phaseledger.domain.kernel.rollouts.rollouts import roll_out
from phaseledger.domain.kernel.rollouts.samples import add_slopes, add_squares, play_samples
from phaseledger.domain.kernel.rollouts.values import appraise, expect_draw
from phaseledger.domain.kernel.rollouts.worlds import draw_world

__all__ = [
    "add_slopes",
    "add_squares",
    "appraise",
    "choose",
    "deal_round",
    "draw_world",
    "expect_draw",
    "list_moves",
    "open_game",
    "pick",
    "play",
    "play_on",
    "play_samples",
    "roll_out",
    "seed_chance",
    "weigh_discard",
    "weigh_draw",
]

globals().update(compiled_functions(__all__))
