"""Checks of the operator's checkpoint, and of the policy's demands on keys and signatures."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from phaseledger.domain.events import TableSealed
from phaseledger.domain.evidence.merkle import proves_consistency, proves_inclusion
from phaseledger.domain.words import Amount, Phrase
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.codes import AnyCode
from phaseledger.replay.evidence.verify.evidence import Facets, SeatReport, Signer
from phaseledger.replay.evidence.verify.grades import is_met, signs, unproven, unsigned
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.formats.ledgers import log_name, number_of
from phaseledger.replay.formats.records.findings import both_sides
from phaseledger.replay.formats.signing.notes import COSIGNATURE, ED25519, VerifierKey, signed_by
from phaseledger.replay.text import quoted


def signers(case: Case) -> tuple[Signer, ...]:
    """The keys that signed in the bundle, and whether the policy vouches for each."""
    witnesses = case.policy.witnesses if case.policy else ()
    return tuple(
        Signer(str(key), case.trusts(key) or key in witnesses) for key in case.keys.values()
    )


# --- the checkpoint -----------------------------------------------------------------------------


def check_checkpoint(case: Case) -> None:
    """Check the checkpoint's signatures, and that its log includes the game's events."""
    placed, before = case.bundle.checkpoint, len(case.problems)
    if placed is None:
        case.check("checkpoint", "not_checked", Phrase("evidence.checkpoint.none"))
    else:
        _check_note(case, placed.line)
        _check_inclusions(case)
        _check_consistencies(case)
        _check_end_of_log(case)
        covered = case.bundle.inclusions[-1].value.seq
        if len(case.problems) > before:
            case.check("checkpoint", "failed", Phrase("evidence.checkpoint.bad"))
        else:
            assert case.checkpoint is not None
            case.vouching = _operators(case)
            origin = case.checkpoint.origin
            text = Phrase(
                "evidence.checkpoint.good", origin=origin, seq=covered, signer=case.signer
            )
            case.check("checkpoint", "passed", text)
    if case.policy and "checkpoint" in case.policy.require:
        if not placed:
            case.find(
                "checkpoint_missing", Phrase("evidence.policy.checkpoint"), Phrase("evidence.none")
            )
        elif (covered := case.bundle.inclusions[-1].value.seq) < len(case.bundle.events):
            recorded = Phrase("evidence.events.up_to", seq=covered)
            expected = Phrase("evidence.policy.all_events", count=len(case.bundle.events))
            case.find("checkpoint_behind", expected, recorded)


def _check_note(case: Case, line: int) -> None:
    note, policy = case.note, case.policy
    if note is None or case.checkpoint is None:
        expected, recorded = Phrase("evidence.note.signed"), Phrase("evidence.note.other")
        case.find("bad_checkpoint", expected, recorded, line=line)
        return
    if policy:
        number = number_of(UUID(case.bundle.header.game))
        names = sorted(log_name(name, number) for name in policy.origins)
        if case.checkpoint.origin not in names:
            case.find("wrong_origin", " or ".join(names), case.checkpoint.origin, line=line)
    keys = [case.keys.get(signature.key) for signature in note.signatures]
    for key in keys:
        if key is None or not signed_by(note, key):
            code: AnyCode = "bad_checkpoint"
            expected = Phrase("evidence.signature.good_known")
            if key:
                code = "bad_cosignature" if key.kind == COSIGNATURE else code
                expected = Phrase("evidence.signature.good", key=key.id)
            case.find(code, expected, line=line)
            return
    operators = [key for key in keys if key and key.kind == ED25519]
    if not operators:
        expected = Phrase("evidence.signature.of_operator")
        case.find("bad_checkpoint", expected, Phrase("evidence.signature.cosigned"), line=line)
    elif policy and not any(case.trusts(key) for key in operators):
        expected = Phrase("evidence.policy.key", source=policy.source)
        case.find("unknown_key", expected, ", ".join(key.id for key in operators), line=line)


def _operators(case: Case) -> frozenset[VerifierKey]:
    """The operator keys with a good signature under the checkpoint: the policy's, or any."""
    signed = {case.keys[signature.key] for signature in case.note.signatures} if case.note else ()
    keys = {key for key in signed if key.kind == ED25519}
    return frozenset(keys if case.policy is None else keys & set(case.policy.keys))


def _check_inclusions(case: Case) -> None:
    log, events = case.checkpoint, case.bundle.events
    if log is None:
        return
    if len(case.bundle.inclusions) == 2:
        (_, first), (line, last) = case.bundle.inclusions
        # The log has a game's events in order, others' between them.
        if last.index - first.index < last.seq - first.seq:
            expected = Phrase("evidence.inclusion.later", count=first.index + last.seq - first.seq)
            recorded = Phrase("evidence.inclusion.index", count=last.index)
            case.find("bad_inclusion", expected, recorded, seq=last.seq, line=line)
    for number, (line, proof) in enumerate(case.bundle.inclusions):
        if proof.seq > len(events) or (number == 0 and proof.seq != 1):
            expected = Phrase("evidence.event", seq=1)
            if number:
                expected = Phrase("evidence.event.first", count=len(events))
            recorded = Phrase("evidence.event", seq=proof.seq)
            case.find("bad_inclusion", expected, recorded, seq=proof.seq, line=line)
            continue
        if proof.size != log.size:
            sizes = both_sides("evidence.inclusion.size", count=(log.size, proof.size))
            case.find("bad_inclusion", *sizes, seq=proof.seq, line=line)
            continue
        leaf, path = bytes.fromhex(events[proof.seq - 1].leaf), map(bytes.fromhex, proof.path)
        if not proves_inclusion(leaf, proof.index, proof.size, list(path), log.root):
            expected = Phrase("evidence.inclusion.path", hash=log.root.hex())
            recorded = Phrase("evidence.inclusion.elsewhere")
            case.find("bad_inclusion", expected, recorded, event=events[proof.seq - 1], line=line)


def _check_consistencies(case: Case) -> None:
    """Check that the checkpoint's tree begins with the earlier trees that the bundle names."""
    log = case.checkpoint
    if log is None:
        return
    for line, proof in case.bundle.consistencies:
        root, path = bytes.fromhex(proof.root), [bytes.fromhex(step) for step in proof.path]
        if proof.second != log.size or not proves_consistency(
            proof.first, root, proof.second, log.root, path
        ):
            sizes = {"count": Amount(proof.first), "total": Amount(log.size)}
            expected = Phrase("evidence.consistency.path", **sizes)
            recorded = Phrase("evidence.consistency.other", count=Amount(proof.second))
            case.find("bad_consistency", expected, recorded, line=line)


def _check_end_of_log(case: Case) -> None:
    """Check that the log which is said to have ended before the last event does not have that."""
    restoration, log = case.restoration, case.checkpoint
    if restoration is None or log is None or log.origin != restoration.command.log:
        return
    for line, proof in case.bundle.inclusions:
        if proof.seq >= restoration.seq:
            expected = Phrase("evidence.log.ended", origin=log.origin)
            recorded = Phrase("evidence.event.in_log", seq=proof.seq)
            case.find("log_goes_on", expected, recorded, seq=proof.seq, line=line)


# --- the policy ---------------------------------------------------------------------------------


def check_policy(case: Case, seats: Sequence[SeatReport]) -> None:
    """Check the policy's demands on seat keys, the end of the game and signed commands."""
    if case.policy is None:
        return
    _check_seat_keys(case, case.policy, {seat.seat: seat.key for seat in seats})
    for seat in seats:
        if seat.word == "unsigned" and case.policy.seats.get(seat.seat) == seat.key:
            expected = Phrase("evidence.signed.seat", seat=seat.seat)
            case.find("seat_unsigned", expected, Phrase("evidence.none"))
    status = case.bundle.status
    if "finished" in case.policy.require and status != "finished":
        case.find(
            "not_finished", Phrase("evidence.policy.finished"), Phrase(f"evidence.policy.{status}")
        )
    unsigned_seats = [
        quoted(seat.name)
        for seat in seats
        if seat.word in ("repudiable", "unsigned")
        or (seat.word == "signed" and seat.stood_in)
        or (seat.word == "bot" and seat.commands and not seat.program)
    ]
    if "signatures" in case.policy.require and unsigned_seats:
        named = {"count": len(unsigned_seats), "values": ", ".join(unsigned_seats)}
        recorded = Phrase("evidence.policy.seats", **named)
        case.find("signatures_missing", Phrase("evidence.policy.signed"), recorded)


def _check_seat_keys(case: Case, policy: Policy, registered: Mapping[int, str]) -> None:
    """Check the keys that the policy names for seats; in a lobby a seat may still be free."""
    sealed = any(isinstance(event, TableSealed) for event in case.events)
    for seat, key in policy.seats.items():
        if registered.get(seat, "" if sealed else key) != key:
            recorded = registered.get(seat) or Phrase("evidence.none")
            case.find(
                "seat_key_differs", Phrase("evidence.policy.seat_key", key=key, seat=seat), recorded
            )


def check_demands(case: Case, facets: Facets, seats: tuple[SeatReport, ...]) -> None:
    """Check that each facet is as strong as the policy asks; `check_waits` does so for times."""
    policy = case.policy
    if policy is None:
        return
    is_test = facets.secrets == "test"
    bringing = [seat for seat in seats if seat.secret_by == "seat" and not signs(seat)]
    demands: tuple[tuple[str, str, str, AnyCode, list[SeatReport]], ...] = (
        (
            *("secrets", facets.secrets, policy.secrets),
            *(("test_table", []) if is_test else ("player_secret_missing", bringing)),
        ),
        ("moves", facets.moves, policy.moves, "moves_unsigned", unsigned(seats)),
        ("bots", facets.bots, policy.bots, "bots_unproven", unproven(seats)),
    )
    for name, value, demand, code, concerned in demands:
        if not is_met(name, value, demand):
            recorded = f"{name}: {value}"
            if concerned:
                seats_text = ", ".join(quoted(seat.name) for seat in concerned)
                facet = {"facet": recorded, "values": seats_text}
                recorded = Phrase("evidence.policy.facet", count=len(concerned), **facet)
            case.find(code, f"{name}: {demand}", recorded)
