"""An event-sourced game service for the Phase 10 card-game family.

For users: `phaseledger.client` has what a program at a table needs. The rooms of the house are
`phaseledger.domain` (the rules), `phaseledger.projections` (views of the events),
`phaseledger.replay` (replay, audit, simulation) and `phaseledger.service` (the server); in the
source tree they are folders beside this one, which it links to.
"""

from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec

__version__ = "0.2.0"


def is_compiled() -> bool:
    """Whether the rules run as native code, as they do from a compiled wheel."""
    decide = find_spec("phaseledger.domain.decide")
    return bool(decide and decide.origin and decide.origin.endswith(tuple(EXTENSION_SUFFIXES)))
