"""A short game of the board in which seat 0 signs its commands and seat 1 does not."""

from functools import cache

from msgspec.structs import replace

from phaseledger.domain.commands import Act, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.domain.draft import decision
from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence.codec import (
    NO_PREVIOUS,
    Chain,
    Entry,
    append,
    command_id,
    new_chain,
)
from phaseledger.domain.state import State
from phaseledger.replay.formats.signing.commands import public_key, sign
from tests.support.replay.log_edits import GAME
from tests.support.scenario import decisions

PRIVATE = b"\x0b" * 32
PUBLIC = public_key(PRIVATE)


def _signed(act: Act, chain: Chain, key: str, forged: str) -> Act:
    if act.seat != 0:
        return act
    if isinstance(act.command, TakeSeat):
        return replace(act, command=replace(act.command, bot="", key=key))
    sig = forged or sign(PRIVATE, GAME, 0, chain.head, chain.seq, act.command)
    return replace(act, sig=sig)


@cache
def signed_game(key: str = PUBLIC, forged: str = "") -> tuple[Entry, ...]:
    """Its records: every kind of command that the log keeps in secret is among them.

    Under another ``key`` each of them has the ``forged`` signature.
    """
    options = {"board_phases": ("set(2) + set(2)",) * 10, "max_turns_per_round": 8}
    state: State | None = None
    chain, entries = Chain(GAME, b"", 0, NO_PREVIOUS), []
    for _, made in decisions(GAME, 2, "signed 2", options, "random,greedy", "board"):
        act = decision(made[0])
        assert act is not None
        state, events = step(state, _signed(act, chain, key, forged))
        if isinstance(events[0], GameOpened):
            chain = new_chain(events[0])
        cmd = command_id(act.seat, f"key {chain.seq}")
        chain, more = append(chain, events, cmd, at=1_700_000_000_000 + chain.seq)
        entries += more
    return tuple(entries)
