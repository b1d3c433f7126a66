"""Where two bundles of one game part, and which of the two stories kept receipts back."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby

from msgspec.json import decode
from msgspec.structs import replace

from phaseledger.domain.words import Language, Phrase
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt, vouches
from phaseledger.replay.evidence.verify.compare import parting
from phaseledger.replay.evidence.verify.evidence import (
    ReceiptBacking,
    SeatReport,
    StoryParting,
    StorySide,
)
from phaseledger.replay.evidence.verify.questions.attestations import attestations
from phaseledger.replay.formats.bundle.line_reader import BundleEvent
from phaseledger.replay.formats.records.findings import first_difference, outcome
from phaseledger.replay.formats.signing.presences import Presence
from phaseledger.replay.formats.signing.receipts import Receipt
from phaseledger.replay.text import utc_time


def story_partings(
    cases: Sequence[Case],
    seats: Sequence[Sequence[SeatReport]],
    receipts: Sequence[KeptReceipt],
    lang: Language = "en",
) -> Iterator[StoryParting]:
    """Each pair of bundles of one game that tell two stories, with where they part.

    ``seats`` are the reports on the seats of each bundle; ``receipts`` are kept ones. Events are
    told in ``lang``.
    """
    for (first, first_seats), (second, second_seats) in combinations(
        zip(cases, seats, strict=True), 2
    ):
        seq = parting(first, second)
        if not seq:
            continue
        of_game = [kept for kept in receipts if kept.receipt.game == first.bundle.header.game]
        sides = _told_apart(
            _side(first, first_seats, of_game, seq, lang),
            _side(second, second_seats, of_game, seq, lang),
            (first.bundle.events[seq - 1], second.bundle.events[seq - 1]),
        )
        backings = tuple(_backings(first, second, of_game, seq))
        yield StoryParting(
            game=first.bundle.header.game,
            seq=seq,
            sides=sides,
            receipts=backings,
            conclusion=_conclusion((first, second), sides, backings, seq),
        )


def _side(
    case: Case,
    seats: Sequence[SeatReport],
    receipts: Sequence[KeptReceipt],
    seq: int,
    lang: Language,
) -> StorySide:
    places = case.places(lang)
    is_readable = seq <= len(places)
    asked = [seq] if is_readable else []
    attestation = next(attestations(case, seats, receipts, asked, lang), None)
    words = places[seq - 1].words if is_readable else ""
    return StorySide(
        source=case.bundle.source,
        events=len(case.bundle.events),
        event=words,
        attestation=attestation,
    )


def _told_apart(
    first: StorySide, second: StorySide, events: tuple[BundleEvent, BundleEvent]
) -> tuple[StorySide, StorySide]:
    """Both sides; with the field in which their events differ, where both events read alike."""
    if _sentences(first) != _sentences(second):
        return first, second
    if events[0].form.at != events[1].form.at:
        differing: tuple[str, ...] = tuple(
            Phrase("evidence.time.at", time=utc_time(event.form.at)) for event in events
        )
    else:
        differing = first_difference(*(outcome(decode(event.public)) for event in events))
    return replace(first, differs=differing[0]), replace(second, differs=differing[1])


def _sentences(side: StorySide) -> list[str]:
    events = side.attestation.events if side.attestation else ()
    return [side.event, *(event.text for event in events)]


def _backings(
    first: Case, second: Case, receipts: Sequence[KeptReceipt], seq: int
) -> Iterator[ReceiptBacking]:
    """For each file of receipts, how many back which story."""
    for source, group in groupby(receipts, lambda kept: kept.source):
        counts = Counter(
            (_backs(first, kept.receipt, seq), _backs(second, kept.receipt, seq)) for kept in group
        )
        yield ReceiptBacking(
            source=source,
            first=counts[True, False],
            second=counts[False, True],
            both=counts[True, True],
            neither=counts[False, False],
        )


def _backs(case: Case, receipt: Receipt | Presence, seq: int) -> bool:
    """Whether a receipt is of the bundle's story: the chain leads to it from the event at which the
    stories part. Without that, this event may have been changed and the later ones left.
    """
    return case.is_linked(seq, receipt.seq) and vouches(case, receipt)


def _conclusion(
    cases: tuple[Case, Case],
    sides: tuple[StorySide, StorySide],
    backings: Sequence[ReceiptBacking],
    seq: int,
) -> str:
    """What the operator's signatures say of the two stories."""
    if cases[0].policy is None:
        return Phrase("evidence.story.no_policy")
    kept = (sum(backing.first for backing in backings), sum(backing.second for backing in backings))
    signed = [
        side.source
        for case, side, count in zip(cases, sides, kept, strict=True)
        if count or _is_signed_by_operator(side) or _has_signed(case, seq)
    ]
    if len(signed) == 2:
        return Phrase("evidence.story.both")
    if signed:
        return Phrase("evidence.story.signed", path=signed[0])
    return Phrase("evidence.story.neither")


def _has_signed(case: Case, seq: int) -> bool:
    """Whether a receipt in the bundle is for that event, or for a later one that binds it."""
    return any(
        receipt.seq >= seq and _backs(case, receipt, seq) for _, receipt in case.bundle.receipts
    )


def _is_signed_by_operator(side: StorySide) -> bool:
    return side.attestation is not None and any(
        voucher.by == "operator" and voucher.trusted for voucher in side.attestation.vouchers
    )
