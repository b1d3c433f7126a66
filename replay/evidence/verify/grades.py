"""The grade of a bundle in which nothing is wrong: what a lying operator could have done unseen.

Five facets say whose word it is, for the deck, the moves, the bots, the times and the story as a
whole; the grade follows from them by `GRADES` (docs/reference/verify.md).
"""

from collections.abc import Sequence
from typing import get_args, get_type_hints

from msgspec.structs import replace

from phaseledger.domain.events import DealOpened
from phaseledger.domain.words import Phrase
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.codes import CODES, TOO_LITTLE
from phaseledger.replay.evidence.verify.evidence import (
    BotMoves,
    Facets,
    Grade,
    Moves,
    SeatReport,
    Secrets,
    Story,
    Times,
)

_PLAYERS = Facets(
    secrets="players",
    moves="signed",
    bots="re-decided",
    times="witnessed",
    story="witnessed",
)
_OPERATOR = Facets(
    secrets="server",
    moves="unsigned",
    bots="unproven",
    times="recorded",
    story="operator",
)
GRADES: dict[Grade, Facets] = {
    "proven": _PLAYERS,
    "attested": replace(_PLAYERS, times="recorded", story="operator"),
    "recorded": _OPERATOR,
    "consistent": replace(_OPERATOR, story="nobody"),
    "test": replace(_OPERATOR, story="nobody", secrets="test"),
}
"""The weakest facets of each grade, the strongest grade first."""

VALUES = {name: get_args(kind) for name, kind in get_type_hints(Facets).items()}
"""The values of each facet, the strongest first."""


def is_met(name: str, value: str, demand: str) -> bool:
    """Whether a facet's value is as strong as the one that is demanded."""
    values = VALUES[name]
    return values.index(value) <= values.index(demand)


def grade_meaning(grade: Grade) -> Phrase:
    """What the grade says about the file, in sentences."""
    return Phrase(f"grade.{grade}")


def grade_of(facets: Facets) -> Grade:
    """The strongest grade of which every facet is met."""
    return next(
        grade
        for grade, weakest in GRADES.items()
        if all(is_met(name, getattr(facets, name), getattr(weakest, name)) for name in VALUES)
    )


def facets_of(case: Case, seats: tuple[SeatReport, ...]) -> Facets | None:
    """The facets; None where something is wrong with the bundle, and more than too little there."""
    if any(CODES[problem.code].exit_code != TOO_LITTLE for problem in case.problems):
        return None
    bots = _bots(case, seats)
    return Facets(
        secrets=_secrets(case, seats),
        moves=_moves(case, seats),
        bots=bots,
        times=_times(case),
        story=_story(case, seats, bots),
    )


def signs(seat: SeatReport) -> bool:
    """Whether a seat has signed, and all its commands, by a key that the policy names."""
    return seat.word == "signed" and seat.named


def unsigned(seats: Sequence[SeatReport]) -> list[SeatReport]:
    """The seats of people for whom no key signs that the policy names."""
    return [seat for seat in seats if seat.word != "bot" and not signs(seat)]


def unproven(seats: Sequence[SeatReport]) -> list[SeatReport]:
    """The seats for which bots moved, and not as far as is known by their programs alone."""
    return [seat for seat in seats if _bot_moves(seat) and not seat.program]


def _bot_moves(seat: SeatReport) -> int:
    return seat.commands if seat.word == "bot" else seat.stood_in


def _secrets(case: Case, seats: tuple[SeatReport, ...]) -> Secrets:
    if case.is_test:
        return "test"
    if not case.bundle.over:
        return "unrevealed"
    if not any(isinstance(event, DealOpened) for event in case.events):
        return "none"
    bringing = [seat for seat in seats if seat.secret_by == "seat"]
    # Whose key the policy names has signed the command that reveals the secret.
    if any(map(signs, bringing)):
        return "players"
    return "seats" if bringing else "server"


def _moves(case: Case, seats: tuple[SeatReport, ...]) -> Moves:
    if all(seat.word == "bot" for seat in seats):
        # A table without any command before it was broken off shows no game at all.
        is_played = any(map(_bot_moves, seats)) or not case.bundle.over
        return "none" if is_played else "unsigned"
    return "unsigned" if unsigned(seats) or case.sealed_signatures else "signed"


def _bots(case: Case, seats: tuple[SeatReport, ...]) -> BotMoves:
    if not any(map(_bot_moves, seats)):
        return "none"
    is_passed = any(check.topic == "bots" and check.outcome == "passed" for check in case.checks)
    return "re-decided" if is_passed else "unproven"


def _times(case: Case) -> Times:
    if not case.ended_waits:
        return "none"
    if case.policy is None or case.policy.times != "witnessed":
        return "recorded"
    missing = any(problem.code == "times_unwitnessed" for problem in case.problems)
    return "recorded" if missing else "witnessed"


def _story(case: Case, seats: tuple[SeatReport, ...], bots: BotMoves) -> Story:
    if case.policy is None:
        return "nobody"
    needed = _last_open_event(case, seats, bots)
    signed = max((seat.signed for seat in seats if signs(seat)), default=0)
    covered = case.bundle.inclusions[-1].value.seq if case.vouching else 0
    witnessed = max(case.kept_by_others, signed, covered if _is_cosigned(case) else 0)
    # A witness of the end after a restore has not seen what the restore left out.
    if needed <= witnessed and not case.restoration:
        return "witnessed"
    receipts = (receipt.seq for _, receipt in case.bundle.receipts)
    return "operator" if needed <= max(witnessed, case.kept, covered, *receipts) else "nobody"


def _last_open_event(case: Case, seats: tuple[SeatReport, ...], bots: BotMoves) -> int:
    """The number of the last event that could have been another one, were all before it the same.

    In a game that was played to its end by bots that are re-decided, it is the last command of a
    person: what follows was fixed by then.
    """
    if case.bundle.status != "finished" or bots == "unproven":
        return len(case.bundle.events)
    people = {seat.seat for seat in seats if seat.word != "bot"}
    acts = ((record.seq, event.act) for record, event in case.read)
    return max((seq for seq, act in acts if act and act.seat in people), default=1)


def _is_cosigned(case: Case) -> bool:
    return case.policy is not None and len(case.cosigners) >= max(1, case.policy.witnesses_needed)
