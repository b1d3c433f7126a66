"""RULES.md sections 8.1 and 8.2: every worked case, checked without a game."""

from tests.support.card_checks import hit, lay
from tests.support.cases import looped
from tests.support.worked_cases import WORKED

GAME_OF = {"C": "classic", "D": "standard-deck", "X": "express", "B": "board"}


@looped("case", WORKED)
def test_a_worked_case(case: list[str]) -> None:
    kind, _, game, what, text, *hits, verdict = case
    groups = [part.strip(" [") for part in text.split("]") if part.strip()]
    if kind == "lay":
        judgement = lay(GAME_OF[game], int(what), *groups)
        assert len(judgement.groups) == (len(groups) if judgement.legal else 0)
    else:
        judgement = hit(GAME_OF[game], f"{what} {text}", *hits[0].replace("+", " ").split(", "))
    assert ("legal" if judgement.legal else "illegal") == verdict
    assert judgement.rule.startswith(f"{game}-")
