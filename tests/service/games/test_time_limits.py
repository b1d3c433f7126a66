"""The law of time-outs: what the service lets pass, an audit finds no fault with, and no sooner."""

from unittest.mock import patch
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st
from typing_extensions import override

from phaseledger.domain.commands import Act, Command, OpenGame, Start, TakeSeat, TimeOut
from phaseledger.domain.evidence.codec import command_id
from phaseledger.domain.terms import LONGEST_GRACE, LONGEST_TURN, Clock, Overdue, Terms
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.findings import Finding, SourceRow
from phaseledger.service.eventlog.clock import LedgerClock
from phaseledger.service.eventlog.rows import row_of
from phaseledger.service.games import log_times
from phaseledger.service.games.game import (
    Decision,
    PendingCommit,
    Snapshot,
    apply_decisions,
    apply_rows,
)
from phaseledger.service.games.time_limits import dues

GAME = str(UUID(int=7))
BEGINNING = 1_790_000_000_000


class SetClock(LedgerClock):
    """A ledger's clock that is set by hand, while the machine counts on."""

    def __init__(self) -> None:
        self.ms, self.elapsed = BEGINNING, 0

    @override
    def now(self) -> int:
        return self.ms

    @override
    def estimate(self) -> int:
        return self.ms

    def wait(self, milliseconds: int) -> None:
        self.ms += milliseconds
        self.elapsed += milliseconds


def decided(now: Snapshot | None, clock: SetClock, *acts: Act) -> PendingCommit:
    begun = now.version if now else 0
    decisions = [Decision(act, command_id(None, f"{begun} {n}")) for n, act in enumerate(acts)]
    return apply_decisions(now, decisions, clock)


def dealt(terms: Terms, clock: SetClock) -> PendingCommit:
    """A table of two people whose secrets the server made."""
    opening: list[tuple[Command, int | None]] = [
        (OpenGame(GAME, "classic", 2, secret="5e" * 32, table=terms), None),
        (TakeSeat("Ada", secret="ab" * 32), 0),
        (TakeSeat("Bob", secret="cd" * 32), 1),
        (Start(), None),
    ]
    return decided(None, clock, *(Act(command, seat) for command, seat in opening))


def findings(*commits: PendingCommit) -> tuple[Finding, ...]:
    entries = [entry for commit in commits for entry in commit.entries]
    rows = [SourceRow(GAME, entry.topic, entry.stored, entry.seq) for entry in entries]
    (verdict,) = audit(rows)
    return verdict.findings


thens: st.SearchStrategy[Overdue] = st.sampled_from(["bot_move", "bot_for_good", "void"])
clocks = st.builds(
    Clock,
    st.sampled_from([1, 30, LONGEST_TURN]) | st.integers(1, LONGEST_TURN),
    st.sampled_from([0, 10]) | st.integers(0, LONGEST_GRACE),
    thens,
)


@settings(max_examples=60)
@given(
    terms=clocks,
    off=st.sampled_from([-1, 0, 1]) | st.integers(-10_000, 10_000_000),
    ahead=st.sampled_from([0, 0, 1_999, 2_001, 3_600_000]),
    read_again=st.booleans(),
)
def test_a_time_out_that_the_service_lets_pass_is_sound(
    terms: Clock, off: int, ahead: int, *, read_again: bool
) -> None:
    """To the millisecond; also if the clock that wrote the asking was ahead of the ledger's."""
    clock = SetClock()
    with patch.object(log_times, "elapsed_ms", lambda: clock.elapsed):
        clock.ms += ahead
        opened = dealt(Terms(clock=terms), clock)
        clock.ms -= ahead
        now = opened.after
        if read_again:
            now, _ = apply_rows(None, [row_of(entry) for entry in opened.entries], clock)
        clock.wait(max(0, 1_000 * (terms.seconds + terms.grace) + off))
        seat = now.state.waits[0].seat
        is_over = any(due.grace_until <= clock.now() for due in dues(now, seat))
        codes = [
            finding.code for finding in findings(opened, decided(now, clock, Act(TimeOut(seat))))
        ]
    if is_over:
        assert codes == []
    elif not ahead:
        assert codes == ["timed_out_early"]
