"""A hint: the candidates of the open decision of a game that goes on, judged for its seat."""

from msgspec import Struct

from phaseledger.domain.state import State
from phaseledger.replay.laboratory.account.account import Appraiser
from phaseledger.replay.laboratory.account.analysis import AnalysisPlan
from phaseledger.replay.laboratory.account.errors import Candidate, Judge
from phaseledger.replay.laboratory.account.fit import Watch, unwatched
from phaseledger.replay.laboratory.account.models import model


class Hint(Struct, frozen=True):
    """The judged candidates of one open decision."""

    version: int
    """The number of the game's events so far."""
    seat: int
    candidates: tuple[Candidate, ...]
    """Best first."""


def advise(state: State, version: int, plan: AnalysisPlan, watch: Watch = unwatched) -> Hint:
    """The hint for the active seat, by what it knows; ``watch`` hears of a fit, and may end it.

    The plan, the version and what the seat knows give the same hint.

    Raises:
        NotCovered: the kernel does not play the rule set.
        UnlawfulState: no turn is being played, or no rules have made the state.
        What ``watch`` raises.

    """
    model(state.ruleset, len(state.seats), watch)
    judge = Judge(Appraiser(state), plan.seed, plan.worlds)
    return Hint(version, state.active, judge.candidates(state, version))
