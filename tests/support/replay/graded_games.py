"""Games by who made the deck, the moves and the times, with bots that move as in the service."""

from functools import cache

from msgspec.structs import replace

from phaseledger.domain.bots import decision
from phaseledger.domain.commands import Command, TimeOut, VoidGame
from phaseledger.domain.legal import legal
from phaseledger.domain.options import OptionValue
from phaseledger.domain.terms import Clock, Terms
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.formats.signing.commands import public_key
from tests.support.replay.clocked_games import REVEALING, asked, sealed, wait
from tests.support.replay.operator_games import OPERATOR, ORIGIN, WITNESS, Plan, Table

SHORT: dict[str, OptionValue] = {"variant": "n_phases(1)", "max_turns_per_round": 6}
SIGNED = Plan("classic", 2, "graded", SHORT, ("greedy",), (0,), (0, 1))
ABSENT = replace(SIGNED, table=Terms(clock=Clock(30, 10, "bot_for_good")), absent=(1,))
"""A player who signs nothing: the operator may have made it up (F1)."""
PLANS = {
    "signed": SIGNED,
    "a bot": replace(SIGNED, signing=(0,)),
    "a bot played by somebody": replace(SIGNED, signing=(0,)),
    "secrets of the server": replace(SIGNED, bringing=()),
    "one seat signs": replace(SIGNED, bringing=(0, 1), signing=(0,)),
    "nobody signs": replace(SIGNED, bringing=(0, 1), signing=()),
    "bots only": replace(SIGNED, bringing=(), signing=()),
    "timed out": replace(SIGNED, table=Terms(clock=Clock(30, 10))),
    "never there": ABSENT,
    "only sat down": replace(ABSENT, joining=(1,)),
    "broken off": replace(SIGNED, void_after=5),
    "broken off before the deal": REVEALING,
}
POLICY = Policy(
    "club.toml",
    (OPERATOR.public,),
    ORIGIN,
    (WITNESS.public,),
    players=frozenset(public_key(Table(SIGNED).key(seat)) for seat in (0, 1)),
)
"""Names the operator, the witness, and the keys of both players."""


@cache
def graded(name: str) -> tuple[bytes, ...]:
    """The stored events of one of the games."""
    if PLANS[name] == REVEALING:
        table = sealed(60)
        table.decide(VoidGame("no more time"))
        return tuple(entry.stored for entry in table.entries)
    return played(Table(PLANS[name]), meddles=name == "a bot played by somebody")


def played(table: Table, *, meddles: bool = False) -> tuple[bytes, ...]:
    """The stored events of a table that is played to its end."""
    table.open()
    begun = table.count
    while table.state and table.state.stage == "playing":
        seat = asked(table)
        if table.plan.void_after and table.count - begun >= table.plan.void_after:
            table.decide(VoidGame("no more time"))
            break
        is_absent = seat in table.plan.absent and not table.state.seat(seat).bot
        if is_absent or (table.plan.table and not table.plan.absent and table.count == begun + 1):
            wait(table, 40_000)
            table.decide(TimeOut(seat))
            continue
        move, others = _answers(table, seat)
        if meddles and others and table.state.seat(seat).bot:
            move, meddles = others[0], False
        table.decide(move, seat)
    return tuple(entry.stored for entry in table.entries)


def _answers(table: Table, seat: int) -> tuple[Command, list[Command]]:
    """What the bot moves that sits there or stands in, else a greedy person; and what else may."""
    state = table.state
    assert state is not None
    name = state.seat(seat).stand_in or state.seat(seat).bot or "greedy"
    move = decision(name, state, seat, bytes.fromhex(state.server_secret), table.chain.seq)
    return move, [choice for choice in legal(state, seat) if choice != move]
