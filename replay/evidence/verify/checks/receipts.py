"""Checks of receipts: the bundle's own, and kept ones."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from phaseledger.domain.events import SeatTaken
from phaseledger.domain.words import Amount, Figure, Phrase
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.codes import AnyCode
from phaseledger.replay.formats.records.findings import both_sides
from phaseledger.replay.formats.signing.notes import VerifierKey
from phaseledger.replay.formats.signing.presences import SLACK, Presence, is_present
from phaseledger.replay.formats.signing.receipts import Receipt, Receipted, is_genuine
from phaseledger.replay.text import utc_time

MOST = 3
"""Bad receipts of one bundle that are named."""


class KeptReceipt(NamedTuple):
    """A kept receipt or presence, with its file and line."""

    source: str
    line: int
    receipt: Receipt | Presence
    by_others: bool = False
    """Whether, by the auditor's word, others than the operator kept it."""


def check_receipts(case: Case) -> None:
    """Check the bundle's receipts against its events."""
    before, good, unknown_ids = len(case.problems), 0, set[str]()
    for line, receipt in case.bundle.receipts:
        key = case.keys.get(receipt.key)
        if fault := _form_fault(receipt, key):
            case.find("bad_receipt", fault, receipt.sig, seq=receipt.seq, line=line)
        elif key and case.policy and not case.trusts(key):
            if key.id not in unknown_ids:
                expected = Phrase("evidence.policy.key", source=case.policy.source)
                case.find("unknown_key", expected, key.id, line=line)
            unknown_ids.add(key.id)
        elif problem := _difference(case, receipt):
            case.find(*problem, seq=receipt.seq, line=line)
        else:
            good += 1
        if len(case.problems) >= before + MOST:
            break
    if len(case.problems) > before:
        case.check("receipts", "failed", Phrase("evidence.receipts.bad"))
    elif not case.bundle.receipts:
        case.check("receipts", "not_checked", Phrase("evidence.receipts.none"))
    else:
        counts = {"count": Amount(good), "total": Amount(len(case.entries))}
        text = Phrase("evidence.receipts.good", **counts, signer=case.signer)
        case.check("receipts", "passed", text)
    if case.policy and "receipts" in case.policy.require and good < len(case.entries):
        expected = Phrase("evidence.policy.receipts", count=Amount(len(case.entries)))
        case.find(
            "receipts_missing", expected, Phrase("evidence.policy.good_ones", count=Amount(good))
        )


def _form_fault(receipt: Receipt, key: VerifierKey | None) -> str:
    """What the bundle's receipt should be, and is not; empty for none."""
    if receipt.size > 1:
        return Phrase("evidence.receipt.format")
    return (
        "" if key and is_genuine(receipt, key) else Phrase("evidence.signature.of", key=receipt.key)
    )


def _difference(case: Case, receipt: Receipt) -> tuple[AnyCode, str, str] | None:
    """The first difference between a genuine receipt and the bundle: code, expected, recorded."""
    events = case.bundle.events
    receipt_entry = receipt.content()
    if receipt.game != case.bundle.header.game:
        games = case.bundle.header.game, receipt.game
        return "receipt_differs", *both_sides("evidence.game", id=games)
    if not 1 <= receipt.seq <= len(events):
        return _cut_off(case, receipt)
    bundle_entry = case.entries.get(receipt.seq)
    if bundle_entry is None:
        return (
            "receipt_differs",
            Phrase("evidence.receipt.ends", seq=receipt.seq),
            Phrase("evidence.receipt.ends_not"),
        )
    if receipt_entry == bundle_entry:
        return None
    expected, recorded = next(
        (text_of(receipt_entry), text_of(bundle_entry))
        for field, text_of in _DIFFERENCES
        if getattr(receipt_entry, field) != getattr(bundle_entry, field)
    )
    return "receipt_differs", Phrase("evidence.receipt.says", text=expected), recorded


def _cut_off(case: Case, receipt: Receipt | Presence) -> tuple[AnyCode, str, str]:
    count = len(case.bundle.events)
    recorded = Phrase("evidence.events.to", count=count)
    return "cut_off", Phrase("evidence.event", seq=receipt.seq), recorded


_DIFFERENCES: tuple[tuple[str, Callable[[Receipted], str]], ...] = (
    ("leaf", lambda entry: Phrase("evidence.receipt.leaf", seq=entry.seq, hash=entry.leaf)),
    ("command", lambda entry: Phrase("evidence.receipt.command", hash=entry.command)),
    ("at", lambda entry: Phrase("evidence.receipt.time", time=utc_time(entry.at))),
)
"""What two entries for one event of one game may differ in, and how to speak of it."""


def check_held(case: Case, receipts: Sequence[KeptReceipt], later: Sequence[Case]) -> None:
    """Check kept receipts against the bundle.

    ``later`` are bundles made later that continue it, and may have events that it lacks.
    """
    before, aside, worthless = len(case.problems), Counter[str](), 0
    for source, line, receipt, by_others in receipts:
        problem = _fault(case, receipt)
        worthless += problem is not None
        if problem is None:
            problem = _contradiction(case, receipt)
            if reason := _set_aside(case, receipt, later, is_contrary=problem is not None):
                aside[reason] += 1
                continue
            case.kept = max(case.kept, receipt.seq)
            case.kept_by_others = max(case.kept_by_others, receipt.seq * by_others)
            if isinstance(receipt, Presence) and not problem:
                case.notes.append(presence_text(case, receipt))
        if problem:
            case.find(*problem, seq=receipt.seq, line=line, source=source)
    case.notes += _notes(aside, later)
    if len(case.problems) > before + worthless:
        case.check("held_receipts", "failed", Phrase("evidence.policy.kept"))
    elif worthless:
        text = Phrase("evidence.policy.worthless", count=Amount(worthless))
        case.check("held_receipts", "not_checked", text)
    elif receipts:
        count = Amount(len(receipts) - aside.total())
        case.check("held_receipts", "passed", Phrase("evidence.receipts.kept", count=count))
    if case.kept_by_others and len(case.problems) == before + worthless:
        case.notes.append(Phrase("evidence.note.by_others"))


def _set_aside(
    case: Case, receipt: Receipt | Presence, later: Sequence[Case], *, is_contrary: bool
) -> str:
    """Why a genuine receipt is not held against the bundle; empty where it is."""
    if case.restoration and case.restoration.explains(receipt):
        return "lost"
    if _is_beyond(case, receipt, later):
        return "beyond"
    # Without a policy only the key of all receipts in the bundle counts: a key that was added by a
    # receipt, or by a line under the checkpoint, speaks for itself alone.
    own = {kept.key for _, kept in case.bundle.receipts}
    return "strange" if is_contrary and not case.policy and own != {receipt.key} else ""


def _notes(aside: Mapping[str, int], later: Sequence[Case]) -> Iterator[str]:
    """The numbers of receipts that are not held against the bundle, and why."""
    if lost := aside["lost"]:
        yield Phrase("evidence.note.restored", count=Amount(lost))
    if beyond := aside["beyond"]:
        sources = ", ".join(other.bundle.source for other in later)
        yield Phrase("evidence.note.beyond", count=Amount(beyond), path=sources)
    if strange := aside["strange"]:
        yield Phrase("evidence.note.strangers", count=Amount(strange))


def _is_beyond(case: Case, receipt: Receipt | Presence, later: Sequence[Case]) -> bool:
    """Whether its event comes after the bundle's end, and a later bundle has that very event."""
    is_after = receipt.seq > len(case.bundle.events)
    return is_after and any(_contradiction(other, receipt) is None for other in later)


def _fault(case: Case, receipt: Receipt | Presence) -> tuple[AnyCode, str, str] | None:
    """Why a receipt that was kept is no word of the operator's; None for one that is."""
    code: AnyCode = "worthless_receipt"  # no word of the operator
    keys = case.policy.keys if case.policy else case.keys.values()
    key = next((key for key in keys if key.id == receipt.key), None)
    if key is None:
        if case.policy is None:
            return code, Phrase("evidence.policy.key_of_bundle"), receipt.key
        return code, Phrase("evidence.policy.key", source=case.policy.source), receipt.key
    if not is_genuine(receipt, key):
        return code, Phrase("evidence.signature.of", key=key.id), receipt.sig
    return None


def held_difference(case: Case, receipt: Receipt | Presence) -> tuple[AnyCode, str, str] | None:
    """The first thing that is wrong with what was kept, by the bundle: code, expected, recorded."""
    return _fault(case, receipt) or _contradiction(case, receipt)


def vouches(case: Case, receipt: Receipt | Presence) -> bool:
    """Whether a receipt that was kept is genuine, and of what the bundle has there."""
    return held_difference(case, receipt) is None


def bundled_receipt(case: Case, seq: int) -> VerifierKey | None:
    """The key of the bundle's good receipt for the command that ends with that event, if any."""
    for _, receipt in case.bundle.receipts:
        key = case.keys.get(receipt.key)
        if receipt.seq == seq and key and is_genuine(receipt, key):
            return None if _difference(case, receipt) else key
    return None


def _contradiction(case: Case, receipt: Receipt | Presence) -> tuple[AnyCode, str, str] | None:
    """As `_difference`, but another leaf for the same event is an equivocation."""
    if 1 <= receipt.seq <= len(case.bundle.events):
        leaf = case.bundle.events[receipt.seq - 1].leaf
        if leaf != receipt.leaf:
            expected = f"event {receipt.seq} with the leaf {receipt.leaf}, as the receipt says"
            recorded = Phrase("evidence.receipt.leaf", seq=receipt.seq, hash=leaf)
            return "equivocation", expected, recorded
    if isinstance(receipt, Presence):
        return _presence_difference(case, receipt)
    return _difference(case, receipt)


# --- presences ---------------------------------------------------------------------------------


def _presence_difference(case: Case, presence: Presence) -> tuple[AnyCode, str, str] | None:
    """The first difference between a genuine presence and the bundle: code, expected, recorded.

    At the presence's time the game had no later event, by the operator's own word: the event that
    the seat saw is no later, and the next one no earlier, but for what a command takes.
    """
    events, seq = case.bundle.events, presence.seq
    if not 1 <= seq <= len(events):
        return _cut_off(case, presence)
    if not _is_by_player(case, presence):
        return "bad_receipt", Phrase("evidence.signed.seat", seat=presence.seat), presence.signature
    newest, following = events[seq - 1], events[seq] if seq < len(events) else None
    at = utc_time(presence.at)
    if newest.form.at > presence.at + SLACK:
        expected = Phrase("evidence.time.sooner", seq=seq, time=at, seat=presence.seat)
        recorded = Phrase("evidence.time.at", time=utc_time(newest.form.at))
        return "time_contradicted", expected, recorded
    if following and following.form.at + SLACK < presence.at:
        expected = Phrase("evidence.time.none_then", seq=seq + 1, time=at)
        recorded = Phrase("evidence.time.at", time=utc_time(following.form.at))
        return "time_contradicted", expected, recorded
    return None


def _is_by_player(case: Case, presence: Presence) -> bool:
    """Whether the seat's occupant at that time has signed it, if the seat had a key."""
    key = ""
    for _, event in case.read[: presence.seq]:
        if isinstance(event, SeatTaken) and event.seat == presence.seat:
            key = event.key
    game, seat, leaf, seq = presence.game, presence.seat, presence.leaf, presence.seq
    if not key:
        return not presence.signature
    return is_present(key, presence.signature, game, seat, leaf, seq)


def presence_text(case: Case, presence: Presence) -> str:
    """What a presence proves, in a sentence."""
    waited = (presence.at - case.bundle.events[presence.seq - 1].form.at) / 1000
    return Phrase(
        "evidence.note.present" if presence.signature else "evidence.note.told",
        seat=presence.seat,
        time=utc_time(presence.at),
        count=Figure(f"{waited:.3f}"),
        seq=presence.seq,
    )
