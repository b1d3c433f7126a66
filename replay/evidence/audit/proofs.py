"""Two independent proofs of a finished game: from its events alone (fold), and from its seed and
decisions alone (replay). They must agree; where one fails, `audit.auditor` names the event.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from phaseledger.domain.commands import Act, OpenGame, Rejected, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.domain.draft import decision
from phaseledger.domain.events import Event, GameEnded, GameOpened, GameVoided, SeatFreed, SeatTaken
from phaseledger.domain.evidence.codec import Chain, append, new_chain
from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import State, cards_in_play
from phaseledger.domain.words import Phrase
from phaseledger.replay.evidence.audit import commitments
from phaseledger.replay.evidence.audit.conservation import is_conserved
from phaseledger.replay.formats.bundle.lines import PublicEvent
from phaseledger.replay.formats.guards import FAULTS, ProofFailed, check_opening, most_cards
from phaseledger.replay.formats.opening import Opening


class RecordedDecision(NamedTuple):
    """A recorded decision: the act, its command id and its time (ms since 1970)."""

    seq: int
    """The number of the event that carries it."""
    act: Act
    cmd: str
    at: int


# --- the events alone ---------------------------------------------------------------------------


def states(events: Iterable[Event], *, complete: bool) -> Iterator[State]:
    """The states that the events lead to, with the cards and the commitments checked in each.

    Unless ``complete``, some hidden parts are unknown: then the cards are only counted, and the
    commitments are checked against the revealed values elsewhere.

    Raises:
        ProofFailed: the events cannot be followed.

    """
    state: State | None = None
    opening = Opening()
    deck, is_over = b"", False
    for seq, event in enumerate(events, 1):
        if state is None:
            check_opening(event)
        elif is_over or type(event) is GameOpened:
            raise ProofFailed(seq, Phrase("evidence.proof.after_end"))
        elif most_cards(event) > len(deck):
            raise ProofFailed(seq, Phrase("evidence.proof.too_many_cards"))
        promise = commitments.broken_promise(state, event) if complete else None
        if promise:
            subject, expected, recorded = promise
            values = {"subject": subject, "expected": expected, "recorded": recorded}
            raise ProofFailed(seq, Phrase("evidence.proof.promise", **values))
        try:
            before, state = state, evolve(state, event)
            deck = deck or state.ruleset.deck.cards()
            is_right = is_conserved(before, state) if complete else _is_counted(state, len(deck))
        except FAULTS as error:
            raise ProofFailed(
                seq, Phrase("evidence.proof.unfollowable", error=repr(error))
            ) from None
        if not is_right:
            raise ProofFailed(seq, Phrase("evidence.proof.cards"))
        if violation := opening.take(event):
            raise ProofFailed(seq, violation)
        is_over = isinstance(event, GameEnded | GameVoided)
        yield state


def _is_counted(state: State, cards: int) -> bool:
    """Whether the number of cards in play is right, where not all of them are known."""
    return not state.round or len(cards_in_play(state)) == cards


def fold(events: Iterable[Event], *, complete: bool) -> State:
    """The last state that the events lead to, as `states`; raises ProofFailed."""
    last = deque(states(events, complete=complete), maxlen=1)
    if not last:
        raise ProofFailed(1, Phrase("evidence.proof.no_event"))
    return last[0]


# --- the seed and the decisions alone -----------------------------------------------------------


def decisions(
    read: Iterable[tuple[PublicEvent, Event]], secrets: Mapping[str, str]
) -> Iterator[RecordedDecision]:
    """The recorded decisions, with the server's secrets from ``secrets`` (``"server"`` or a seat's
    number to hex) alone, except for seats freed again, whose secrets are in no deal.
    """
    read = list(read)
    seatings: dict[int, int] = {}
    for record, event in read:
        if type(event) is SeatTaken:
            seatings[event.seat] = record.seq
        elif type(event) is SeatFreed:
            seatings.pop(event.seat, None)
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
            and record.seq == seatings.get(-1 if act.seat is None else act.seat)
        ):
            act = replace(act, command=replace(command, secret=secrets.get(str(act.seat), "")))
        yield RecordedDecision(record.seq, act, record.cmd, record.at)


def replay_decisions(
    decided: Iterable[RecordedDecision], recorded: Sequence[tuple[bytes, str]]
) -> State:
    """The state that the decisions lead to; they must give these events (stored form and leaf).

    Raises:
        ProofFailed: the rules refuse a decision, or another event follows from it.

    """
    state: State | None = None
    chain = Chain("", b"")
    for seq, act, cmd, at in decided:
        if seq != chain.seq + 1:
            break
        try:
            state, events = step(state, act)
        except Rejected as rejection:
            raise ProofFailed(
                seq, Phrase("evidence.proof.decision_refused", code=rejection.code)
            ) from None
        except FAULTS as error:
            raise ProofFailed(
                seq, Phrase("evidence.proof.decision_unread", error=repr(error))
            ) from None
        if isinstance(events[0], GameOpened):
            chain = new_chain(events[0])
        chain, entries = append(chain, events, cmd, at)
        for entry in entries:
            if entry.seq > len(recorded):
                raise ProofFailed(entry.seq, Phrase("evidence.proof.must_follow", type=entry.topic))
            if (entry.stored, entry.leaf) != recorded[entry.seq - 1]:
                raise ProofFailed(entry.seq, Phrase("evidence.proof.another"))
    if chain.seq < len(recorded):
        raise ProofFailed(chain.seq + 1, Phrase("evidence.proof.no_decision"))
    assert state is not None
    return state
