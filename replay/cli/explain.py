"""The command `explain`."""

from collections.abc import Iterator
from typing import Annotated, get_args

from cyclopts import Parameter

from phaseledger.domain.explain.rulebook import rule_text
from phaseledger.domain.words import Language, message, spoken
from phaseledger.replay.batch.inputs import LangOption
from phaseledger.replay.evidence.verify.codes import CODES, AnyCode
from phaseledger.replay.evidence.verify.evidence import Grade
from phaseledger.replay.evidence.verify.grades import grade_meaning
from phaseledger.replay.terminal import SOUND, UsageError, guarded, say
from phaseledger.replay.text import clean


@guarded
def explain(
    code: Annotated[
        str | None, Parameter(help="The code of a finding, a grade, or the ID of a rule.")
    ] = None,
    /,
    *,
    lang: LangOption = "en",
) -> int:
    """Say what a finding means, what it proves against whom, and what to do; what a grade means; or
    what the rule says that a finding cites.

    Without an argument it lists the codes of all findings.

    For example: phaseledger explain equivocation

    Or: phaseledger explain C-64 --lang fr
    """
    if code is None:
        for name, explanation in CODES.items():
            say(f"{name:20}  {explanation.exit_code}  {spoken(explanation.means, lang)}")
        return SOUND
    for grade in get_args(Grade):
        if code == grade:
            say(message(lang, "explain.grade", grade=grade, text=grade_meaning(grade)))
            return SOUND
    if text := rule_text(code, lang):
        say(text)
        return SOUND
    known_code = next((name for name in CODES if name == code), None)
    if known_code is None:
        raise UsageError(message(lang, "explain.unknown", code=clean(code)))
    say(*_explanation_lines(known_code, lang))
    return SOUND


def _explanation_lines(code: AnyCode, lang: Language) -> Iterator[str]:
    explanation = CODES[code]
    yield message(lang, "explain.code", code=code, exit_code=explanation.exit_code)
    labels = [message(lang, f"explain.{part}") for part in ("means", "proves", "advice")]
    width = max(map(len, labels))
    texts = (explanation.means, explanation.proves, explanation.advice)
    for label, text in zip(labels, texts, strict=True):
        yield f"  {label:{width}}  {spoken(text, lang)}"
