"""Comparison of two bundles: one leaf for each event, one consistent log under each name.

Where nothing else says which of the two is the wrong one, both judgements have the finding.
"""

from phaseledger.domain.words import Amount, Phrase
from phaseledger.replay.evidence.verify.case import Case, LogClaim
from phaseledger.replay.evidence.verify.codes import CODES, TOO_LITTLE, AnyCode


def compare(first: Case, second: Case) -> None:
    """Compare two bundles, and record contradictions in their cases."""
    if first.bundle.header.game == second.bundle.header.game:
        _compare_stories(first, second)
    _compare_logs(first, second)


def _compare_stories(first: Case, second: Case) -> None:
    """Compare two bundles of one game, event by event."""
    seq = _first_difference(first, second)
    if not seq:
        second.notes.append(Phrase("evidence.note.same_story", path=first.bundle.source))
        return
    if _is_lost(first, second) or _is_lost(second, first):
        _tell_lost(*((first, second) if _is_lost(first, second) else (second, first)))
        return
    first_event, second_event = first.bundle.events[seq - 1], second.bundle.events[seq - 1]
    leaves = ", ".join(
        f"{event.leaf} in {case.bundle.source}"
        for case, event in ((first, first_event), (second, second_event))
    )
    sides = (first, first_event, second), (second, second_event, first)
    for case, event, counterpart in sides:
        if _is_faulty(case) or not _is_faulty(counterpart):
            case.find("equivocation", Phrase("evidence.log.one_leaf"), leaves, event=event)


def _first_difference(first: Case, second: Case) -> int:
    """The number of the first event that is not the same in both bundles; 0 for none."""
    pairs = zip(first.bundle.events, second.bundle.events, strict=False)
    return next((n for n, pair in enumerate(pairs, 1) if pair[0].leaf != pair[1].leaf), 0)


def parting(first: Case, second: Case) -> int:
    """The number of the event at which two bundles of one game tell two stories; 0 if they do not.

    Where one of them says that its ledger went on from a backup, the other one tells what was lost.
    """
    if first.bundle.header.game != second.bundle.header.game:
        return 0
    pairs = (first, second), (second, first)
    is_lost = any(_is_lost(*pair) and not _stands(*pair) for pair in pairs)
    return 0 if is_lost else _first_difference(first, second)


def is_earlier(case: Case, other: Case) -> bool:
    """Whether the bundle of a game that goes on was made before the other one, which continues it.

    It was not where its own checkpoint is of a log that has a later event: of that it knew.
    """
    last, events = len(case.bundle.events), other.bundle.events
    if case.bundle.header.game != other.bundle.header.game or case.bundle.over:
        return False
    if len(events) <= last or events[last - 1].leaf != case.bundle.events[-1].leaf:
        return False
    log, other_log = case.checkpoint, other.checkpoint
    return not (log and other_log and log.origin == other_log.origin) or all(
        proof.seq <= last or proof.index >= log.size for _, proof in other.bundle.inclusions
    )


def _is_lost(case: Case, earlier: Case) -> bool:
    """Whether what the earlier bundle has beyond the case's was lost with the end of its log.

    It is if the case's game was voided, for that reason, in place of the first event that differs;
    if nothing is said to have happened in the old log since; and if no other log was published with
    it, nor that log with more than the case says, where it says that at all.
    """
    restoration = case.restoration
    if restoration is None:
        return False
    lost = earlier.bundle.events[restoration.seq - 1 :]
    shared = zip(case.bundle.events[:-1], earlier.bundle.events, strict=False)
    log = earlier.checkpoint
    ended, published = restoration.command.log, restoration.command.published
    is_of_other_log = (
        log is not None and log.origin != ended and _covered(earlier) >= restoration.seq
    )
    is_understated = log is not None and log.origin == ended and 0 < published < log.size
    return (
        len(earlier.bundle.events) >= restoration.seq
        and all(event.leaf == counterpart.leaf for event, counterpart in shared)
        and all(event.form.at <= restoration.at for event in lost)
        and not (is_of_other_log or is_understated)
    )


def _covered(case: Case) -> int:
    """The number of the last event that the checkpoint is said to cover."""
    return case.bundle.inclusions[-1].value.seq if case.bundle.inclusions else 0


def _stands(case: Case, earlier: Case) -> bool:
    """Whether what a restore has lost counts all the same: it was the end of the game, or one of
    the policy's witnesses has seen it.
    """
    assert case.restoration is not None
    is_end = earlier.bundle.over and earlier.restoration is None
    return is_end or bool(earlier.cosigners and _covered(earlier) >= case.restoration.seq)


def _tell_lost(case: Case, earlier: Case) -> None:
    assert case.restoration is not None
    seq, counting = case.restoration.seq, case
    if _stands(case, earlier) and not _is_faulty(earlier):
        counting, event = earlier, case.bundle.events[seq - 1]
        count = Amount(len(earlier.bundle.events))
        recorded = Phrase("evidence.restore.events", count=count, path=earlier.bundle.source)
        case.find("annulled", Phrase("evidence.restore.without", seq=seq), recorded, event=event)
    lost = len(earlier.bundle.events) - seq + 1
    note = Phrase(
        "evidence.note.lost",
        count=Amount(lost),
        path=earlier.bundle.source,
        seq=seq,
        other_value=case.bundle.source,
    )
    for bundle_case in (case, earlier):
        bundle_case.notes += [note, Phrase("evidence.note.counts", path=counting.bundle.source)]


def _is_faulty(case: Case) -> bool:
    """Whether something is wrong with the bundle by itself; that it is too little is not."""
    return any(
        problem.code not in _OF_TWO and CODES[problem.code].exit_code != TOO_LITTLE
        for problem in case.problems
    )


_OF_TWO: tuple[AnyCode, ...] = ("equivocation", "annulled", "two_roots", "forked_log")


def _compare_logs(first: Case, second: Case) -> None:
    """Compare the two checkpoints, if they are of one log and signed by keys that count.

    Any key can sign a checkpoint of its own, and another's too: without a policy only checkpoints
    under the same keys contradict one another.
    """
    first_log, second_log = first.checkpoint, second.checkpoint
    is_alike = first.policy is not None or first.vouching == second.vouching
    binding_keys = is_alike and first.vouching and second.vouching
    if not binding_keys or not first_log or not second_log or first_log.origin != second_log.origin:
        return
    first_claims, second_claims = first.log_claims, second.log_claims
    shared = first_claims.keys() & second_claims.keys()
    differing = [claim for claim in shared if first_claims[claim] != second_claims[claim]]
    if not differing:
        return
    # One explains the rest: a root, where there is one.
    claim = min(differing, key=lambda claim: (claim.kind != "root", claim))
    signer = Phrase("evidence.log.keys")
    if first.policy is None:
        signer = Phrase("evidence.log.unvouched", key=min(key.id for key in first.vouching))
    observation = Phrase(
        "evidence.log.both",
        value=first_claims[claim],
        other_value=second_claims[claim],
        path=first.bundle.source,
        field=second.bundle.source,
    )
    for case in (first, second):
        assert case.bundle.checkpoint is not None
        case.find(
            "two_roots" if claim.kind == "root" else "forked_log",
            Phrase("evidence.log.signed_by", text=_one_value(claim), signer=signer),
            observation,
            line=case.bundle.checkpoint.line,
        )


def _one_value(claim: LogClaim) -> Phrase:
    """What there can be only one of in a log."""
    match claim.kind, *claim.place:
        case "root", int(size):
            return Phrase("evidence.log.one_root", count=Amount(size))
        case "place", _, seq:
            return Phrase("evidence.log.one_place", seq=seq)
        case _, 0, int(index):
            return Phrase("evidence.log.one_event", seq=index)
        case _, int(level), int(index):
            first, last = Amount(index << level), Amount((index + 1 << level) - 1)
            return Phrase("evidence.log.one_hash", count=first, total=last)
    raise AssertionError(claim)
