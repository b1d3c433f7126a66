"""What verification says of a bundle."""

from collections.abc import Sequence

from phaseledger.domain.words import Language
from phaseledger.replay.evidence.verify.codes import CODES
from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.verify import exit_code, in_language, verify
from phaseledger.replay.formats.bundle.reader import parse_bundle


def judged(
    lines: Sequence[bytes], policy: Policy | None = None, lang: Language = "en"
) -> Judgement:
    (examined,) = in_language(verify([parse_bundle(lines, "file")], policy), lang)
    return examined.judgement


def code_of(judgement: Judgement) -> int:
    return exit_code(CODES[problem.code].exit_code for problem in judgement.problems)


def outcomes(judgement: Judgement) -> dict[str, str]:
    return {check.topic: check.outcome for check in judgement.checks}
