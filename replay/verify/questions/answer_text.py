"""The answers to a question as text: what happened, who vouches for it, and what that proves."""

from collections.abc import Iterator

from phaseledger.replay.text import quoted
from phaseledger.replay.verify.evidence import Attestation, Judgement, Voucher
from phaseledger.replay.verify.timeline_events import when

_BY = {
    "player": "the player",
    "program": "the bot",
    "operator": "the operator",
    "witness": "a witness",
    "later_player": "a player, later",
}


def trust_label(*, trusted: bool) -> str:
    """How to speak of a key that the policy names, or does not."""
    return "named by the policy" if trusted else "nobody vouches for it"


def answer_lines(judgement: Judgement) -> Iterator[str]:
    """The lines on what was asked about one bundle's game."""
    yield f"  asked: {quoted(judgement.question)}"
    if not judgement.answers:
        yield "    There is nothing of that in this file."
    for attestation in judgement.answers:
        yield from attestation_lines(attestation)


def attestation_lines(attestation: Attestation) -> Iterator[str]:
    """The lines on one command."""
    span = f"event {attestation.first}"
    if attestation.last > attestation.first:
        span = f"events {attestation.first} to {attestation.last}"
    yield f"  {span}, {when(attestation.at)} UTC by the operator's clock, {_decider(attestation)}:"
    for event in attestation.events:
        yield f"    {event.seq:5}  {event.event}: {event.text}"
        yield from (f"             {line}" for line in event.more)
    for voucher in attestation.vouchers:
        yield f"    vouched for by {voucher_text(voucher)}"
    if not attestation.vouchers:
        yield "    vouched for by nobody"
    yield from (f"    proves: {sentence}" for sentence in attestation.proves)
    yield from (f"    leaves open: {sentence}" for sentence in attestation.leaves_open)


def _decider(attestation: Attestation) -> str:
    if attestation.decided_by == "seat":
        name = f" {quoted(attestation.name)}" if attestation.name else ""
        return f"decided by seat {attestation.seat}{name}"
    return f"decided by the {attestation.decided_by}"


def voucher_text(voucher: Voucher) -> str:
    """Who vouches, and by what."""
    return f"{_BY[voucher.by]}: {_ground(voucher)}"


def _ground(voucher: Voucher) -> str:
    if not voucher.key:
        return voucher.text
    return f"{voucher.text} (key {voucher.key}, {trust_label(trusted=voucher.trusted)})"
