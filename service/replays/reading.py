"""The viewer's document of an uploaded file."""

from collections.abc import Mapping
from typing import Final

import msgspec

from phaseledger.domain.words import Amount, Language, Phrase
from phaseledger.replay.formats.records.source import UnknownGame
from phaseledger.replay.terminal import UsageError
from phaseledger.replay.viewer.limits import (
    HiddenCards,
    NotAGame,
    NothingGood,
    OtherVersion,
    TooMuch,
    ViewerLimits,
)
from phaseledger.replay.viewer.worker import MODULE, WorkOrder, WorkReport
from phaseledger.service.refusals import Refusal
from phaseledger.service.replays import errors
from phaseledger.service.runtime.confined import ConfinedModule, OverLimit, run_confined
from phaseledger.service.runtime.work import spend

LARGEST_FILE: Final = 16 << 20
"""Bytes of a file as it is sent."""
LIMITS: Final = ViewerLimits()
MEMORY: Final = 512 << 20
"""Bytes of the address space of a process that reads a file; one of 9,900 events takes 90 MB."""
PATIENCE: Final = LIMITS.seconds + 15
"""Seconds by the clock after which a process that reads a file is ended, its start included."""

_REFUSALS: Mapping[str, type[Refusal]] = {
    HiddenCards.__name__: errors.GameNotOver,
    NotAGame.__name__: errors.FileIsNoGame,
    NothingGood.__name__: errors.FileIsDamaged,
    OtherVersion.__name__: errors.FileOfOtherVersion,
    TooMuch.__name__: errors.FileTooLong,
    UnknownGame.__name__: errors.GameNotInFile,
    UsageError.__name__: errors.SeveralGames,
}
"""The refusal of each of the reader's causes."""
_SILENT = (UsageError.__name__,)  # it speaks of the command line


async def read_replay(
    content: bytes,
    name: str,
    game: str | None,
    *,
    limits: ViewerLimits = LIMITS,
    memory: int = MEMORY,
    lang: Language = "en",
) -> bytes:
    """The document ``p10-viewer/v1`` of the file's content, as JSON.

    ``name`` is the file's, ``game`` the id or the place of one of several games in it. The
    processor time that it takes is work of the request in hand.

    Raises:
        UnshownFile: nothing of it can be shown.
        ConfinedFailure: there is a bug in the reader.

    """
    order = msgspec.json.encode(
        WorkOrder(name=name, game=game, limits=limits, memory=memory, lang=lang)
    )
    try:
        answer = await run_confined(ConfinedModule(MODULE, PATIENCE), order + b"\n" + content)
    except OverLimit:
        spend(limits.seconds)
        seconds = Amount(round(limits.seconds))
        raise errors.FileTooLong(Phrase("evidence.file.processor", count=seconds)) from None
    head, _, document = answer.partition(b"\n")
    report = msgspec.json.decode(head, type=WorkReport)
    spend(report.cpu)
    if report.cause:
        raise _REFUSALS[report.cause]("" if report.cause in _SILENT else report.text)
    return document
