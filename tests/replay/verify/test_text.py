"""The verdict as text: no name of a player can look like anything but a name."""

import json
import re
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.replay.text import clean
from phaseledger.replay.verify.evidence import Judgement
from phaseledger.replay.verify.text import judgement_lines
from tests.support.replay.bundles import good
from tests.support.replay.graded_games import PLANS, POLICY, graded
from tests.support.replay.judgements import judged
from tests.support.replay.operator_games import bundled
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
def judgements() -> tuple[Judgement, ...]:
    """Verdicts of every kind: graded, under a policy and without one, and of what is wrong."""
    graded_games = [bundled(graded(name)) for name in PLANS]
    return (
        *(judged(lines, policy) for lines in graded_games for policy in (None, POLICY)),
        *(judged(tampered(name)) for name in list(TAMPERED)[:12]),
        judged(good(), replace(POLICY, moves="signed")),
    )


def printed() -> Iterator[str]:
    """Every line of these verdicts."""
    for judgement in judgements():
        yield from judgement_lines(judgement)


def named(judgement: Judgement, name: str) -> Judgement:
    first, *others = judgement.seats
    return replace(judgement, seats=(replace(first, name=name), *others))


def facts(judgement: Judgement) -> list[tuple[int, str, str]]:
    """The seats as a reader of the text has them: number, name, and what is said of it."""
    seats = [SEAT.fullmatch(line) for line in judgement_lines(judgement)]
    return [(int(seat["seat"]), json.loads(seat["name"]), seat["report"]) for seat in seats if seat]


def holds(name: str) -> None:
    """With a player of that name each line is the same, and in its own one only the quotation."""
    for judgement in (judgements()[0], judgements()[-1]):
        before, after = facts(judgement), facts(named(judgement, name))
        assert after == [(0, clean(name), before[0][2]), *before[1:]]
        lines, changed = (
            list(judgement_lines(judgement)),
            list(judgement_lines(named(judgement, name))),
        )
        different = [
            n for n, pair in enumerate(zip(lines, changed, strict=True)) if len({*pair}) > 1
        ]
        assert len(different) <= 1
        assert all(line.isprintable() for line in changed)


def test_every_seat_is_read_back() -> None:
    for judgement in judgements():
        seats = [(seat.seat, seat.name) for seat in judgement.seats]
        assert [(number, name) for number, name, _ in facts(judgement)] == seats


def test_no_line_of_a_verdict_can_be_imitated_by_a_name() -> None:
    lines = {line for text in printed() for line in (text, text.strip())}
    assert len(lines) > 100
    for name in sorted(lines) + list(IMITATIONS):
        holds(name)


@given(st.text(st.characters() | st.sampled_from('"\\: \n')))
def test_no_name_ends_its_quotation(name: str) -> None:
    holds(name)


@pytest.mark.parametrize("ruleset", ["classic@1, finished", 'x"', "SOUND, grade proven"])
def test_a_rule_set_that_is_none_is_quoted(ruleset: str) -> None:
    lines = list(judgement_lines(replace(judgements()[0], ruleset=ruleset)))
    assert f", {json.dumps(ruleset)}, finished" in lines[1]
