"""The command `explain`."""

from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter

from phaseledger.replay.terminal import SOUND, UsageError, guarded, say
from phaseledger.replay.text import clean
from phaseledger.replay.verify.codes import CODES, AnyCode, Explanation
from phaseledger.replay.verify.grades import MEANINGS


@guarded
def explain(
    code: Annotated[str | None, Parameter(help="The code of a finding, or a grade.")] = None, /
) -> int:
    """Say what a finding means, what it proves against whom, and what to do; or what a grade means.

    Without an argument it lists the codes of all findings.

    For example: phaseledger explain equivocation
    """
    if code is None:
        for name, explanation in CODES.items():
            say(f"{name:20}  {explanation.exit_code}  {explanation.means}")
        return SOUND
    for grade, meaning in MEANINGS.items():
        if code == grade:
            say(f"{grade}: {meaning}")
            return SOUND
    known_code = next((name for name in CODES if name == code), None)
    if known_code is None:
        raise UsageError(f"There is no code {clean(code)}: `phaseledger explain` lists all.")
    for line in _explanation_lines(known_code, CODES[known_code]):
        say(line)
    return SOUND


def _explanation_lines(code: AnyCode, explanation: Explanation) -> Sequence[str]:
    return (
        f"{code} (exit code {explanation.exit_code})",
        f"  means:   {explanation.means}",
        f"  proves:  {explanation.proves}",
        f"  do:      {explanation.advice}",
    )
