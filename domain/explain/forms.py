"""Translation of English texts by the templates that they were made from.

Where a text is written is often far from where somebody reads it, with only the text in between:
the detail of a refusal, what a finding expects. Such a text is one of a table of templates with its
arguments put in; it is read by that template, and put into the same one of another language.
Arguments are texts themselves, so they are read likewise.
"""

import re
from collections.abc import Mapping
from re import Pattern
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
LISTS = frozenset({"due"})
"""Arguments that may be several texts, with commas between them."""
ABSENT = frozenset({"no card", "none"})
"""Values that say of what is the same in every language that there is none."""
WHOLE = frozenset(
    {
        *("after", "consequence", "detail", "fault", "ground", "objection", "others", "signer"),
        *("subject", "text", "trust"),
    }
)
"""Arguments that have to be known themselves, since nothing else tells their form from others."""

LONGEST, DEEPEST = 600, 6
"""Characters of a text that is read, and how many texts lie within one another at most."""

_NOTHING: Mapping[str, str] = {}
_ARGUMENT = re.compile(r"\{(\w+)\}")
_SEAT = re.compile(r"seat \d+")


class _Form(NamedTuple):
    pattern: Pattern[str]
    template: str
    singular: str
    """The template for a ``count`` that goes with the singular."""
    words: int
    """Characters of the English template beside its arguments."""


class _Reading(NamedTuple):
    """A text in the other language, and how many of its characters were words of a form."""

    text: str
    words: int


class Forms:
    """The forms of one language, by those of English."""

    def __init__(
        self,
        english: Mapping[str, str],
        other: Mapping[str, str],
        phrases: Mapping[str, str] = _NOTHING,
        marks: str = ",.",
        words: Mapping[str, str] = _NOTHING,
        singular: str = "1",
    ) -> None:
        """Read texts by the templates of ``english``, and say them by those of ``other``.

        ``phrases`` are whole texts, by the English ones. ``marks`` are the language's own between
        thousands and before decimals, ``words`` those that join values, and ``singular`` is a
        pattern of the counts, as English writes them, for which a template ``code@one`` is.
        """
        self._phrases, self._words = phrases, words
        self._marks = str.maketrans(",.", marks)
        self._is_singular = re.compile(singular).fullmatch
        self._forms = [_form(code, template, other) for code, template in english.items()]

    def translated(self, text: str) -> str | None:
        """The text in the other language; None where it is of no known form, or very long."""
        reading = self._read(text, {}, DEEPEST) if len(text) <= LONGEST else None
        return reading.text if reading else None

    def _read(self, text: str, readings: dict[str, _Reading | None], depth: int) -> _Reading | None:
        """The best reading of the text: by those forms that have the most words in it.

        ``readings`` are those of texts read before, ``depth`` is how far to go into others.
        """
        if text in self._phrases:
            return _Reading(self._phrases[text], len(text))
        if depth == 0:
            return None
        if text not in readings:
            readings[text] = None  # for itself within itself
            possible = (self._by(form, text, readings, depth) for form in self._forms)
            readings[text] = max(filter(None, possible), key=lambda read: read.words, default=None)
        return readings[text]

    def _by(
        self, form: _Form, text: str, readings: dict[str, _Reading | None], depth: int
    ) -> _Reading | None:
        """The text by one form; None where it is not of it."""
        match = form.pattern.fullmatch(text)
        if match is None:
            return None
        arguments, words = {}, form.words
        for name, value in match.groupdict().items():
            argument = self._argument(name, value, readings, depth - 1)
            if argument is None:
                return None
            arguments[name] = argument.text
            words += argument.words
        is_singular = self._is_singular(match.groupdict().get("count", ""))
        template = form.singular if is_singular else form.template
        return _Reading(template.format(**arguments), words)

    def _argument(
        self, name: str, value: str, readings: dict[str, _Reading | None], depth: int
    ) -> _Reading | None:
        if name in COUNTS:
            return _Reading(value.translate(self._marks), 0)
        is_name = name in NAMES and not _SEAT.fullmatch(value)
        is_same = name in VERBATIM and value not in ABSENT
        if name in NUMBERS or is_name or is_same:
            return _Reading(value, 0)
        if name in LISTS:
            parts = [self._read(part, readings, depth) for part in value.split(", ")]
            if all(parts):
                return _Reading(", ".join(part.text for part in parts if part), 0)
        reading = self._read(value, readings, depth)
        if reading is None and name == "values":
            joined = re.sub(r"[a-z]+", lambda word: self._words.get(word[0], word[0]), value)
            return _Reading(joined, 0)
        return reading if reading or name in WHOLE else _Reading(value, 0)


def _form(code: str, template: str, other: Mapping[str, str]) -> _Form:
    """The form of a code, whose plural stands for its singular where the other has but one."""
    plural = code.partition("@")[0]
    due = other.get(code, other[plural])
    singular = other.get(f"{plural}@one", due)
    return _Form(_pattern(template), due, singular, len(_ARGUMENT.sub("", template)))


def _pattern(template: str) -> Pattern[str]:
    parts = _ARGUMENT.split(template)  # texts and the names of arguments take turns
    return re.compile(
        "".join(
            rf"(?P<{part}>{_values(part)})" if number % 2 else re.escape(part.format())
            for number, part in enumerate(parts)
        ),
        re.DOTALL,
    )


def _values(name: str) -> str:
    """What an argument may be."""
    if name in NUMBERS:
        return r"-?\d[\d,.]*"
    return _WORDS.get(name, ".+?")


_WORDS = {"key": r"\S+", "rule": r"[A-Z]-\w+", "time": r"-?\d.*?", "title": r"[^:]+?"}
"""Arguments of which only some texts are any."""
