"""The words that people read about each refusal."""

from collections.abc import Iterator

from phaseledger.domain.commands import RejectCode
from phaseledger.domain.rulesets import GAMES, cite
from phaseledger.domain.words import LANGUAGES
from phaseledger.domain.words.po import catalogue
from phaseledger.service.api.problems.details import REFUSALS


def missing_words() -> list[str]:
    """The words that a refusal lacks, as ``code: key or part, language``."""
    return [f"{code}: {words}" for code in REFUSALS for words in _missing(code)]


def _missing(code: str) -> Iterator[str]:
    is_of_rules = code in {*RejectCode}
    parts = ("cause", "cure", *(["rule"] if any(cite(name, code) for name in GAMES) else []))
    keys = [f"refused.{code}", *(f"problems.{code}.{part}" for part in parts)]
    if is_of_rules and any(f"reason.{code}" in catalogue(lang).texts for lang in LANGUAGES):
        keys.append(f"reason.{code}")
    for lang in LANGUAGES:
        yield from (f"{key}, {lang}" for key in keys if key not in catalogue(lang).texts)
