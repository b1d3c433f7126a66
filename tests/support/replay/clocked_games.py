"""Games at tables with a clock, and what an operator could write into them against the clock."""

from collections.abc import Callable, Sequence

from phaseledger.domain import deal
from phaseledger.domain.commands import (
    Act,
    LeaveSeat,
    OpenGame,
    Start,
    TakeSeat,
    TimeOut,
    VoidGame,
)
from phaseledger.domain.events import Event, GameVoided, SeatHandedOver, TurnTimedOut
from phaseledger.domain.evidence.codec import append, command_id
from phaseledger.domain.options import OptionValue
from phaseledger.domain.terms import Clock, Overdue, Terms
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.findings import AuditVerdict
from phaseledger.replay.formats.signing.commands import public_key
from tests.support.replay.log_edits import rows
from tests.support.replay.operator_games import Plan, Table, secret

MONTH = Clock(30 * 24 * 3_600, 60)
THENS: tuple[Overdue, ...] = ("bot_move", "bot_for_good", "void")
SHORT: dict[str, OptionValue] = {"variant": "n_phases(1)", "max_turns_per_round": 6}


REVEALING = Plan("classic", 2, "conduct", {"variant": "n_phases(1)"}, bringing=(0, 1), signing=(0,))


def sealed(seconds: int) -> Table:
    """Both seats have to reveal their secrets."""
    table = Table(REVEALING)
    table.decide(
        OpenGame(REVEALING.game, "classic", 2, REVEALING.options, secret=secret("conduct").hex())
    )
    for seat in (0, 1):
        commit = deal.seat_commit(REVEALING.game, seat, table.seat_secret(seat))
        key = public_key(table.key(0)) if seat == 0 else ""
        table.decide(TakeSeat(f"Seat {seat}", commit=commit, key=key), seat)
    table.decide(Start(seconds))
    return table


def dealt(clock: Clock | None, ruleset: str = "classic", seats: int = 2) -> Table:
    """A table at which the first seat has just been asked; all seats are people's."""
    options = SHORT if ruleset == "classic" else {"max_turns_per_round": 6}
    terms = Terms(clock=clock) if clock else None
    people = tuple(range(seats))
    table = Table(Plan(ruleset, seats, f"clocked {clock}", options, bringing=people, table=terms))
    table.open()
    return table


def asked(table: Table) -> int:
    """The seat that is asked."""
    assert table.state is not None
    return table.state.waits[0].seat


def wait(table: Table, milliseconds: int) -> None:
    """Have the next decision come so long after the last one."""
    table.waited += milliseconds - 2_000


def timed_out(clock: Clock, milliseconds: int, ruleset: str = "classic") -> Table:
    """A game whose first seat was timed out so long after it was asked; played to its end."""
    table = dealt(clock, ruleset)
    table.decide(table.answer(asked(table)), asked(table))
    wait(table, milliseconds)
    table.decide(TimeOut(asked(table)))
    finish(table)
    return table


def finish(table: Table) -> None:
    """Play on to the end, a second for each answer."""
    while table.state and table.state.stage == "playing":
        table.decide(table.answer(asked(table)), asked(table))


def write(table: Table, *events: Event) -> None:
    """Store events that no rule has led to, as one command of the host."""
    cmd = command_id(None, f"key {table.count}")
    table.chain, entries = append(table.chain, events, cmd, table.now)
    table.entries += entries
    table.count += 1


def stored(table: Table) -> list[bytes]:
    return [entry.stored for entry in table.entries]


def verdict(table: Table) -> AuditVerdict:
    """What an audit of the stored events says."""
    (only,) = audit(rows(stored(table)))
    return only


# --- written against the terms --------------------------------------------------------------------


def _overdue(seat: int, then: Overdue = "bot_move", bot: str = "greedy") -> TurnTimedOut:
    bot = bot if then == "bot_move" else ""
    return TurnTimedOut(seat=seat, then=then, bot=bot, act=Act(TimeOut(seat)))


def _long(then: Overdue = "bot_move", ruleset: str = "classic") -> Table:
    """A table at which the seat that is asked is overdue by now."""
    table = dealt(Clock(5, then=then), ruleset)
    wait(table, 9_000)
    return table


def _no_clock() -> Table:
    table = dealt(None)
    write(table, _overdue(asked(table)))
    return table


def _not_asked() -> Table:
    table = _long()
    write(table, _overdue(1 - asked(table)))
    return table


def _twice() -> Table:
    table = _long()
    table.decide(TimeOut(asked(table)))
    wait(table, 9_000)
    write(table, _overdue(asked(table)))
    return table


def _after_leaving() -> Table:
    table = _long()
    table.decide(LeaveSeat(), asked(table))
    wait(table, 9_000)
    write(table, _overdue(asked(table)))
    return table


def _another_consequence() -> Table:
    table = _long()
    write(table, _overdue(asked(table), "bot_for_good"), _handed_over(asked(table)))
    return table


def _another_bot() -> Table:
    table = _long()
    write(table, _overdue(asked(table), bot="random"))
    return table


def _another_command() -> Table:
    table = _long()
    seat = asked(table)
    write(table, TurnTimedOut(seat=seat, then="bot_move", bot="greedy", act=Act(TimeOut(1 - seat))))
    return table


def _handed_over(seat: int, bot: str = "greedy", act: Act | None = None) -> SeatHandedOver:
    return SeatHandedOver(seat=seat, bot=bot, why="overdue", act=act)


def _no_time_out() -> Table:
    table = _long("bot_for_good")
    write(table, _handed_over(asked(table), act=Act(TimeOut(asked(table)))))
    return table


def _another_seat_handed_over() -> Table:
    table = _long("bot_for_good")
    write(table, _overdue(asked(table), "bot_for_good"), _handed_over(1 - asked(table)))
    return table


def _handed_to_another_bot() -> Table:
    table = _long("bot_for_good")
    write(table, _overdue(asked(table), "bot_for_good"), _handed_over(asked(table), "random"))
    return table


def _left_for_it() -> Table:
    table = _long()
    seat, act = asked(table), Act(LeaveSeat(), 1 - asked(table))
    write(table, SeatHandedOver(seat=seat, bot="greedy", why="left", act=act))
    return table


def _more_than_a_bot() -> Table:
    table = _long()
    write(table, _overdue(asked(table)), _handed_over(asked(table)))
    return table


def _no_consequence(then: Overdue) -> Table:
    """Timed out; but the seat kept its place, to leave it by a command of its own."""
    table = _long(then)
    seat = asked(table)
    leaving = SeatHandedOver(seat=seat, bot="greedy", why="left", act=Act(LeaveSeat(), seat))
    write(table, _overdue(seat, then))
    write(table, leaving)
    return table


RUNNING: dict[str, Callable[[], Table]] = {
    "a table without a clock": _no_clock,
    "a seat that was not asked": _not_asked,
    "a seat for which a bot stands in": _twice,
    "a seat that has left": _after_leaving,
    "another consequence than the terms say": _another_consequence,
    "another bot than the terms say": _another_bot,
    "a command about another seat": _another_command,
    "handed over without a time-out": _no_time_out,
    "another seat handed over": _another_seat_handed_over,
    "handed over to another bot": _handed_to_another_bot,
    "made to leave by another seat": _left_for_it,
    "handed over besides": _more_than_a_bot,
    "timed out without being handed over": lambda: _no_consequence("bot_for_good"),
    "timed out without a void": lambda: _no_consequence("void"),
}
"""Games that go on, written against the terms; public facts refute them."""


def voided(table: Table, blamed: Sequence[int], seat: int) -> Table:
    """The game, broken off for the time-out of a seat, with seats blamed for it."""
    assert table.state is not None
    write(
        table,
        _overdue(seat, "void"),
        GameVoided(
            reason=f"seat {seat} did not answer in time",
            secret=table.state.server_secret,
            owing=tuple(blamed),
            asks=(),
        ),
    )
    return table


def _blamed_unasked() -> Table:
    table = _long("void")
    other = 1 - asked(table)
    return voided(table, [other], other)


def _blamed_another() -> Table:
    table = _long("void")
    return voided(table, [1 - asked(table)], asked(table))


def _blamed_without_a_clock() -> Table:
    table = dealt(None)
    return voided(table, [asked(table)], asked(table))


VOIDED: dict[str, tuple[Callable[[], Table], str]] = {
    "blamed: a seat that was not asked": (_blamed_unasked, "illegal_decision"),
    "blamed: another seat than the one that was late": (_blamed_another, "outcome_differs"),
    "blamed: at a table without a clock": (_blamed_without_a_clock, "illegal_decision"),
}
"""Games broken off against the terms, and the audit's finding."""


# --- honest ones ----------------------------------------------------------------------------------


def _returned() -> Table:
    """A seat that was overdue, is back for its next turn, and overdue again."""
    table = dealt(Clock(5, 2))
    seat = asked(table)
    for _ in range(2):
        while asked(table) != seat:
            table.decide(table.answer(asked(table)), asked(table))
        wait(table, 7_000)
        table.decide(TimeOut(seat))
        while asked(table) == seat:
            table.decide(table.answer(seat), seat)
    finish(table)
    return table


def _late_claim() -> Table:
    """A time-out long after the time: nobody knew the game for a while."""
    table = dealt(Clock(5))
    wait(table, 3_600_000)
    table.decide(TimeOut(asked(table)))
    table.decide(VoidGame("enough"))
    return table


def _kept_waiting_by_others() -> Table:
    """Several seats owe an answer; that of one gives the others no more time."""
    table = dealt(Clock(5), "board", 3)
    while table.state and len(table.state.waits) < 2:
        table.decide(table.answer(asked(table)), asked(table))
    assert table.state is not None
    first, second, *_ = (question.seat for question in table.state.waits)
    table.decide(table.answer(first), first)
    wait(table, 3_000)
    table.decide(TimeOut(second))
    table.decide(VoidGame("enough"))
    return table


def _left_while_asked() -> Table:
    table = dealt(Clock(5, then="void"))
    table.decide(LeaveSeat(), asked(table))
    finish(table)
    return table


def _secrets_in_time() -> Table:
    table = dealt(Clock(5))
    table.decide(VoidGame("enough"))
    return table


HONEST: dict[str, Callable[[], Table]] = {
    **{
        f"{then} {clock.seconds}+{clock.grace}": lambda clock=clock: timed_out(
            clock, 1_000 * (clock.seconds + clock.grace)
        )
        for then in THENS
        for clock in (Clock(1, then=then), Clock(MONTH.seconds, 60, then))
    },
    "overdue twice": _returned,
    "long after": _late_claim,
    "several are asked": _kept_waiting_by_others,
    "left while asked": _left_while_asked,
    "nobody was late": _secrets_in_time,
}
"""Games whose time-outs came in time, some of them to the millisecond."""
