"""English with a mark in place of German: what has no mark comes from no catalogue."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from string import Formatter

from phaseledger.domain.words.po import catalogue

UNMARKED = ("number.", "language.")


def disguised(template: str) -> str:
    """The template with a dot for each character around its arguments, which stay."""
    return "".join(
        "·" * len(literal) + (f"{{{argument}}}" if argument else "")
        for literal, argument, _, _ in Formatter().parse(template)
    )


def arguments(template: str) -> set[str]:
    """The names of the arguments that the template takes."""
    return {argument for _, argument, _, _ in Formatter().parse(template) if argument is not None}


def bare(text: str) -> str:
    """What stands in no brackets."""
    before = ""
    while before != text:
        before, text = text, re.sub("⟦[^⟦⟧]*⟧", "", text)
    return text


_ACCENTS = str.maketrans("aeiouAEIOUcnsyz", "åéîöûÅÉÎÖÛçñšýž")


def lengthened(template: str) -> str:
    """The template in brackets, accented and a third longer; its arguments stay."""
    parts = re.split(r"(\{\w+\})", template)
    spelt = (part if at % 2 else part.translate(_ACCENTS) for at, part in enumerate(parts))
    return f"⟦{''.join(spelt)}{'ø' * min(12, len(template) // 3)}⟧"


@contextmanager
def pseudo_german(mark: Callable[[str], str] = disguised) -> Iterator[None]:
    """English messages with a mark take the place of German in the block."""
    texts, german = catalogue("de").texts, dict(catalogue("de").texts)
    assert isinstance(texts, dict)
    for key, text in catalogue("en").texts.items():
        if not key.startswith(UNMARKED):
            texts[key] = mark(text) if isinstance(text, str) else tuple(map(mark, text))
    for key in german.keys() - catalogue("en").texts.keys():
        texts.pop(key)  # forms that English does not have
    yield
    texts.clear()
    texts.update(german)
