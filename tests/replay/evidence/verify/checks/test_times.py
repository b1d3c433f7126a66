"""Time-outs, hand-overs and voids held against the table's terms: `verify`, and the page agrees."""

from functools import cache

from msgspec.structs import replace

from phaseledger.domain.terms import Overdue
from phaseledger.replay.evidence.verify.codes import BROKEN_WORD, WRONG
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.text import judgement_lines
from tests.support.browser import Verifier, codes
from tests.support.cases import looped
from tests.support.replay.clocked_games import (
    HONEST,
    MONTH,
    RUNNING,
    THENS,
    VOIDED,
    stored,
    timed_out,
)
from tests.support.replay.html_outline import report
from tests.support.replay.judgements import code_of, judged, outcomes
from tests.support.replay.operator_games import OPERATOR, ORIGIN, bundled

POLICY = Policy("p", (OPERATOR.public,), ORIGIN, require=frozenset({"receipts", "checkpoint"}))
FORGED = [*(("running", name) for name in RUNNING), *(("voided", name) for name in VOIDED)]
MONTH_MS = 1_000 * (MONTH.seconds + MONTH.grace)


@cache
def early(then: Overdue, milliseconds: int) -> list[bytes]:
    return bundled(stored(timed_out(replace(MONTH, then=then), milliseconds)))


@cache
def made(kind: str, name: str) -> list[bytes]:
    tables = {"honest": HONEST, "running": RUNNING}
    table = VOIDED[name][0]() if kind == "voided" else tables[kind][name]()
    return bundled(stored(table))


@looped("milliseconds", [1, MONTH_MS - 1])
@looped("then", THENS)
def test_a_time_out_before_the_time(then: Overdue, milliseconds: int) -> None:
    """Whatever became of the seat, and whatever a policy asks for."""
    for policy in (None, POLICY):
        judgement = judged(early(then, milliseconds), policy)
        (problem,) = judgement.problems
        assert (problem.code, code_of(judgement)) == ("timed_out_early", BROKEN_WORD)
        assert problem.expected.startswith("2,592,000 seconds and 60 of grace from event ")
        assert problem.recorded == f"{milliseconds / 1_000:.3f} seconds"
        assert outcomes(judgement)["times"] == "failed"


def test_who_was_timed_out_early_owes_nothing() -> None:
    """Neither the text nor the report blames the seat that the void names."""
    late = [*made("honest", "void 1+0")]
    owed = "owed, as the operator says, by"  # F1: the seat has signed nothing
    for lines, words in ((early("void", 1), "blamed without ground"), (late, owed)):
        (line,) = (line for line in judgement_lines(judged(lines)) if words in line)
        assert line.startswith(f"  {words}")
        assert f'<th scope="row">{words}</th>' in report(lines)


@looped("name", RUNNING)
def test_a_running_game_against_the_terms(name: str) -> None:
    judgement = judged(made("running", name))
    codes = [problem.code for problem in judgement.problems]
    assert (set(codes), code_of(judgement)) == ({"against_terms"}, BROKEN_WORD)


@looped("name", VOIDED)
def test_a_void_against_the_terms(name: str) -> None:
    judgement = judged(made("voided", name))
    codes = {problem.code for problem in judgement.problems}
    assert (codes, code_of(judgement)) == ({"against_terms", VOIDED[name][1]}, WRONG)


@looped("name", HONEST)
def test_whoever_had_the_full_time_was_late(name: str) -> None:
    judgement = judged(made("honest", name), POLICY)
    assert (judgement.problems, judgement.conclusion) == ((), "sound")
    assert outcomes(judgement)["times"] == "passed"


# --- the page -------------------------------------------------------------------------------------


def on_the_page(page: Verifier, lines: list[bytes]) -> tuple[str, list[str]]:
    answer = page.verify(b"".join(lines))
    return answer["status"], codes(answer)


@looped("milliseconds", [1, MONTH_MS - 1])
@looped("then", THENS)
def test_the_page_refuses_it_too(page: Verifier, then: Overdue, milliseconds: int) -> None:
    assert "times" in on_the_page(page, early(then, milliseconds))[1]


@looped(("kind", "name"), FORGED)
def test_the_page_holds_the_terms_against_it(page: Verifier, kind: str, name: str) -> None:
    """What a void tells of seats is held against the time-out before it, whatever the clock."""
    assert {"times", "owing"} & set(on_the_page(page, made(kind, name))[1])


@looped("name", HONEST)
def test_the_page_finds_nothing_wrong_with_the_late(page: Verifier, name: str) -> None:
    assert on_the_page(page, made("honest", name)) == ("sound", [])
