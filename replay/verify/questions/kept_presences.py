"""What kept presences say of a time-out: that the seat was there, or that the times are made up."""

from collections.abc import Iterator, Sequence

from phaseledger.domain.words import Phrase
from phaseledger.replay.signing.presences import Presence
from phaseledger.replay.verify.case import Case
from phaseledger.replay.verify.checks.receipts import KeptReceipt, held_difference
from phaseledger.replay.verify.presences import presence_text
from phaseledger.replay.verify.timeline_events import when


def presence_sentences(
    case: Case, receipts: Sequence[KeptReceipt], seat: int, seq: int
) -> Iterator[str]:
    """A sentence on each presence of the seat between the event that asked it and event ``seq``."""
    asked = max((wait.asked for wait in case.ended_waits if wait.asked < seq), default=seq - 1)
    for source, line, presence, _ in receipts:
        if not isinstance(presence, Presence) or presence.seat != seat:
            continue
        if not asked <= presence.seq <= seq:
            continue
        difference = held_difference(case, presence)
        if difference is None:
            yield Phrase(
                "evidence.proves.present", text=presence_text(case, presence), path=source, seq=line
            )
        elif difference[0] == "time_contradicted":
            events = case.bundle.events
            is_ahead = events[presence.seq - 1].form.at > presence.at
            dated = events[presence.seq - 1 if is_ahead else presence.seq].form
            yield (
                Phrase(
                    "evidence.proves.contradicted",
                    path=source,
                    k=line,
                    seat=seat,
                    time=when(presence.at),
                    seq=presence.seq,
                    next=dated.seq,
                    value=when(dated.at),
                )
            )
