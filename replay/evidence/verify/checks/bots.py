"""Replay of bot moves: are the moves of seats declared as bots those of the bots' programs?

A bot sees its seat's view, and its random choices follow from the server's secret and the version
that it answers: once the secret is revealed, it can be made to move again.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from phaseledger.domain.bots import decision as chosen
from phaseledger.domain.commands import Command, Play
from phaseledger.domain.draft import decision
from phaseledger.domain.evolve import evolve
from phaseledger.domain.legal import legal
from phaseledger.domain.state import State
from phaseledger.domain.words import Amount, Phrase
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.evidence import SeatReport


def check_bots(case: Case, seats: tuple[SeatReport, ...]) -> tuple[SeatReport, ...]:
    """Check the bots' moves; the reports, with the seats marked whose every move is its bot's."""
    if not any(seat.word == "bot" or seat.stood_in for seat in seats):
        return seats
    if not case.bots:
        case.check("bots", "not_checked", Phrase("evidence.bots.not_asked"))
        return seats
    if not case.bundle.over or case.problems:
        case.check("bots", "not_checked", Phrase("evidence.bots.later"))
        return seats
    moves, mismatches = Counter[int](), Counter[int]()
    for seat, matches in _moves(case):
        moves[seat] += 1
        mismatches[seat] += not matches
    count, wrong = moves.total(), mismatches.total()
    if wrong:
        text = Phrase("evidence.bots.others", count=Amount(wrong), total=Amount(count))
    elif count:
        text = Phrase("evidence.bots.own", count=Amount(count))
    else:
        text = Phrase("evidence.bots.none")
    case.check("bots", "not_checked" if wrong else "passed", text)
    return tuple(
        replace(seat, program=bool(moves[seat.seat]) and not mismatches[seat.seat])
        for seat in seats
    )


def _moves(case: Case) -> Iterator[tuple[int, bool]]:
    """Each move of a bot: its seat, and whether the program makes the same one."""
    state: State | None = None
    for record, event in case.read:
        act = decision(event)
        if state and act and act.seat is not None and isinstance(act.command, Play):
            seat = state.seat(act.seat)
            name = seat.stand_in or seat.bot
            if name:
                expected = _move(state, act.seat, name, record.seq - 1)
                yield act.seat, expected == act.command
        state = evolve(state, event)


def _move(state: State, seat: int, name: str, version: int) -> Command | None:
    """The command the named bot chooses; the first legal one where it fails, as in the service."""
    try:
        return chosen(name, state, seat, bytes.fromhex(state.server_secret), version)
    except Exception:  # noqa: BLE001 - whatever a bot stumbles over, the service plays on
        return next(legal(state, seat), None)
