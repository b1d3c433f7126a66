"""English texts read by the forms that they were made in, and said in another language.

Where a text is written is often far from where somebody reads it, with only the text in between:
the detail of a refusal, what a finding expects. Such a text is one of a table of templates with its
arguments put in; it is read by that template, and put into the same one of another language.
Arguments are texts themselves, so they are read likewise.
"""

import re
from collections.abc import Mapping
from re import Pattern
from types import MappingProxyType
from typing import NamedTuple

COUNTS = frozenset({"count", "more", "points", "sum", "total"})
"""Arguments that are amounts, which are written as the language writes numbers."""
NUMBERS = COUNTS | {
    "changed",
    "k",
    "least",
    "m",
    "most",
    "n",
    "next",
    "p",
    "round",
    "same",
    "seat",
    "seq",
    "turn",
}
"""Arguments that are numbers."""
VERBATIM = frozenset(
    {
        *("audience", "brace", "card", "cards", "code", "error", "field", "hash", "id", "key"),
        *("keys", "origin", "other_cards", "other_value", "path", "time", "title", "type"),
        *("value", "version"),
    }
)
"""Arguments that are the same in every language."""
NAMES = frozenset({"name", "other_name"})
"""Arguments that are players' names; a seat without one is called by its number."""
WHOLE = frozenset(
    {
        *("after", "consequence", "detail", "fault", "ground", "objection", "others", "signer"),
        *("subject", "text", "trust"),
    }
)
"""Arguments that have to be known themselves, since nothing else tells their form from others."""

LONGEST, DEEPEST = 600, 6
"""Characters of a text that is read, and how many texts lie within one another at most."""

_SEAT = re.compile(r"seat \d+")


class _Form(NamedTuple):
    pattern: Pattern[str]
    template: str


class Forms:
    """The forms of one language, by those of English."""

    def __init__(
        self,
        english: Mapping[str, str],
        other: Mapping[str, str],
        phrases: Mapping[str, str] = MappingProxyType({}),
        marks: str = ",.",
        words: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Read texts by the templates of ``english``, and say them by those of ``other``.

        ``phrases`` are whole texts, by the English ones. ``marks`` are the language's own between
        thousands and before decimals, ``words`` those that join values.
        """
        self._phrases, self._words = phrases, words
        self._marks = str.maketrans(",.", marks)
        codes = sorted(english, key=lambda code: _order(english[code]))
        self._forms = [_Form(_pattern(english[code]), other[code]) for code in codes]

    def translated(self, text: str) -> str | None:
        """The text in the other language; None where it is of no known form, or very long."""
        return self._translated(text, {}, DEEPEST) if len(text) <= LONGEST else None

    def _translated(self, text: str, known: dict[str, str | None], depth: int) -> str | None:
        """As `translated`; ``known`` are texts read before, ``depth`` how far to go into others."""
        if text in self._phrases:
            return self._phrases[text]
        if depth == 0:
            return None
        if text not in known:
            known[text] = None  # for itself within itself
            forms = (self._by(form, text, known, depth) for form in self._forms)
            known[text] = next((other for other in forms if other is not None), None)
        return known[text]

    def _by(self, form: _Form, text: str, known: dict[str, str | None], depth: int) -> str | None:
        """The text by one form; None where it is not of it."""
        match = form.pattern.fullmatch(text)
        if match is None:
            return None
        arguments = {}
        for name, value in match.groupdict().items():
            argument = self._argument(name, value, known, depth - 1)
            if argument is None:
                return None
            arguments[name] = argument
        return form.template.format(**arguments)

    def _argument(
        self, name: str, value: str, known: dict[str, str | None], depth: int
    ) -> str | None:
        if name in COUNTS:
            return value.translate(self._marks)
        if name in NUMBERS or name in VERBATIM or (name in NAMES and not _SEAT.fullmatch(value)):
            return value
        translated = self._translated(value, known, depth)
        if translated is None and name == "values":
            return re.sub(r"[a-z]+", lambda word: self._words.get(word[0], word[0]), value)
        return translated if translated is not None or name in WHOLE else value


def _order(template: str) -> tuple[bool, int]:
    """Where a template comes among the others: what holds whole texts first, then by its words."""
    names = re.findall(r"\{(\w+)\}", template)
    return WHOLE.isdisjoint(names), -len(re.sub(r"\{\w+\}", "", template))


def _pattern(template: str) -> Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)  # texts and the names of arguments take turns
    return re.compile(
        "".join(
            rf"(?P<{part}>{_values(part)})" if number % 2 else re.escape(part.format())
            for number, part in enumerate(parts)
        ),
        re.DOTALL,
    )


def _values(name: str) -> str:
    return r"-?\d[\d,.]*" if name in NUMBERS else ".+?"
