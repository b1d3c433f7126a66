"""A game as text: a line for every decision, and in full words what the first and last ones did."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

import msgspec

from phaseledger.domain import commands as c
from phaseledger.domain.commands import Act, Command
from phaseledger.domain.decide import step
from phaseledger.domain.events import Event
from phaseledger.domain.evidence.codec import Entry
from phaseledger.domain.evolve import evolve
from phaseledger.domain.legal import legal
from phaseledger.domain.state import State
from phaseledger.domain.view import view
from tests.support.scenario import records

Decided = list[tuple[State, tuple[Event, ...]]]

_read = msgspec.json.Decoder(Command).decode


def text(tree: object) -> str:
    """Compact JSON."""
    return msgspec.json.encode(tree, order="sorted").decode()


def replayed(acts: Iterable[Act]) -> Decided:
    """The states and events that the decisions lead to."""
    state, steps = None, []
    for act in acts:
        state, events = step(state, act)
        steps.append((state, events))
    return steps


# --- a line for every decision ------------------------------------------------------------------


def lines(acts: list[Act], steps: Decided) -> Iterator[str]:
    """For each decision: its number, the speaker, two fingerprints, the events, the command.

    The first fingerprint is the chain's: it stands for every byte of every event so far. The
    second is of what all seats and spectators see after each event, and of what is legal then.
    """
    entries = iter(records([event for _, events in steps for event in events]))
    state = None
    for number, (act, (after, events)) in enumerate(zip(acts, steps, strict=True)):
        digest = sha256()
        leaf = ""
        for event in events:
            state, leaf = evolve(state, event), next(entries).leaf
            for part in everything(state):
                digest.update(part)
        assert state == after
        names = "+".join(type(event).__name__ for event in events)
        who = "-" if act.seat is None else act.seat
        yield f"{number} {who} {leaf[:8]} {digest.hexdigest()[:8]} {names} {text(act.command)}"


def everything(state: State) -> Iterator[bytes]:
    """Every viewer's table and every seat's legal commands."""
    for viewer in (None, *range(len(state.seats))):
        yield msgspec.json.encode(view(state, viewer))
    for seat in range(len(state.seats)):
        yield msgspec.json.encode(list(legal(state, seat)))


def decisions_of(recorded: str) -> list[Act]:
    """The decisions of a file that `lines` wrote."""
    acts = []
    for line in recorded.splitlines():
        _, who, _, _, _, command = line.split(" ", 5)
        acts.append(Act(_read(command), None if who == "-" else int(who)))
    return acts


# --- in full words ------------------------------------------------------------------------------

LISTED = 24
"""Legal commands written out; of more, only how many they are."""


def narration(acts: list[Act], steps: Decided, first: int, last: int) -> Iterator[str]:
    """The first and the last so many decisions: each event, and what it changes for whom."""
    entries = iter(records([event for _, events in steps for event in events]))
    state: State | None = None
    for number, (act, (after, events)) in enumerate(zip(acts, steps, strict=True)):
        shown = number < first or number >= len(acts) - last
        if number == first:
            yield f"... {len(acts) - first - last} decisions ..."
        if shown:
            who = "host" if act.seat is None else f"seat {act.seat}"
            yield f"{number} {who}: {phrase(act.command)}"
        for event in events:
            before, state = state, evolve(state, event)
            entry = next(entries)
            if shown:
                yield f"  {entry.seq} {happened(entry)}"
                yield from changes(before, state)
        if shown:
            yield from choices(after)


def phrase(command: Command) -> str:
    """The command in a few words."""
    if isinstance(command, c.Lay):
        groups = [f"[{g.cards}{f' = {g.value}' if g.value else ''}]" for g in command.groups]
        return " ".join(["lay", *groups, *([f"phase {command.phase}"] if command.phase else [])])
    tree = msgspec.to_builtins(command)
    rest = [value if isinstance(value, str) else f"{key} {value}" for key, value in tree.items()]
    return " ".join(rest)


def happened(entry: Entry) -> str:
    """The event's name and what it says, the command left out."""
    tree = msgspec.json.decode(entry.stored)
    tree["data"].pop("act", None)
    hidden = f" hidden {text(tree['hidden'])}" if "hidden" in tree else ""
    return f"{entry.topic} {text(tree['data'])}{hidden}"


def changes(before: State | None, after: State) -> Iterator[str]:
    """What each viewer's table says now that it did not before; in common first."""
    public: dict[str, str] = {}
    for viewer in (None, *range(len(after.seats))):
        now = flat(msgspec.to_builtins(view(after, viewer)))
        was = flat(msgspec.to_builtins(view(before, viewer))) if before else {}
        new = {key: value for key, value in now.items() if was.get(key) != value}
        new |= {key: "gone" for key in was if key not in now}
        if viewer is None:
            public = new
            yield "    all:" + "".join(f" {key}={value}" for key, value in new.items())
            continue
        mine = {key: value for key, value in new.items() if public.get(key) != value}
        mine |= {key: "as before" for key in public if key not in new}
        if mine:
            yield f"    {viewer}:" + "".join(f" {key}={value}" for key, value in mine.items())


def flat(tree: Any, at: str = "") -> dict[str, str]:
    """The tree's leaves by their paths; lists of plain values are leaves."""
    if isinstance(tree, dict):
        pairs = list(tree.items())
    elif isinstance(tree, list) and any(isinstance(element, dict) for element in tree):
        pairs = list(enumerate(tree))
    else:
        return {at: text(tree)}
    return {
        path: leaf
        for key, value in pairs
        for path, leaf in flat(value, f"{at}.{key}" if at else str(key)).items()
    }


def choices(state: State) -> Iterator[str]:
    """What each seat may do."""
    for seat in range(len(state.seats)):
        listed = [phrase(command) for command in legal(state, seat)]
        if listed:
            more = f"; {len(listed)} in all" if len(listed) > LISTED else ""
            yield f"    legal for {seat}: {'; '.join(listed[:LISTED])}{more}"
