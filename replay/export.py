"""A game's records for somebody else's eyes: as stored, as a viewer may see them, as a bundle."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from domain.codec import decode_event as decoded
from domain.codec import new_chain, redact
from domain.events import GameOpened
from replay import keys
from replay.bundling import bundle_lines
from replay.findings import Row
from replay.source import Damaged
from replay.terminal import UsageError
from replay.transcript import Viewer


def exported(rows: Sequence[Row], viewer: Viewer) -> Iterator[bytes]:
    """The lines of one game's export, without line ends; see `domain.codec.redact`.

    Raises:
        Damaged: the sealed form is asked for, and there is nothing to seal with.

    """
    if viewer == "all":
        yield from (row.stored for row in rows)
        return
    try:
        key = _seal_key(rows[0])
        for row in rows:
            yield redact(row.stored, key, viewer, opened=is_over(rows))
    except (KeyError, ValueError, RecursionError) as damage:
        raise Damaged(f"Game {rows[0].game} cannot be sealed; audit it: {damage}") from None


def bundled(rows: Sequence[Row], viewer: int | None, folder: Path | None) -> list[bytes]:
    """The lines of one game's bundle, with receipts if there is a folder of keys to sign with.

    Raises:
        Damaged: the rows are no whole beginning of a game.
        UsageError: the keys cannot be used.

    """
    for row in rows:
        if row.flaw:
            raise Damaged(f"Game {row.game} cannot be bundled; audit it: {row.flaw.recorded}.")
    try:
        signer = keys.load(folder).current if folder else None
    except keys.KeysError as error:
        raise UsageError(str(error)) from None
    try:
        return list(bundle_lines([row.stored for row in rows], viewer=viewer, signer=signer))
    except (AssertionError, LookupError, TypeError, ValueError, RecursionError) as damage:
        raise Damaged(f"Game {rows[0].game} cannot be bundled; audit it: {damage!r}") from None


def _seal_key(first: Row) -> bytes:
    opened = decoded(first.topic, first.stored)
    if isinstance(opened, GameOpened):
        return new_chain(opened).key
    raise Damaged(f"Game {first.game} cannot be sealed: its opening is missing.")


def is_over(rows: Sequence[Row]) -> bool:
    """Whether the last row ends the game, so that nothing is hidden any more."""
    return rows[-1].topic.startswith(("GameEnded/", "GameVoided/"))
