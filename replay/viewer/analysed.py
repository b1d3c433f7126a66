"""The viewer's document with the analysis of its game: luck, errors, and each decision judged.

An analysis tells of every seat's cards, so a document has one only where it has the open view.
"""

import msgspec
from msgspec import UNSET, UnsetType

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence.codec import append, new_chain
from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.laboratory.account.analysis import Analysis, AnalysisPlan, analyse
from phaseledger.replay.viewer.document import Packed, ViewerDocument, packed
from phaseledger.replay.viewer.recorded_game import RecordedGame


class AnalysedDocument(ViewerDocument, frozen=True, kw_only=True):
    """The data of a game for the viewer, with its analysis."""

    analysis: Packed | UnsetType = UNSET


def analysis_of(game: RecordedGame, plan: AnalysisPlan, workers: Workers) -> Analysis | None:
    """The analysis of a game; None where it has not ended, or not all of it is good.

    Raises:
        NotCovered: the kernel does not cover the rule set.

    """
    events = [event for event, _ in game.steps]
    opened, ended = events[0], game.steps[-1].state.stage == "ended"
    if game.findings or game.known_to != "all" or not ended or not isinstance(opened, GameOpened):
        return None
    _, entries = append(new_chain(opened), events, cmd="", at=0)
    return analyse([(entry.topic, entry.stored) for entry in entries], plan, workers)


def with_analysis(document: ViewerDocument, analysis: Analysis) -> AnalysedDocument:
    """The document with the analysis in it.

    Raises:
        ValueError: the document lacks the open view.

    """
    if "all" not in document.chairs:
        raise ValueError("an analysis is for those who may see every card")
    fields = {name: getattr(document, name) for name in document.__struct_fields__}
    return AnalysedDocument(**fields, analysis=packed(msgspec.json.encode(analysis)))
