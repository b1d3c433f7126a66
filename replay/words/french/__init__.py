"""What findings, verdicts and files that cannot be read say, in French.

`FORMS` has the texts that are made of parts. It imports nothing else than its own tables.
"""

from collections.abc import Mapping

from phaseledger.replay.words.french.answers import ANSWERS
from phaseledger.replay.words.french.checks import CHECKS
from phaseledger.replay.words.french.claims import CLAIMS
from phaseledger.replay.words.french.files import FILES
from phaseledger.replay.words.french.objections import OBJECTIONS
from phaseledger.replay.words.french.policies import POLICIES

FORMS: Mapping[str, str] = {**CHECKS, **CLAIMS, **OBJECTIONS, **FILES, **POLICIES, **ANSWERS}
"""By code."""
