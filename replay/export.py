"""A game's records for somebody else's eyes: as stored, or in the form that a viewer may see."""

from collections.abc import Iterator, Sequence

from domain.codec import decode_event as decoded
from domain.codec import new_chain, redact
from domain.events import GameOpened
from replay.findings import Row
from replay.source import Damaged
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


def _seal_key(first: Row) -> bytes:
    opened = decoded(first.topic, first.stored)
    if isinstance(opened, GameOpened):
        return new_chain(opened).key
    raise Damaged(f"Game {first.game} cannot be sealed: its opening is missing.")


def is_over(rows: Sequence[Row]) -> bool:
    """Whether the last row ends the game, so that nothing is hidden any more."""
    return rows[-1].topic.startswith(("GameEnded/", "GameVoided/"))
