"""The rules of the catalogue by their IDs."""

from phaseledger.domain.options import PARAMETERS
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.words import texts


def rule_ids() -> tuple[str, ...]:
    """The IDs of all rules that there is a text for."""
    phases = [phase.rule for game in GAMES.values() for phase in game.rules.phases]
    numbers = [row.number for row in PARAMETERS.values()]
    return tuple(dict.fromkeys([*texts("en", "rule."), *phases, *numbers]))
