"""The audit of one game in one pass: whole, same, folded, conserved, promised, in time.

The expected events are computed: every recorded decision is decided again from the seed, encoded by
`domain.evidence.codec`, and compared with the recorded bytes. Equal bytes prove topic, number,
canonical form, chain and outcome at once; of unequal bytes the difference is analysed and named.
The events are then folded (law 3), the cards counted (N-03), the commitments checked, and time-outs
checked against the table's terms. An audit stops at the first bad event.
"""

import re
from collections import deque
from typing import Any

import msgspec

from phaseledger.domain.commands import Act, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.draft import decision
from phaseledger.domain.events import EVENTS, Event, GameEnded, GameOpened, GameVoided
from phaseledger.domain.evidence.codec import (
    NO_PREVIOUS,
    Chain,
    Entry,
    Record,
    append,
    decode,
    is_canonical,
    new_chain,
)
from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import State, cards_in_play
from phaseledger.domain.words import Phrase, reason_of
from phaseledger.replay.evidence.audit import commitments
from phaseledger.replay.evidence.audit.chain_breaks import is_confirmed, previous_leaf
from phaseledger.replay.evidence.audit.conservation import is_conserved
from phaseledger.replay.evidence.audit.time_limits import TimeLimits
from phaseledger.replay.evidence.referee.referee import Referee
from phaseledger.replay.evidence.seat_names import named, names_at
from phaseledger.replay.formats.records.findings import (
    AuditVerdict,
    Finding,
    FindingCode,
    SourceRow,
    Status,
    both_sides,
    first_difference,
    meaning,
    outcome,
    rule_of,
    short,
    surplus,
)
from phaseledger.replay.formats.signing.commands import is_signed, signing_key

LATEST = 2**53
"""Exclusive upper bound of numbers in the log, which every JSON reader can represent."""

_ENDS: dict[type[Event], Status] = {GameEnded: "finished", GameVoided: "voided"}
_MISPLACED: frozenset[FindingCode] = frozenset({"gap", "repeated", "wrong_game", "after_end"})
"""Findings about an event that belongs elsewhere and follows on another one."""
_command_id = re.compile("[0-9a-f]{64}").fullmatch


class Auditor:
    """The audit of one game, row by row; ``state`` is the game so far.

    With ``ended_at`` it continues a game that was sound and over after that number of events.
    """

    def __init__(self, game: str, ended_at: int = 0, referee: Referee | None = None) -> None:
        self.game = game
        self.referee = referee
        """The second referee, which judges each good event by the rule book; None without one."""
        self.seq = ended_at
        self.status: Status = "finished" if ended_at else "unfinished"
        self.state: State | None = None
        self.findings: list[Finding] = []
        self.due: bytes | None = None
        """The stored event expected in place of the first bad one, if it can be computed."""
        self._chain = Chain(game, b"")
        """The hash chain after all events of the last command."""
        self._head = self._head_before = NO_PREVIOUS
        """The leaf hashes of the last good event, and of the one before it."""
        self._place = 0
        """The place of the last good event in its source."""
        self._first_bad: SourceRow | None = None
        """The row with the finding, if it follows on another event than the one before it."""
        self._cmd = ""
        self._cmds: set[str] = set()
        """The ids of the commands so far."""
        self._limits = TimeLimits()
        self._events: tuple[Event, ...] = ()
        """The events that the last command led to."""
        self._pending: deque[Entry] = deque()
        """The log entries expected for the command's events that are still to come."""
        self._decided_state: State | None = None

    @property
    def settled(self) -> bool:
        """Whether the game is over and sound so far: any further row would be a finding."""
        return self.status != "unfinished" and not self.findings

    def feed(self, row: SourceRow) -> Event | None:
        """Audit the next row; returns its event, or None if there is a finding."""
        if self.findings:
            self._look_back(row)
            return None
        event = self._audit(row)
        is_due = event is None and self.seq and self.findings[0].code not in _MISPLACED
        if is_due and previous_leaf(row) not in ("", self._head):
            self._first_bad = row
        return event

    def _audit(self, row: SourceRow) -> Event | None:
        decoded = self._read(row)
        if decoded is None:
            return None
        record, event = decoded
        if not self._compute_expected(row, record, event):
            return None
        entry = self._pending.popleft()
        if row.stored != entry.stored or row.topic != entry.topic:
            self._add_difference(row, event, self._events[-1 - len(self._pending)], entry)
            return None
        if row.leaf is not None and row.leaf.hex() != entry.leaf:
            detail = Phrase("evidence.detail.leaf")
            self._add_finding("broken_chain", row, entry.leaf, row.leaf.hex(), detail=detail)
            return None
        if not self._fold(row, event) or not self._is_allowed(row, event):
            return None
        if fault := self._limits.watch(record.seq, record.at, event):
            self._add_finding(fault.code, row, fault.expected, fault.recorded, event=event)
            return None
        self.seq, self._cmd, self._place = entry.seq, record.cmd, row.place
        self._head, self._head_before = entry.leaf, self._head
        self.status = _ENDS.get(type(event), "unfinished")
        return event

    def close(self) -> AuditVerdict:
        """The verdict, once there are no more rows."""
        if self._pending and not self.findings:
            missing_events = self._events[-len(self._pending) :]
            missing = ", ".join(type(event).__name__ for event in missing_events)
            self.due = self._pending[0].stored
            self._add_finding("truncated", None, missing, Phrase("evidence.nothing"))
        notes: tuple[str, ...] = ()
        if self.state and self.state.terms.test:
            notes += (Phrase("evidence.note.test"),)
        if self.status == "unfinished" and not self.findings:
            notes += (Phrase("evidence.note.no_end", seq=self.seq),)
        return AuditVerdict(
            game=self.game,
            sound=not self.findings,
            status=self.status,
            ruleset=self.state.ruleset.id if self.state else "",
            events=self.seq,
            head=self._head,
            findings=tuple(self.findings),
            notes=notes,
        )

    # --- whole: checks of the row alone -----------------------------------------------------------

    def _read(self, row: SourceRow) -> tuple[Record[Any], Event] | None:
        """The row's decoded record and event; None, with a finding, if invalid or misplaced."""
        if row.flaw is not None:
            code, expected, recorded, detail = row.flaw
            self._add_finding(code, row, expected, recorded, detail=detail)
            return None
        try:
            record, event = decode(row.topic, row.stored)
        except ValueError as error:
            if row.topic in EVENTS:
                expected = Phrase("evidence.event.formed", type=row.topic)
                self._add_finding("unreadable", row, expected, reason_of(error))
            else:
                self._add_finding("unknown_topic", row, Phrase("evidence.event.known"), row.topic)
            return None
        return (record, event) if self._is_in_place(row, record, event) else None

    def _is_in_place(self, row: SourceRow, record: Record[Any], event: Event) -> bool:
        next_seq = self.seq + 1
        stored_seq = record.seq if row.version is None else row.version
        opened_game = event.game if isinstance(event, GameOpened) else self.game
        if record.game != row.game or opened_game != self.game:
            other_game = opened_game if record.game == row.game else record.game
            games = both_sides("evidence.game", id=(self.game, other_game))
            self._add_finding("wrong_game", row, *games)
        elif not record.seq == stored_seq == next_seq:
            self._add_number_finding(row, record, stored_seq)
        elif self.status != "unfinished":
            self._add_finding("after_end", row, Phrase("evidence.after_end"), row.topic)
        elif not 0 <= record.at < LATEST:
            self._add_finding("not_canonical", row, "0 <= at < 2^53", f"at = {record.at}")
        elif record.cmd != self._cmd and not _command_id(record.cmd):
            expected = Phrase("evidence.command.digits", count=64)
            self._add_finding("unreadable", row, expected, f"cmd = {record.cmd}")
        return not self.findings

    def _add_number_finding(self, row: SourceRow, record: Record[Any], stored_seq: int) -> None:
        """Add the finding for an event number that is not the next one."""
        next_seq, lower_seq = self.seq + 1, min(stored_seq, record.seq)
        recorded = Phrase("evidence.event", seq=record.seq)
        if stored_seq != record.seq:
            recorded = Phrase("evidence.event.filed", seq=record.seq, next=stored_seq)
        expected = Phrase("evidence.event", seq=next_seq)
        if lower_seq < next_seq:
            self._add_finding("repeated", row, expected, recorded, seq=lower_seq)
        elif self.status != "unfinished":
            self._add_finding("after_end", row, Phrase("evidence.after_end"), row.topic)
        else:
            self._add_finding("gap", row, expected, recorded)

    def _look_back(self, row: SourceRow) -> None:
        """Find which of two events was changed, or, after a gap, whether the missing one comes."""
        first_bad, self._first_bad = self._first_bad, None
        if first_bad and is_confirmed(first_bad, row, self._chain.key):
            self._blame_last(previous_leaf(first_bad))
        gap = self.findings[0]
        if gap.code == "gap" and b'"seq":%d,' % gap.seq in row.stored:
            self.findings[0] = msgspec.structs.replace(
                gap, code="reordered", text=meaning("reordered")
            )

    def _blame_last(self, leaf: str) -> None:
        """Add the finding that the last event, good in itself, does not have the leaf."""
        number, recorded = self.seq, self._head
        detail = Phrase("evidence.detail.before", seq=number, next=number + 1)
        self.findings.clear()
        self.seq, self._head = number - 1, self._head_before
        self.due, self.status = None, "unfinished"
        self._add_finding("broken_chain", None, leaf, recorded, detail=detail)
        self.findings[0] = msgspec.structs.replace(self.findings[0], place=self._place)

    # --- same, promised: the expected event -------------------------------------------------------

    def _compute_expected(self, row: SourceRow, record: Record[Any], event: Event) -> bool:
        """Compute the expected events where a command begins; False, with a finding, on failure."""
        promise = commitments.broken_promise(self.state, event)
        if promise:
            subject, *sides = promise
            self._add_finding("broken_promise", row, *sides, detail=subject, event=event)
            return False
        if self._pending:
            return True
        act = decision(event)
        if act is None:
            expected = Phrase("evidence.decision")
            self._add_finding("no_decision", row, expected, type(event).__name__, event=event)
            return False
        try:
            self._decided_state, events = step(self.state, act)
        except Rejected as refusal:
            reason = f"{refusal.code} {refusal.detail}".strip()
            texts = Phrase("evidence.refused", reason=reason), _act_text(act)
            self._add_finding("illegal_decision", row, *texts, event=event, refusal=refusal)
            return False
        except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
            # A decision so damaged that the rules fail before they can refuse it.
            expected = Phrase("evidence.decision.fails", error=repr(error))
            self._add_finding("illegal_decision", row, expected, _act_text(act))
            return False
        if act.sig and not self._is_signed(act):
            expected = Phrase("evidence.signed", seat=act.seat, hash=self._chain.head)
            self._add_finding("bad_signature", row, expected, act.sig)
            return False
        if record.cmd in self._cmds:
            expected = Phrase("evidence.command.new")
            self._add_finding("command_repeated", row, expected, record.cmd)
            return False
        self._cmds.add(record.cmd)
        if isinstance(events[0], GameOpened):
            self._chain = new_chain(events[0])
        self._chain, entries = append(self._chain, events, record.cmd, record.at)
        self._events = events
        self._pending += entries
        return True

    def _is_signed(self, act: Act) -> bool:
        """Whether the seat's signature verifies for this decision in this place of the chain."""
        assert self.state is not None  # the rules refuse a signature where no seat has a key
        assert act.seat is not None
        public, (_, _, seq, head) = signing_key(act, self.state.seats), self._chain
        return is_signed(public, act.sig, self.game, act.seat, head, seq, act.command)

    def _add_difference(
        self, row: SourceRow, event: Event, expected_event: Event, entry: Entry
    ) -> None:
        """Add the finding that says how the recorded bytes differ from the expected ones."""
        self.due = entry.stored
        if not is_canonical(row.stored):
            sides = Phrase("evidence.canonical"), Phrase("evidence.canonical.not")
            self._add_finding("not_canonical", row, *sides)
            return
        expected, recorded = msgspec.json.decode(entry.stored), msgspec.json.decode(row.stored)
        texts = first_difference(outcome(expected), outcome(recorded))
        if expected["prev"] != recorded["prev"]:
            self._add_finding("broken_chain", row, expected["prev"], recorded["prev"])
        elif expected["cmd"] != recorded["cmd"] or expected["at"] != recorded["at"]:
            detail = Phrase("evidence.detail.command")
            self._add_finding("outcome_differs", row, *texts, detail=detail)
        elif event == expected_event:
            detail = Phrase("evidence.detail.default")
            self._add_finding("not_canonical", row, *texts, detail=detail)
        else:
            self._add_finding("outcome_differs", row, *texts, event=expected_event)

    # --- folded, conserved ------------------------------------------------------------------------

    def _fold(self, row: SourceRow, event: Event) -> bool:
        before = self.state
        state = self.state = evolve(before, event)
        if not is_conserved(before, state):
            deck = state.ruleset.deck
            text = surplus(cards_in_play(state), deck.cards(), deck.notation)
            expected = Phrase("evidence.deck", count=len(deck.cards()))
            self._add_finding("cards_lost", row, expected, text, event=event)
        if not self._pending and state != self._decided_state:
            texts = first_difference(self._decided_state, state)
            self._add_finding("state_differs", row, *texts, event=event)
        return not self.findings

    def _is_allowed(self, row: SourceRow, event: Event) -> bool:
        """Whether the second referee, where there is one, has no objection to the event."""
        objection = self.referee.watch(event) if self.referee else None
        if objection:
            sides = objection.text, objection.who
            self._add_finding("against_rules", row, *sides, event=event, rule=objection.rule)
        return not objection

    def _add_finding(
        self,
        code: FindingCode,
        row: SourceRow | None,
        expected: str,
        recorded: str,
        *,
        seq: int | None = None,
        detail: str = "",
        event: Event | None = None,
        refusal: Rejected | None = None,
        rule: str = "",
    ) -> None:
        """Add a finding, by default about the event with the next number."""
        ruleset = self.state.ruleset if self.state else None
        names = names_at(self.state)
        self.findings.append(
            Finding(
                code=code,
                game=self.game,
                seq=self.seq + 1 if seq is None else seq,
                expected=named(short(expected), names),
                recorded=named(short(recorded), names),
                text=named(meaning(code, detail), names),
                rule=rule or (refusal.rule if refusal else rule_of(ruleset, event)),
                reject=refusal.code.value if refusal else "",
                place=row.place if row else 0,
            )
        )


def _act_text(act: Act) -> str:
    """A decision as text for a finding: the command and who gave it."""
    seat = act.seat
    actor = Phrase("evidence.the_host") if seat is None else Phrase("evidence.seat", seat=seat)
    return Phrase("evidence.act", type=type(act.command).__name__, actor=actor)
