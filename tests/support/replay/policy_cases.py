"""What a policy asks of a bundle, and receipts that somebody kept of another history."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.evidence.verify.policy import Policy, Requirement
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.bundle.writer import bundle_lines
from phaseledger.replay.formats.signing import receipts
from phaseledger.replay.formats.signing.receipts import Receipt
from tests.support.replay.bundles import game, good, of_kind
from tests.support.replay.log_edits import encode
from tests.support.replay.operator_games import (
    OPERATOR,
    ORIGIN,
    STRANGER,
    WITNESS,
    bundled,
    leaves_of,
    proofs,
    whole_commands,
)

POLICY = Policy("club.toml", (OPERATOR.public,), ORIGIN, (WITNESS.public,), 1)


def judged_with(
    lines: Sequence[bytes],
    kept: Sequence[Receipt],
    policy: Policy | None = None,
    *,
    others: bool = False,
) -> Judgement:
    files = [KeptReceipt("mine", number, receipt, others) for number, receipt in enumerate(kept, 1)]
    (examined,) = verify([parse_bundle(lines, "file")], policy, files)
    return examined.judgement


def issued(**changes: Any) -> Receipt:
    """The operator's genuine receipt for something else."""
    fields = {**of_kind(good(), "receipt")[7], **changes}
    entry = receipts.Receipted(*(fields[name] for name in receipts.Receipted._fields))
    return receipts.issue(entry, OPERATOR)


MIDDLE = next(e["seq"] for e in of_kind(good(), "event") if e["type"] == "DealOpened/1")
LEAF = of_kind(good(), "event")[MIDDLE]["prev"]


KEPT = {
    "of another leaf": (issued(leaf="ab" * 32), "equivocation"),
    "of another first leaf": (issued(seq=1, leaf="ab" * 32), "equivocation"),
    "of another last leaf": (issued(seq=81, leaf="ab" * 32), "equivocation"),
    "of another command": (issued(command="ab" * 32), "receipt_differs"),
    "of another time": (issued(at=5), "receipt_differs"),
    "for the middle of a command": (issued(seq=MIDDLE, leaf=LEAF), "receipt_differs"),
    "that was changed": (replace(issued(), at=5), "worthless_receipt"),
    "by nobody known": (replace(issued(), key=STRANGER.public.id), "worthless_receipt"),
}  # fmt: skip


def shared(place: int = 1, **changes: Any) -> Receipt:
    """A genuine receipt of format 2, in a commit of three commands."""
    content = issued(**changes).content()
    entries = [content._replace(game="another"), content._replace(game="a third")]
    entries.insert(place, content)
    tree = receipts.sign_tree([entry.tree_leaf() for entry in entries], OPERATOR)
    return tree.signatures()[place].receipt(content)


SHARED_KEPT = {
    "of another leaf": (shared(leaf="ab" * 32), "equivocation"),
    "of another command": (shared(0, command="ab" * 32), "receipt_differs"),
    "of another time": (shared(2, at=5), "receipt_differs"),
    "that was changed": (replace(shared(), at=5), "worthless_receipt"),
    "at another place": (replace(shared(), index=0), "worthless_receipt"),
    "in a larger tree": (replace(shared(), size=4), "worthless_receipt"),
    "without its path": (replace(shared(), path=(), index=0, size=1), "worthless_receipt"),
    "with a longer path": (
        replace(shared(), path=(*shared().path, "ab" * 32)),
        "worthless_receipt",
    ),
    "with half a path": (replace(shared(), path=shared().path[:1]), "worthless_receipt"),
    "by nobody known": (replace(shared(), key=STRANGER.public.id), "worthless_receipt"),
}
"""What is no receipt of format 2 for the good bundle."""


def pair_judged(first: Sequence[bytes], second: Sequence[bytes]) -> list[Judgement]:
    bundles = [parse_bundle(first, "one"), parse_bundle(second, "other")]
    return [examined.judgement for examined in verify(bundles)]


def classic_bundle(*, receipts: bool = True, covered: int = 0) -> list[bytes]:
    """The bundle of the classic game; the checkpoint covers so many of its events."""
    stored, signer = game("classic"), OPERATOR if receipts else None
    point = proofs(leaves_of(stored[:covered]), "log", OPERATOR, WITNESS) if covered else None
    keys = [OPERATOR.public, WITNESS.public]
    return list(bundle_lines(stored, keys=keys, signer=signer, proofs=point))


def without_one_receipt() -> list[bytes]:
    lines = list(good())
    del lines[next(n for n, line in enumerate(lines) if line.startswith(b'{"receipt"'))]
    return [*lines[:-1], encode({"end": {"lines": len(lines) - 1}}) + b"\n"]


REQUIRED: dict[str, tuple[Requirement, Callable[[], Sequence[bytes]], str]] = {
    "receipts": ("receipts", partial(classic_bundle, receipts=False), "receipts_missing"),
    "every receipt": ("receipts", without_one_receipt, "receipts_missing"),
    "a checkpoint": ("checkpoint", classic_bundle, "checkpoint_missing"),
    "the whole game in the log": (
        "checkpoint",
        partial(classic_bundle, covered=60),
        "checkpoint_behind",
    ),
    "an end": ("finished", lambda: bundled(whole_commands(game("classic"), 80)), "not_finished"),
    "an end that is no breaking off": ("finished", partial(good, "board"), "not_finished"),
    "signatures": ("signatures", good, "signatures_missing"),
}


TRUSTED = {
    "another operator": (replace(POLICY, keys=(STRANGER.public,)), "unknown_key"),
    "another log": (replace(POLICY, origin="example.org/others"), "wrong_origin"),
}
