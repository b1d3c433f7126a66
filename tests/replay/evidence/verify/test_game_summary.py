"""A game as a report tells it, and what is said of several bundles at once."""

import msgspec
import pytest

from phaseledger.replay.evidence.audit import proofs
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.checks.game import game_course
from phaseledger.replay.evidence.verify.codes import BROKEN_WORD, DAMAGED, SOUND, TOO_LITTLE, WRONG
from phaseledger.replay.evidence.verify.verify import exit_code, verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.bundle.writer import bundle_lines
from tests.support.cases import looped
from tests.support.replay.bundles import game, good
from tests.support.replay.operator_games import bundled
from tests.support.replay.sealed_forgeries import FORGED, forged


def case_of(lines: list[bytes] | tuple[bytes, ...]) -> Case:
    (examined,) = verify([parse_bundle(lines, "file")])
    return examined.case


def test_a_sound_game_is_told_to_its_end() -> None:
    case = case_of(good())
    course = game_course(case)

    assert [step.event for step in course.steps] == case.events
    assert [step.state for step in course.steps] == list(proofs.states(case.events, complete=True))
    assert (len(course.steps), course.expected, course.recorded) == (81, None, None)


def test_a_forged_game_is_told_to_its_first_bad_event() -> None:
    stored = forged(FORGED["a score"][0])
    case = case_of(bundled(stored))
    course = game_course(case)
    assert course.expected is not None
    due, there = map(msgspec.json.decode, (course.expected, stored[79]))

    assert [step.event for step in course.steps] == case.events[:79]
    assert course.recorded == stored[79]
    assert there["data"]["results"][0].pop("total") == due["data"]["results"][0].pop("total") + 5
    assert there == due


@pytest.mark.parametrize("viewer", [None, 1])
def test_a_running_game_is_told_as_far_as_it_is_known(viewer: int | None) -> None:
    case = case_of(bundled(game("classic")[:50], viewer=viewer))
    course = game_course(case)

    assert [step.event for step in course.steps] == case.events
    assert [step.state for step in course.steps] == list(proofs.states(case.events, complete=False))
    assert (course.expected, course.recorded) == (None, None)


def test_a_running_game_that_cannot_be_followed_is_told_up_to_there() -> None:
    case = case_of(bundled(game("classic")[:50]))
    case.events = [*case.events[:20], case.events[0], case.events[20]]
    course = game_course(case)

    assert [step.event for step in course.steps] == case.events[:20]


def test_a_game_that_cannot_be_read_has_no_seats() -> None:
    lines = [
        line.replace(b"GameOpened/1", b"GameBurnt/1") for line in bundle_lines(game("classic"))
    ]
    (examined,) = verify([parse_bundle(lines)])

    assert (examined.judgement.ruleset, examined.judgement.seats) == ("", ())
    assert examined.judgement.problems[0].code == "unknown_topic"


@looped(
    ("codes", "counts"),
    [
        ([], SOUND),
        ([SOUND], SOUND),
        ([TOO_LITTLE, SOUND], TOO_LITTLE),
        ([TOO_LITTLE, BROKEN_WORD], BROKEN_WORD),
        ([BROKEN_WORD, WRONG, TOO_LITTLE], WRONG),
        ([WRONG, DAMAGED, BROKEN_WORD], DAMAGED),
    ],
)
def test_of_several_exit_codes_the_worst_counts(codes: list[int], counts: int) -> None:
    assert exit_code(codes) == counts
