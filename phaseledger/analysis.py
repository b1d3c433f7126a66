"""Luck and error in finished games, and hints in running ones.

::

    from phaseledger.analysis import AnalysisPlan, analyse

    analysis = analyse(raw, AnalysisPlan(worlds=100))  # raw: (topic, stored bytes) of each event
    for player in analysis.players:
        print(player.name, player.luck, player.errors, player.result)

`analyse` gives an `Analysis`, with the fields of ``phaseledger analyse --json``; the same events
and plan give the same one. `NotCovered` is raised for rules that no table can have, which a
forged log may show. `analyse_position(position_state(text), AnalysisPlan())` judges the moves at a
position typed in, or the open decision of a game, by what its seat knows.
docs/explanation/luck-and-skill.md defines every figure.
"""

from phaseledger.domain.kernel.table import NotCovered
from phaseledger.replay.laboratory.account.analysis import (
    Analysis,
    AnalysisPlan,
    NotPlayedOut,
    PositionAnalysis,
    StoredGame,
    analyse,
    analyse_position,
    candidates_at,
)
from phaseledger.replay.laboratory.account.errors import Candidate
from phaseledger.replay.laboratory.account.laid_out import ImpossiblePosition
from phaseledger.replay.laboratory.account.position import position_state

__all__ = [
    "Analysis",
    "AnalysisPlan",
    "Candidate",
    "ImpossiblePosition",
    "NotCovered",
    "NotPlayedOut",
    "PositionAnalysis",
    "StoredGame",
    "analyse",
    "analyse_position",
    "candidates_at",
    "position_state",
]
