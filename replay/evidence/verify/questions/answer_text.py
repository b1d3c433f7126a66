"""Answers to a question, and partings of stories, as text."""

from collections.abc import Iterator

from phaseledger.domain.words import Phrase, message
from phaseledger.replay.evidence.verify.evidence import (
    Attestation,
    Judgement,
    StoryParting,
    StorySide,
    Voucher,
)
from phaseledger.replay.evidence.verify.timeline_events import when
from phaseledger.replay.evidence.verify.verdict_words import IN_ENGLISH, VerdictWords
from phaseledger.replay.text import quoted


def answer_lines(judgement: Judgement, words: VerdictWords = IN_ENGLISH) -> Iterator[str]:
    """The lines on what was asked about one bundle's game."""
    yield f"  {words.text('answer.asked', question=quoted(judgement.question))}"
    if not judgement.answers:
        yield f"    {words.text('answer.nothing')}"
    for attestation in judgement.answers:
        yield from attestation_lines(attestation, words)


def attestation_lines(attestation: Attestation, words: VerdictWords = IN_ENGLISH) -> Iterator[str]:
    """The lines on one command, whose events are in the same language."""
    span = words.text(
        "answer.events" if attestation.last > attestation.first else "answer.event",
        seq=attestation.first,
        last=attestation.last,
        time=when(attestation.at),
        decider=_decider(attestation, words),
    )
    yield f"  {span}"
    for event in attestation.events:
        text = words.text("answer.line", event=event.event, text=event.text)
        yield f"    {event.seq:5}  {text}"
        yield from (f"             {line}" for line in event.more)
    for voucher in attestation.vouchers:
        vouching = words.say(voucher_text(voucher))
        yield f"    {words.text('answer.voucher', voucher=vouching)}"
    if not attestation.vouchers:
        yield f"    {words.text('answer.nobody')}"
    for code, sentences in (("proves", attestation.proves), ("open", attestation.leaves_open)):
        for sentence in sentences:
            yield f"    {words.text(f'answer.{code}', text=words.say(sentence))}"


def _decider(attestation: Attestation, words: VerdictWords) -> str:
    seat = quoted(attestation.name) if attestation.name else attestation.seat
    return words.text(f"answer.{attestation.decided_by}", seat=seat)


def voucher_text(voucher: Voucher) -> str:
    """Who vouches, and by what."""
    return Phrase(f"evidence.voucher.{voucher.by}", ground=_ground(voucher))


def _ground(voucher: Voucher) -> str:
    if not voucher.key:
        return voucher.text
    key = voucher.key if "+" in voucher.key else voucher.key[:16]
    trust = Phrase(f"evidence.voucher.{'trusted' if voucher.trusted else 'untrusted'}")
    return Phrase("evidence.voucher.key", ground=voucher.text, key=key, trust=trust)


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
