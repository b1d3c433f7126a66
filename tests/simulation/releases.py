"""Nodes of the release before, beside those of this one: they know neither a kind of event nor a
migration of the log that this release has.

A seat that leaves a game in play is what is new here; nothing else makes that event where no clock
hands a seat over for good.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from phaseledger.domain.events import SeatHandedOver
from phaseledger.domain.evidence import codec
from phaseledger.service.eventlog import migrations
from phaseledger.service.eventlog.reader import Reader
from tests.simulation.nodes import Unreachable
from tests.simulation.process import PROCESS
from tests.simulation.sometimes import Reached

NEW = codec.TOPICS[SeatHandedOver]


def _is_older() -> bool:
    process = PROCESS.get()
    return process is not None and process.is_older


class _Decoders(dict[str, Any]):
    """The decoders of events, by topic."""

    def get(self, topic: str, default: Any = None) -> Any:
        return None if topic == NEW and _is_older() else super().get(topic, default)

    def __getitem__(self, topic: str) -> Any:
        if topic == NEW and _is_older():
            raise KeyError(topic)
        return super().__getitem__(topic)


class _Topics(dict[type, str]):
    """The topics of events: a node that has none for one does not know the command."""

    def __getitem__(self, kind: type) -> str:
        if kind is SeatHandedOver and _is_older():
            raise Unreachable("a node of the release before does not know the command")
        return super().__getitem__(kind)


class _Log(tuple[migrations.Migration, ...]):
    """The migrations of the log."""

    def __getitem__(self, index: Any) -> Any:
        return ("log/1", "") if _is_older() else super().__getitem__(index)


@contextmanager
def two_releases(reached: Reached) -> Iterator[None]:
    """Let each process know what its release knows."""
    ask = Reader.is_ahead

    async def is_ahead(reader: Reader) -> bool:
        if is_older := await ask(reader):
            reached.note("an older node left a game to newer ones")
        return is_older

    with ExitStack() as stack:
        for name in ("_DECODERS", "_EVENT_DECODERS"):
            decoders = _Decoders(getattr(codec, name))
            stack.enter_context(patch.object(codec, name, decoders))
        stack.enter_context(patch.object(codec, "TOPICS", _Topics(codec.TOPICS)))
        stack.enter_context(patch.object(migrations, "LOG", _Log(migrations.LOG)))
        stack.enter_context(patch.object(Reader, "is_ahead", is_ahead))
        yield
