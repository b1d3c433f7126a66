"""Tables for tests: audits follow the script, no verifier takes such a game for a real one, and no
other game can hide a script.
"""

import importlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.domain import decide
from phaseledger.replay.evidence.verify.codes import CODES, TOO_LITTLE
from phaseledger.replay.evidence.verify.policy import Policy
from tests.support.browser import Verifier, codes
from tests.support.cases import looped
from tests.support.replay.bundle_variety import GAMES, bundle, stored
from tests.support.replay.log_edits import Tree, first, rechained, verdict
from tests.support.replay.operator_games import OPERATOR, ORIGIN, WITNESS, bundled, played
from tests.support.replay.page_grades import agree, judged_by_page, judged_without_bots
from tests.support.replay.tampering_tools import judged

EXAMPLES = Path(__file__).parents[4] / "examples"
SCRIPTED = ("scripted", "scripted-board")
POLICY = Policy("club.toml", (OPERATOR.public,), ORIGIN)


@looped("name", SCRIPTED)
def test_a_scripted_game_audits_sound_and_says_what_it_is(name: str) -> None:
    audited = verdict(stored(name))
    assert audited.sound
    (note,) = audited.notes
    assert note.startswith("This was a table for tests of a program: ")


def _drop(opened: Tree) -> None:
    del opened["hidden"]["server"]["script"]


def _deal_another_card(opened: Tree) -> None:
    opened["hidden"]["server"]["script"][0]["discard"] = "G8"


def _throw_otherwise(opened: Tree) -> None:
    opened["hidden"]["server"]["script"][0]["dice"][0] = [3, 4]


def _script_more(opened: Tree) -> None:
    opened["hidden"]["server"]["script"].append({"discard": "G8"})


CHANGES = [
    ("scripted", _drop, "RoundDealt"),
    ("scripted", _deal_another_card, "RoundDealt"),
    ("scripted", _script_more, "RoundDealt"),
    ("scripted-board", _throw_otherwise, "DiceRolled"),
]


@looped(("name", "change", "event"), CHANGES)
def test_a_script_that_was_changed_is_found(name: str, change: Any, event: str) -> None:
    """Also where all hashes were made anew: the cards that were dealt are not in it."""
    trees = [msgspec.json.decode(row) for row in stored(name)]
    change(trees[0])
    finding = first(rechained(trees))
    assert finding.code == "outcome_differs"
    assert trees[finding.seq - 1]["type"] == f"{event}/1"


def test_a_test_table_has_the_grade_test_and_meets_no_policy(page: Verifier) -> None:
    lines = bundle("scripted").splitlines(keepends=True)
    plain, asked = judged_without_bots(lines), judged_without_bots(lines, POLICY)
    assert (plain.conclusion, plain.grade, plain.problems) == ("sound", "test", ())
    assert "the table was for tests of a program" in plain.headline
    assert (asked.conclusion, asked.grade) == ("too_little", "test")
    (problem,) = asked.problems
    assert problem.code == "test_table"
    assert CODES[problem.code].exit_code == TOO_LITTLE
    for policy, judgement in ((None, plain), (POLICY, asked)):
        agree(judged_by_page(page, lines, policy), judgement)


def test_no_witness_is_before_a_clock_that_was_turned_on() -> None:
    """Its events may be later by their own times than the checkpoint with them was seen."""
    lines = bundled(stored("scripted"), cosigned_at=1)
    strict = judged_without_bots(lines, replace(POLICY, witnesses=(WITNESS.public,)))
    assert [problem.code for problem in strict.problems] == ["test_table"]
    assert judged_without_bots(lines).notes == ()


def test_no_other_table_hides_a_script(page: Verifier, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator that scripts the deals of a real table is found by all three verifiers."""
    with monkeypatch.context() as forging:
        forging.setattr(decide, "_require_script", lambda *_: None)
        events = played(replace(GAMES["scripted"], table=None))
    forged = b"".join(bundled(events))
    sound, problems, seq = judged(forged)
    assert (sound, problems[0], seq) == (False, "illegal_decision", 1)
    assert codes(page.verify(forged)) == ["cards"]
    monkeypatch.syspath_prepend(EXAMPLES)
    verifier = importlib.import_module("verifier")
    with pytest.raises(verifier.Wrong, match="a script"):
        verifier.judge(forged, verifier.described(verifier.OPENAPI))
