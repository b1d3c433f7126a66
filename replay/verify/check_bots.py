"""Whether the moves of seats that are said to be bots are those that the bots' programs make.

A bot sees its seat's view and has its chance from the server's secret and the version that it
answers, so once the secret is told anybody can have it move again.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from phaseledger.domain.bots.registry import BOTS, chooser
from phaseledger.domain.commands import Command, Play
from phaseledger.domain.draft import decision
from phaseledger.domain.evolve import evolve
from phaseledger.domain.legal import legal
from phaseledger.domain.state import State
from phaseledger.domain.view import view
from phaseledger.replay.verify.case import Case
from phaseledger.replay.verify.evidence import SeatReport


def check_bots(case: Case, seats: tuple[SeatReport, ...]) -> tuple[SeatReport, ...]:
    """The reports, with those seats marked whose every move is its bot's."""
    if not any(seat.word == "bot" or seat.stood_in for seat in seats):
        return seats
    if not case.bundle.over or case.problems:
        why = "is over and sound"
        case.check("bots", "not_checked", f"A bot is made to move again once its game {why}.")
        return seats
    moves, others = Counter[int](), Counter[int]()
    for seat, same in _moves(case):
        moves[seat] += 1
        others[seat] += not same
    count, wrong = moves.total(), others.total()
    if wrong:
        said = f"{wrong:,} of {count:,} moves that bots are said to have made are not those of this"
        text = (
            f"{said} release's programs: another release, a simulation or somebody else made them."
        )
    else:
        text = f"All {count:,} moves that bots are said to have made are those of their programs."
    case.check("bots", "not_checked" if wrong else "passed", text)
    return tuple(
        replace(seat, program=bool(moves[seat.seat]) and not others[seat.seat]) for seat in seats
    )


def _moves(case: Case) -> Iterator[tuple[int, bool]]:
    """Each move of a bot: whose it is, and whether the program makes it again."""
    state: State | None = None
    for record, event in case.read:
        act = decision(event)
        if state and act and act.seat is not None and isinstance(act.command, Play):
            seat = state.seat(act.seat)
            name = seat.stand_in or seat.bot
            if name:
                due = _move(state, act.seat, name, record.seq - 1)
                yield act.seat, due == act.command
        state = evolve(state, event)


def _move(state: State, seat: int, name: str, version: int) -> Command | None:
    """What the bot of that name does; the first legal thing where it fails, as in the service."""
    pick = chooser(bytes.fromhex(state.server_secret), version)
    try:
        shown, rules = view(state, seat), state.ruleset
        return BOTS[name](shown, rules, lambda: list(legal(state, seat)), pick)
    except Exception:  # noqa: BLE001 - whatever a bot stumbles over, the service plays on
        return next(legal(state, seat), None)
