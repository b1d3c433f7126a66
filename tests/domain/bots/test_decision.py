"""Bots by name: the random numbers of a decision, what it may see, and who makes it."""

import hmac
import struct
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice

import pytest
from msgspec.structs import replace

from phaseledger.domain.bots.registry import BOTS, chooser, decision
from phaseledger.domain.commands import Command
from phaseledger.domain.kernel.pack import pack
from phaseledger.domain.kernel.table import NotCovered, compile_rules
from phaseledger.domain.legal import legal
from phaseledger.domain.rollouts.worlds import knowledge
from phaseledger.domain.sight import Sight
from phaseledger.domain.state import State
from phaseledger.replay.laboratory.simulate.game import play
from tests.support.cases import looped
from tests.support.kernel_scenes import GAMES
from tests.support.replay.option_pairs import plans
from tests.support.table import board


def test_numbers_go_on_after_those_of_one_digest() -> None:
    digests = [hmac.digest(b"seed", b"p10-bot/v1 7 %d" % block, "sha256") for block in range(3)]
    words = [word for digest in digests for word in struct.unpack("<16H", digest)]
    pick = chooser(b"seed", 7)
    assert [pick(1 << 16) for _ in words] == words


def positions(ruleset: str) -> list[State]:
    """States of the first decisions of some games under house rules."""
    states: list[State] = []

    def ask(state: State, seat: int, chance: bytes, count: int) -> Command:
        states.append(state)
        return in_domain("random" if count % 3 else "greedy", state, seat, count)

    for number, plan in islice(plans(ruleset, "positions"), 3):
        play(replace(plan, cap=60), number, ask)
    return states


def in_domain(bot: str, state: State, seat: int, counter: int) -> Command:
    """The choice of the bot of the domain."""
    choices = partial(legal, state, seat)
    return BOTS[bot](Sight(state, seat), state.ruleset, choices, chooser(b"x", counter))


@pytest.mark.untraced
@looped("ruleset", GAMES)
def test_decisions_in_threads_are_those_of_the_domain(ruleset: str) -> None:
    """Games of several rule sets in turns, as threads of the service see them."""
    asked = [
        (bot, state, state.waits[0].seat, counter)
        for counter, state in enumerate(positions(ruleset))
        for bot in ("random", "greedy", "expert")  # `master` is the kernel's alone
    ]

    def decided(task: tuple[str, State, int, int]) -> Command:
        bot, state, seat, counter = task
        return decision(bot, state, seat, b"x", counter)

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(decided, asked)) == [in_domain(*task) for task in asked]


def test_the_domain_decides_where_the_kernel_does_not_cover_the_rules() -> None:
    phases = (" + ".join(["color(2)"] * 5),) * 10
    state = board(["R1 R2 B3 B4 G5", "B12"], board_phases=phases)
    with pytest.raises(NotCovered, match="phases of more than 4 groups"):
        compile_rules(state.ruleset)
    for bot in ("random", "greedy", "expert"):
        assert decision(bot, state, 0, b"x", 7) == in_domain(bot, state, 0, 7)


@looped("ruleset", GAMES)
def test_a_bot_is_given_what_its_seat_knows(ruleset: str) -> None:
    """The packed game is the same for all states that look alike to the seat."""
    for state in positions(ruleset):
        for seat in range(len(state.seats)):
            assert pack(state, seat) == pack(knowledge(state, seat), seat)
        assert pack(state, 0) != pack(state)
