"""The reader of catalogues: gettext PO files, one for each language, beside this module.

A key of the code is the ``msgid``, a form for a deck, a size or the like its ``msgctxt``; of PO it
reads what translators' tools write: comments, strings over several lines, plurals. Each language
is read once, when it is first spoken.
"""

from collections.abc import Callable, Mapping
from functools import cache
from gettext import c2py
from json import loads
from pathlib import Path
from typing import NamedTuple


class Catalogue(NamedTuple):
    """All messages of a language."""

    texts: Mapping[str, str | tuple[str, ...]]
    """By key, and by ``key@context``; one with plurals has its forms in the order of the file."""
    plural: Callable[[int], int]
    """The number of the form that goes with an amount."""
    categories: tuple[str, ...]
    """CLDR's names of the forms: ``one``, ``other``."""


@cache
def catalogue(lang: str) -> Catalogue:
    """The messages of a language."""
    return parsed(Path(__file__).with_name(f"{lang}.po").read_text(encoding="utf-8"))


def parsed(source: str) -> Catalogue:
    """The messages of a PO file, given its text."""
    texts: dict[str, str | tuple[str, ...]] = {}
    for entry in source.split("\n\n"):
        fields: dict[str, str] = {}
        field = ""
        for line in entry.splitlines():
            if line.startswith('"'):
                fields[field] += _string(line)
            elif not line.startswith("#"):
                field, _, string = line.partition(" ")
                fields[field] = _string(string)
        if fields:
            key, context = fields.pop("msgid"), fields.pop("msgctxt", "")
            forms = tuple(fields.values())
            is_plural = fields.pop("msgid_plural", None) is not None
            texts[f"{key}@{context}" if context else key] = forms[1:] if is_plural else forms[0]
    head = dict(line.split(": ", 1) for line in str(texts.pop("")).splitlines())
    plural = c2py(head["Plural-Forms"].partition("plural=")[2].rstrip(";"))
    return Catalogue(texts, plural, tuple(head["X-Plural-Categories"].split()))


def _string(quoted: str) -> str:
    return loads(quoted) if "\\" in quoted else quoted[1:-1]
