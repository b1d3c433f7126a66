"""Who signs the public log, and whether that may be done: never two roots for one size.

A database may have been restored, or changed behind its back, since the last signature. So whoever
is to sign compares the tree with itself, with the events, and with the last published checkpoint,
which is kept in a file apart from database and keys, where no backup of these brings it back.
"""

from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from phaseledger.domain.evidence.tiles import WIDTH, Edge, TileName, hashes
from phaseledger.replay.records import files as durable
from phaseledger.replay.signing import notes
from phaseledger.replay.signing.keys import Keyring
from phaseledger.replay.signing.notes import Checkpoint, Note, SigningKey
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.transparency.errors import TreeError
from phaseledger.service.transparency.leaves import LeafReader, UnknownLeaf
from phaseledger.service.transparency.tree import Tree, TreeHead, edge, root_at


class SigningRefused(Exception):
    """Signing might contradict what was published; the message says why and what to do."""


class NoPublishedCheckpoint(SigningRefused):
    """The file of what was published last is not there, or cannot be read; it may come back."""


class PublicationOvertaken(Exception):
    """Somebody else has published since this signer looked; it has to look again."""


class LogSigner(NamedTuple):
    """The log's name, the keys, and the file that keeps the last published note."""

    origin: str
    keys: tuple[SigningKey, ...]
    kept: Path | None = None
    """None where the log is gone with its process."""

    def note(self, head: TreeHead) -> str:
        """The checkpoint over the tree, signed with every key; the same for the same keys."""
        text = Checkpoint(self.origin, head.size, head.root).text()
        return str(Note(text, tuple(notes.signature(text, key) for key in self.keys)))

    def keep(self, note: str, last: Checkpoint | None) -> None:
        """Write down, for good, what is about to be published.

        Raises:
            Overtaken: the file keeps something else than ``last``.
            OSError, NothingKept: it cannot be read or written.

        """
        if self.kept is None:
            return
        with durable.folder_lock(self.kept.parent):
            if last_published(self) != last:
                raise PublicationOvertaken
            durable.write(self.kept, note)


def signer(ring: Keyring, origin: str = "", folder: Path | None = None) -> LogSigner:
    """Who signs with the keys; the log is called like the first of them if nobody has named it.

    ``folder`` is for the last published note, and is made. Raises SigningRefused if it cannot be.
    """
    origin = origin or ring.log
    name = quote(origin, safe="")
    if len(name) > 200:  # the longest that every file system takes is 255
        name = sha256(origin.encode()).hexdigest()
    try:
        if folder:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SigningRefused(
            f"The public log {origin!r} is not signed: {folder}, where the last published "
            f"checkpoint goes, cannot be made: {error.strerror or error}. Name another folder with "
            "PHASELEDGER_PUBLISHED_DIR."
        ) from None
    return LogSigner(origin, ring.signers, folder and folder / f"{name}.checkpoint")


class SignableLog(NamedTuple):
    """A log that may be signed: its newest size, its right edge, and what was published last."""

    head: TreeHead
    edge: Edge
    published: Checkpoint | None


async def require_unbroken(store: Store, tree: Tree, signer: LogSigner) -> SignableLog:
    """The tree's newest size, which may be signed.

    Raises:
        SigningRefused: the database is behind the last published checkpoint, or contradicts it, or
            itself; or it is not known what was published last.

    """
    known = await tree.newest()  # before the file, which others write before they publish
    published = last_published(signer)
    head = await tree.head()
    if signer.kept and known and not published:
        raise _missing(signer, known)
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
    return SignableLog(head, right, published)


def _refusal(signer: LogSigner, why: str) -> SigningRefused:
    return SigningRefused(
        f"The public log {signer.origin!r} is not signed: {why}. Restore the newest backup. If "
        "what was published is lost for good, name a new log with PHASELEDGER_LOG_ORIGIN, which "
        "auditors will see. If this is another database, give it keys of its own with "
        "PHASELEDGER_KEYS_DIR."
    )


def _missing(signer: LogSigner, known: TreeHead) -> NoPublishedCheckpoint:
    return NoPublishedCheckpoint(
        f"The public log {signer.origin!r} is not signed: this database has published it with "
        f"{known.size:,} events, but {signer.kept}, which keeps the last published checkpoint, is "
        "not there. So nobody knows whether more was published, and the database restored since. "
        "Put the newest checkpoint there that anybody has, such as a witness's `checkpoint`. If "
        "there is none, name a new log with PHASELEDGER_LOG_ORIGIN, which auditors will see."
    )


def last_published(signer: LogSigner) -> Checkpoint | None:
    """The last published checkpoint, by the file that keeps it.

    Raises:
        NothingKept: the file is damaged, another log's, or cannot be read.

    """
    if signer.kept is None:
        return None
    try:
        kept = notes.checkpoint(notes.note(signer.kept.read_text(encoding="utf-8")).text)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as damage:
        raise NoPublishedCheckpoint(
            f"The public log {signer.origin!r} is not signed: {signer.kept}, which keeps its last "
            f"checkpoint, cannot be read ({damage}). Put the newest checkpoint that anybody has "
            "there, such as a witness's `checkpoint`."
        ) from None
    if kept.origin != signer.origin:
        raise NoPublishedCheckpoint(
            f"The public log {signer.origin!r} is not signed: {signer.kept} keeps a checkpoint of "
            f"{kept.origin!r}. Put the log's own there, such as a witness's `checkpoint`."
        )
    return kept


async def _is_log(store: Store, tree: Tree, head: TreeHead) -> bool:
    """Whether the events that the last tile was made of are still those, to the last position."""
    if head.size == 0:
        return True
    number, count = divmod(head.size - 1, WIDTH)
    count += 1
    name = TileName(0, number)
    tile, first = (await tree.tiles([name])).get(name), await tree.first(number)
    if tile is None or first is None:
        return False
    notices, leaves = await store.leaves(first - 1, count), LeafReader(store)
    made = [await leaves.of(notice) for notice in notices]
    return made == hashes(tile)[:count] and notices[-1].position == head.position
