"""Games to measure the core with, and the work that `core.py` measures.

Each kind of work is an iterator without end, which yields after a step how many things were done.
"""

import random
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from phaseledger.domain.bots.registry import decision
from phaseledger.domain.commands import Act, OpenGame, Start, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.domain.events import Event, GameOpened
from phaseledger.domain.evidence.codec import Entry, append, command_id, decode_event, new_chain
from phaseledger.domain.evolve import fold
from phaseledger.domain.legal import legal
from phaseledger.domain.options import OptionValue
from phaseledger.domain.rollouts.rollout import RolloutPlan, rollout
from phaseledger.domain.state import State
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.findings import SourceRow as StoredRow

GAME = "11111111-1111-4111-8111-111111111111"
SEATS = 4

# --- games ---------------------------------------------------------------------------------------


def opened(ruleset: str, seed: str, bot: str) -> tuple[State, list[Act]]:
    """A game whose first round is dealt, and the decisions that led there."""

    def secret(name: str) -> str:
        return sha256(f"{seed}/{name}".encode()).hexdigest()

    # A round of Express in which nobody can go out would go on for ever (O-39).
    options: dict[str, OptionValue] = {"max_turns_per_round": 400}
    acts = [Act(OpenGame(GAME, ruleset, SEATS, options, secret=secret("server")))]
    acts += [Act(TakeSeat(bot, bot, secret=secret(str(n))), n) for n in range(SEATS)]
    acts.append(Act(Start()))
    state = None
    for act in acts:
        state, _ = step(state, act)
    assert state is not None
    return state, acts


def random_states(ruleset: str, seed: str = "random") -> Iterator[State]:
    """The states of games of random legal play, one after the other, each after its decision."""
    chance = random.Random(seed)
    for number in count():
        state, _ = opened(ruleset, f"{seed} {number}", "random")
        while state.stage == "playing":
            seat = state.waits[0].seat
            state, _ = step(state, Act(chance.choice(list(legal(state, seat))), seat))
            yield state


def bot_states(ruleset: str, bot: str, seed: str) -> Iterator[tuple[State, Act]]:
    """Each decision of a whole game of bots, and the state that it was made in."""
    state, _ = opened(ruleset, seed, bot)
    chance = sha256(seed.encode()).digest()
    for number in count():
        if state.stage != "playing":
            return
        seat = state.waits[0].seat
        act = Act(decision(bot, state, seat, chance, number), seat)
        yield state, act
        state, _ = step(state, act)


class Recorded(NamedTuple):
    """A game by greedy bots: its decisions, its events and what the store holds of it."""

    states: list[State]
    acts: list[Act]
    events: list[Event]
    rows: list[tuple[str, bytes]]


def recorded(ruleset: str, most: int | None) -> Recorded:
    """One game, of so many decisions of the bots at most."""
    _, acts = opened(ruleset, "recorded", "greedy")
    states = []
    for state, act in islice(bot_states(ruleset, "greedy", "recorded"), most):
        states.append(state)
        acts.append(act)
    events, entries = _stored(acts)
    return Recorded(states, acts, events, [(entry.topic, entry.stored) for entry in entries])


def _stored(acts: list[Act]) -> tuple[list[Event], list[Entry]]:
    state, chain = None, None
    log: list[Event] = []
    entries: list[Entry] = []
    for number, act in enumerate(acts):
        state, events = step(state, act)
        if chain is None:
            assert isinstance(events[0], GameOpened)
            chain = new_chain(events[0])
        chain, more = append(chain, events, command_id(act.seat, str(number)), 0)
        log += events
        entries += more
    return log, entries


# --- what is measured; each yields after a step how many things were done -------------------------


def random_play(ruleset: str) -> Iterator[int]:
    """Legal commands, a choice and `step`, for ever."""
    for _ in random_states(ruleset):
        yield 1


def whole_games(ruleset: str, bot: str, most: int | None) -> Iterator[int]:
    """Whole games by one kind of bot, or their first so many decisions."""
    for number in count():
        for _ in islice(bot_states(ruleset, bot, f"{bot} {number}"), most):
            pass
        yield 1


def round_rollouts(states: list[State]) -> Iterator[int]:
    """The round played on by greedy bots, from worlds that fit what the asked seat knows."""
    bots = ("greedy",) * SEATS
    for number in count():
        for state in states:
            plan = RolloutPlan(state, state.waits[0].seat, bots, "rollouts")
            assert rollout(plan, number).ended
            yield 1


def repeated(work: Callable[[], int]) -> Iterator[int]:
    """The same work for ever."""
    while True:
        yield work()


def decoded_and_folded(rows: list[tuple[str, bytes]]) -> int:
    """The state of the game from its stored bytes."""
    fold([decode_event(topic, data) for topic, data in rows])
    return len(rows)


def audited(rows: list[tuple[str, bytes]]) -> int:
    """Everything that `phaseledger audit` holds against the log, chain and seals included."""
    given = (StoredRow(GAME, topic, data, seq) for seq, (topic, data) in enumerate(rows, 1))
    (verdict,) = audit(given)
    assert not verdict.findings, verdict.findings[0]
    return len(rows)


def hashed(rows: list[tuple[str, bytes]]) -> int:
    """SHA-256 of the stored bytes."""
    for _, data in rows:
        sha256(data).digest()
    return len(rows)
