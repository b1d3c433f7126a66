"""Reports as people get them: on some games, and on a bundle whose operator counted wrongly."""

import msgspec

from phaseledger.domain.words import Language
from phaseledger.replay.laboratory.report.page import page as study_page
from phaseledger.replay.laboratory.report.words import ReportWords
from tests.support.replay.bundle_lines import made
from tests.support.replay.html_outline import report
from tests.support.replay.log_edits import encode, rechained
from tests.support.replay.operator_games import Plan, bundled
from tests.support.replay.report_games import games, studied

SHORT = Plan("classic", 3, "report", {"variant": "n_phases(1)"}, ("greedy",), (0,), (1,))


def refuted() -> list[bytes]:
    """The lines of a bundle whose operator counted wrongly."""
    trees = [msgspec.json.decode(event) for event in made(SHORT).stored]
    ended = next(tree for tree in trees if tree["type"] == "RoundEnded/1")
    ended["data"]["results"][0]["points"] += 25
    return bundled([encode(tree) for tree in rechained(trees)])


def refuted_report(lang: Language = "en") -> str:
    """A report with findings, a comparison and a timeline of which a part is open."""
    return report(refuted(), lang=lang)


def study(lang: Language = "en") -> str:
    """The report on some games."""
    words = ReportWords(lang)
    return study_page(studied(*games("classic", 2)), ["games.ndjson"], words)
