"""The evidence bundle of a game as the log has it, with receipts, a checkpoint and its proofs."""

from collections.abc import Sequence
from uuid import UUID

from phaseledger.replay.formats.bundle.lines import EarlierSize, Inclusion
from phaseledger.replay.formats.bundle.writer import Proofs, bundle_lines
from phaseledger.replay.formats.signing.keys import Keyring
from phaseledger.replay.formats.signing.notes import VerifierKey
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.integrity import require_intact
from phaseledger.service.runtime.work import in_thread, let_others_run
from phaseledger.service.transparency import proofs
from phaseledger.service.transparency.proofs import CheckpointProofs
from phaseledger.service.transparency.tree import Tree


async def bundle_of(
    store: Store,
    tree: Tree,
    keys: Keyring,
    witnesses: Sequence[VerifierKey],
    game: UUID,
    now: Snapshot,
    viewer: int | None = None,
    *,
    from_size: int = 0,
) -> bytes:
    """The bundle of a game at the snapshot's version, as the seat ``viewer`` may see it.

    None is the public, and matters while the game goes on. Receipts are signed with the current
    key; cosignatures are those of the ``witnesses``. From an earlier size of the log, if one is
    given, a consistency proof leads to the checkpoint.

    Raises:
        SizeUnknown: the log has no such size.
        LogDamaged: the log does not have the events that were stored.
        TreeError: the tree's tiles are damaged.
        TooLong: it is longer than a bundle may be.

    """
    evidence = await proofs.evidence(tree, game, now.version, from_size)
    rows = await store.read(game, 0, now.version)
    await require_intact(tree, game, rows, now.chain.key, last=now.version, placed=True)

    def lines() -> bytes:
        bundle = bundle_lines(
            [row.state for row in rows],
            viewer=viewer,
            keys=[*keys.public, *witnesses],
            signer=keys.current,
            proofs=evidence and _proofs(evidence),
            pause=let_others_run,
        )
        return b"".join(bundle)

    # Some hundred signatures take a while, during which others want to play.
    return await in_thread(lines)


def _proofs(evidence: CheckpointProofs) -> Proofs:
    inclusions = tuple(map(_inclusion, evidence.inclusions))
    earlier = evidence.earlier
    if earlier is None:
        return Proofs(evidence.note, inclusions)
    path = tuple(step.hex() for step in earlier.path)
    proof = EarlierSize(earlier.first, path, earlier.root.hex(), earlier.second)
    return Proofs(evidence.note, inclusions, (proof,))


def _inclusion(proof: proofs.Proof) -> Inclusion:
    path = tuple(step.hex() for step in proof.path)
    return Inclusion(index=proof.index, path=path, seq=proof.seq, size=proof.size)
