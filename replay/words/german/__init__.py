"""What findings, verdicts and files that cannot be read say, in German.

`FORMS` has the texts that are made of parts. It imports nothing else than its own tables.
"""

from collections.abc import Mapping

from phaseledger.replay.words.german.answers import ANSWERS
from phaseledger.replay.words.german.checks import CHECKS
from phaseledger.replay.words.german.claims import CLAIMS
from phaseledger.replay.words.german.files import FILES
from phaseledger.replay.words.german.objections import OBJECTIONS
from phaseledger.replay.words.german.policies import POLICIES

FORMS: Mapping[str, str] = {**CHECKS, **CLAIMS, **OBJECTIONS, **FILES, **POLICIES, **ANSWERS}
"""By code."""
