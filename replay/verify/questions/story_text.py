"""Where two stories part, as text."""

from collections.abc import Iterator

from phaseledger.domain.words import message
from phaseledger.replay.verify.evidence import StoryParting, StorySide
from phaseledger.replay.verify.questions.answer_text import attestation_lines
from phaseledger.replay.verify.verdict_words import IN_ENGLISH, VerdictWords


def parting_lines(parting: StoryParting, words: VerdictWords = IN_ENGLISH) -> Iterator[str]:
    """The lines on one pair of bundles."""
    first, second = (side.source for side in parting.sides)
    yield words.text(
        "story.parting" if parting.seq > 1 else "story.first",
        game=parting.game,
        source=first,
        other=second,
        seq=parting.seq - 1,
    )
    for side in parting.sides:
        yield from _side_lines(side, parting.seq, words)
    for backing in parting.receipts:
        receipts = words.text(
            "story.receipts",
            kept=backing.source,
            source=first,
            other=second,
            count=words.amount(backing.first),
            more=words.amount(backing.second),
            both=words.amount(backing.both),
            neither=words.amount(backing.neither),
        )
        yield f"  {receipts}"
    yield f"  {words.say(parting.conclusion)}"


def _side_lines(side: StorySide, seq: int, words: VerdictWords) -> Iterator[str]:
    event = side.event or words.text("story.unread")
    count, source = words.amount(side.events), side.source
    text = message(
        words.lang, "story.side", side.events, source=source, count=count, event=event, seq=seq
    )
    yield f"  {text}"
    if side.differs:
        yield f"    {words.text('story.differs', text=words.say(side.differs))}"
    if side.attestation:
        yield from (f"  {line}" for line in attestation_lines(side.attestation, words))
