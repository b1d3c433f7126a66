"""Checks of the recorded times against one another and against the table's terms: no rule of the
game reads them.
"""

from phaseledger.domain.commands import CloseReveal
from phaseledger.domain.events import Event, GameVoided
from phaseledger.domain.words import Phrase
from phaseledger.replay.evidence.audit.time_limits import TimeLimits
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.text import utc_time


def check_times(case: Case) -> None:
    """Check that time never runs backwards, and that seats had their full time to answer."""
    if any(check.topic == "chain" and check.outcome == "failed" for check in case.checks):
        case.check("times", "not_checked", Phrase("evidence.times.not_checked"))
        return
    before, last = len(case.problems), 0
    for event in case.bundle.events:
        if event.form.at < last:
            expected = Phrase("evidence.time.later", time=utc_time(last))
            case.find("time_backwards", expected, utc_time(event.form.at), event=event)
            break
        last = event.form.at
    limits = TimeLimits()
    for (record, fact), line in zip(case.read, case.bundle.events, strict=True):
        fault = limits.watch(record.seq, record.at, fact)
        if fault:
            case.find(fault.code, fault.expected, fault.recorded, event=line)
        elif _closes_reveal(fact) and not (limits.sealed and limits.sealed.reveal_seconds):
            elapsed = Phrase(
                "evidence.time.seconds", count=f"{(record.at - limits.sealed_at) / 1_000:.3f}"
            )
            case.find("closed_early", Phrase("evidence.time.set"), elapsed, event=line)
    case.ended_waits = limits.ended
    if len(case.problems) > before:
        case.check("times", "failed", Phrase("evidence.times.bad"))
    else:
        case.check("times", "passed", Phrase("evidence.times.good"))


def _closes_reveal(event: Event) -> bool:
    act = event.act if type(event) is GameVoided else None
    return act is not None and act.command == CloseReveal()


def owing_seats(case: Case) -> tuple[int, ...]:
    """The seats that the last event of a voided game names as those it waited for."""
    last = case.events[-1] if case.read else None
    return last.owing if isinstance(last, GameVoided) else ()
