"""Where two stories part, as text."""

from collections.abc import Iterator

from phaseledger.replay.verify.evidence import StoryParting, StorySide
from phaseledger.replay.verify.questions.answer_text import attestation_lines


def parting_lines(parting: StoryParting) -> Iterator[str]:
    """The lines on one pair of bundles."""
    first, second = (side.source for side in parting.sides)
    before = "from the first event on"
    if parting.seq > 1:
        before = f"the same up to event {parting.seq - 1}"
    yield f"TWO STORIES of game {parting.game}: {first} and {second}, {before}"
    for side in parting.sides:
        yield from _side_lines(side, parting.seq)
    for backing in parting.receipts:
        yield (
            f"  receipts of {backing.source}: {backing.first:,} for the story of {first} alone, "
            f"{backing.second:,} for that of {second} alone, {backing.both:,} for both, "
            f"{backing.neither:,} for neither"
        )
    yield f"  {parting.conclusion}"


def _side_lines(side: StorySide, seq: int) -> Iterator[str]:
    event = side.event or "it cannot be read"
    yield f"  {side.source} ({side.events:,} events) has there: {event} (event {seq})"
    if side.attestation:
        yield from (f"  {line}" for line in attestation_lines(side.attestation))
