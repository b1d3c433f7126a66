"""A bundle under examination: what has been found out about it so far."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import UNSET

from phaseledger.domain.events import EVENTS
from phaseledger.domain.events import Event as Fact
from phaseledger.domain.evidence.codec import Record
from phaseledger.domain.evidence.codec import decode as decoded
from phaseledger.replay.bundle.reader import Bundle, BundleEvent
from phaseledger.replay.records.findings import short
from phaseledger.replay.signing import notes
from phaseledger.replay.signing.notes import BadNote, Checkpoint, Note, VerifierKey, verifier_key
from phaseledger.replay.signing.receipts import Receipted, entry_of
from phaseledger.replay.verify.codes import CODES, AnyCode
from phaseledger.replay.verify.evidence import Check, CheckOutcome, Problem, Topic
from phaseledger.replay.verify.policy import Policy


class Case:
    """One bundle, the policy, and what the checks have to say."""

    def __init__(self, bundle: Bundle, policy: Policy | None = None) -> None:
        self.bundle = bundle
        self.policy = policy
        self.problems: list[Problem] = []
        self.checks: list[Check] = []
        self.notes: list[str] = []
        self.vouching: frozenset[VerifierKey] = frozenset()
        """Whose signatures make the checkpoint count: keys of the policy, or without one any;
        nobody's, where it or its proofs do not hold."""
        self.read: Sequence[tuple[Record[Any], Fact]] = ()
        """Records and events, hidden parts put back as far as they are opened."""

    @property
    def events(self) -> list[Fact]:
        """What happened, as far as it is known."""
        return [event for _, event in self.read]

    @property
    def viewer(self) -> int | None:
        """Whose view of a running game it is; None: the public's."""
        return None if self.bundle.header.seat is UNSET else self.bundle.header.seat

    @cached_property
    def keys(self) -> Mapping[str, VerifierKey]:
        """The verifier keys of the bundle, by id."""
        return {key.id: key for key in map(verifier_key, self.bundle.header.keys)}

    @cached_property
    def note(self) -> Note | None:
        """The note of the checkpoint, if there is one that can be read."""
        try:
            return notes.note(self.bundle.checkpoint.value.note) if self.bundle.checkpoint else None
        except BadNote:
            return None

    @cached_property
    def checkpoint(self) -> Checkpoint | None:
        """What the checkpoint says, if it can be read."""
        try:
            return notes.checkpoint(self.note.text) if self.note else None
        except BadNote:
            return None

    @cached_property
    def entries(self) -> Mapping[int, Receipted]:
        """What there is to sign of each command, by the number of its last event."""
        made: dict[int, Receipted] = {}
        first: BundleEvent | None = None
        for event in self.bundle.events:
            if first is None or event.begins:
                first = event
            else:
                made.popitem()
            made[event.form.seq] = entry_of(first.public, event.public, event.leaf)
        return made

    def check(self, topic: Topic, outcome: CheckOutcome, text: str) -> None:
        """Write down what was looked at."""
        self.checks.append(Check(topic, outcome, text))

    def find(
        self,
        code: AnyCode,
        expected: str = "",
        recorded: str = "",
        *,
        event: BundleEvent | None = None,
        line: int = 0,
        source: str = "",
    ) -> None:
        """Write a problem down: of an event, or of a line of the bundle or of another file."""
        self.problems.append(
            Problem(
                code=code,
                text=CODES[code].means,
                expected=short(expected),
                recorded=short(recorded),
                seq=event.form.seq if event else 0,
                line=event.line if event and not line else line,
                source=source or self.bundle.source,
            )
        )

    def read_events(self) -> None:
        """Read every event with the rules of its type; stop at the first that is none."""
        read = []
        for event in self.bundle.events:
            topic = event.form.type
            try:
                read.append(decoded(topic, self.bundle.known(event)))
            except ValueError as damage:
                code: AnyCode = "unreadable" if topic in EVENTS else "unknown_topic"
                self.find(code, "an event, well formed", f"{topic}: {damage}", event=event)
                return
        self.read = read
