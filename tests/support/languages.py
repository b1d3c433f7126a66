"""A language that nobody speaks: it shows which text does not come from the tables of messages."""

from string import Formatter
from typing import cast

from phaseledger.domain.explain.languages import MESSAGES, Language

PSEUDO = cast("Language", "pseudo")


def disguised(template: str) -> str:
    """The template with a dot for each character around its arguments, which stay."""
    return "".join(
        "·" * len(literal) + (f"{{{argument}}}" if argument else "")
        for literal, argument, _, _ in Formatter().parse(template)
    )


def arguments(template: str) -> set[str]:
    """The names of the arguments that the template takes."""
    return {argument for _, argument, _, _ in Formatter().parse(template) if argument is not None}


PSEUDO_MESSAGES = {code: disguised(template) for code, template in MESSAGES["en"].items()}
