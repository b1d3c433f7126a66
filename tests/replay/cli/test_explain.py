"""`explain` in German and French: every code and every grade, to the last word."""

from typing import get_args

from phaseledger.domain.explain.rulebook import rule_text
from phaseledger.domain.words import Language, message, spoken
from phaseledger.replay.evidence.verify.codes import CODES
from phaseledger.replay.evidence.verify.evidence import Grade
from tests.support.cases import looped
from tests.support.replay.processes import run

LABELS: dict[Language, tuple[str, ...]] = {
    "en": ("equivocation (exit code ", "  means:   ", "  proves:  ", "  do:      "),
    "de": ("equivocation (Exit-Code ", "  bedeutet:  ", "  beweist:   ", "  zu tun:    "),
    "fr": (
        *("equivocation (code de sortie ", "  signifie\xa0:  "),
        *("  prouve\xa0:    ", "  à faire\xa0:   "),
    ),
}


@looped("lang", LABELS)
def test_a_code_in_each_language(lang: Language) -> None:
    lines = run("explain", "equivocation", "--lang", lang).stdout.decode().splitlines()
    code = CODES["equivocation"]
    texts = [spoken(text, lang) for text in (code.means, code.proves, code.advice)]

    for line, label in zip(lines, LABELS[lang], strict=True):
        assert line.startswith(label)
    for line, label, text in zip(lines[1:], LABELS[lang][1:], texts, strict=True):
        assert line == label + text


@looped("lang", ["de", "fr"])
def test_all_codes_and_grades(lang: Language) -> None:
    listed = run("explain", "--lang", lang).stdout.decode().splitlines()
    for line, (code, explanation) in zip(listed, CODES.items(), strict=True):
        assert line.startswith(code)
        assert line.endswith(spoken(explanation.means, lang))
    for grade in get_args(Grade):
        line = run("explain", grade, "--lang", lang).stdout.decode().rstrip()
        assert line.endswith(message(lang, f"grade.{grade}"))
    assert b"equivocate" in run("explain", "equivocate", "--lang", lang).stderr
    assert b"There is no" not in run("explain", "equivocate", "--lang", lang).stderr


def test_the_rule_that_a_finding_cites_is_read_out() -> None:
    for lang in LABELS:
        shown = run("explain", "C-64", "--lang", lang).stdout.decode().rstrip()
        assert shown == rule_text("C-64", lang)
