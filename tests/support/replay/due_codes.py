"""What is due where one thing is wrong: the code that is found, and the exit code that it makes."""

from phaseledger.replay.evidence.verify.codes import BROKEN_WORD, CODES, TOO_LITTLE, WRONG
from tests.support.replay.policy_cases import KEPT, REQUIRED, TRUSTED
from tests.support.replay.sealed_forgeries import FORGED
from tests.support.replay.tampered_bundles import TAMPERED

DUE: dict[str, tuple[str, int]] = {
    **{f"tampered: {what}": (code, exit_code) for what, (_, code, exit_code) in TAMPERED.items()},
    **{f"forged: {what}": (code, WRONG) for what, (_, code) in FORGED.items()},
    **{f"a receipt {what}": (code, CODES[code].exit_code) for what, (_, code) in KEPT.items()},
    **{f"asked for: {what}": (code, TOO_LITTLE) for what, (_, _, code) in REQUIRED.items()},
    **{f"trusted: {what}": (code, BROKEN_WORD) for what, (_, code) in TRUSTED.items()},
}
"""By the name of the case in `tests/replay/evidence/verify/verdicts.txt`."""
