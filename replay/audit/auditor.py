"""One pass over a game's stored events: whole, same, folded, conserved, promised.

What must stand in the log is computed, not judged: every recorded decision is decided again from
the seed, written down as `domain.codec` writes it, and the bytes are compared with the recorded
ones. Equal bytes prove topic, number, canonical form, chain and outcome at once; where they are
not equal, the difference is looked into and named. What was read is then folded (law 3), counted
(N-03) and held against the commitments. An audit stops at the first bad event.
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
from phaseledger.replay.audit import commitments as promises
from phaseledger.replay.audit.conservation import is_whole, stays_whole
from phaseledger.replay.records.findings import (
    EXPLAIN,
    AuditVerdict,
    Finding,
    FindingCode,
    SourceRow,
    Status,
    first_difference,
    outcome,
    rule_of,
    short,
    surplus,
)
from phaseledger.replay.signing.commands import is_signed

LATEST = 2**53
"""Numbers of the log stay below it, so that every JSON reader reads the same."""

_ENDS: dict[type[Event], Status] = {GameEnded: "finished", GameVoided: "voided"}
_command_id = re.compile("[0-9a-f]{64}").fullmatch


class Auditor:
    """The audit of one game while its rows come in; ``state`` is the game so far.

    With ``ended_at`` it takes up a game that was sound and over after so many events.
    """

    def __init__(self, game: str, ended_at: int = 0) -> None:
        self.game = game
        self.seq = ended_at
        self.status: Status = "finished" if ended_at else "unfinished"
        self.state: State | None = None
        self.findings: list[Finding] = []
        self.due: bytes | None = None
        """What must stand where the first bad event does, as far as that can be said."""
        self._chain = Chain(game, b"")
        """Where the log ends once everything that is due has come."""
        self._head = NO_PREVIOUS
        self._cmd = ""
        self._events: tuple[Event, ...] = ()
        """What the last command led to."""
        self._due: deque[Entry] = deque()
        """How its last events, those still to come, must stand in the log."""
        self._decided: State | None = None

    @property
    def settled(self) -> bool:
        """Whether the game is over and sound so far: any further row would be a finding."""
        return self.status != "unfinished" and not self.findings

    def feed(self, row: SourceRow) -> Event | None:
        """The row's event if everything about it is right; else None, and there is a finding."""
        if self.findings:
            self._look_back(row)
            return None
        read = self._read(row)
        if read is None:
            return None
        record, event = read
        if not self._expect(row, record, event):
            return None
        entry = self._due.popleft()
        if row.stored != entry.stored or row.topic != entry.topic:
            self._name_difference(row, event, self._events[-1 - len(self._due)], entry)
            return None
        if not self._fold(row, event):
            return None
        self.seq, self._head, self._cmd = entry.seq, entry.leaf, record.cmd
        self.status = _ENDS.get(type(event), "unfinished")
        return event

    def close(self) -> AuditVerdict:
        """The verdict, once there are no more rows."""
        if self._due and not self.findings:
            due = self._events[-len(self._due) :]
            missing = ", ".join(type(event).__name__ for event in due)
            self.due = self._due[0].stored
            self._find("truncated", None, missing, "nothing")
        notes: tuple[str, ...] = ()
        if self.status == "unfinished" and not self.findings:
            notes = (f"No end yet: the game goes on after event {self.seq}, or was cut there.",)
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

    # --- whole: what can be said of the row alone -------------------------------------------------

    def _read(self, row: SourceRow) -> tuple[Record[Any], Event] | None:
        """The row's record and event, if it is one and stands where it should."""
        if row.flaw is not None:
            code, expected, recorded, detail = row.flaw
            self._find(code, row, expected, recorded, detail=detail)
            return None
        try:
            record, event = decode(row.topic, row.stored)
        except ValueError as damage:
            if row.topic in EVENTS:
                self._find("unreadable", row, f"{row.topic}, well formed", str(damage))
            else:
                self._find("unknown_topic", row, "a known event type", row.topic)
            return None
        return (record, event) if self._in_place(row, record, event) else None

    def _in_place(self, row: SourceRow, record: Record[Any], event: Event) -> bool:
        due = self.seq + 1
        filed = record.seq if row.version is None else row.version
        opens = event.game if isinstance(event, GameOpened) else self.game
        if record.game != row.game or opens != self.game:
            other = opens if record.game == row.game else record.game
            self._find("wrong_game", row, f"game {self.game}", f"game {other}")
        elif not record.seq == filed == due:
            self._find_number(row, record, filed)
        elif self.status != "unfinished":
            self._find("after_end", row, "nothing after the end", row.topic)
        elif not 0 <= record.at < LATEST:
            self._find("not_canonical", row, "0 <= at < 2^53", f"at = {record.at}")
        elif record.cmd != self._cmd and not _command_id(record.cmd):
            self._find("unreadable", row, "cmd = 64 digits 0-9, a-f", f"cmd = {record.cmd}")
        return not self.findings

    def _find_number(self, row: SourceRow, record: Record[Any], filed: int) -> None:
        """Say what is wrong with a number that is not the next one."""
        due, first = self.seq + 1, min(filed, record.seq)
        recorded = f"event {record.seq}" + (f", filed as {filed}" if filed != record.seq else "")
        if first < due:
            self._find("repeated", row, f"event {due}", recorded, seq=first)
        elif self.status != "unfinished":
            self._find("after_end", row, "nothing after the end", row.topic)
        else:
            self._find("gap", row, f"event {due}", recorded)

    def _look_back(self, row: SourceRow) -> None:
        """After a gap, see whether the missing event comes later."""
        gap = self.findings[0]
        if gap.code == "gap" and b'"seq":%d,' % gap.seq in row.stored:
            self.findings[0] = msgspec.structs.replace(
                gap, code="reordered", text=EXPLAIN["reordered"]
            )

    # --- same, promised: what must stand here -----------------------------------------------------

    def _expect(self, row: SourceRow, record: Record[Any], event: Event) -> bool:
        """Make sure that the event to come is known, deciding again where a command begins."""
        promise = promises.broken_promise(self.state, event)
        if promise:
            what, expected, recorded = promise
            self._find("broken_promise", row, expected, recorded, detail=what, event=event)
            return False
        if self._due:
            return True
        act = decision(event)
        if act is None:
            wanted = "a decision, or no further event of the command before"
            self._find("no_decision", row, wanted, type(event).__name__, event=event)
            return False
        try:
            self._decided, events = step(self.state, act)
        except Rejected as refusal:
            why = f"{refusal.code} {refusal.detail}".strip()
            self._find(
                "illegal_decision", row, f"refused: {why}", _said(act), event=event, refusal=refusal
            )
            return False
        except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as fault:
            # A decision so damaged that the rules stumble over it before they can refuse it.
            wanted = f"a decision; this one fails: {fault!r}"
            self._find("illegal_decision", row, wanted, _said(act))
            return False
        if act.sig and not self._is_signed(act):
            wanted = f"signed by the key of seat {act.seat} for the event after {self._chain.head}"
            self._find("bad_signature", row, wanted, act.sig, event=event)
            return False
        if isinstance(events[0], GameOpened):
            self._chain = new_chain(events[0])
        self._chain, entries = append(self._chain, events, record.cmd, record.at)
        self._events = events
        self._due += entries
        return True

    def _is_signed(self, act: Act) -> bool:
        """Whether the signature is the seat's, over this decision in this place of the chain."""
        assert self.state is not None  # the rules refuse a signature where no seat has a key
        assert act.seat is not None
        public, (_, _, seq, head) = self.state.seat(act.seat).key, self._chain
        return is_signed(public, act.sig, self.game, act.seat, head, seq, act.command)

    def _name_difference(self, row: SourceRow, event: Event, due: Event, entry: Entry) -> None:
        """Say in what the recorded bytes differ from those that must stand there."""
        self.due = entry.stored
        if not is_canonical(row.stored):
            self._find("not_canonical", row, "canonical JSON (RFC 8785)", "another spelling")
            return
        expected, recorded = msgspec.json.decode(entry.stored), msgspec.json.decode(row.stored)
        one, other = first_difference(outcome(expected), outcome(recorded))
        if expected["prev"] != recorded["prev"]:
            self._find("broken_chain", row, expected["prev"], recorded["prev"], event=event)
        elif expected["cmd"] != recorded["cmd"] or expected["at"] != recorded["at"]:
            detail = "the events of one command have the same cmd and at"
            self._find("outcome_differs", row, one, other, detail=detail, event=event)
        elif event == due:
            detail = "a default spelled out, or a field that means nothing"
            self._find("not_canonical", row, one, other, detail=detail)
        else:
            self._find("outcome_differs", row, one, other, event=due)

    # --- folded, conserved ------------------------------------------------------------------------

    def _fold(self, row: SourceRow, event: Event) -> bool:
        before = self.state
        state = self.state = evolve(before, event)
        if not self._is_conserved(before, state):
            deck = state.ruleset.deck
            text = surplus(cards_in_play(state), deck.cards(), deck.notation)
            self._find(
                "cards_lost", row, f"the deck's {len(deck.cards())} cards", text, event=event
            )
        if not self._due and state != self._decided:
            one, other = first_difference(self._decided, state)
            self._find("state_differs", row, one, other, event=event)
        return not self.findings

    def _is_conserved(self, before: State | None, state: State) -> bool:
        if before and before.round == state.round:  # it was whole then, or there were a finding
            return not state.round or stays_whole(before, state)
        return not state.round or is_whole(state, state.ruleset.deck.cards())

    def _find(
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
    ) -> None:
        """Write a finding down. It is about the event that should stand here, unless told."""
        ruleset = self.state.ruleset if self.state else None
        self.findings.append(
            Finding(
                code=code,
                game=self.game,
                seq=self.seq + 1 if seq is None else seq,
                expected=short(expected),
                recorded=short(recorded),
                text=EXPLAIN[code] + (f" ({detail})" if detail else ""),
                rule=refusal.rule if refusal else rule_of(ruleset, event),
                reject=refusal.code.value if refusal else "",
                place=row.place if row else 0,
            )
        )


def _said(act: Act) -> str:
    """A decision as a finding names it."""
    who = "the host" if act.seat is None else f"seat {act.seat}"
    return f"{type(act.command).__name__} by {who}"
