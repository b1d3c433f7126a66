"""The commands of a bundle one by one, and what the signature of each is worth."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from phaseledger.domain.commands import Give, Keep, Search, Swap, TakeSeat
from phaseledger.domain.draft import decision
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.seats import FOLLOWED, Occupant, follow
from phaseledger.replay.formats.bundle.line_reader import BundleEvent
from phaseledger.replay.formats.signing.commands import is_signed

_CONCEALED = (Give, Keep, Search, Swap)
"""Commands of which a part may still be sealed: then no signature over them can be checked."""

SignatureOutcome = Literal["good", "bad", "sealed", "unsigned"]
"""``sealed``: over a part that is still sealed, which cannot be checked. ``unsigned``: without a
signature or a key that has to make one."""


class CommandSignature(NamedTuple):
    """A command, the seat that it names as its sender, and its signature."""

    line: BundleEvent
    """Its first event."""
    seat: int
    """-1 for the host and the service."""
    key: str
    """The key (hex) that has to have signed it; empty for none, as for what a bot sends."""
    sig: str
    outcome: SignatureOutcome
    by_stand_in: bool
    """Whether a bot is said to have sent it in the seat's place."""


def command_signatures(
    case: Case, occupants: dict[int, Occupant], notes: list[str]
) -> Iterator[CommandSignature]:
    """Each command but those of sitting down unsigned; who sits where is kept in ``occupants``.

    ``notes`` gets a sentence on each seat for which a bot plays on.
    """
    for (record, event), line in zip(case.read, case.bundle.events, strict=True):
        act = decision(event)
        if act is None and type(event) not in FOLLOWED:
            continue
        seat = -1 if act is None or act.seat is None else act.seat
        sender = occupants.get(seat)
        if note := follow(occupants, record, event):
            notes.append(note)
        joins = act is not None and isinstance(act.command, TakeSeat)
        if act is None or (joins and not act.sig):
            continue
        stood_in = sender.stood_in if sender else 0
        if joins:
            key = occupants[seat].seating.key if seat in occupants else ""
        else:
            key = sender.count(act.command) if sender else ""
        outcome: SignatureOutcome = "bad"
        if not key and not act.sig:
            outcome = "unsigned"
        elif isinstance(act.command, _CONCEALED) and line.sealed and not event.hidden:
            outcome = "sealed"
        elif is_signed(key, act.sig, record.game, seat, record.prev, record.seq - 1, act.command):
            outcome = "good"
        yield CommandSignature(
            line=line,
            seat=seat,
            key=key,
            sig=act.sig,
            outcome=outcome,
            by_stand_in=sender is not None and sender.stood_in > stood_in,
        )
