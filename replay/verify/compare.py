"""Comparison of two bundles: one leaf for each event, one consistent log under each name.

Where nothing else says which of the two is the wrong one, both judgements have the finding.
"""

from itertools import product
from typing import NamedTuple

from phaseledger.replay.verify.case import Case
from phaseledger.replay.verify.codes import AnyCode


class LogPosition(NamedTuple):
    """The index of an event in the log, as the bundle's inclusion proof gives it."""

    game: str
    seq: int
    at: int
    leaf: str


class _Contradiction(NamedTuple):
    code: AnyCode
    expected: str
    recorded: str


def compare(first: Case, second: Case) -> None:
    """Compare two bundles, and record contradictions in their cases."""
    _compare_logs(first, second)
    if first.bundle.header.game != second.bundle.header.game:
        return
    seq = _first_difference(first, second)
    if not seq:
        second.notes.append(f"It tells the same story as {first.bundle.source}, as far as both go.")
        return
    if _is_lost(first, second) or _is_lost(second, first):
        _note_lost(*((first, second) if _is_lost(first, second) else (second, first)))
        return
    first_event, second_event = first.bundle.events[seq - 1], second.bundle.events[seq - 1]
    leaves = ", ".join(
        f"{event.leaf} in {case.bundle.source}"
        for case, event in ((first, first_event), (second, second_event))
    )
    sides = (first, first_event, second), (second, second_event, first)
    for case, event, counterpart in sides:
        if _is_faulty(case) or not _is_faulty(counterpart):
            case.find("equivocation", "one leaf in both files", leaves, event=event)


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
    is_lost = _is_lost(first, second) or _is_lost(second, first)
    return 0 if is_lost else _first_difference(first, second)


def _is_lost(case: Case, earlier: Case) -> bool:
    """Whether what the earlier bundle has beyond the case's was lost with the end of its log.

    It is if the case's game was voided, for that reason, in place of the first event that differs;
    if nothing is said to have happened in the old log since; and if that log was not published
    with more than the case says, where it says that at all.
    """
    restoration = case.restoration
    if restoration is None:
        return False
    lost = earlier.bundle.events[restoration.seq - 1 :]
    shared = zip(case.bundle.events[:-1], earlier.bundle.events, strict=False)
    log = earlier.checkpoint
    is_understated = (
        log is not None
        and log.origin == restoration.command.log
        and 0 < restoration.command.published < log.size
    )
    return (
        len(earlier.bundle.events) >= restoration.seq
        and all(event.leaf == counterpart.leaf for event, counterpart in shared)
        and all(event.form.at <= restoration.at for event in lost)
        and not is_understated
    )


def _note_lost(case: Case, earlier: Case) -> None:
    assert case.restoration is not None
    seq = case.restoration.seq
    lost = len(earlier.bundle.events) - seq + 1
    for bundle_case in (case, earlier):
        bundle_case.notes.append(
            f"{lost:,} events of {earlier.bundle.source} were lost: the operator went on from a "
            f"backup, said so in event {seq} of {case.bundle.source}, and broke the game off."
        )


def _is_faulty(case: Case) -> bool:
    """Whether something is wrong with the bundle by itself."""
    return any(problem.code not in _OF_TWO for problem in case.problems)


_OF_TWO: tuple[AnyCode, ...] = ("equivocation", "two_roots", "forked_log")


def _compare_logs(first: Case, second: Case) -> None:
    """Compare the two checkpoints, if they are of one log and signed by keys that count.

    Anybody can make a checkpoint with a key of one's own: where no policy vouches for the keys,
    only two by the same key contradict one another.
    """
    first_log, second_log = first.checkpoint, second.checkpoint
    shared_keys = first.vouching & second.vouching
    binding_keys = shared_keys if first.policy is None else first.vouching and second.vouching
    if not binding_keys or not first_log or not second_log or first_log.origin != second_log.origin:
        return
    if first_log.size == second_log.size and first_log.root != second_log.root:
        roots = f"{first_log.root.hex()} and {second_log.root.hex()}"
        expectation = f"one root of {first_log.size:,} leaves"
        contradictions = [_Contradiction("two_roots", expectation, roots)]
    else:
        pairs = product(_places(first), _places(second))
        contradictions = [fork for pair in pairs if (fork := _fork(*pair))]
    for contradiction in contradictions[:1]:
        code, expected, recorded = contradiction
        signer = "keys of the policy"
        if first.policy is None:
            signer = f"{min(key.id for key in shared_keys)}, for which nobody vouches"
        expectation = f"{expected}, signed by {signer}"
        observation = f"{recorded}, in {first.bundle.source} and {second.bundle.source}"
        for case in (first, second):
            assert case.bundle.checkpoint is not None
            case.find(code, expectation, observation, line=case.bundle.checkpoint.line)


def _places(case: Case) -> list[LogPosition]:
    """The places in the log that the bundle's inclusion proofs, which hold, give to its events."""
    events, game = case.bundle.events, case.bundle.header.game
    return [
        LogPosition(game, proof.seq, proof.index, events[proof.seq - 1].leaf)
        for _, proof in case.bundle.inclusions
    ]


def _fork(first: LogPosition, second: LogPosition) -> _Contradiction | None:
    """The contradiction between two places in one log, if any."""
    if first.at == second.at and first.leaf != second.leaf:
        leaves = f"{first.leaf} and {second.leaf}"
        return _Contradiction("forked_log", f"one event as leaf {first.at}", leaves)
    if first[:2] == second[:2] and first.at != second.at:
        places = f"leaf {first.at} and leaf {second.at}"
        return _Contradiction("forked_log", f"one place for event {first.seq}", places)
    return None
