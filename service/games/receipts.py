"""Receipts, made from what the log holds: the same ones every time.

Where a commit had several commands, the signature over all their entries is stored with them; an
entry that is signed alone has the same signature every time, as long as the key is the same.
"""

from collections.abc import Sequence
from uuid import UUID

from phaseledger.domain.words import Phrase
from phaseledger.replay.formats.signing import receipts
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.formats.signing.receipts import Receipt
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.errors import LogDamaged, NoSuchReceipt
from phaseledger.service.games.game import Answer, Snapshot, leaf_of
from phaseledger.service.games.integrity import require_intact
from phaseledger.service.transparency.tree import Tree

NEAR = 16  # events; few commands make more


def receipt_for(answer: Answer, key: SigningKey) -> Receipt:
    """The receipt of the answer's last command. The log was checked for it by `GameService`."""
    if answer.signature:
        return answer.signature.receipt(answer.receipted)
    return receipts.issue(answer.receipted, key)


async def find_receipt(
    store: Store, tree: Tree, game: UUID, now: Snapshot, seq: int, key: SigningKey
) -> Receipt:
    """The receipt of the command whose last event is ``seq``, of a game at the snapshot ``now``.

    Raises:
        NoSuchReceipt: no command ends there; the detail has the event where the command ends.
        LogDamaged: the log has other events there than were stored.

    """
    if not 0 < seq <= now.version:
        raise NoSuchReceipt(Phrase("adds.receipts", seq=now.version))
    before, rows = await _around(store, game, seq)
    await require_intact(tree, game, rows, now.chain.key, first=before + 1, last=seq)
    starts = [row.version for row in rows if receipts.begins(row.state)]
    last = next((start - 1 for start in starts if start > seq), rows[-1].version)
    if last != seq:
        raise NoSuchReceipt(Phrase("adds.receipts.ends", seq=seq, next=last))
    first = max(start for start in starts if start <= seq)
    begun, ended = rows[first - before - 1].state, rows[seq - before - 1].state
    entry = receipts.entry_of(begun, ended, leaf_of(ended, now.chain.key))
    signature = await store.signature_over(game, seq, entry.tree_leaf())
    return signature.receipt(entry) if signature else receipts.issue(entry, key)


async def _around(store: Store, game: UUID, seq: int) -> tuple[int, Sequence[Row]]:
    """Events enough to hold the whole command of event ``seq``, and how many are before them.

    Raises:
        LogDamaged: one of them cannot be read.

    """
    near = NEAR
    while True:
        before = max(0, seq - near)
        rows = await store.read(game, before, 2 * near)
        try:
            starts = [receipts.begins(row.state) for row in rows]
        except ValueError:
            raise LogDamaged(game, seq, "it, or one beside it, cannot be read") from None
        at = seq - before
        whole = any(starts[at:]) or len(rows) < 2 * near
        if whole and (any(starts[:at]) or before == 0):
            return before, rows
        near *= 2
