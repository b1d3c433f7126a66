"""The verdict as text: findings in table words, what is alike as one, names that are only names."""

import json
import re
from functools import cache
from itertools import chain, cycle

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain.words import Language, Phrase
from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.evidence import (
    SCHEMA,
    Document,
    Judgement,
    VerificationProblem,
)
from phaseledger.replay.evidence.verify.html_report import html_report
from phaseledger.replay.evidence.verify.problem_groups import event_label, grouped, others_label
from phaseledger.replay.evidence.verify.text import judgement_lines
from phaseledger.replay.evidence.verify.verdict_words import VerdictWords
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import Bundle, parse_bundle
from phaseledger.replay.text import clean, quoted
from tests.support.cases import looped
from tests.support.replay.bundles import PLANS, game, good
from tests.support.replay.graded_games import PLANS as GRADED
from tests.support.replay.graded_games import POLICY, graded
from tests.support.replay.judgements import judged
from tests.support.replay.operator_games import bundled, played
from tests.support.replay.tampered_bundles import TAMPERED, tampered

SEAT = re.compile(r'    (?P<seat>\d+) (?P<name>"(?:[^"\\]|\\["\\])*"): (?P<report>.*)')
IMITATIONS = (
    "Bob: 9 commands, signed; its own secret",
    'Bob": 9 commands, signed; its own secret',
    '\\": 9 commands',
    'Bob\n    1 "Eve": 9 commands, signed',
    "\u202ederohcuov",
    "",
)


@cache
def judgements(lang: Language = "en") -> tuple[Judgement, ...]:
    """Verdicts of every kind: graded, under a policy and without one, and of what is wrong."""
    graded_games = [bundled(graded(name)) for name in GRADED]
    return (
        *(judged(*given, lang) for given in zip(graded_games, cycle([None, POLICY]))),
        *(judged(tampered(name), lang=lang) for name in list(TAMPERED)[:12]),
        judged(good(), replace(POLICY, moves="signed"), lang),
    )


ENGLISH = re.compile(
    r"\b(?:the|of|is|are|were|have|by|with|nobody|seat|seats|event|key|its|that)\b"
)
OF_ANY_LANGUAGE = re.compile(r'"[^"]*"|`[^`]*`|\b(?:story|secrets|moves|bots|times): \w+|\w+_\w+')
"""Names and commands quoted, facets and codes, which are the same in every language."""


@looped("lang", ["de", "fr"])
def test_a_verdict_is_in_one_language(lang: Language) -> None:
    words = VerdictWords(lang)
    for judgement in judgements(lang):
        lines = list(judgement_lines(judgement, words))
        assert [line for line in lines if ENGLISH.search(OF_ANY_LANGUAGE.sub("", line))] == []


@looped("lang", ["en", "de", "fr"])
def test_what_checks_say_begins_in_one_column(lang: Language) -> None:
    words = VerdictWords(lang)
    for judgement in judgements():
        lines = list(judgement_lines(judgement, words))
        first = lines.index(f"  {words.line('checked')}") + 1
        rows = zip(lines[first:], judgement.checks, strict=False)
        columns = set()
        for line, check in rows:
            spoken = words.say(Phrase(f"evidence.topic.{check.topic}", text=check.text))
            text = spoken.partition(": ")[2]
            assert line.endswith(f"  {text}")
            columns.add(len(line) - len(text))
        assert len(columns) == 1


def named(judgement: Judgement, name: str) -> Judgement:
    """The judgement with a player of that name, and without findings that name the former one."""
    first, *others = judgement.seats
    seats = (replace(first, name=name), *others)
    return replace(judgement, seats=seats, problems=(), findings=(), notes=())


def facts(judgement: Judgement) -> list[tuple[int, str, str]]:
    """The seats as a reader of the text has them: number, name, and what is said of it."""
    seats = [SEAT.fullmatch(line) for line in judgement_lines(judgement)]
    return [(int(seat["seat"]), json.loads(seat["name"]), seat["report"]) for seat in seats if seat]


def holds(name: str) -> None:
    """With a player of that name each line is the same but for the quotation."""
    for judgement in (judgements()[0], judgements()[-1]):
        before, after = facts(judgement), facts(named(judgement, name))
        assert after == [(0, clean(name), before[0][2]), *before[1:]]
        old = judgement.seats[0].name
        lines, changed = (list(judgement_lines(named(judgement, called))) for called in (old, name))
        ours, theirs = quoted(old), quoted(name)
        assert changed == [line.replace(ours, theirs) for line in lines]
        assert all(line.isprintable() for line in changed)


def test_every_seat_is_read_back() -> None:
    for judgement in judgements():
        seats = [(seat.seat, seat.name) for seat in judgement.seats]
        assert [(number, name) for number, name, _ in facts(judgement)] == seats


def test_no_line_of_a_verdict_can_be_imitated_by_a_name() -> None:
    printed = chain.from_iterable(map(judgement_lines, judgements()))
    lines = {line for text in printed for line in (text, text.strip())}
    assert len(lines) > 100
    for name in [*sorted(lines)[::4], *IMITATIONS]:
        holds(name)


@settings(max_examples=25)
@given(st.text(st.characters() | st.sampled_from('"\\: \n')))
def test_no_name_ends_its_quotation(name: str) -> None:
    holds(name)


@looped("ruleset", ["classic@1, finished", 'x"', "SOUND, grade proven"])
def test_a_rule_set_that_is_none_is_quoted(ruleset: str) -> None:
    lines = list(judgement_lines(replace(judgements()[0], ruleset=ruleset)))
    assert f", {json.dumps(ruleset)}, finished" in lines[1]


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


@looped(
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
