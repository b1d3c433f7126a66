"""Whole games made in the test process, the same for the same seed."""

from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import islice

from msgspec.structs import replace

from phaseledger.domain.bots import decision
from phaseledger.domain.cards import TURNED
from phaseledger.domain.commands import Act, OpenGame, Start, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.domain.events import Event, GameOpened
from phaseledger.domain.evidence.codec import Entry, append, command_id, new_chain
from phaseledger.domain.legal import legal
from phaseledger.domain.options import OptionValue
from phaseledger.domain.script import Script
from phaseledger.domain.state import State
from phaseledger.domain.terms import Terms
from tests.support.table import GAME


def decisions(
    gid: str,
    seats: int,
    seed: str,
    options: dict[str, OptionValue],
    bot: str,
    ruleset: str = "classic",
    names: Sequence[str] = (),
    script: Script | None = None,
) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Play a game, yielding the state and the events after every decision.

    ``bot`` names one kind of bot or several with commas, cycled over the seats; an empty one is a
    person, who plays as `greedy` does. With a ``script`` it is a table for tests.
    """
    bots = bot.split(",")

    def secret(name: str) -> str:
        return sha256(f"{seed}/{name}".encode()).hexdigest()

    opening = OpenGame(gid, ruleset, seats, options, secret=secret("server"))
    if script is not None:
        opening = replace(opening, table=Terms(test=True), script=script)
    state, events = step(None, Act(opening))
    yield state, events
    for seat in range(seats):
        name = names[seat] if names else f"seat {seat}"
        sit = TakeSeat(name, bots[seat % len(bots)], secret=secret(f"seat {seat}"))
        state, events = step(state, Act(sit, seat))
        yield state, events
    state, events = step(state, Act(Start()))
    yield state, events
    count, chance = 0, sha256(seed.encode()).digest()
    while state.stage == "playing":
        # Where several are asked at once, not always the first one answers first.
        seat = state.waits[count % len(state.waits)].seat
        answer = decision(state.seat(seat).bot or "greedy", state, seat, chance, count)
        state, events = step(state, Act(answer, seat))
        count += 1
        yield state, events


def play_random(
    gid: str,
    seats: int,
    seed: str,
    options: dict[str, OptionValue] | None = None,
    bot: str = "random",
    ruleset: str = "classic",
    names: Sequence[str] = (),
) -> tuple[State, list[Event]]:
    """A whole game of one kind of bot: its last state and all its events."""
    steps = list(decisions(gid, seats, seed, options or {}, bot, ruleset, names))
    return steps[-1][0], [event for _, events in steps for event in events]


TABLES: tuple[tuple[str, int, dict[str, OptionValue]], ...] = (
    ("classic", 3, {}),
    ("classic", 2, {"going_out": "discard_required", "discard_taken_card": False}),
    ("classic", 4, {"initial_skip": "cover", "stock_exhausted": "reshuffle_all"}),
    ("standard-deck", 3, {}),
    ("standard-deck", 4, {"style": "ten_rounds_free", "skip_repeat": "until_normal_turn"}),
    ("standard-deck", 5, {"style": "complete_free", "free_phase_named": "auto_lowest"}),
    ("express", 2, {}),
    ("express", 6, {"variant": "ten_rounds"}),
    ("express", 3, {"pairrun_hit": "single_cards", "run_wrap": True, "wild_min_scope": "none"}),
    ("board", 2, {}),
    ("board", 3, {}),
    ("board", 6, {}),
    ("board", 3, {"max_turns_per_round": 30}),
    (
        "board",
        3,
        {
            "keep_choice": "seat_order_open",
            "kept_joker": "becomes_normal",
            "max_turns_per_round": 30,
        },
    ),
    ("board", 4, {"joker_memory": "owner_sees_always", "ask_giver_chooses": False}),
    ("board", 3, {"joker_discard": "forbidden", "short_supply": "cancel"}),
    ("board", 3, {"choose_take_by": "type", "stock_exhausted": "end_round"}),
)
"""Games of every rule set: its name, the number of seats, and house rules."""


@cache
def positions(number: int) -> tuple[State, ...]:
    """States of the table of that number in `TABLES`, a few of every sort that comes up."""
    ruleset, seats, options = TABLES[number]
    sorts: dict[object, list[State]] = {}
    for bot in ("random", "random,greedy", "greedy"):
        steps = decisions(GAME, seats, f"{bot} {number}", options, bot, ruleset)
        for state, _ in islice(steps, 1_000):
            if state.stage == "playing":
                sort = sorts.setdefault(_sort(state), [])
                if len(sort) < 3:
                    sort.append(state)
    return tuple(state for sort in sorts.values() for state in sort)


def a_position(number: int, at: int) -> State:
    """One of the positions of the table of that number; no kind of question is a rare one."""
    kinds: dict[object, list[State]] = {}
    for state in positions(number):
        chosen = any(state.seat(n).kept is not None for n in state.players)
        kinds.setdefault((state.waits[0].kind, chosen), []).append(state)
    some = list(kinds.values())[at % len(kinds)]
    return some[at // len(kinds) % len(some)]


@cache
def moments(number: int) -> tuple[tuple[tuple[State, Act], ...], ...]:
    """Decisions at the positions of that table, a few for each sequence of events they lead to."""
    sorts: dict[object, list[tuple[State, Act]]] = {}
    for count, state in enumerate(positions(number)):
        question = state.waits[count % len(state.waits)]
        listed = list(legal(state, question.seat))
        some = [listed[0], listed[-1], *listed[count % 7 :: 7][:4]]
        for command in dict.fromkeys(some):  # in the same order in every process, unlike a set
            act = Act(command, question.seat)
            _, events = step(state, act)
            names = tuple(dict.fromkeys(type(event).__name__ for event in events))
            sort = sorts.setdefault((question.kind, names), [])
            if len(sort) < 5:
                sort.append((state, act))
    return tuple(tuple(sort) for sort in sorts.values())


def _sort(state: State) -> object:
    """What makes states different enough to be looked at one by one."""
    hands = b"".join(state.seat(n).hand for n in state.players)
    laid = b"".join(group.cards for group in state.groups)
    asked = state.seat(state.waits[0].seat)
    return (
        state.waits[0].kind,
        len(state.waits),
        state.action,
        any(card >= TURNED for card in hands),
        any(card >= TURNED for card in asked.hand),
        any(card >= TURNED for card in laid),
        any(state.seat(n).kept is not None for n in state.players),
        bool(asked.laid),
        bool(state.groups),
        any(state.seat(n).skips for n in state.players),
        len(state.stock) < 2,
    )


def records(events: list[Event], at: int = 0) -> list[Entry]:
    """The events as they are stored at the time; each decision is a command of its own."""
    assert isinstance(events[0], GameOpened)
    chain, entries, batch = new_chain(events[0]), [], []
    for event in [*events, None]:
        if batch and (event is None or event.act is not None):
            seat = batch[0].act.seat
            chain, more = append(chain, batch, command_id(seat, f"key {chain.seq}"), at=at)
            entries += more
            batch = []
        if event is not None:
            batch.append(event)
    return entries
