"""What findings, verdicts and files that cannot be read say, in English.

`FORMS` has the texts that are made of parts. It imports nothing else than its own tables.
"""

from collections.abc import Mapping

from phaseledger.replay.words.english.answers import ANSWERS
from phaseledger.replay.words.english.checks import CHECKS
from phaseledger.replay.words.english.claims import CLAIMS
from phaseledger.replay.words.english.files import FILES
from phaseledger.replay.words.english.objections import OBJECTIONS
from phaseledger.replay.words.english.policies import POLICIES

FORMS: Mapping[str, str] = {**CHECKS, **CLAIMS, **OBJECTIONS, **FILES, **POLICIES, **ANSWERS}
"""By code."""
