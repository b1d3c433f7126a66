"""What house rules are about, and what each value of them means."""

from collections.abc import Mapping

from phaseledger.domain.explain.sentences import OPTION_SAYS
from phaseledger.domain.options import PARAMETERS

IN_PROSE = ("players", "board_phases", "board_track", "max_turns_per_round")
"""Options whose values are no list of words."""

OPTIONS: Mapping[str, str] = {
    **{f"option.{name}": parameter.meaning for name, parameter in PARAMETERS.items()},
    **{f"values.{name}": PARAMETERS[name].values for name in IN_PROSE},
    **{
        f"says.{name}.{str(value).lower()}": sentence
        for name, sentences in OPTION_SAYS.items()
        for value, sentence in sentences.items()
        if sentence
    },
    "says.variant.none": "The phases are made one after the other, until the last.",
    "says.variant.ten_rounds": "There are exactly 10 rounds: everybody goes on to the next phase "
    "each round, made or not, and the lowest total wins.",
    "says.variant.even_phases": "Only phases 2, 4, 6, 8 and 10 are played.",
    "says.variant.n_phases": "The game ends with phase {count}.",
    "says.twist_phases.classic": "Phase 10 Twist has the ten classic phases.",
    "says.style.complete_ordered": "Everybody makes the ten phases in order; whoever finishes the "
    "tenth first wins.",
    "says.style.ten_rounds_ordered": "In round n everybody attempts phase n, made or not; after 10 "
    "rounds the fewest points win.",
    "says.style.complete_free": "Whoever lays marks any phase not marked yet; whoever has marked "
    "all ten first wins.",
    "says.style.ten_rounds_free": "Whoever lays marks any phase not marked yet; after 10 rounds "
    "the fewest points win.",
    "says.express_white_cards.wild": "The three white cards are wilds.",
    "says.express_white_cards.none": "The three white cards are left out.",
}
