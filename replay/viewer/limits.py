"""The limits of a viewer's document, and the reasons why a file has none."""

from collections.abc import Iterable, Iterator
from time import monotonic
from typing import ClassVar, TypeVar

from msgspec import Struct

from phaseledger.domain.words import Amount, Phrase
from phaseledger.replay.formats.records.source import SourceError
from phaseledger.replay.terminal import DAMAGED, USAGE

T = TypeVar("T")


class ViewerLimits(Struct, frozen=True):
    """The size of a game that is shown, and the time that the work on it may take."""

    events: int = 10_000
    """The longest of 10,000 simulated games has 5,600."""
    seconds: float = 60.0
    bytes: int = 32 << 20


class UnviewableGame(SourceError):
    """The file cannot be shown at all; the message is a sentence for people."""

    exit_code: ClassVar[int] = DAMAGED


class NotAGame(UnviewableGame):
    """The file is neither an export nor a bundle."""


class OtherVersion(UnviewableGame):
    """The file is of a version that this release does not read."""


class NothingGood(UnviewableGame):
    """The file is so damaged that not even its first event can be shown."""


class TooMuch(UnviewableGame):
    """The file, the game in it or the work on it is too large."""


class HiddenCards(UnviewableGame):
    """The game is not over, and the requested view has hidden cards in it."""

    exit_code: ClassVar[int] = USAGE


class WorkBudget:
    """The events and the time that may be spent on one document."""

    def __init__(self, limits: ViewerLimits) -> None:
        self._limits = limits
        self._end = monotonic() + limits.seconds

    def require_bytes(self, count: int) -> None:
        """Require that a file is not too large to read; raises TooMuch."""
        if count > self._limits.bytes:
            raise TooMuch(
                Phrase("evidence.file.bytes", count=Amount(round(self._limits.bytes / (1 << 20))))
            )

    def require_events(self, count: int) -> None:
        """Require that a game has not too many events to show; raises TooMuch."""
        if count > self._limits.events:
            raise TooMuch(Phrase("evidence.file.events", count=Amount(self._limits.events)))

    def require_time(self) -> None:
        """Require that there is time left; raises TooMuch."""
        if monotonic() > self._end:
            raise TooMuch(
                Phrase("evidence.file.seconds", count=Amount(round(self._limits.seconds)))
            )

    def counted(self, items: Iterable[T]) -> Iterator[T]:
        """Pass the items on, within the limits of time and of events of one game.

        Raises:
            TooMuch: there are more, or the time is over.

        """
        for number, item in enumerate(items, 1):
            self.require_events(number)
            self.require_time()
            yield item
