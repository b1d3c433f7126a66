"""The released games. A released rule set never changes: a new meaning is a new version."""

from domain.rules import RuleSet
from domain.rulesets import classic

PRESETS: dict[str, RuleSet] = {"classic": classic.RULES}
"""Name to rule set, as `POST /v1/games` and the command line name it."""

BY_ID: dict[str, RuleSet] = PRESETS | {ruleset.id: ruleset for ruleset in PRESETS.values()}
"""The same, by name or by versioned id."""

CITATIONS: dict[str, dict[str, str]] = {"classic": classic.CITATIONS}
"""For each game, the rule of the catalogue behind each refusal and each automatic event."""


def cite(name: str, code: str) -> str:
    """The rule ID behind a refusal or an event's name in a game; empty where there is none."""
    return CITATIONS.get(name, {}).get(code, "")
