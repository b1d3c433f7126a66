"""Hints at practice tables: a seat's open decision, judged by what the seat can see."""

from time import thread_time

from msgspec import Struct

from phaseledger.analysis import AnalysisPlan, Candidate, candidates_at
from phaseledger.domain.cards import owner_names, show
from phaseledger.domain.explain.check import Senseless
from phaseledger.domain.explain.shortfall import Lack, find
from phaseledger.domain.state import State
from phaseledger.domain.words import Amount, Language, Phrase
from phaseledger.service.analyses.analyses import require_kernel
from phaseledger.service.analyses.errors import AnalysisNotCovered, NoHint
from phaseledger.service.games.game import Snapshot
from phaseledger.service.runtime.work import in_daemon_thread, spend


class Hint(Struct, frozen=True):
    """The judged candidates of one open decision."""

    version: int
    """The number of the game's events so far."""
    seat: int
    candidates: tuple[Candidate, ...]
    """Best first."""
    lacks: tuple[Lack, ...] = ()
    """What the hand has and lacks for each group of its phase; empty where it lacks nothing, once
    the phase is laid, and for a hand that could be laid in too many ways.
    """


PLAN = AnalysisPlan("hint", worlds=50)
"""How a decision is judged here: 10 ms of a core in the median, 200 ms at most (at the board)."""
LONGEST = 30
"""Seconds of a core after which a hint is given up: a model of rare house rules is fitted first."""


def require_practice(now: Snapshot, seat: int) -> None:
    """Require that it is the turn of the seat, which alone is a person's.

    Raises:
        NoHint: others are people, or were when the game began; or the seat is not asked.
        AnalysisNotCovered: the kernel is not compiled.

    """
    state = now.state
    others = [sitter for number, sitter in enumerate(state.seats) if number != seat]
    if now.marks.handed_over or not all(sitter and sitter.bot for sitter in others):
        raise NoHint(Phrase("adds.hint.practice"))
    require_kernel()
    if state.stage != "playing" or all(question.seat != seat for question in state.waits):
        raise NoHint(Phrase("adds.hint.turn"))


def _lacks(state: State, seat: int, lang: Language) -> tuple[Lack, ...]:
    own = state.seat(seat)
    if own.laid:
        return ()
    cards = show(owner_names(own.hand), state.ruleset.deck.notation)
    try:
        return find(state.ruleset, cards, own.phase, lang).lacks
    except Senseless:
        return ()


async def hint(now: Snapshot, seat: int, lang: Language = "en") -> Hint:
    """The hint for the seat whose turn it is, made in a thread; its time is charged to the request.

    The same position as the seat sees it gives the same hint.

    Raises AnalysisNotCovered where it takes too long.
    """
    spent = 0.0

    def make() -> Hint:
        nonlocal spent
        began = thread_time()

        def watch(_: float) -> None:
            if thread_time() - began > LONGEST:
                raise AnalysisNotCovered(Phrase("adds.analysis.time", count=Amount(LONGEST)))

        try:
            candidates = candidates_at(now.state, PLAN, now.version, watch, seat=seat)
            return Hint(now.version, seat, candidates, _lacks(now.state, seat, lang))
        finally:
            spent = thread_time() - began

    try:
        return await in_daemon_thread(make)
    finally:
        spend(spent)
