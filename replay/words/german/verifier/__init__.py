"""What the page that verifies a bundle says beside findings of `verify`, in German.

`VERIFIER` has all of it. It imports nothing else than its own tables.
"""

from collections.abc import Mapping

from phaseledger.replay.words.german.verifier.checks import CHECKS
from phaseledger.replay.words.german.verifier.faults import FAULTS
from phaseledger.replay.words.german.verifier.findings import FINDINGS
from phaseledger.replay.words.german.verifier.moves import MOVES
from phaseledger.replay.words.german.verifier.page import PAGE

VERIFIER: Mapping[str, str] = {**PAGE, **CHECKS, **MOVES, **FAULTS, **FINDINGS}
"""By code; ``@one`` is the form for one of its count."""
