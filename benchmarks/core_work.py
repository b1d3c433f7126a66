"""Games to measure the core with, and the work that `core.py` measures.

Each kind of work is an iterator without end, which yields after a step how many things were done.
"""

import random
import sys
from array import array
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from phaseledger.domain.bots import BOTS, decision
from phaseledger.domain.commands import Act, OpenGame, Start, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.domain.events import Event, GameOpened
from phaseledger.domain.evidence.codec import Entry, append, command_id, decode_event, new_chain
from phaseledger.domain.evolve import fold
from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import Workspace, ints
from phaseledger.domain.kernel.play import chance as plain_chance
from phaseledger.domain.kernel.play import rounds as plain_rules
from phaseledger.domain.kernel.policies import games as plain_games
from phaseledger.domain.kernel.table import compile_rules
from phaseledger.domain.legal import legal
from phaseledger.domain.options import OptionValue
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


def rules_in_kernel(ruleset: str) -> "array[int]":
    """The rules that the games are played by, compiled."""
    state, _ = opened(ruleset, "kernel", "random")
    return compile_rules(state.ruleset)


def kernel_games(
    rules: "array[int]", bot: str, *, compiled: bool = True, decisions: bool = False
) -> Iterator[int]:
    """Whole games inside the kernel, or the decisions of each."""
    seed = kernel.seed_chance if compiled else plain_chance.seed_chance
    open_game = kernel.open_game if compiled else plain_rules.open_game
    play_on = kernel.play_on if compiled else plain_games.play_on
    space = Workspace(SEATS)
    policies = array("q", [BOTS[bot]] * SEATS)
    for number in count():
        seed(space.chance, 1, number)
        open_game(rules, space.game, space.chance, SEATS, 0)
        arrays = (rules, space.game, space.chance, space.moves, space.work)
        made = play_on(*arrays, space.tuning, space.weights, policies, 1_000, 1_000_000)
        yield made if decisions else 1


def kernel_steps(rules: "array[int]") -> Iterator[int]:
    """The kernel stepped from Python, by two calls a decision: moves are listed, one is played."""
    space, chance = Workspace(SEATS), random.Random(1)
    game, fresh = ints(len(space.game)), space.game
    kernel.seed_chance(space.chance, 1, 0)
    kernel.open_game(rules, fresh, space.chance, SEATS, 0)
    moves, source, work = space.moves, space.chance, space.work
    while True:
        game[:] = fresh
        while game[at.ASK] != at.ASK_NOTHING:
            kernel.list_moves(rules, game, moves, work, at.LISTED)
            kernel.play(rules, game, source, moves, 1 + chance.randrange(moves[0]) * at.MOVE)
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
