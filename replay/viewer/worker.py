"""The program that makes the document of a stranger's file, in a process of its own (`python -m`).

A `WorkOrder` and the file come on standard input, a `WorkReport` and the document go out on
standard output, each of the first two a line of JSON. Under any file, the process takes no more
memory and processor time than the order says, at a low priority.
"""

import os
import resource
import sys
import time
from typing import Final

import msgspec
from msgspec import Struct

from phaseledger.domain.words import Language, reason_of, spoken
from phaseledger.replay.formats.records.source import UnknownGame
from phaseledger.replay.terminal import UsageError
from phaseledger.replay.viewer.document import viewer_document
from phaseledger.replay.viewer.limits import (
    HiddenCards,
    NotAGame,
    NothingGood,
    OtherVersion,
    TooMuch,
    ViewerLimits,
)

MODULE: Final = "phaseledger.replay.viewer.worker"
CAUSES: Final = (
    *(HiddenCards, NotAGame, NothingGood, OtherVersion, TooMuch),
    *(UnknownGame, UsageError),
)
"""The reasons for no document."""
_NICENESS = 10


class WorkOrder(Struct, frozen=True):
    """The requested document, and the limits of the work."""

    name: str
    game: str | None
    limits: ViewerLimits
    memory: int
    """Bytes of address space."""
    lang: Language = "en"
    """The language of a reason why nothing can be shown."""


class WorkReport(Struct, frozen=True, omit_defaults=True):
    """The outcome of the worker process: without a ``cause`` the document follows."""

    cpu: float
    """Seconds of processor time, including the start."""
    cause: str = ""
    """The name of one of `CAUSES`."""
    text: str = ""
    """The cause's sentence for people."""


def confine(memory: int, seconds: float) -> None:
    """Limit this process for good, as far as the system can."""
    os.nice(_NICENESS)
    _lower(resource.RLIMIT_AS, memory)
    _lower(resource.RLIMIT_CPU, int(seconds) + 1)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    try:
        resource.setrlimit(kind, (most, most))
    except (OSError, ValueError):
        if sys.platform == "linux":
            raise  # other systems do not limit address space


def work(order: WorkOrder, content: bytes) -> tuple[WorkReport, bytes]:
    """The report and the document; without a document, no bytes."""
    cause, text, document = "", "", b""
    try:
        made = viewer_document(content, order.name, game=order.game, limits=order.limits)
        document = msgspec.json.encode(made)
    except CAUSES as error:
        cause, text = type(error).__name__, spoken(reason_of(error), order.lang)
    return WorkReport(time.process_time(), cause, text), document


def main() -> None:
    """Do the work that standard input orders."""
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=WorkOrder)
    confine(order.memory, order.limits.seconds)
    try:
        report, document = work(order, sys.stdin.buffer.read())
    except MemoryError:
        text = "Reading the game took more memory than is spent on one."
        report, document = WorkReport(time.process_time(), TooMuch.__name__, text), b""
    sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n" + document)


if __name__ == "__main__":
    main()
