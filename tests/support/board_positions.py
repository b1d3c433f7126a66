"""Positions of the board game: dealt, on the space of an action, and with its runs of cards."""

from phaseledger.domain import commands as c
from phaseledger.domain.cards import show
from phaseledger.domain.commands import Act
from phaseledger.domain.decide import step
from phaseledger.domain.events import Event
from phaseledger.domain.options import OptionValue
from phaseledger.domain.state import State
from tests.support.table import GAME, board, landing, play


def opened(
    seats: int = 3, salt: int = 0, dealer: int = 0, **options: OptionValue
) -> tuple[State, list[Event]]:
    """A started game; ``salt`` chooses the server's secret, and so the deal."""
    opening = c.OpenGame(GAME, "board", seats, options, dealer, secret=f"{salt:064x}")
    state, events = step(None, Act(opening))
    log = list(events)
    for seat in range(seats):
        state, events = step(state, Act(c.TakeSeat(f"seat {seat}", secret="ab" * 32), seat))
        log += events
    state, events = step(state, Act(c.Start()))
    return state, log + list(events)


def after_moving(action: str, hands: list[str], **laid_out: object) -> State:
    """Seat 0 has reached a space of the action."""
    return play(landing(action, hands, **laid_out), (0, c.Move(1)))


def hands_of(state: State) -> list[str]:
    return [show(state.seat(n).hand) for n in range(len(state.seats))]


def choosing(pawn: int, *others: int, **laid_out: object) -> State:
    """Seat 0 on a CHOOSE space, the others' pawns elsewhere."""
    hands = ["R1 R2", "B1 B2", "G1 G2", "Y1 Y2", "R3 R4", "B3 B4"][: 1 + len(others)]
    return board(hands, **{"question": "choose", "pawns": [pawn, *others], **laid_out})


FULL_RUN = "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12"


NINES = "R9 B9 G9 Y9 R9 B9 G9 Y9"
