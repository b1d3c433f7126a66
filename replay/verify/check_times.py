"""The operator's own times against one another: no rule of the game reads them."""

from phaseledger.domain.commands import CloseReveal
from phaseledger.domain.draft import decision
from phaseledger.domain.events import GameVoided, TableSealed
from phaseledger.replay.verify.case import Case


def check_times(case: Case) -> None:
    """Whether time runs backwards, and seats had as long to reveal as the table said."""
    if any(each.topic == "chain" and each.outcome == "failed" for each in case.checks):
        case.check("times", "not_checked", "The times are compared where the hash chain is whole.")
        return
    before, last, sealed = len(case.problems), 0, None
    for event in case.bundle.events:
        if event.form.at < last:
            wanted = f"{last} or later, as the event before it"
            case.find("time_backwards", wanted, f"{event.form.at}", event=event)
            break
        last = event.form.at
    for (record, fact), line in zip(case.read, case.bundle.events, strict=True):
        act = decision(fact)
        if isinstance(fact, TableSealed) and sealed is None:
            sealed = record.at, fact.reveal_seconds
        elif sealed and isinstance(fact, GameVoided) and act and act.command == CloseReveal():
            at, seconds = sealed
            if not seconds or record.at < at + 1_000 * seconds:
                wanted = f"{seconds} seconds from the sealing" if seconds else "a time that was set"
                told = f"{(record.at - at) / 1_000:.3f} seconds"
                case.find("closed_early", wanted, told, event=line)
    if len(case.problems) > before:
        case.check("times", "failed", "The operator's own times contradict one another.")
    else:
        case.check("times", "passed", "By the operator's clock no event is before another one.")


def owing_seats(case: Case) -> tuple[int, ...]:
    """The seats that the last event names as those that kept the game waiting."""
    last = case.events[-1] if case.read else None
    return last.owing if isinstance(last, GameVoided) else ()
