"""The rule book: the text of each rule by the ID under which refusals, events and options cite it.

The texts are the catalogue's, shortened to what holds in play; those of phases are made of what the
games ask for, and those of house rules (O-01 to O-42) of what the options are about.
"""

from phaseledger.domain.explain.wording import needs_words
from phaseledger.domain.options import PARAMETERS
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.words import Language, has_message, message, texts


def rule_ids() -> tuple[str, ...]:
    """The IDs of all rules that there is a text for."""
    phases = [phase.rule for game in GAMES.values() for phase in game.rules.phases]
    numbers = [row.number for row in PARAMETERS.values()]
    return tuple(dict.fromkeys([*texts("en", "rule."), *phases, *numbers]))


def rule_text(rule: str, lang: Language = "en") -> str | None:
    """The text of the rule with that ID, such as ``C-30`` or ``B-P02``; None if there is none."""
    if has_message(f"rule.{rule}"):
        return message(lang, f"rule.{rule}")
    about = [name for name, parameter in PARAMETERS.items() if parameter.number == rule]
    if about:
        return " ".join(message(lang, f"option.{name}") for name in about)
    return _phase_text(rule, lang)


def _phase_text(rule: str, lang: Language) -> str | None:
    for game in GAMES.values():
        for number, phase in enumerate(game.rules.phases, 1):
            if phase.rule == rule:
                words = needs_words(phase.needs, game.rules, lang)
                return message(lang, "phase", number=number, words=words)
    return None
