"""The public log's signer, and the checks before it signs: never two roots for one size.

The database may have been restored, or changed behind the service, since the last signature. So
the tree is first compared with itself, with the events, and with the last published checkpoint,
which is kept in a file apart from database and keys, where no backup of these brings it back.
"""

import shlex
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from phaseledger.domain.evidence.tiles import WIDTH, Edge, TileName, extend_edge, hashes
from phaseledger.replay.formats import files
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.keys import Keyring
from phaseledger.replay.formats.signing.notes import Checkpoint, Note, SigningKey, VerifierKey
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.transparency.errors import TreeError
from phaseledger.service.transparency.leaves import LeafReader, UnknownLeaf
from phaseledger.service.transparency.proofs import edge, root_at
from phaseledger.service.transparency.tree import Tree, TreeHead

BATCH = 4096  # events read at a time
COUNTED = 4096
"""Tiles whose events are counted at a time: PostgreSQL takes some 0.3 s for that million."""


class SigningRefused(Exception):
    """Signing might contradict what was published; the message says why and what to do."""


class OtherLog(SigningRefused):
    """The settings name another log, or other keys, than this database goes on with."""


class LogWentBack(SigningRefused):
    """The database lacks events that were published, or has others in their place."""


class NoPublishedCheckpoint(SigningRefused):
    """The file of the last published checkpoint is missing or unreadable; it may come back."""


class PublicationOvertaken(Exception):
    """Another signer has published since this one read the checkpoint; it has to start over."""


class LogSigner(NamedTuple):
    """A signer: the log's name, the keys, and the file that keeps the last published note."""

    origin: str
    keys: tuple[SigningKey, ...]
    kept: Path | None = None
    """None where the log is gone with its process."""
    verifiers: tuple[VerifierKey, ...] = ()
    """The keys that may have signed the log, retired ones among them."""

    def note(self, head: TreeHead) -> str:
        """The checkpoint over the tree, signed with every key; the same for the same keys."""
        text = Checkpoint(self.origin, head.size, head.root).text()
        return str(Note(text, tuple(notes.signature(text, key) for key in self.keys)))

    def keep(self, note: str, last: Checkpoint | None) -> None:
        """Write the note that is about to be published into the file, durably.

        Raises:
            Overtaken: the file keeps something else than ``last``.
            OSError, NothingKept: it cannot be read or written.

        """
        if self.kept is None:
            return
        with files.folder_lock(self.kept.parent):
            if last_published(self) != last:
                raise PublicationOvertaken
            files.write(self.kept, note)


def signer(ring: Keyring, origin: str = "", folder: Path | None = None) -> LogSigner:
    """The signer with these keys; without ``origin`` the log is named after the first of them.

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
    return LogSigner(origin, ring.signers, folder and folder / f"{name}.checkpoint", ring.public)


class SignableLog(NamedTuple):
    """A log that may be signed: its newest head, right edge, and last published checkpoint."""

    head: TreeHead
    edge: Edge
    published: Checkpoint | None


async def require_unbroken(store: Store, tree: Tree, signer: LogSigner) -> SignableLog:
    """Check that signing the tree contradicts nothing published; returns its newest head.

    Raises:
        LogWentBack: the database is behind the last published checkpoint, or contradicts it, or
            the log has ended.
        OtherLog: the database goes on with another log, or with other keys.
        SigningRefused: it contradicts itself; or it is not known what was published last.

    """
    if await tree.has_ended():
        raise LogWentBack(
            f"The public log {signer.origin!r} has ended: its ledger goes on from a restore, under "
            "another name. If there is no key for that yet, run `phaseledger admin new-epoch` "
            "again; else give this service the newest keys and, where it is set, the newest "
            "PHASELEDGER_LOG_ORIGIN."
        )
    await require_own_log(tree, signer)
    newest = await tree.newest()  # before the file, which others write before they publish
    published = last_published(signer)
    head = await tree.head()
    if signer.kept and newest and not published:
        raise _missing(signer, newest)
    try:
        right_edge = await edge(tree, head.size)
        is_sound = right_edge.root == head.root and await _is_log(store, tree, head)
        size = published.size if published else 0
        grown = await _grown(store, head, right_edge, size)
        root = grown.root if size > head.size else await root_at(tree, size)
    except (TreeError, UnknownLeaf) as damage:
        raise _refusal(SigningRefused, signer, str(damage).rstrip(".")) from None
    if not is_sound:
        raise _refusal(
            SigningRefused,
            signer,
            f"the database contradicts its own last checkpoint, over {head.size:,} events: events "
            "or the tree were changed behind its back",
        )
    if grown.size < size:
        raise _refusal(
            LogWentBack,
            signer,
            f"it was published with {size:,} events, as {signer.kept} says, but this database has "
            f"it with {grown.size:,}, so it was restored from an older backup, or is another log's",
        )
    if published and root != published.root:
        raise _refusal(
            LogWentBack,
            signer,
            f"its first {size:,} events are not those that were published, as "
            f"{signer.kept} says: the database was restored from another backup, or changed",
        )
    await require_counted(tree, signer, tiles_of(head.size) - COUNTED)
    return SignableLog(head, right_edge, published)


def tiles_of(size: int) -> int:
    """How many tiles of level 0 a tree of that size has."""
    return -(-size // WIDTH)


async def require_counted(tree: Tree, signer: LogSigner, start: int, stop: int = 1 << 62) -> None:
    """Check that the log has as many events as the tiles from number ``start`` to before ``stop``;
    raises SigningRefused.
    """
    if (number := await tree.faulty_tile(max(0, start), stop)) is not None:
        why = f"events, or leaves of the tree, are missing in the tile of leaf {number * WIDTH:,}"
        raise _refusal(SigningRefused, signer, why)


async def require_own_log(tree: Tree, signer: LogSigner) -> None:
    """Check that no other log goes on here, nor this one with other keys.

    Raises:
        OtherLog: one does; the message says how to go on with it, and how to end it.

    """
    logs = await tree.signed_logs()
    own = next((signed for signed in logs if signed.log == tree.log), None)
    other = next((signed for signed in logs if signed.goes_on and signed is not own), None)
    newest = await tree.newest()
    if own and own.was_closed:
        goes_on = f", and {other.log!r} goes on" if other else ""
        raise OtherLog(
            f"The public log {own.log!r} was ended by an operator{goes_on}. Name the one that goes "
            "on, or a new one, with PHASELEDGER_LOG_ORIGIN."
        )
    if other and own and own.goes_on:
        raise OtherLog(
            f"Two public logs go on in this database: {own.log!r} with {own.size:,} signed events, "
            f"and {other.log!r} with {other.size:,}. One was begun by mistake: end it with "
            f"`{_end_log('LOG')}`, and name the other with PHASELEDGER_LOG_ORIGIN."
        )
    if other:
        raise OtherLog(
            f"This service is to sign the public log {tree.log!r}, but that of this database is "
            f"{other.log!r}, which has {other.size:,} signed events and has not ended. Name it "
            "with PHASELEDGER_LOG_ORIGIN, and the folder of its keys with PHASELEDGER_KEYS_DIR. If "
            "another log is wanted, which auditors will see, end this one first: "
            f"`{_end_log(other.log)}`."
        )
    if newest and not any(
        notes.signed_by(notes.note(newest.note), key) for key in signer.verifiers
    ):
        raise OtherLog(
            f"The public log {tree.log!r} was signed last by a key that this service lacks. Name "
            "the folder of its keys with PHASELEDGER_KEYS_DIR. If they are lost, end the log with "
            f"`{_end_log(tree.log)}`, and name a new one with PHASELEDGER_LOG_ORIGIN, which "
            "auditors will see."
        )


def _end_log(name: str) -> str:
    """The command that ends the log."""
    return f"phaseledger admin end-log {shlex.quote(name)} --actor NAME --reason WHY"


def _refusal(kind: type[SigningRefused], signer: LogSigner, why: str) -> SigningRefused:
    return kind(
        f"The public log {signer.origin!r} is not signed: {why}. Restore the newest backup. If "
        "what was published is lost for good, `phaseledger admin new-epoch` goes on without it, "
        "which auditors will see. If this is another database, give it keys of its own with "
        "PHASELEDGER_KEYS_DIR."
    )


def _missing(signer: LogSigner, newest: TreeHead) -> NoPublishedCheckpoint:
    return NoPublishedCheckpoint(
        f"The public log {signer.origin!r} is not signed: this database has published it with "
        f"{newest.size:,} events, but {signer.kept}, which keeps the last published checkpoint, is "
        "not there. So nobody knows whether more was published, and the database restored since. "
        "Put the newest checkpoint there that anybody has, such as a witness's `checkpoint`. If "
        "there is none, `phaseledger admin new-epoch` goes on from a restore. In a database that "
        f"was not restored `{_end_log(signer.origin)}` ends the log, and "
        "PHASELEDGER_LOG_ORIGIN names a new one. Auditors will see either."
    )


def last_published(signer: LogSigner) -> Checkpoint | None:
    """The last published checkpoint, from the file that keeps it; None without one.

    Raises:
        NothingKept: the file is damaged, another log's, or cannot be read.

    """
    if signer.kept is None:
        return None
    try:
        checkpoint = notes.checkpoint(notes.note(signer.kept.read_text(encoding="utf-8")).text)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as damage:
        raise NoPublishedCheckpoint(
            f"The public log {signer.origin!r} is not signed: {signer.kept}, which keeps its last "
            f"checkpoint, cannot be read ({damage}). Put the newest checkpoint that anybody has "
            "there, such as a witness's `checkpoint`."
        ) from None
    if checkpoint.origin != signer.origin:
        raise NoPublishedCheckpoint(
            f"The public log {signer.origin!r} is not signed: {signer.kept} keeps a checkpoint of "
            f"{checkpoint.origin!r}. Put the log's own there, such as a witness's `checkpoint`."
        )
    return checkpoint


async def _grown(store: Store, head: TreeHead, right_edge: Edge, size: int) -> Edge:
    """The right edge of the tree once it has grown to that size, or as far as the log goes.

    A failover may lose the tree's last growth and none of the events.

    Raises:
        UnknownLeaf: an event is damaged.

    """
    position, leaves = head.position, LeafReader(store)
    while right_edge.size < size:
        notices = await store.leaves(position, min(BATCH, size - right_edge.size))
        if not notices:
            break
        right_edge, _ = extend_edge(right_edge, [await leaves.of(notice) for notice in notices])
        position = notices[-1].position
    return right_edge


async def _is_log(store: Store, tree: Tree, head: TreeHead) -> bool:
    """Whether the events still have the leaves of the last tile, up to the last position."""
    if head.size == 0:
        return True
    number, count = divmod(head.size - 1, WIDTH)
    count += 1
    name = TileName(0, number)
    tile, first = (await tree.tiles([name])).get(name), await tree.first(number)
    if tile is None or first is None:
        return False
    notices, leaves = await store.leaves(first - 1, count), LeafReader(store)
    expected = [await leaves.of(notice) for notice in notices]
    return expected == hashes(tile)[:count] and notices[-1].position == head.position
