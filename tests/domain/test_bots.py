"""Bots by name: the random numbers of a decision, what it may see, and who is asked."""

import hmac
import struct
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phaseledger.domain.bots import BOTS, decision
from phaseledger.domain.commands import Command
from phaseledger.domain.kernel.pack import pack
from phaseledger.domain.state import State
from phaseledger.domain.view import state_seen, view
from phaseledger.replay.laboratory.simulate.game import play
from tests.support.cases import looped
from tests.support.chance import chooser
from tests.support.kernel_scenes import GAMES
from tests.support.replay.option_pairs import plans
from tests.support.scenario import TABLES, a_position
from tests.support.table import table
from tests.support.twin_states import twin


def test_numbers_go_on_after_those_of_one_digest() -> None:
    digests = [hmac.digest(b"seed", b"p10-bot/v1 7 %d" % block, "sha256") for block in range(3)]
    words = [word for digest in digests for word in struct.unpack("<16H", digest)]
    pick = chooser(b"seed", 7)
    assert [pick(1 << 16) for _ in words] == words


@pytest.mark.untraced
def test_decisions_in_threads_are_those_of_one() -> None:
    """Games of several rule sets in turns, as threads of the service see them."""
    states: list[State] = []

    def ask(state: State, seat: int, _chance: bytes, count: int) -> Command:
        states.append(state)
        return decision("random" if count % 3 else "greedy", state, seat, b"y", count)

    for ruleset in GAMES:
        for number, plan in islice(plans(ruleset, "positions"), 2):
            play(plan, number, ask)
    asked = [(bot, state) for state in states[::7] for bot in BOTS]

    def decided(task: tuple[str, State]) -> Command:
        bot, state = task
        return decision(bot, state, state.waits[0].seat, b"x", 7)

    shuffled = sorted(range(len(asked)), key=lambda n: (n * 7919) % len(asked))
    with ThreadPoolExecutor(4) as threads:
        answers = [*threads.map(decided, [asked[n] for n in shuffled])]
    assert answers == [decided(asked[n]) for n in shuffled]


@pytest.mark.untraced
@given(
    number=st.integers(0, len(TABLES) - 1),
    at=st.integers(0, 9_999),
    viewer=st.integers(0, 5),
    seed=st.integers(0, 99),
)
@settings(deadline=None, max_examples=60)
def test_a_bot_is_given_what_its_seat_sees(number: int, at: int, viewer: int, seed: int) -> None:
    """Law 7: no more than its view says, and the same for all states that look alike to it."""
    state = a_position(number, at)
    seat = viewer % len(state.seats)
    other = twin(state, seat, chooser(b"twin", seed))
    shown = state_seen(view(state, seat), state.ruleset)

    assert pack(other, seat) == pack(state, seat) != pack(state)
    if any(question.seat == seat for question in state.waits):
        for bot in BOTS:
            assert decision(bot, shown, seat, b"x", seed) == decision(bot, state, seat, b"x", seed)


@looped("seat", [1, 2])
def test_a_seat_that_is_asked_nothing_has_no_bot_to_answer(seat: int) -> None:
    state = table(["R1 R2", "R3", "R4"])
    with pytest.raises(ValueError, match=f"Seat {seat} is asked nothing."):
        decision("random", state, seat, b"x", 1)
