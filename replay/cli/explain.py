"""The command `explain`."""

from collections.abc import Iterator
from typing import Annotated

from cyclopts import Parameter

from phaseledger.domain.explain.languages import Language, message
from phaseledger.replay.cli.languages import LangOption
from phaseledger.replay.terminal import SOUND, UsageError, guarded, say
from phaseledger.replay.text import clean
from phaseledger.replay.verify.codes import CODES, AnyCode
from phaseledger.replay.verify.grades import MEANINGS
from phaseledger.replay.viewer.finding_words import finding_words


@guarded
def explain(
    code: Annotated[str | None, Parameter(help="The code of a finding, or a grade.")] = None,
    /,
    *,
    lang: LangOption = "en",
) -> int:
    """Say what a finding means, what it proves against whom, and what to do; or what a grade means.

    Without an argument it lists the codes of all findings.

    For example: phaseledger explain equivocation

    Or: phaseledger explain equivocation --lang fr
    """
    words = finding_words(lang)
    if code is None:
        for name, explanation in CODES.items():
            say(f"{name:20}  {explanation.exit_code}  {words(explanation.means)}")
        return SOUND
    for grade, meaning in MEANINGS.items():
        if code == grade:
            say(message(lang, "explain.grade", grade=grade, text=words(meaning)))
            return SOUND
    known_code = next((name for name in CODES if name == code), None)
    if known_code is None:
        raise UsageError(message(lang, "explain.unknown", code=clean(code)))
    for line in _explanation_lines(known_code, lang):
        say(line)
    return SOUND


def _explanation_lines(code: AnyCode, lang: Language) -> Iterator[str]:
    explanation, words = CODES[code], finding_words(lang)
    yield message(lang, "explain.code", code=code, exit_code=explanation.exit_code)
    labels = [message(lang, f"explain.{part}") for part in ("means", "proves", "advice")]
    width = max(map(len, labels))
    texts = (explanation.means, explanation.proves, explanation.advice)
    for label, text in zip(labels, texts, strict=True):
        yield f"  {label:{width}}  {words(text)}"
