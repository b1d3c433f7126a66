"""The check by a second referee, who has the rule book and nothing of the rules that play."""

from phaseledger.domain.words import Phrase
from phaseledger.replay.referee.referee import judge
from phaseledger.replay.verify.case import Case


def check_referee(case: Case) -> None:
    """Have a game judged that both proofs agree on; of another the first bad event is known."""
    if not any(check.topic == "agreement" and check.outcome == "passed" for check in case.checks):
        return
    objection = judge(case.events)
    if objection is None:
        text = Phrase("evidence.referee.good")
        case.check("referee", "passed", text)
        return
    line = case.bundle.events[objection.seq - 1]
    expected = Phrase("evidence.rule", rule=objection.rule, objection=objection.text)
    case.find("against_rules", expected, objection.who, event=line)
    case.check(
        "referee",
        "failed",
        Phrase(
            "evidence.referee.bad", seq=objection.seq, who=objection.who, objection=objection.text
        ),
    )
