"""Exports of a game: its records as stored, as a viewer may see them, or as a bundle."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence.codec import decode, new_chain, redact
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.bundle.writer import TooLong, bundle_lines
from phaseledger.replay.formats.records.findings import SourceRow
from phaseledger.replay.formats.records.source import DamagedSource
from phaseledger.replay.formats.signing import keys
from phaseledger.replay.terminal import UsageError
from phaseledger.replay.text import Viewer


def exported_lines(rows: Sequence[SourceRow], viewer: Viewer) -> Iterator[bytes]:
    """The lines of one game's export, without line ends; see `domain.evidence.codec.redact`.

    Raises:
        DamagedSource: the rows are only a view of a game, parts of which are sealed; or the sealed
            form is asked for, but the rows have no valid opening to seal with.

    """
    _refuse_view(rows)
    if viewer == "all":
        yield from (row.stored for row in rows)
        return
    try:
        key = _seal_key(rows[0])
        for row in rows:
            yield redact(row.stored, key, viewer, opened=is_over(rows))
    except (KeyError, ValueError, RecursionError) as error:
        raise DamagedSource(f"Game {rows[0].game} cannot be sealed; audit it: {error}") from None


def _refuse_view(rows: Sequence[SourceRow]) -> None:
    if any(row.flaw and row.flaw.code == "sealed" for row in rows):
        raise DamagedSource(
            f"Game {rows[0].game} goes on, and this is a view of it: what is sealed there cannot "
            "be exported. Keep the file as it is: `phaseledger verify` and `replay` read it."
        )


def bundled_lines(
    rows: Sequence[SourceRow], viewer: int | None, folder: Path | None
) -> list[bytes]:
    """The lines of one game's bundle, with receipts if there is a folder of keys to sign with.

    Raises:
        Damaged: the rows are no game from its opening on, or to be signed but not sound.
        UsageError: the keys cannot be used, or a game that is over has no seat's view.

    """
    if viewer is not None and is_over(rows):
        raise UsageError(
            "The game is over, so its bundle shows everything to everybody: leave --seat out."
        )
    _refuse_view(rows)
    for row in rows:
        if row.flaw:
            raise DamagedSource(
                f"Game {row.game} cannot be bundled; audit it: {row.flaw.recorded}."
            )
    try:
        signer = keys.load(folder).current if folder else None
    except keys.KeysError as error:
        raise UsageError(str(error)) from None
    if signer and not all(verdict.sound for verdict in audit(rows)):
        raise DamagedSource(
            f"Game {rows[0].game} is not sound, so no receipt is signed for it: `phaseledger "
            "audit` says what is wrong with it. Without keys it can be bundled all the same."
        )
    try:
        return list(bundle_lines([row.stored for row in rows], viewer=viewer, signer=signer))
    except TooLong as error:
        raise DamagedSource(f"Game {rows[0].game} cannot be bundled: {error}.") from None
    except (AssertionError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise DamagedSource(f"Game {rows[0].game} cannot be bundled; audit it: {error!r}") from None


def require_seat(rows: Sequence[SourceRow], viewer: Viewer) -> None:
    """Check that the table has the viewer's seat; raises UsageError."""
    try:
        _, opening = decode(rows[0].topic, rows[0].stored)
    except (KeyError, ValueError, RecursionError):
        return  # whatever needs the opening reports it
    if isinstance(viewer, int) and isinstance(opening, GameOpened) and viewer >= opening.seats:
        last = opening.seats - 1
        raise UsageError(f"The game has seats 0 to {last}; there is no seat {viewer}.")


def _seal_key(row: SourceRow) -> bytes:
    _, opening = decode(row.topic, row.stored)
    if isinstance(opening, GameOpened):
        return new_chain(opening).key
    raise DamagedSource(f"Game {row.game} cannot be sealed: its opening is missing.")


def is_over(rows: Sequence[SourceRow]) -> bool:
    """Whether the last row ends the game, so that nothing is hidden any more."""
    return rows[-1].topic.startswith(("GameEnded/", "GameVoided/"))
