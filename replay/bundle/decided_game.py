"""The lines that an honest writer makes of a game's decisions, decided again as they are read.

Where an event's line, and those that open its seals, are byte for byte what deciding again gives,
their form, the canonical spelling, the leaf and the seals follow from that, and so does the proof
from seed and decisions. Whatever differs is read and checked line by line, as if nobody had tried.
"""

from collections import deque
from collections.abc import Sequence
from itertools import accumulate, repeat
from typing import NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from phaseledger.domain.commands import Act, Play, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.draft import conceals, decision
from phaseledger.domain.events import Event, GameOpened
from phaseledger.domain.evidence.codec import (
    Chain,
    Entry,
    append,
    event_of_parts,
    new_chain,
    redact_entry,
)
from phaseledger.domain.state import State
from phaseledger.replay.audit.proofs import FAULTS
from phaseledger.replay.bundle.canonical_lines import is_canonical_part
from phaseledger.replay.bundle.line_reader import BundleEvent, BundleLines
from phaseledger.replay.bundle.lines import Count, Hash, OpenedSeal, PublicEvent, line_of


class DecidedGame(NamedTuple):
    """A game that is over, whose every line is what deciding again gives."""

    key: bytes
    """The key of its seals."""
    state: State
    """The last one."""
    events: tuple[Event, ...]


class _FirstEvent(Struct):
    at: Count
    cmd: Hash
    data: Raw
    type: str


class _FirstLine(Struct):
    event: _FirstEvent


_first_line = msgspec.json.Decoder(_FirstLine).decode
_opening = msgspec.json.Decoder(dict[str, OpenedSeal]).decode
_encode = msgspec.json.Encoder(order="sorted").encode


class _Different(Exception):
    """A line is not what deciding again gives."""


class GameDecider:
    """Decides a game again while its lines are read, many events at a time."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._chain = Chain("", b"")
        self._head = self._chain.head
        self._due: deque[tuple[_FirstEvent, Event, Entry]] = deque()
        """What is still to come of the commands so far, with what each begins with."""
        self._events: list[Event] = []
        self._is_refuted = False

    @property
    def game(self) -> DecidedGame | None:
        """The whole game; None unless every line was as decided, and the last one ended it."""
        state = self._state
        if state is None or not state.is_over or self._due or self._is_refuted:
            return None
        return DecidedGame(self._chain.key, state, tuple(self._events))

    def take(self, block: Sequence[Sequence[bytes]], reading: BundleLines) -> bool:
        """Add the next events, each with the lines that open its seals, LFs included, as decided.

        False if one of them is not what is due; then nothing after them is decided any more. All
        are first decided and then compared: to do the same again and again takes less time.
        """
        if self._is_refuted:
            return False
        try:
            firsts = [lines for lines in block if b'"data":{"act":' in lines[0]]
            decided = [self._decided(first, act) for first, act in map(_decision, firsts)]
            for first, events in decided:
                if isinstance(events[0], GameOpened):
                    self._chain = new_chain(events[0])
                self._chain, entries = append(self._chain, events, first.cmd, first.at)
                self._due.extend(zip(repeat(first), events, entries, strict=False))
            numbers = accumulate(map(len, block), initial=reading.number + 1)
            compared = list(map(self._compared, block, numbers))
        except (*FAULTS, msgspec.DecodeError, Rejected, RecursionError, _Different):
            self._is_refuted = True
            return False
        for lines, (event, opens) in zip(block, compared, strict=True):
            reading.add_decided(event, opens, sum(map(len, lines)))
        return True

    def _decided(self, first: _FirstEvent, act: Act) -> tuple[_FirstEvent, tuple[Event, ...]]:
        """The events of a command."""
        self._state, events = step(self._state, act)
        return first, events

    def _compared(
        self, lines: Sequence[bytes], number: int
    ) -> tuple[BundleEvent, list[OpenedSeal]]:
        """The event that is due, whose lines these have to be, and what opens its seals."""
        first, event, entry = self._due.popleft()
        public = redact_entry(entry, None, opened=False)
        opens: list[OpenedSeal] = []
        seals: dict[str, str] | UnsetType = UNSET
        if parts := entry.parts:
            names = sorted(parts.hidden)
            seals = {name: parts.seals[name] for name in names}
            for name in names:
                value = Raw(_encode(parts.hidden[name]))
                opens.append(OpenedSeal(name, parts.salts[name].hex(), entry.seq, value))
        if lines[0] != b'{"event":%b}\n' % public or len(lines) != 1 + len(opens):
            raise _Different
        if opens and [line_of("opens", opening) for opening in opens] != lines[1:]:
            raise _Different
        data = Raw(public[public.index(b'"data":') + 7 : public.rindex(b',"game":"')])
        game, prev, self._head = self._chain.game, self._head, entry.leaf
        form = PublicEvent(
            at=first.at,
            cmd=first.cmd,
            data=data,
            game=game,
            prev=prev,
            seq=entry.seq,
            type=entry.topic,
            v=1,
            sealed=seals,
        )
        self._events.append(event)
        line = BundleEvent(
            line=number,
            public=public,
            leaf=entry.leaf,
            form=form,
            begins=event.act is not None,
        )
        return line, opens


def _decision(lines: Sequence[bytes]) -> tuple[_FirstEvent, Act]:
    """The first event of a command, and the decision that it carries."""
    first = _first_line(lines[0]).event
    data = bytes(first.data)
    event = event_of_parts(first.type, data, {})
    if event.act is None:
        raise _Different
    if conceals(event.act.command):
        openings = (_opening(line)["opens"] for line in lines[1:])
        hidden = {opening.audience: bytes(opening.value) for opening in openings}
        event = event_of_parts(first.type, data, hidden)
    act = decision(event)
    assert act is not None
    # All that follows from a play is small numbers and cards; what the host says may be anything.
    if not isinstance(act.command, Play) and not is_canonical_part(data):
        raise _Different
    return first, act
