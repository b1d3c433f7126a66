"""The check that the bundle's log goes on from kept checkpoints.

An operator that shows two histories has signed two checkpoints of which neither goes on from the
other. A witness or player who kept one of them need not ask the operator's server again.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from phaseledger.domain.evidence.merkle import proves_consistency
from phaseledger.domain.words import Amount, Phrase
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.sightings import SeenCheckpoint, SeenConsistency, Sighting
from phaseledger.replay.formats.signing.notes import Checkpoint, signed_by


def check_history(case: Case, sightings: Sequence[Sighting]) -> None:
    """Hold the bundle's checkpoint against those of its log that were kept (RFC 9162, 2.1.4)."""
    log = case.checkpoint
    if log is None or not case.vouching:
        return
    proofs = defaultdict[tuple[int, int], list[SeenConsistency]](list)
    for sighting in sightings:
        if isinstance(sighting, SeenConsistency):
            proofs[sighting.proof.first, sighting.proof.second].append(sighting)
    shown = 0
    for kept in sightings:
        if isinstance(kept, SeenCheckpoint) and kept.checkpoint.origin == log.origin:
            shown += _goes_on(case, log, kept, proofs)
    if shown:
        case.notes.append(Phrase("evidence.note.history", count=Amount(shown)))


def _goes_on(
    case: Case,
    log: Checkpoint,
    kept: SeenCheckpoint,
    proofs: Mapping[tuple[int, int], Sequence[SeenConsistency]],
) -> bool:
    """Whether the two are shown to be of one history; what contradicts it is recorded."""
    place = {"path": kept.source, "seq": kept.line}
    # Under a policy all of its keys are the operator's, whichever has signed the bundle's own.
    # Without one, a key that added a line under that must not speak for the others.
    keys = (*case.policy.keys, *case.policy.witnesses) if case.policy else case.vouching
    counts = any if case.policy else all
    if not counts(signed_by(kept.note, key) for key in keys):
        case.notes.append(Phrase("evidence.note.no_key", **place))
        return False
    for _, own in case.bundle.consistencies:
        if own.first == kept.checkpoint.size:
            return _has_root(case, own.first, own.root, kept)
    smaller, larger = sorted((kept.checkpoint, log), key=lambda checkpoint: checkpoint.size)
    if smaller.size == larger.size:
        return _has_root(case, log.size, log.root.hex(), kept)
    steps = proofs.get((smaller.size, larger.size), ())
    # A proof does not say of which log it is: another one's may have the same sizes.
    paths = [[bytes.fromhex(digest) for digest in step.proof.path] for step in steps]
    holds = any(
        proves_consistency(smaller.size, smaller.root, larger.size, larger.root, path)
        for path in (paths if smaller.size else [[]])
    )
    if holds:
        return True
    if smaller.size and not steps:
        sizes = {"count": Amount(smaller.size), "total": Amount(larger.size)}
        case.notes.append(Phrase("evidence.note.no_proof", **place, **sizes))
        return False
    line, source = (steps[-1].line, steps[-1].source) if smaller.size else (kept.line, kept.source)
    expected = Phrase("evidence.log.path", count=Amount(smaller.size), total=Amount(larger.size))
    recorded = Phrase("evidence.log.elsewhere")
    case.find("bad_consistency", expected, recorded, line=line, source=source)
    return False


def _has_root(case: Case, size: int, root: str, kept: SeenCheckpoint) -> bool:
    """Whether the bundle's log and the kept checkpoint have one root for a size of both."""
    is_same = kept.checkpoint.root.hex() == root
    if not is_same:
        expected = Phrase("evidence.log.one_root", count=Amount(size))
        roots = Phrase(
            "evidence.log.roots",
            hash=root,
            value=kept.checkpoint.root.hex(),
            path=kept.source,
            seq=kept.line,
        )
        case.find("two_roots", expected, roots, line=kept.line, source=kept.source)
    return is_same
