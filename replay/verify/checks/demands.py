"""The check of a policy's demands on the facets of a bundle in which nothing is wrong."""

from phaseledger.domain.words import Phrase
from phaseledger.replay.verify.case import Case
from phaseledger.replay.verify.codes import AnyCode
from phaseledger.replay.verify.evidence import Facets, SeatReport
from phaseledger.replay.verify.grades import is_met, signs, unproven, unsigned


def check_demands(case: Case, facets: Facets, seats: tuple[SeatReport, ...]) -> None:
    """Check that each facet is as strong as the policy asks; `check_waits` does so for times."""
    policy = case.policy
    if policy is None:
        return
    bringing = [seat for seat in seats if seat.secret_by == "seat" and not signs(seat)]
    demands: tuple[tuple[str, str, str, AnyCode, list[SeatReport]], ...] = (
        ("secrets", facets.secrets, policy.secrets, "player_secret_missing", bringing),
        ("moves", facets.moves, policy.moves, "moves_unsigned", unsigned(seats)),
        ("bots", facets.bots, policy.bots, "bots_unproven", unproven(seats)),
    )
    for name, value, demand, code, concerned in demands:
        if not is_met(name, value, demand):
            recorded = f"{name}: {value}"
            if concerned:
                seats_text = ", ".join(str(seat.seat) for seat in concerned)
                facet = {"facet": recorded, "values": seats_text}
                recorded = Phrase("evidence.policy.facet", count=len(concerned), **facet)
            case.find(code, f"{name}: {demand}", recorded)
