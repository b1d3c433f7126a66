"""Time-outs held against the table's terms by an audit, and one id for two commands."""

from msgspec.structs import replace

from phaseledger.domain.terms import Overdue
from tests.support.cases import looped
from tests.support.replay.clocked_games import (
    HONEST,
    MONTH,
    RUNNING,
    THENS,
    VOIDED,
    timed_out,
    verdict,
)

MONTH_MS = 1_000 * (MONTH.seconds + MONTH.grace)


@looped("milliseconds", [1, MONTH_MS - 1])
@looped("then", THENS)
def test_a_time_out_before_the_time(then: Overdue, milliseconds: int) -> None:
    (finding,) = verdict(timed_out(replace(MONTH, then=then), milliseconds)).findings
    assert finding.code == "timed_out_early"
    assert finding.recorded == f"{milliseconds / 1_000:.3f} seconds"


@looped("name", [*RUNNING, *VOIDED])
def test_against_the_terms(name: str) -> None:
    """Deciding again refuses it, or gives another event: so the audit knows it by that."""
    table = RUNNING[name]() if name in RUNNING else VOIDED[name][0]()
    (finding,) = verdict(table).findings
    assert finding.code in ("illegal_decision", "outcome_differs", "no_decision", "bad_signature")


@looped("name", HONEST)
def test_whoever_had_the_full_time_was_late(name: str) -> None:
    assert verdict(HONEST[name]()).findings == ()
