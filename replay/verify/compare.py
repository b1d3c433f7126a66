"""Two bundles against one another: one story of each event, one log under each name.

Where nothing else says which of the two is the wrong one, a finding stands in both judgements.
"""

from itertools import product
from typing import NamedTuple

from phaseledger.replay.verify.case import Case
from phaseledger.replay.verify.codes import AnyCode


class LogPosition(NamedTuple):
    """Where an event of a bundle stands in the log, as its proof says."""

    game: str
    seq: int
    at: int
    leaf: str


class _Contradiction(NamedTuple):
    code: AnyCode
    expected: str
    recorded: str


def compare(one: Case, other: Case) -> None:
    """Hold two bundles against one another."""
    _compare_logs(one, other)
    if one.bundle.header.game != other.bundle.header.game:
        return
    for mine, its in zip(one.bundle.events, other.bundle.events, strict=False):
        if mine.leaf != its.leaf:
            told = f"{mine.leaf} in {one.bundle.source}, {its.leaf} in {other.bundle.source}"
            for case, event, beside in ((one, mine, other), (other, its, one)):
                if _is_faulty(case) or not _is_faulty(beside):
                    case.find("equivocation", "one leaf in both files", told, event=event)
            return
    other.notes.append(f"It tells the same story as {one.bundle.source}, as far as both go.")


def _is_faulty(case: Case) -> bool:
    """Whether something is wrong with the bundle by itself."""
    return any(problem.code not in _OF_TWO for problem in case.problems)


_OF_TWO: tuple[AnyCode, ...] = ("equivocation", "two_roots", "forked_log")


def _compare_logs(one: Case, other: Case) -> None:
    """Hold two checkpoints that count against one another, if they are of one log.

    Anybody can make a checkpoint by a key of one's own: where no policy vouches for the keys, only
    two by the same key contradict one another.
    """
    mine, its = one.checkpoint, other.checkpoint
    same = one.vouching & other.vouching
    counts = same if one.policy is None else one.vouching and other.vouching
    if not counts or not mine or not its or mine.origin != its.origin:
        return
    if mine.size == its.size and mine.root != its.root:
        roots = f"{mine.root.hex()} and {its.root.hex()}"
        wanted = f"one root of {mine.size:,} leaves"
        contradictions = [_Contradiction("two_roots", wanted, roots)]
    else:
        pairs = product(_places(one), _places(other))
        contradictions = [wrong for pair in pairs if (wrong := _fork(*pair))]
    for found in contradictions[:1]:
        code, expected, recorded = found
        by = "keys of the policy"
        if one.policy is None:
            by = f"{min(key.id for key in same)}, for which nobody vouches"
        wanted = f"{expected}, signed by {by}"
        told = f"{recorded}, in {one.bundle.source} and {other.bundle.source}"
        for case in (one, other):
            assert case.bundle.checkpoint is not None
            case.find(code, wanted, told, line=case.bundle.checkpoint.line)


def _places(case: Case) -> list[LogPosition]:
    """The places that the bundle's proofs, which hold, give to its events."""
    events, game = case.bundle.events, case.bundle.header.game
    return [
        LogPosition(game, proof.seq, proof.index, events[proof.seq - 1].leaf)
        for _, proof in case.bundle.inclusions
    ]


def _fork(one: LogPosition, other: LogPosition) -> _Contradiction | None:
    """In what two places of one log contradict one another."""
    if one.at == other.at and one.leaf != other.leaf:
        leaves = f"{one.leaf} and {other.leaf}"
        return _Contradiction("forked_log", f"one event as leaf {one.at}", leaves)
    if one[:2] == other[:2] and one.at != other.at:
        places = f"leaf {one.at} and leaf {other.at}"
        return _Contradiction("forked_log", f"one place for event {one.seq}", places)
    return None
