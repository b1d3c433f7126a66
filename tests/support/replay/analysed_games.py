"""A finished game of cards with its analysis, as the viewer's page gets it."""

from functools import cache
from typing import Any

import msgspec

from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.laboratory.account.analysis import Analysis, AnalysisPlan
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from phaseledger.replay.viewer.analysed import analysis_of, with_analysis
from phaseledger.replay.viewer.document import chairs_of, document_of
from phaseledger.replay.viewer.limits import ViewerLimits, WorkBudget
from phaseledger.replay.viewer.recorded_game import RecordedGame, read_recorded

PLAN = AnalysisPlan("page", worlds=6)
BUDGET = WorkBudget(ViewerLimits(seconds=3_600))


@cache
def lines() -> tuple[bytes, ...]:
    """The records of the game."""
    plan = SimulationPlan("page", "express", 3, ("greedy", "expert"))
    return tuple(line.rstrip(b"\n") for line in play(plan, 1).lines)


@cache
def recorded() -> RecordedGame:
    return read_recorded(b"\n".join(lines()), "evening.ndjson", None, BUDGET)


@cache
def analysis() -> Analysis:
    whole = analysis_of(recorded(), PLAN, Workers())
    assert whole
    return whole


@cache
def analysed_document() -> dict[str, Any]:
    """The document of the game's page, through JSON and back."""
    plain = document_of(recorded(), chairs_of(recorded()), BUDGET)
    tree: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(with_analysis(plain, analysis()))
    )
    return tree
