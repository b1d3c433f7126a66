"""The commands on seats, before the start and after it: seats freed, left, named, and overdue.

Nothing here is a rule of any game. A bot takes over a seat that a person had, so no game ends
because a player is gone, unless its opener wanted it to.
"""

from phaseledger.domain import commands as c
from phaseledger.domain import events as e
from phaseledger.domain.commands import RejectCode as Code
from phaseledger.domain.draft import Draft
from phaseledger.domain.names import is_pseudonym


def kick(draft: Draft, seat: int | None, command: c.KickSeat) -> None:
    """Free a seat that the host wants for another player."""
    draft.host(seat)
    state, number = draft.now, command.free
    if state.stage != "lobby":
        raise draft.refuse(Code.NOT_IN_LOBBY)
    if not 0 <= number < len(state.seats):
        raise draft.refuse(Code.NO_SUCH_SEAT, str(number))
    if state.seats[number] is None and number not in state.reserved:
        raise draft.refuse(Code.NOBODY_THERE, str(number))
    draft.emit(e.SeatFreed(seat=number, by="host"))


def leave(draft: Draft, seat: int | None, _: c.LeaveSeat) -> None:
    """Free the speaker's seat or, once the table is sealed, hand it to a bot.

    Only the speaker can reveal a secret that the seat owes, so leaving is refused until then.
    """
    number = draft.speaker(seat)
    state = draft.now
    occupant = state.seats[number]
    if occupant is None:
        raise draft.refuse(Code.NOBODY_THERE, str(number))
    if occupant.bot:
        raise draft.refuse(Code.BOT_SEAT, str(number))
    if state.stage == "lobby":
        draft.emit(e.SeatFreed(seat=number, by="seat"))
        return
    if any(question.seat == number and question.kind == "reveal" for question in state.waits):
        raise draft.refuse(Code.SECRETS_DUE)
    draft.emit(e.SeatHandedOver(seat=number, bot=state.terms.stand_in, why="left"))


def name(draft: Draft, seat: int | None, command: c.NameSeat) -> None:
    """Let the guest in a seat be an application's player.

    A seat that signs its commands keeps the name for which it has signed.
    """
    draft.host(seat)
    state, number = draft.now, command.named
    if not 0 <= number < len(state.seats):
        raise draft.refuse(Code.NO_SUCH_SEAT, str(number))
    occupant = state.seats[number]
    if occupant is None:
        raise draft.refuse(Code.NOBODY_THERE, str(number))
    if occupant.bot:
        raise draft.refuse(Code.BOT_SEAT, str(number))
    if occupant.key:
        raise draft.refuse(Code.SEAT_SIGNS, str(number))
    if not is_pseudonym(command.name):
        raise draft.refuse(Code.BAD_TEXT)
    if is_pseudonym(occupant.name) or any(
        other and other.name == command.name for other in state.seats
    ):
        raise draft.refuse(Code.PLAYER_SEATED)
    draft.emit(e.SeatNamed(seat=number, name=command.name))


def time_out(draft: Draft, seat: int | None, command: c.TimeOut) -> None:
    """Apply the clock's terms to a seat that was asked and is overdue."""
    draft.host(seat)
    state, number = draft.now, command.overdue
    clock, bot = state.terms.clock, state.terms.stand_in
    if clock is None:
        raise draft.refuse(Code.NO_CLOCK)
    if state.stage != "playing" or not any(question.seat == number for question in state.waits):
        raise draft.refuse(Code.NOT_OVERDUE)
    occupant = draft.seat(number)
    if occupant.bot or occupant.stand_in:
        raise draft.refuse(Code.NOT_OVERDUE)
    bot_moves = clock.then == "bot_move"
    draft.emit(e.TurnTimedOut(seat=number, then=clock.then, bot=bot if bot_moves else ""))
    if clock.then == "bot_for_good":
        draft.emit(e.SeatHandedOver(seat=number, bot=bot, why="overdue"))
    elif clock.then == "void":
        secret, reason = state.server_secret, f"seat {number} did not answer in time"
        draft.emit(e.GameVoided(reason=reason, secret=secret, owing=(number,), asks=()))
