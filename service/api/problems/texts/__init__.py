"""What people have written about each refusal, by its code: a file for each language.

`TEXTS` has read them. A refusal of the service has its title there in the languages besides
English, in which it is declared; those of the rules have theirs in `domain.explain`. May import
the rooms below `api` only.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from phaseledger.domain.explain.languages import LANGUAGES, Language
from phaseledger.domain.explain.languages.french import spaced


class ProblemText(NamedTuple):
    """The text of one refusal; what is not written is empty."""

    title: str = ""
    cause: str = ""
    cure: str = ""
    rule: str = ""
    """The rule of the game behind it, in a sentence."""


def _read(lang: Language) -> dict[str, ProblemText]:
    tables = tomllib.loads(Path(__file__).with_name(f"{lang}.toml").read_text("utf-8"))
    written = spaced if lang == "fr" else str
    return {
        code: ProblemText(**{part: written(text) for part, text in table.items()})
        for code, table in tables.items()
    }


TEXTS: Mapping[Language, Mapping[str, ProblemText]] = {lang: _read(lang) for lang in LANGUAGES}
"""By language and code."""
