"""Checks of the operator's timestamps against one another: no rule of the game reads them."""

from phaseledger.domain.commands import CloseReveal
from phaseledger.domain.draft import decision
from phaseledger.domain.events import GameVoided, TableSealed
from phaseledger.replay.verify.case import Case


def check_times(case: Case) -> None:
    """Check that time never runs backwards, and that seats had their full time to reveal."""
    if any(check.topic == "chain" and check.outcome == "failed" for check in case.checks):
        case.check("times", "not_checked", "The times are compared where the hash chain is whole.")
        return
    before, last, sealing = len(case.problems), 0, None
    for event in case.bundle.events:
        if event.form.at < last:
            expected = f"{last} or later, as the event before it"
            case.find("time_backwards", expected, f"{event.form.at}", event=event)
            break
        last = event.form.at
    for (record, fact), line in zip(case.read, case.bundle.events, strict=True):
        act = decision(fact)
        if isinstance(fact, TableSealed) and sealing is None:
            sealing = record.at, fact.reveal_seconds
        elif sealing and isinstance(fact, GameVoided) and act and act.command == CloseReveal():
            sealed_at, seconds = sealing
            if not seconds or record.at < sealed_at + 1_000 * seconds:
                expected = (
                    f"{seconds} seconds from the sealing" if seconds else "a time that was set"
                )
                elapsed = f"{(record.at - sealed_at) / 1_000:.3f} seconds"
                case.find("closed_early", expected, elapsed, event=line)
    if len(case.problems) > before:
        case.check("times", "failed", "The operator's own times contradict one another.")
    else:
        case.check("times", "passed", "By the operator's clock no event is before another one.")


def owing_seats(case: Case) -> tuple[int, ...]:
    """The seats that the last event of a voided game names as those it waited for."""
    last = case.events[-1] if case.read else None
    return last.owing if isinstance(last, GameVoided) else ()
