"""What people read about each refusal, and what is said of one code from top to bottom.

As a program it prints that of the code that it is given, as JSON.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from phaseledger.domain.commands import RejectCode
from phaseledger.domain.explain.check import LayQuestion, check
from phaseledger.domain.rulesets import GAMES, cite, preset
from phaseledger.domain.words import LANGUAGES
from phaseledger.domain.words.po import catalogue
from phaseledger.service.api.openapi.document import describe
from phaseledger.service.api.problems.details import REFUSALS
from phaseledger.service.api.reference.problem_pages import page
from phaseledger.service.app import in_memory, routes
from tests.support.card_checks import to_lay
from tests.support.openapi_operations import codes_of, operations
from tests.support.service.server import FREE


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


def said_of(code: str, phase: int, groups: str) -> dict[str, Any]:
    """What is said of a code with which the rules of Express refuse such a lay."""
    rules, asked = preset("express"), LayQuestion(phase, (to_lay(groups),))
    verdict = check(rules, asked)
    assert verdict.code == code
    status = str(REFUSALS[code].status)
    answer = operations(describe(routes(in_memory(), FREE)))["sendCommand"].answers[status]
    pages = [shown for lang in LANGUAGES if (shown := page(code, lang))]
    return {
        "status": status,
        "rule": verdict.rule,
        "is described": code in codes_of(answer),
        "citations": [[citation.ruleset, citation.rule] for citation in pages[0].citations],
        "sentences": [check(rules, asked, lang).sentence for lang in LANGUAGES],
        "pages": [[shown.title, shown.cause, shown.cure, shown.rule] for shown in pages],
    }


if __name__ == "__main__":
    code, phase, groups = sys.argv[1:]
    missing = missing_words()
    print(json.dumps({"missing": missing} if missing else said_of(code, int(phase), groups)))
