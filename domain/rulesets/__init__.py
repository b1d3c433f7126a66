"""The released games. A released rule set never changes: a new meaning is a new version."""

from domain.rules import RuleSet
from domain.rulesets import classic

PRESETS: dict[str, RuleSet] = {"classic": classic.RULES}
"""Name to rule set, as `POST /v1/games` and the command line name it."""

CITATIONS: dict[str, dict[str, str]] = {"classic": classic.CITATIONS}
"""For each game, the rule of the catalogue behind each refusal."""


def cite(name: str, code: str) -> str:
    """The rule ID behind a refusal in the named game; empty where no rule is involved."""
    return CITATIONS.get(name, {}).get(code, "")
