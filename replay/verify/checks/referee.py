"""The check by a second referee, who has the rule book and nothing of the rules that play."""

from phaseledger.replay.referee.referee import judge
from phaseledger.replay.verify.case import Case


def check_referee(case: Case) -> None:
    """Have a game judged that both proofs agree on; of another the first bad event is known."""
    if not any(check.topic == "agreement" and check.outcome == "passed" for check in case.checks):
        return
    objection = judge(case.events)
    if objection is None:
        text = "Judged once more, by the rule book alone: no event is against the rules."
        case.check("referee", "passed", text)
        return
    line = case.bundle.events[objection.seq - 1]
    expected = f"{objection.rule}: {objection.text}"
    case.find("against_rules", expected, objection.who, event=line)
    case.check("referee", "failed", f"Event {objection.seq}, {objection.who}: {objection.text}.")
