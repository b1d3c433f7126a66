"""Checks of the operator's evidence: receipts, checkpoint, and the policy's demands."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from phaseledger.domain.events import TableSealed
from phaseledger.domain.evidence.merkle import proves_consistency, proves_inclusion
from phaseledger.replay.records.partitions import log_name, number_of
from phaseledger.replay.signing.notes import COSIGNATURE, ED25519, VerifierKey, signed_by
from phaseledger.replay.signing.presences import Presence
from phaseledger.replay.signing.receipts import Receipt, Receipted, is_genuine
from phaseledger.replay.verify.case import Case
from phaseledger.replay.verify.checks.presences import presence_difference, presence_text
from phaseledger.replay.verify.codes import AnyCode
from phaseledger.replay.verify.evidence import SeatReport, Signer
from phaseledger.replay.verify.policy import Policy

MOST = 3
"""Bad receipts of one bundle that are named."""


class KeptReceipt(NamedTuple):
    """A receipt or a presence that somebody kept, with its file and line."""

    source: str
    line: int
    receipt: Receipt | Presence


def is_trusted(case: Case, key: VerifierKey) -> bool:
    """Whether the policy names the key as one of the operator's."""
    return case.policy is not None and key in case.policy.keys


def signers(case: Case) -> tuple[Signer, ...]:
    """The keys that signed in the bundle, and whether the policy vouches for each."""
    witnesses = case.policy.witnesses if case.policy else ()
    return tuple(
        Signer(str(key), is_trusted(case, key) or key in witnesses) for key in case.keys.values()
    )


# --- receipts -----------------------------------------------------------------------------------


def check_receipts(case: Case) -> None:
    """Check the bundle's receipts against its events."""
    before, good, unknown_ids = len(case.problems), 0, set[str]()
    for line, receipt in case.bundle.receipts:
        key = case.keys.get(receipt.key)
        if key is None or not is_genuine(receipt, key):
            case.find("bad_receipt", f"a signature of {receipt.key}", receipt.sig, line=line)
        elif case.policy and not is_trusted(case, key):
            if key.id not in unknown_ids:
                case.find("unknown_key", f"a key of {case.policy.source}", key.id, line=line)
            unknown_ids.add(key.id)
        elif problem := _difference(case, receipt):
            case.find(*problem, line=line)
        else:
            good += 1
        if len(case.problems) >= before + MOST:
            break
    if len(case.problems) > before:
        case.check("receipts", "failed", "The receipts do not vouch for these events.")
    elif not case.bundle.receipts:
        case.check("receipts", "not_checked", "The bundle has no receipts.")
    else:
        signer = "a key of the policy" if case.policy else "a key that nobody vouches for"
        text = f"{good:,} of {len(case.entries):,} commands have a genuine receipt by {signer}."
        case.check("receipts", "passed", text)
    if case.policy and "receipts" in case.policy.require and good < len(case.entries):
        case.find("receipts_missing", f"{len(case.entries):,} receipts", f"{good:,} good ones")


def _difference(case: Case, receipt: Receipt) -> tuple[AnyCode, str, str] | None:
    """The first difference between a genuine receipt and the bundle: code, expected, recorded."""
    events = case.bundle.events
    receipt_entry = receipt.content()
    if receipt.game != case.bundle.header.game:
        return "receipt_differs", f"game {case.bundle.header.game}", f"game {receipt.game}"
    if not 1 <= receipt.seq <= len(events):
        return "cut_off", f"event {receipt.seq}", f"events 1 to {len(events)}"
    bundle_entry = case.entries.get(receipt.seq)
    if bundle_entry is None:
        return "receipt_differs", f"a command that ends with event {receipt.seq}", "none ends there"
    if receipt_entry == bundle_entry:
        return None
    for name in Receipted._fields:
        receipt_value, bundle_value = getattr(receipt_entry, name), getattr(bundle_entry, name)
        if receipt_value != bundle_value:
            return (
                "receipt_differs",
                f"{name} {receipt_value}, as the receipt says",
                f"{name} {bundle_value}",
            )
    return None


def check_held(case: Case, receipts: Sequence[KeptReceipt], later: Sequence[Case]) -> None:
    """Check receipts that somebody kept against the bundle.

    ``later`` are bundles that were made later and continue it: what it lacks may be there.
    """
    before, lost, beyond = len(case.problems), 0, 0
    for source, line, receipt in receipts:
        problem = _fault(case, receipt)
        if problem is None and case.restoration and case.restoration.explains(receipt):
            lost += 1
        elif problem is None and _is_beyond(case, receipt, later):
            beyond += 1
        elif problem is None:
            problem = _contradiction(case, receipt)
            case.kept = max(case.kept, receipt.seq)
            if isinstance(receipt, Presence) and not problem:
                case.notes.append(presence_text(case, receipt))
        if problem:
            case.find(*problem, seq=receipt.seq, line=line, source=source)
    case.notes += _notes(lost, beyond, later)
    if len(case.problems) > before:
        case.check("held_receipts", "failed", "A receipt that was kept tells another story.")
    elif receipts:
        count = len(receipts) - lost - beyond
        case.check("held_receipts", "passed", f"{count:,} receipts that were kept fit the events.")


def _notes(lost: int, beyond: int, later: Sequence[Case]) -> Iterator[str]:
    """Why so many receipts are of events that the bundle lacks, and are not held against it."""
    if lost:
        yield (
            f"{lost:,} receipts are of events that were lost: the operator went on from a backup, "
            "said so in the game's last event, and broke the game off."
        )
    if beyond:
        sources = " and ".join(other.bundle.source for other in later)
        yield (
            f"{beyond:,} receipts are of later events: this file was made before them, and goes on "
            f"in {sources}."
        )


def _is_beyond(case: Case, receipt: Receipt | Presence, later: Sequence[Case]) -> bool:
    """Whether it is of an event after the bundle's end that a later bundle has as it says."""
    is_after = receipt.seq > len(case.bundle.events)
    return is_after and any(_contradiction(other, receipt) is None for other in later)


def _fault(case: Case, receipt: Receipt | Presence) -> tuple[AnyCode, str, str] | None:
    """Why a receipt that was kept is no word of the operator's; None for one that is."""
    keys = case.policy.keys if case.policy else case.keys.values()
    key = next((key for key in keys if key.id == receipt.key), None)
    if key is None:
        owner = case.policy.source if case.policy else "the bundle"
        return "unknown_key", f"a key of {owner}", receipt.key
    if not is_genuine(receipt, key):
        return "bad_receipt", f"a signature of {key.id}", receipt.sig
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
            return "equivocation", expected, f"leaf {leaf}"
    if isinstance(receipt, Presence):
        return presence_difference(case, receipt)
    return _difference(case, receipt)


# --- the checkpoint -----------------------------------------------------------------------------


def check_checkpoint(case: Case) -> None:
    """Check the checkpoint's signatures, and that its log includes the game's events."""
    placed, before = case.bundle.checkpoint, len(case.problems)
    if placed is None:
        case.check("checkpoint", "not_checked", "The bundle has no checkpoint of the log.")
    else:
        _check_note(case, placed.line)
        _check_inclusions(case)
        _check_consistencies(case)
        _check_end_of_log(case)
        covered = case.bundle.inclusions[-1].value.seq
        if len(case.problems) > before:
            case.check("checkpoint", "failed", "The checkpoint does not vouch for these events.")
        else:
            assert case.checkpoint is not None
            case.vouching = _operators(case)
            signer = "a key of the policy" if case.policy else "a key that nobody vouches for"
            text = (
                f"The log {case.checkpoint.origin} has the events up to {covered}, "
                f"signed by {signer}."
            )
            case.check("checkpoint", "passed", text)
    if case.policy and "checkpoint" in case.policy.require:
        if not placed:
            case.find("checkpoint_missing", "a checkpoint", "none")
        elif (covered := case.bundle.inclusions[-1].value.seq) < len(case.bundle.events):
            recorded = f"the events up to {covered}"
            case.find("checkpoint_behind", f"all {len(case.bundle.events)} events", recorded)


def _check_note(case: Case, line: int) -> None:
    note, policy = case.note, case.policy
    if note is None or case.checkpoint is None:
        case.find("bad_checkpoint", "a signed note: origin, size, root", "another text", line=line)
        return
    if policy:
        number = number_of(UUID(case.bundle.header.game))
        names = sorted(log_name(name, number) for name in policy.origins)
        if case.checkpoint.origin not in names:
            case.find("wrong_origin", " or ".join(names), case.checkpoint.origin, line=line)
    keys = [
        case.keys.get(f"{signature.name}+{signature.hash.hex()}") for signature in note.signatures
    ]
    for key in keys:
        if key is None or not signed_by(note, key):
            code: AnyCode = (
                "bad_cosignature" if key and key.kind == COSIGNATURE else "bad_checkpoint"
            )
            case.find(code, f"a good signature of {key.id if key else 'a known key'}", line=line)
            return
    operators = [key for key in keys if key and key.kind == ED25519]
    if not operators:
        case.find("bad_checkpoint", "a signature of the operator", "cosignatures only", line=line)
    elif policy and not any(is_trusted(case, key) for key in operators):
        key_ids = ", ".join(key.id for key in operators)
        case.find("unknown_key", f"a key of {policy.source}", key_ids, line=line)


def _operators(case: Case) -> frozenset[VerifierKey]:
    """The operator keys with a good signature under the checkpoint: the policy's, or any."""
    key_ids = (
        {f"{signature.name}+{signature.hash.hex()}" for signature in case.note.signatures}
        if case.note
        else ()
    )
    keys = {case.keys[key_id] for key_id in key_ids if case.keys[key_id].kind == ED25519}
    return frozenset(keys if case.policy is None else keys & set(case.policy.keys))


def _check_inclusions(case: Case) -> None:
    log, events = case.checkpoint, case.bundle.events
    if log is None:
        return
    if len(case.bundle.inclusions) == 2:
        (_, first), (line, last) = case.bundle.inclusions
        # The log has a game's events in order, others' between them.
        if last.index - first.index < last.seq - first.seq:
            expected = f"index {first.index + last.seq - first.seq} or a later one"
            case.find("bad_inclusion", expected, f"index {last.index}", line=line)
    for number, (line, proof) in enumerate(case.bundle.inclusions):
        if proof.seq > len(events) or (number == 0 and proof.seq != 1):
            expected = f"an event of 1 to {len(events)}" if number else "event 1"
            case.find("bad_inclusion", expected, f"event {proof.seq}", line=line)
            continue
        if proof.size != log.size:
            case.find("bad_inclusion", f"size {log.size}", f"size {proof.size}", line=line)
            continue
        leaf, path = bytes.fromhex(events[proof.seq - 1].leaf), map(bytes.fromhex, proof.path)
        if not proves_inclusion(leaf, proof.index, proof.size, list(path), log.root):
            expected, recorded = f"a path to the root {log.root.hex()}", "a path elsewhere"
            case.find("bad_inclusion", expected, recorded, event=events[proof.seq - 1], line=line)


def _check_consistencies(case: Case) -> None:
    """Check that the checkpoint's tree begins with those that the bundle says it does."""
    log = case.checkpoint
    if log is None:
        return
    for line, proof in case.bundle.consistencies:
        root, path = bytes.fromhex(proof.root), [bytes.fromhex(step) for step in proof.path]
        if proof.second != log.size or not proves_consistency(
            proof.first, root, proof.second, log.root, path
        ):
            expected = f"a path from {proof.first:,} leaves to the checkpoint's {log.size:,}"
            recorded = f"one to {proof.second:,}, or to another root"
            case.find("bad_consistency", expected, recorded, line=line)


def _check_end_of_log(case: Case) -> None:
    """Check that the log which is said to have ended before the last event does not have that."""
    restoration, log = case.restoration, case.checkpoint
    if restoration is None or log is None or log.origin != restoration.command.log:
        return
    for line, proof in case.bundle.inclusions:
        if proof.seq >= restoration.seq:
            expected = f"another log than {log.origin}, which ended before this event"
            case.find("log_goes_on", expected, f"event {proof.seq} in that log", line=line)


# --- the policy ---------------------------------------------------------------------------------


def check_policy(case: Case, seats: Sequence[SeatReport]) -> None:
    """Check the policy's demands on seat keys, the end of the game and signed commands."""
    if case.policy is None:
        return
    _check_seat_keys(case, case.policy, {seat.seat: seat.key for seat in seats})
    status = case.bundle.status
    if "finished" in case.policy.require and status != "finished":
        case.find("not_finished", "a finished game", status)
    unsigned_seats = [
        str(seat.seat)
        for seat in seats
        if seat.word == "repudiable"
        or (seat.word == "signed" and seat.stood_in)
        or (seat.word == "bot" and seat.commands and not seat.program)
    ]
    if "signatures" in case.policy.require and unsigned_seats:
        case.find(
            "signatures_missing",
            "signed commands of every seat",
            f"seats {', '.join(unsigned_seats)}",
        )


def _check_seat_keys(case: Case, policy: Policy, registered: Mapping[int, str]) -> None:
    """Check the keys that the policy names for seats; in a lobby a seat may still be free."""
    sealed = any(isinstance(event, TableSealed) for event in case.events)
    for seat, key in policy.seats.items():
        if registered.get(seat, "" if sealed else key) != key:
            recorded = registered.get(seat) or "none"
            case.find("seat_key_differs", f"key {key} of seat {seat}", recorded)
