"""What the page that verifies a bundle says beside findings of `verify`, in English.

`VERIFIER` has all of it. It imports nothing else than its own tables.
"""

from collections.abc import Mapping

from phaseledger.replay.words.english.verifier.checks import CHECKS
from phaseledger.replay.words.english.verifier.faults import FAULTS
from phaseledger.replay.words.english.verifier.findings import FINDINGS
from phaseledger.replay.words.english.verifier.moves import MOVES
from phaseledger.replay.words.english.verifier.page import PAGE

VERIFIER: Mapping[str, str] = {**PAGE, **CHECKS, **MOVES, **FAULTS, **FINDINGS}
"""By code; ``@one`` is the form for one of its count."""
