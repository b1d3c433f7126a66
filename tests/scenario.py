"""Whole games made in the test process, the same for the same seed."""

from collections.abc import Iterator
from functools import partial
from hashlib import sha256

from domain.bots import BOTS, chooser
from domain.codec import Entry, append, command_id, new_chain
from domain.commands import Act, OpenGame, Start, TakeSeat
from domain.decide import step
from domain.events import Event, GameOpened
from domain.legal import legal
from domain.options import OptionValue
from domain.state import State
from domain.view import view


def decisions(
    gid: str, seats: int, seed: str, options: dict[str, OptionValue], bot: str, ruleset: str = "classic"
) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Play a game, yielding the state and the events after every decision."""

    def secret(name: str) -> str:
        return sha256(f"{seed}/{name}".encode()).hexdigest()

    opening = OpenGame(gid, ruleset, seats, options, secret=secret("server"))
    state, events = step(None, Act(opening))
    yield state, events
    for seat in range(seats):
        sit = TakeSeat(f"seat {seat}", bot, secret=secret(f"seat {seat}"))
        state, events = step(state, Act(sit, seat))
        yield state, events
    state, events = step(state, Act(Start()))
    yield state, events
    count, chance = 0, sha256(seed.encode()).digest()
    while state.stage == "playing":
        seat = state.waits[0].seat
        choices = partial(legal, state, seat)
        answer = BOTS[bot](view(state, seat), state.ruleset, choices, chooser(chance, count))
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
) -> tuple[State, list[Event]]:
    """A whole game of one kind of bot: its last state and all its events."""
    steps = list(decisions(gid, seats, seed, options or {}, bot, ruleset))
    return steps[-1][0], [event for _, events in steps for event in events]


def records(events: list[Event]) -> list[Entry]:
    """The events as they are stored; each decision is a command of its own."""
    assert isinstance(events[0], GameOpened)
    chain, entries, batch = new_chain(events[0]), [], []
    for event in [*events, None]:
        if batch and (event is None or event.act is not None):
            seat = batch[0].act.seat
            chain, more = append(chain, batch, command_id(seat, f"key {chain.seq}"), at=0)
            entries += more
            batch = []
        if event is not None:
            batch.append(event)
    return entries
