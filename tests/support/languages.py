"""A language that nobody speaks: it shows which text does not come from the tables of messages."""

import re
from collections.abc import Mapping
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


def forms_of(table: Mapping[str, str], code: str) -> dict[str, str]:
    """The message of that code in its form for any number, and in the others that it has."""
    return {key: text for key, text in table.items() if key.partition("@")[0] == code}


def arguments(template: str) -> set[str]:
    """The names of the arguments that the template takes."""
    return {argument for _, argument, _, _ in Formatter().parse(template) if argument is not None}


def other_arguments(english: Mapping[str, str], other: Mapping[str, str]) -> set[str]:
    """Codes that but one table has, and texts that are empty or have arguments of their own.

    Either may have further forms, which may leave out what they say themselves.
    """
    odd = {code for code in english.keys() ^ other.keys() if "@" not in code}
    for code, text in (*english.items(), *other.items()):
        base, taken = code.partition("@")[0], arguments(text)
        if code in english and code in other:
            agrees = arguments(english[code]) == arguments(other[code])
        else:
            agrees = taken <= arguments(english.get(base, ""))
        if not agrees or not text.strip():
            odd.add(code)
    return odd


PSEUDO_MESSAGES = {code: disguised(template) for code, template in MESSAGES["en"].items()}


_ACCENTS = str.maketrans("aeiouAEIOUcnsyz", "åéîöûÅÉÎÖÛçñšýž")


def lengthened(template: str) -> str:
    """The template in brackets, accented and a third longer; its arguments stay."""
    parts = re.split(r"(\{\w+\}|\\.)", template)
    spelt = (part if at % 2 else part.translate(_ACCENTS) for at, part in enumerate(parts))
    text = "".join(spelt)
    more = "ø" * min(12, len(template) // 3)
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return f'"⟦{text[1:-1]}{more}⟧"' if quoted else f"⟦{text}{more}⟧"
