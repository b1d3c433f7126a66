"""Two proofs of a game that is over, which must agree: its events alone, and its seed and decisions
alone. Neither looks at what the other one does; where one fails, `replay.auditor` names the event.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from phaseledger.domain.commands import Act, OpenGame, Rejected, TakeSeat
from phaseledger.domain.decide import decide, step
from phaseledger.domain.draft import decision
from phaseledger.domain.events import (
    Event,
    GameEnded,
    GameOpened,
    GameVoided,
    RoundDealt,
    SeatFreed,
    SeatTaken,
    StockShuffled,
)
from phaseledger.domain.evidence.codec import Chain, Record, append, new_chain
from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import State, cards_in_play
from phaseledger.replay.audit import commitments as promises
from phaseledger.replay.audit.opening import Opening

FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What the rules stumble over in events or decisions that they would never have made."""


class ProofFailed(Exception):
    """A proof fails at an event; the message says why."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(why)
        self.seq = seq


class RecordedDecision(NamedTuple):
    """A recorded decision: what was asked, under which id and when."""

    seq: int
    """The number of the event that carries it."""
    act: Act
    cmd: str
    at: int


# --- the events alone ---------------------------------------------------------------------------


def states(events: Iterable[Event], *, complete: bool) -> Iterator[State]:
    """The states that the events lead to, all cards there at all times and all promises kept.

    Unless ``complete``, some hidden parts are unknown: then the cards are but counted, and promises
    are held against what was revealed elsewhere.

    Raises:
        Refuted: the events cannot be followed.

    """
    state: State | None = None
    opening = Opening()
    deck, over = b"", False
    for seq, event in enumerate(events, 1):
        if state is None:
            check_opening(event)
        elif over or isinstance(event, GameOpened):
            raise ProofFailed(seq, "it follows the end of the game, or opens another one")
        elif most_cards(event) > len(deck):
            raise ProofFailed(seq, "it moves more cards than there are")
        broken = promises.broken_promise(state, event) if complete else None
        if broken:
            raise ProofFailed(seq, f"{broken[0]}: expected {broken[1]}, recorded {broken[2]}")
        try:
            state = evolve(state, event)
            deck = deck or state.ruleset.deck.cards()
            lying = cards_in_play(state) if state.round else deck
        except FAULTS as fault:
            raise ProofFailed(
                seq, f"it does not follow from the events before: {fault!r}"
            ) from None
        if lying != deck if complete else len(lying) != len(deck):
            raise ProofFailed(seq, "the cards are not those of the deck")
        if wrong := opening.take(event):
            raise ProofFailed(seq, f"it {wrong}")
        over = isinstance(event, GameEnded | GameVoided)
        yield state


def fold(events: Iterable[Event], *, complete: bool) -> State:
    """The last of the states; raises Refuted."""
    last = deque(states(events, complete=complete), maxlen=1)
    if not last:
        raise ProofFailed(1, "there is no event")
    return last[0]


_OPENING = ("dealer", "game", "ruleset", "seats", "table")


def check_opening(event: Event) -> None:
    """See that a game is opened, under the rules that its opener asked for; raises Refuted."""
    act = event.act
    if not isinstance(event, GameOpened) or act is None or not isinstance(act.command, OpenGame):
        raise ProofFailed(1, "it does not open a game")
    command = replace(act.command, secret="0" * 64)
    try:
        (made,) = decide(None, replace(act, command=command))
    except Rejected as refusal:
        raise ProofFailed(1, f"the rules refuse the opening: {refusal.code}") from None
    except FAULTS as fault:
        raise ProofFailed(1, f"the rules cannot read the opening: {fault!r}") from None
    for name in _OPENING:
        if getattr(made, name) != getattr(event, name):
            raise ProofFailed(1, f"the {name} of the game is not what its opener asked for")


def most_cards(event: Event) -> int:
    """The largest number of cards that an event speaks of."""
    match event:
        case RoundDealt():
            return max(event.stock, event.covered, *event.hands, *event.jokers)
        case StockShuffled():
            return max(event.count, event.kept)
        case _:
            return int(getattr(event, "count", 0))


# --- the seed and the decisions alone -----------------------------------------------------------


def decisions(
    read: Iterable[tuple[Record[Any], Event]], secrets: Mapping[str, str]
) -> Iterator[RecordedDecision]:
    """The recorded decisions; what the server made is taken from ``secrets`` (``"server"`` or a
    seat's number to hex) and nowhere else, but for seats freed again, whose secret no deal knew.
    """
    read = list(read)
    sitting: dict[int, int] = {}
    for record, event in read:
        if isinstance(event, SeatTaken):
            sitting[event.seat] = record.seq
        elif isinstance(event, SeatFreed):
            sitting.pop(event.seat, None)
    for record, event in read:
        act = decision(event)
        if act is None:
            continue
        command = act.command
        if isinstance(command, OpenGame):
            act = replace(act, command=replace(command, secret=secrets.get("server", "")))
        elif (
            isinstance(command, TakeSeat)
            and not command.commit
            and record.seq == sitting.get(-1 if act.seat is None else act.seat)
        ):
            act = replace(act, command=replace(command, secret=secrets.get(str(act.seat), "")))
        yield RecordedDecision(record.seq, act, record.cmd, record.at)


def replay_decisions(
    made: Iterable[RecordedDecision], recorded: Sequence[tuple[bytes, str]]
) -> State:
    """The state that the decisions lead to, if they lead to these events (stored form and leaf).

    Raises:
        Refuted: the rules refuse a decision, or another event follows from it.

    """
    state: State | None = None
    chain = Chain("", b"")
    for seq, act, cmd, at in made:
        if seq != chain.seq + 1:
            break
        try:
            state, events = step(state, act)
        except Rejected as refusal:
            raise ProofFailed(seq, f"the rules refuse the decision: {refusal.code}") from None
        except FAULTS as fault:
            raise ProofFailed(seq, f"the rules cannot read the decision: {fault!r}") from None
        if isinstance(events[0], GameOpened):
            chain = new_chain(events[0])
        chain, entries = append(chain, events, cmd, at)
        for entry in entries:
            if entry.seq > len(recorded):
                raise ProofFailed(entry.seq, f"a {entry.topic} must follow")
            if (entry.stored, entry.leaf) != recorded[entry.seq - 1]:
                raise ProofFailed(entry.seq, "deciding again gives another event")
    if chain.seq < len(recorded):
        raise ProofFailed(chain.seq + 1, "it follows from no decision")
    assert state is not None
    return state
