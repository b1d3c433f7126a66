"""Who signs the public log, and whether that may be done: never two roots for one size.

A database may have been restored, or changed behind its back, since the last signature. So whoever
is to sign compares the tree with itself, with the events, and with the last published checkpoint,
which is kept in a file beside the keys.
"""

from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from domain.tiles import WIDTH, Edge, Name, hashes
from replay import durable, notes
from replay.keys import Keyring
from replay.notes import Checkpoint, Note, SigningKey
from service.leaves import Leaves, UnknownLeaf
from service.store import Store
from service.tree import Head, Tree, TreeError, edge, root_at


class SigningRefused(Exception):
    """Signing might contradict what was published; the message says why and what to do."""


class Signer(NamedTuple):
    """The log's name, the keys, and the file that keeps the last published note."""

    origin: str
    keys: tuple[SigningKey, ...]
    kept: Path | None = None
    """None where the log is gone with its process."""

    def note(self, head: Head) -> str:
        """The checkpoint over the tree, signed with every key; the same for the same keys."""
        text = Checkpoint(self.origin, head.size, head.root).text()
        return str(Note(text, tuple(notes.signature(text, key) for key in self.keys)))

    def keep(self, note: str) -> None:
        """Write down, for good, what is about to be published; raises OSError."""
        if self.kept is not None:
            durable.write(self.kept, note)


def signer(ring: Keyring, origin: str = "", folder: Path | None = None) -> Signer:
    """Who signs with the keys; the log is called like the oldest of them if nobody has named it."""
    origin = origin or ring.public[0].name
    name = quote(origin, safe="")
    if len(name) > 200:  # the longest that every file system takes is 255
        name = sha256(origin.encode()).hexdigest()
    return Signer(origin, ring.signers, folder and folder / f"{name}.checkpoint")


async def require_unbroken(store: Store, tree: Tree, signer: Signer) -> tuple[Head, Edge]:
    """The tree's newest size, which may be signed, and its right edge.

    Raises:
        SigningRefused: the database is behind the last published checkpoint, or contradicts it, or
            itself.

    """
    published = last_published(signer)  # before the head, which another may move on meanwhile
    head = await tree.head()
    if published and published.size > head.size:
        raise _refusal(
            signer,
            f"it was published with {published.size:,} events, as {signer.kept} says, but this "
            f"database has it with {head.size:,}, so it was restored from an older backup, or is "
            "another log's",
        )
    try:
        right = await edge(tree, head.size)
        sound = right.root == head.root and await _is_log(store, tree, head)
        same = not published or await root_at(tree, published.size) == published.root
    except (TreeError, UnknownLeaf) as damage:
        raise _refusal(signer, str(damage).rstrip(".")) from None
    if not sound:
        raise _refusal(
            signer,
            f"the database contradicts its own last checkpoint, over {head.size:,} events: events "
            "or the tree were changed behind its back",
        )
    if not same:
        raise _refusal(
            signer,
            f"its first {published.size if published else 0:,} events are not those that were "
            f"published, as {signer.kept} says: the database was restored from another backup, or "
            "changed",
        )
    return head, right


def _refusal(signer: Signer, why: str) -> SigningRefused:
    return SigningRefused(
        f"The public log {signer.origin!r} is not signed: {why}. Restore the newest backup. If "
        "what was published is lost for good, name a new log with PHASELEDGER_LOG_ORIGIN, which "
        "auditors will see. If this is another database, give it keys of its own with "
        "PHASELEDGER_KEYS_DIR."
    )


def last_published(signer: Signer) -> Checkpoint | None:
    """The last published checkpoint, by the file that keeps it; raises SigningRefused."""
    if signer.kept is None:
        return None
    try:
        kept = notes.checkpoint(notes.note(signer.kept.read_text(encoding="utf-8")).text)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as damage:
        raise SigningRefused(
            f"The public log {signer.origin!r} is not signed: {signer.kept}, which keeps its last "
            f"checkpoint, cannot be read ({damage}). Restore the file from a backup."
        ) from None
    if kept.origin != signer.origin:
        raise SigningRefused(
            f"The public log {signer.origin!r} is not signed: {signer.kept} keeps a checkpoint of "
            f"{kept.origin!r}. Restore the file from a backup."
        )
    return kept


async def _is_log(store: Store, tree: Tree, head: Head) -> bool:
    """Whether the events that the last tile was made of are still those, to the last position."""
    if head.size == 0:
        return True
    number, count = divmod(head.size - 1, WIDTH)
    count += 1
    name = Name(0, number)
    tile, first = (await tree.tiles([name])).get(name), await tree.first(number)
    if tile is None or first is None:
        return False
    notices, leaves = await store.leaves(first - 1, count), Leaves(store)
    made = [await leaves.of(notice) for notice in notices]
    return made == hashes(tile)[:count] and notices[-1].position == head.position
