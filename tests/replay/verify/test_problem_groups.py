"""Findings as people read them: in table words, and those that are alike as one with a count."""

from functools import cache

import pytest
from msgspec.structs import replace

from phaseledger.replay.bundle.reader import Bundle, parse_bundle
from phaseledger.replay.verify.check_operator import KeptReceipt
from phaseledger.replay.verify.evidence import SCHEMA, Document, Judgement, VerificationProblem
from phaseledger.replay.verify.html_report import html_report
from phaseledger.replay.verify.problem_groups import event_label, grouped, others_label
from phaseledger.replay.verify.text import judgement_lines
from phaseledger.replay.verify.verify import verify
from tests.support.replay.bundles import PLANS, game, good
from tests.support.replay.judgements import judged
from tests.support.replay.operator_games import bundled, played
from tests.support.replay.tampered_bundles import tampered


@cache
def other_story() -> Bundle:
    """The same table, whose players moved otherwise."""
    return parse_bundle(bundled(played(replace(PLANS["classic"], moves="otherwise"))), "other")


def kept(bundle: Bundle, source: str = "mine") -> list[KeptReceipt]:
    """All receipts of the bundle, as a player would have kept them."""
    return [
        KeptReceipt(source, number, receipt)
        for number, (_, receipt) in enumerate(bundle.receipts, 1)
    ]


def against(receipts: list[KeptReceipt]) -> Judgement:
    (examined,) = verify([parse_bundle(good(), "file")], receipts=receipts)
    return examined.judgement


def test_many_receipts_of_another_story_are_a_finding_or_two() -> None:
    receipts = kept(other_story())
    judgement = against(receipts)
    assert len(judgement.problems) > 100
    assert [group.problem.code for group in judgement.findings] == ["equivocation", "cut_off"]
    assert sum(group.count for group in judgement.findings) == len(judgement.problems)
    lines = [*judgement_lines(judgement)]
    assert len(lines) < 40
    assert sum("more like this, up to event" in line for line in lines) == 2


def test_the_finding_speaks_of_the_table() -> None:
    first = against(kept(other_story())).findings[0].problem
    assert event_label(first) == """"Seat 1"'s draw from the stock in turn 1 (event 11)"""
    assert (first.seq, first.source) == (11, "mine")


def test_an_event_that_the_bundle_lacks_has_only_its_number() -> None:
    problem = against(kept(other_story())).findings[-1].problem
    assert (problem.code, problem.event) == ("cut_off", "")
    assert event_label(problem) == f"event {problem.seq}"
    assert problem.seq > len(game("classic"))


def test_the_receipts_of_two_people_are_two_findings() -> None:
    theirs = kept(other_story(), "hers")
    sources = [group.problem.source for group in against(kept(other_story()) + theirs).findings]
    assert sources == ["mine", "mine", "hers", "hers"]


def test_every_problem_of_one_bundle_is_in_one_group() -> None:
    judgement = judged(tampered("a score"))
    assert {(group.problem, group.count) for group in judgement.findings} == {
        (problem, 1) for problem in judgement.problems
    }
    words = {problem.event for problem in judgement.problems if problem.seq}
    assert words
    assert "" not in words


def test_events_out_of_their_place_are_not_called_by_another_ones_name() -> None:
    lines = list(good())
    places = [n for n, line in enumerate(lines) if line.startswith(b'{"event"')]
    del lines[places[30]]
    lines[0] = lines[0].replace(b'"events":81', b'"events":80')
    lines[-1] = lines[-1].replace(str(len(lines)).encode(), str(len(lines) - 1).encode())
    problems = [problem for problem in judged(lines).problems if problem.code == "gap"]
    assert {problem.event for problem in problems} == {""}


def test_no_receipt_makes_an_event_of_the_bundle_a_bad_one() -> None:
    examined = verify([parse_bundle(good(), "file")], receipts=kept(other_story()))
    document = Document(
        schema=SCHEMA,
        exit_code=6,
        sound=False,
        policy="",
        bundles=tuple(judgement for _, judgement in examined),
        damage=(),
    )
    page = html_report(document, examined)
    assert "the first bad event" not in page
    assert "more like this, up to event " in page


@pytest.mark.parametrize(
    ("seqs", "label"),
    [
        ((5,), ""),
        ((5, 7, 6), "2 more like this, up to event 7"),
        ((0, 0), "1 more like this"),
    ],
)
def test_others_are_counted(seqs: tuple[int, ...], label: str) -> None:
    problems = [VerificationProblem("cut_off", "text", seq=seq, source="mine") for seq in seqs]
    (group,) = grouped(problems)
    assert (group.count, others_label(group)) == (len(seqs), label)
