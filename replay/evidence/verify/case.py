"""The state of one verification: the bundle, its policy, and the checks and problems so far."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import Literal, NamedTuple

from msgspec import UNSET

from phaseledger.domain.commands import VoidRestored
from phaseledger.domain.events import EVENTS, GameOpened, GameVoided
from phaseledger.domain.events import Event as Fact
from phaseledger.domain.evidence.codec import UnreadableEvent, decode, decode_event, event_of_parts
from phaseledger.domain.evidence.merkle import complete_subtrees
from phaseledger.domain.terms import OPEN
from phaseledger.domain.words import Language, Phrase
from phaseledger.replay.evidence.audit.time_limits import EndedWait
from phaseledger.replay.evidence.seat_names import seatings
from phaseledger.replay.evidence.verify.codes import CODES, AnyCode
from phaseledger.replay.evidence.verify.evidence import (
    CheckOutcome,
    CheckResult,
    Topic,
    VerificationProblem,
)
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.formats.bundle.line_reader import BundleEvent
from phaseledger.replay.formats.bundle.lines import PublicEvent
from phaseledger.replay.formats.bundle.reader import Bundle
from phaseledger.replay.formats.records.findings import short
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import (
    BadNote,
    Checkpoint,
    Note,
    VerifierKey,
    signed_by,
    verifier_key,
)
from phaseledger.replay.formats.signing.presences import Presence
from phaseledger.replay.formats.signing.receipts import Receipt, Receipted, entry_of
from phaseledger.replay.transcript.event_words import TablePlace, table_places


class Restoration(NamedTuple):
    """The event that voids a game because its ledger goes on from a backup.

    What had been recorded after the backup is lost: others may have proof of it, and that the
    operator signed it says nothing against an operator who says so, and plays none of it again.
    """

    seq: int
    at: int
    """In ms since 1970, by the operator's clock."""
    signer: str
    """The id of the key under the bundle's last receipt, a newer one than signed what is lost;
    empty where it has none.
    """
    command: VoidRestored

    def explains(self, receipt: Receipt | Presence) -> bool:
        """Whether the receipt is of an event that was lost with the end of the old ledger."""
        is_of_old_key = bool(self.signer) and receipt.key != self.signer
        return is_of_old_key and receipt.seq >= self.seq and receipt.at <= self.at


class LogClaim(NamedTuple):
    """A part of a log of which a checkpoint, or a proof under it, says what it is."""

    kind: Literal["root", "place", "subtree"]
    """The root of a tree, an event's index, or the hash of a complete subtree."""
    place: tuple[int | str, ...]
    """The tree's size; game and number of the event; level and index of the subtree."""


class Case:
    """One bundle under verification, with the policy and the results of the checks."""

    def __init__(self, bundle: Bundle, policy: Policy | None = None, *, bots: bool = True) -> None:
        self.bundle = bundle
        self.policy = policy
        self.bots = bots
        """Whether bots are made to move again."""
        self.problems: list[VerificationProblem] = []
        self.checks: list[CheckResult] = []
        self.notes: list[str] = []
        self.vouching: frozenset[VerifierKey] = frozenset()
        """The operator keys with a valid signature under the checkpoint: of the policy's keys or,
        without a policy, of any; empty where the checkpoint or a proof of it is invalid."""
        self.kept = 0
        """The number of the last event for which a receipt was kept."""
        self.kept_by_others = 0
        """The last event with a receipt kept, by an auditor's word, by others than the operator."""
        self.sealed_signatures = 0
        """How many signatures are over commands of which a part is still sealed."""
        self.ended_waits: Sequence[EndedWait] = ()
        """The waits for seats that took too long."""
        self.read: Sequence[tuple[PublicEvent, Fact]] = ()
        """The public forms and the decoded events, with the hidden parts that are opened."""
        self._places: dict[Language, Sequence[TablePlace]] = {}
        self.events: Sequence[Fact] = ()
        """The decoded events."""

    @cached_property
    def stored(self) -> Sequence[bytes]:
        """The events as the log stored them, with those hidden parts that are opened."""
        return tuple(map(self.bundle.as_opened, self.bundle.events))

    def places(self, lang: Language = "en") -> Sequence[TablePlace]:
        """What people at the table call the events, up to the first that is malformed."""
        if lang not in self._places:
            self._places[lang] = tuple(table_places(self.readable_events(), lang=lang))
        return self._places[lang]

    def readable_events(self) -> Iterator[Fact]:
        """The decoded events, up to the first that is malformed."""
        yield from self.events
        if self.read:
            return
        for line, stored in zip(self.bundle.events, self.stored, strict=True):
            try:
                yield decode_event(line.form.type, stored)
            except ValueError:
                return

    def names(self, seq: int = 0) -> Mapping[int, str]:
        """The players' names by seat, by the events up to that number; 0: by all."""
        place = bisect_right(self._seatings, seq or math.inf, key=itemgetter(0))
        return self._seatings[place - 1][1] if place else {}

    @cached_property
    def _seatings(self) -> Sequence[tuple[int, Mapping[int, str]]]:
        return tuple(seatings(self.readable_events()))

    @property
    def is_test(self) -> bool:
        """Whether the table was opened for tests of a program."""
        opened = self.events[0] if self.events else None
        return isinstance(opened, GameOpened) and (opened.table or OPEN).test

    @property
    def viewer(self) -> int | None:
        """The seat whose view of a running game the bundle is; None for the public view."""
        return None if self.bundle.header.seat is UNSET else self.bundle.header.seat

    @cached_property
    def keys(self) -> Mapping[str, VerifierKey]:
        """The verifier keys of the bundle, by id."""
        return {key.id: key for key in map(verifier_key, self.bundle.header.keys)}

    @cached_property
    def note(self) -> Note | None:
        """The signed note of the checkpoint; None if there is none or it is malformed."""
        try:
            return notes.note(self.bundle.checkpoint.value.note) if self.bundle.checkpoint else None
        except BadNote:
            return None

    @cached_property
    def cosigners(self) -> frozenset[VerifierKey]:
        """The witnesses of the policy that have cosigned the checkpoint."""
        witnesses = self.policy.witnesses if self.policy else ()
        return frozenset(key for key in witnesses if self.note and signed_by(self.note, key))

    @cached_property
    def checkpoint(self) -> Checkpoint | None:
        """The parsed checkpoint; None if there is none or it is malformed."""
        try:
            return notes.checkpoint(self.note.text) if self.note else None
        except BadNote:
            return None

    @cached_property
    def log_claims(self) -> Mapping[LogClaim, str]:
        """What the checkpoint and its inclusion proofs, which hold, say of the log."""
        log, events = self.checkpoint, self.bundle.events
        claims: dict[LogClaim, str] = {}
        if log is not None:
            claims[LogClaim("root", (log.size,))] = log.root.hex()
        for _, earlier in self.bundle.consistencies:
            claims[LogClaim("root", (earlier.first,))] = earlier.root
        for _, proof in self.bundle.inclusions:
            leaf = bytes.fromhex(events[proof.seq - 1].leaf)
            path = [bytes.fromhex(step) for step in proof.path]
            claims[LogClaim("place", (self.bundle.header.game, proof.seq))] = f"leaf {proof.index}"
            for place, subtree in complete_subtrees(leaf, proof.index, proof.size, path):
                claims[LogClaim("subtree", place)] = subtree.hex()
        return claims

    @cached_property
    def spans(self) -> Sequence[tuple[int, int]]:
        """The places, from 1, of the first and the last event of each command."""
        events = self.bundle.events
        firsts = [n for n, event in enumerate(events, 1) if event.begins or n == 1]
        lasts = [first - 1 for first in firsts[1:]] + [len(events)]
        return [*zip(firsts, lasts, strict=True)]

    @cached_property
    def entries(self) -> Mapping[int, Receipted]:
        """The receipt entry of each command, by the number of its last event."""
        events = self.bundle.events
        pairs = ((events[first - 1], events[last - 1]) for first, last in self.spans)
        return {
            last.form.seq: entry_of(first.public, last.public, last.leaf) for first, last in pairs
        }

    @cached_property
    def restoration(self) -> Restoration | None:
        """The end of a game whose ledger went on from a backup; None for any other."""
        record, event = self.read[-1] if self.read else (None, None)
        command = event.act.command if isinstance(event, GameVoided) and event.act else None
        if record is None or not isinstance(command, VoidRestored):
            return None
        # A bundle's receipts are all by one key: leaving the last one out changes nothing.
        signer = max(
            ((receipt.seq, receipt.key) for _, receipt in self.bundle.receipts), default=(0, "")
        )[1]
        return Restoration(record.seq, record.at, signer, command)

    @property
    def signer(self) -> Phrase:
        """The party whose keys count, in words."""
        return Phrase("evidence.signer.policy" if self.policy else "evidence.signer.nobody")

    def trusts(self, key: VerifierKey) -> bool:
        """Whether the policy names the key as one of the operator's."""
        return self.policy is not None and key in self.policy.keys

    def is_linked(self, first: int, last: int) -> bool:
        """Whether the chain leads from one event to a later one, both by number: what is signed of
        the later one binds the first.
        """
        events = self.bundle.events[first - 1 : last]
        return all(later.form.prev == event.leaf for event, later in pairwise(events))

    def check(self, topic: Topic, outcome: CheckOutcome, text: str) -> None:
        """Record the outcome of a check."""
        self.checks.append(CheckResult(topic, outcome, text))

    def find(
        self,
        code: AnyCode,
        expected: str = "",
        recorded: str = "",
        *,
        event: BundleEvent | None = None,
        seq: int = 0,
        line: int = 0,
        source: str = "",
    ) -> None:
        """Record a problem: of an event, or of a line of the bundle or of another file.

        ``seq`` is the event's number where another file speaks of one.
        """
        self.problems.append(
            VerificationProblem(
                code=code,
                text=CODES[code].means,
                expected=short(expected),
                recorded=short(recorded),
                seq=event.form.seq if event else seq,
                line=event.line if event and not line else line,
                source=source or self.bundle.source,
            )
        )

    def is_of_event(self, problem: VerificationProblem) -> bool:
        """Whether it is the event itself that is wrong, by its own line in the bundle.

        A receipt, a proof or an opened seal that is wrong has the number of its event, and a line
        of its own.
        """
        events = self.bundle.events
        index = bisect_left(events, problem.line, key=lambda event: event.line)
        is_line_of_event = index < len(events) and events[index].line == problem.line
        return is_line_of_event and problem.source == self.bundle.source

    def read_events(self) -> None:
        """Decode every event by its type into `read`; stop at the first that is malformed."""
        read = []
        opened = {place: bytes(opening.value.value) for place, opening in self.bundle.opens.items()}
        for event in self.bundle.events:
            form = event.form
            hidden = {
                audience: opened[form.seq, audience]
                for audience in form.sealed or ()
                if (form.seq, audience) in opened
            }
            try:
                read.append((form, event_of_parts(form.type, bytes(form.data), hidden)))
            except UnreadableEvent as damage:
                code: AnyCode = "unreadable" if form.type in EVENTS else "unknown_topic"
                recorded = Phrase(
                    "evidence.rule", rule=form.type, objection=self._damage(event) or damage
                )
                self.find(code, Phrase("evidence.event.unknown"), recorded, event=event)
                return
        self.read, self.events = read, [event for _, event in read]

    def _damage(self, event: BundleEvent) -> str:
        """What is wrong with an event as a whole; empty where nothing is."""
        try:
            decode(event.form.type, self.bundle.as_opened(event))
        except UnreadableEvent as damage:
            return str(damage)
        return ""
