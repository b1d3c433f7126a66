"""docs/reference/catalogue.md: every rule by its ID, as `GET /v1/rules/{rule}` gives it."""

import os
from collections.abc import Iterator
from pathlib import Path

from phaseledger.domain.explain.rulebook import rule_text
from phaseledger.domain.options import PARAMETERS
from tests.support.rule_ids import rule_ids

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "catalogue.md"
OPENING = """\
# The catalogue of rules

Every rule of the games has an ID, by which refusals, events, house rules, findings and tests name
it. The letter is the game's; `P` numbers its phases. `GET /v1/rules/{ID}` gives each text in
English, German and French; `phaseledger rules show GAME` shows a game's rules under the chosen
house rules.

This page is made from the texts in the code, by
`GOLDEN=write pytest tests/domain/explain/test_catalogue_page.py`."""
SECTIONS = {
    "C": "Phase 10 (`classic`)",
    "T": "Phase 10 Twist, whose cover rule is an option of `classic`",
    "D": "Two 54-card decks (`standard-deck`)",
    "X": "Phase 10 Express (`express`)",
    "B": "The board game (`board`)",
    "O": "House rules, the options of a table",
}


def options(rule: str) -> str:
    """The options of a house rule in front of its text; empty for other rules."""
    names = [f"`{name}`" for name, parameter in PARAMETERS.items() if parameter.number == rule]
    return f"{', '.join(names)}: " if names else ""


def page() -> Iterator[str]:
    yield OPENING
    for letter, title in SECTIONS.items():
        yield f"\n## {title}\n\n| rule | text |\n| --- | --- |"
        for rule in rule_ids():
            if rule.startswith(f"{letter}-"):
                yield f"| {rule} | {options(rule)}{rule_text(rule)} |"


def test_the_catalogue_has_every_rule_of_the_code() -> None:
    """Read the difference, and then write the page anew with ``GOLDEN=write``."""
    lines = "\n".join(page()).splitlines()
    if os.environ.get("GOLDEN") == "write":
        PAGE.write_text("\n".join(lines) + "\n")
    assert PAGE.read_text().splitlines() == lines
    assert {rule for rule in rule_ids() if f"| {rule} | " not in PAGE.read_text()} == set()
