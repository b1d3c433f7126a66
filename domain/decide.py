"""The decider: from a state and a command to events, or a refusal. The only place that checks.

Checks stand in rule-book order, so that the same mistake always gets the same code.
"""

import re
from collections.abc import Callable
from typing import Any

from phaseledger.domain import commands as c
from phaseledger.domain import deal, seating
from phaseledger.domain import events as e
from phaseledger.domain.commands import RejectCode as Code
from phaseledger.domain.draft import Draft, with_decision
from phaseledger.domain.evolve import evolve
from phaseledger.domain.names import is_name, is_plain
from phaseledger.domain.play import board_actions, turn
from phaseledger.domain.play.rounds import open_deal
from phaseledger.domain.resolve import Unplayable, resolve
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import cite, find_game
from phaseledger.domain.script import script_fault
from phaseledger.domain.state import Question, State
from phaseledger.domain.terms import OPEN, Terms, is_game_id, terms_fault
from phaseledger.domain.words import Phrase, reason_of


def step(state: State | None, act: c.Act) -> tuple[State, tuple[e.Event, ...]]:
    """The state after the decision and the events that lead there; the first carries it.

    Raises:
        Rejected: when the rules refuse it; nothing has happened then.

    """
    command = act.command
    if state is None or isinstance(command, c.OpenGame):
        opened = _open(state, act)
        if act.sig:
            raise c.Rejected(Code.NO_KEY_REGISTERED)
        return evolve(None, opened), (with_decision(opened, act),)
    draft = Draft(state)
    _require_signature(draft, act)
    _HANDLERS[type(command)](draft, act.seat, command)
    draft.events[0] = with_decision(draft.events[0], act)
    return draft.now, tuple(draft.events)


def _require_signature(draft: Draft, act: c.Act) -> None:
    """Require a signature if, and only if, the command's seat has registered a key.

    A bot that answers for an overdue seat has no key. Sitting down with a key may be signed.
    """
    if isinstance(act.command, c.TakeSeat):
        if act.sig and not (act.command.key and _SIGNATURE.fullmatch(act.sig)):
            raise draft.refuse(Code.NO_KEY_REGISTERED)
        return
    seats, number = draft.now.seats, act.seat
    seat = seats[number] if number is not None and 0 <= number < len(seats) else None
    stands_in = seat and seat.stand_in and isinstance(act.command, c.Play)
    if seat and seat.key and not stands_in:
        if not _SIGNATURE.fullmatch(act.sig):
            raise draft.refuse(Code.SIGNATURE_NEEDED, Phrase("detail.seat", seat=number))
    elif act.sig:
        raise draft.refuse(Code.NO_KEY_REGISTERED)


def decide(state: State | None, act: c.Act) -> tuple[e.Event, ...]:
    """The events that answer the decision; see `step`."""
    return step(state, act)[1]


# --- the table ----------------------------------------------------------------------------------


_SECRET = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{128}")


def _is_secret(text: str) -> bool:
    return _SECRET.fullmatch(text) is not None


def _open(state: State | None, act: c.Act) -> e.GameOpened:
    command = act.command
    if not isinstance(command, c.OpenGame):
        raise c.Rejected(Code.NOT_STARTED)
    if state is not None:
        raise c.Rejected(Code.GAME_EXISTS)
    if act.seat is not None:
        raise c.Rejected(Code.NOT_FOR_SEATS)
    game = find_game(command.ruleset)
    if game is None:
        raise c.Rejected(Code.UNKNOWN_RULESET, detail=command.ruleset)
    try:
        ruleset = resolve(game.rules, command.options, game.settings, command.revision)
    except Unplayable as error:
        raise c.Rejected(Code.BAD_OPTION, detail=reason_of(error)) from None
    if not ruleset.seats_min <= command.seats <= ruleset.seats_max:
        detail = Phrase(
            "detail.seats", least=ruleset.seats_min, most=ruleset.seats_max, count=command.seats
        )
        code = Code.SEATS_OUT_OF_RANGE
        raise c.Rejected(code, cite(ruleset.name, code), detail)
    if not is_game_id(command.game):
        raise c.Rejected(Code.BAD_GAME_ID)
    if not 0 <= command.dealer < command.seats:
        raise c.Rejected(Code.NO_SUCH_SEAT, detail=Phrase("detail.dealer", seat=command.dealer))
    if not _is_secret(command.secret):
        raise c.Rejected(Code.BAD_SECRET)
    _require_terms(command.table or OPEN, command.seats)
    _require_script(command, ruleset)
    return e.GameOpened(
        game=command.game,
        ruleset=ruleset,
        seats=command.seats,
        dealer=command.dealer,
        server_commit=deal.server_commit(command.game, bytes.fromhex(command.secret)),
        table=command.table,
        hidden={"server": e.Secret(secret=command.secret, script=command.script)},
    )


def _require_terms(terms: Terms, seats: int) -> None:
    if fault := terms_fault(terms, seats):
        raise c.Rejected(Code.BAD_TERMS, detail=fault)
    if not is_name(terms.stand_in):
        raise c.Rejected(Code.BAD_TEXT)


def _require_script(command: c.OpenGame, ruleset: RuleSet) -> None:
    """Require a script that can be dealt, and none but at a table for tests."""
    is_test = command.table is not None and command.table.test
    fault = script_fault(command.script, ruleset, command.seats)
    if fault or (command.script and not is_test):
        raise c.Rejected(Code.BAD_SCRIPT, detail=fault)


def _take_seat(draft: Draft, seat: int | None, command: c.TakeSeat) -> None:
    number = draft.speaker(seat)
    state = draft.now
    if state.stage != "lobby":
        raise draft.refuse(Code.NOT_IN_LOBBY)
    if state.seats[number] is not None:
        raise draft.refuse(Code.SEAT_TAKEN, str(number))
    if not is_name(command.name) or not is_name(command.bot or "-"):
        raise draft.refuse(Code.BAD_TEXT)
    if not _is_secret(command.commit or command.secret) or (command.commit and command.secret):
        raise draft.refuse(Code.BAD_SECRET)
    if command.key and (command.bot or not _is_secret(command.key)):
        raise draft.refuse(Code.BAD_KEY)
    secret = bytes.fromhex(command.secret)
    draft.emit(
        e.SeatTaken(
            seat=number,
            name=command.name,
            bot=command.bot,
            commit=command.commit or deal.seat_commit(state.game, number, secret),
            brought_secret=bool(command.commit),
            key=command.key,
            hidden={"server": e.Secret(secret=command.secret)} if command.secret else {},
        )
    )


def _start(draft: Draft, seat: int | None, command: c.Start) -> None:
    draft.host(seat)
    state = draft.now
    if state.stage != "lobby":
        raise draft.refuse(Code.NOT_IN_LOBBY)
    if empty := state.seats.count(None):
        raise draft.refuse(Code.SEATS_OPEN, Phrase("detail.free_seats", count=empty))
    numbers = range(len(state.seats))
    due = tuple(Question(n, "reveal") for n in numbers if not state.seat(n).secret)
    draft.emit(e.TableSealed(asks=due, reveal_seconds=command.reveal_seconds if due else 0))
    if not due:
        open_deal(draft)


def _void(draft: Draft, seat: int | None, command: c.VoidGame) -> None:
    draft.host(seat)
    if not is_plain(command.reason, 200):
        raise draft.refuse(Code.BAD_TEXT)
    secret, owing = draft.now.server_secret, _owing(draft)
    draft.emit(e.GameVoided(reason=command.reason, secret=secret, owing=owing, asks=()))


def _void_restored(draft: Draft, seat: int | None, command: c.VoidRestored) -> None:
    draft.host(seat)
    reason = f"restored from a backup that lacks what came after (restore {command.epoch})"
    secret, owing = draft.now.server_secret, _owing(draft)
    draft.emit(e.GameVoided(reason=reason, secret=secret, owing=owing, asks=()))


def _owing(draft: Draft) -> tuple[int, ...]:
    """The seats whose secrets are due."""
    return tuple(question.seat for question in draft.now.waits if question.kind == "reveal")


def _close_reveal(draft: Draft, seat: int | None, _: c.CloseReveal) -> None:
    draft.host(seat)
    owing = _owing(draft)
    if not owing:
        raise draft.refuse(Code.NOT_OVERDUE)
    numbers = ", ".join(map(str, owing))
    reason = f"secrets not revealed in time by seat{'s' * (len(owing) > 1)} {numbers}"
    secret = draft.now.server_secret
    draft.emit(e.GameVoided(reason=reason, secret=secret, owing=owing, asks=()))


def _reveal(draft: Draft, seat: int | None, command: c.RevealSecret) -> None:
    number = draft.asked(seat, "reveal").seat
    state = draft.now
    secret = command.secret if _is_secret(command.secret) else ""
    commitment = deal.seat_commit(state.game, number, bytes.fromhex(secret))
    if not secret or commitment != draft.seat(number).commit:
        raise draft.refuse(Code.SECRET_MISMATCH)
    due = tuple(question for question in state.waits if question.seat != number)
    draft.emit(e.SeatSecretRevealed(seat=number, secret=secret, asks=due))
    if not due:
        open_deal(draft)


_HANDLERS: dict[type[c.Command], Callable[[Draft, int | None, Any], None]] = {
    c.TakeSeat: _take_seat,
    c.KickSeat: seating.kick,
    c.LeaveSeat: seating.leave,
    c.NameSeat: seating.name,
    c.TimeOut: seating.time_out,
    c.Start: _start,
    c.RevealSecret: _reveal,
    c.VoidGame: _void,
    c.VoidRestored: _void_restored,
    c.CloseReveal: _close_reveal,
    c.Draw: turn.draw,
    c.Lay: turn.lay,
    c.Hit: turn.hit,
    c.Discard: turn.discard,
    c.Pass: turn.pass_turn,
    c.Move: board_actions.move,
    c.Choose: board_actions.choose,
    c.Search: board_actions.search,
    c.Swap: board_actions.swap,
    c.Ask: board_actions.ask,
    c.Give: board_actions.give,
    c.Keep: board_actions.keep,
}
