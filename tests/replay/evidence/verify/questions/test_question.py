"""Which events a referee's question is about, and what is said where there are none."""

import pytest

from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.questions.question import (
    asked_events,
    parse_question,
    question_of,
)
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.terminal import UsageError
from tests.support.cases import looped
from tests.support.replay.bundles import good
from tests.support.replay.graded_games import graded
from tests.support.replay.operator_games import bundled


def case_of(lines: list[bytes] | tuple[bytes, ...]) -> Case:
    case = Case(parse_bundle(lines, "file"))
    case.read_events()
    return case


def asked(question: str, *cases: Case) -> list[list[int]]:
    found_in = asked_events(cases or (case_of(good()),), parse_question(question))
    return [[*seqs] for seqs in found_in]


@looped(
    ("question", "seqs"),
    [
        ("event 28", [28]),
        ("event 26", [26]),
        ("turn 7", [27, 28]),
        ("Turn 7, event 28", [28]),
        ("seat 1 turn 7", [27, 28]),
        ("what did seat 1 do" and "SEAT 1  turn 7", [27, 28]),
        ("turn 2", [14]),
        ("round 1 turn 8", [30, 31, 32]),
    ],
)
def test_a_question_picks_events(question: str, seqs: list[int]) -> None:
    assert asked(question) == [seqs]


@looped("words", ["Zoé", '"Zoé"', "zoé's", "ZOÉ"])
def test_a_player_is_asked_about_by_name(words: str) -> None:
    named = [line.replace(b'"Seat 1"', '"Zoé"'.encode()) for line in good()]
    assert asked(f"{words} turn 7", case_of(named)) == [[27, 28]]
    everything = asked(words, case_of(named))[0]
    assert {3, 11, 27, 28} <= {*everything}
    assert 30 not in everything


@looped("name", ["seat 0", "Bob turn 2", "event 5", "Time-outs"])
def test_a_question_that_may_mean_a_player_s_name(name: str) -> None:
    """F5: it is refused, and says how to ask; in quotation marks it is the name."""
    named = case_of([line.replace(b'"Seat 1"', f'"{name}"'.encode()) for line in good()])
    with pytest.raises(UsageError, match="in quotation marks, about an event by --event"):
        asked(f"{name} turn 7", named)
    assert asked(f'"{name}" turn 7', named) == [[27, 28]]
    by_number = question_of(None, 5, "en")
    assert by_number is not None
    assert [*asked_events([named], by_number)[0]] == [5]


def test_a_name_with_a_quotation_mark_in_it() -> None:
    named = [line.replace(b'"Seat 1"', b'"Pat O\'Hara"') for line in good()]
    assert asked("Pat O'Hara turn 7", case_of(named)) == [[27, 28]]


@looped("words", ["time-outs", "time-out", "timeouts", "timed out", "Time out"])
def test_time_outs(words: str) -> None:
    assert asked(words, case_of(bundled(graded("timed out")))) == [[10]]
    assert asked(words) == [[]]


@looped(
    ("question", "answer"),
    [
        ("event 82", "It has events 1 to 81, turns 1 to"),
        ("event 0", 'nothing in this game is "event 0"'),
        ("turn 999", "turns are counted through the whole game"),
        ("round 2 turn 7", ", round 1; turns"),
        ("Seat 0 turn 1", 'what happened there was done by "Seat 1"'),
        ("Mallory turn 7", 'nobody called "Mallory" sat at this table, but "Seat 0", "Seat 1"'),
        ("x\n  proves: all", 'nobody called "x proves all"'),
    ],
)
def test_what_is_not_there_is_a_sentence(question: str, answer: str) -> None:
    with pytest.raises(UsageError) as refusal:
        asked(question)
    assert answer in str(refusal.value)
    assert str(refusal.value).isprintable()


@looped("question", ["", "  ", '""'])
def test_a_question_about_nothing(question: str) -> None:
    with pytest.raises(UsageError, match="Ask about something such as"):
        parse_question(question)


def test_one_of_several_files_suffices() -> None:
    assert asked("time-outs", case_of(good()), case_of(bundled(graded("timed out")))) == [[], [10]]


def test_a_lobby_has_neither_turns_nor_rounds() -> None:
    lobby = case_of(bundled(graded("signed")[:2]))
    with pytest.raises(UsageError, match="events 1 to 2, no turns, no rounds"):
        asked("turn 1", lobby)
