"""Chance that follows from a seed: the same draws in every process and on every machine."""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1


class Chance:
    """A stream of numbers (SplitMix64) that its labels alone determine.

    Each part of a simulation has a stream of its own, so that what one of them draws more does not
    change what the others get.
    """

    __slots__ = ("_labels", "_state")

    def __init__(self, *labels: object) -> None:
        self._labels = labels
        digest = sha256(repr(labels).encode()).digest()
        self._state = int.from_bytes(digest[:8], "big")

    def fork(self, *labels: object) -> "Chance":
        """The stream of a part."""
        return Chance(*self._labels, *labels)

    def word(self) -> int:
        """The next 64 bits."""
        self._state = state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        state = (state ^ state >> 27) * 0x94D049BB133111EB & _MASK
        return state ^ state >> 31

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound``, excluded."""
        return self.word() * bound >> 64

    def unit(self) -> float:
        """A number from 0 to 1, excluded."""
        return (self.word() >> 11) / (1 << 53)

    def between(self, low: float, high: float) -> float:
        """A number in that range."""
        return low + (high - low) * self.unit()

    def happens(self, probability: float) -> bool:
        """Whether something of that probability happens; what never does costs no draw."""
        return probability > 0.0 and self.unit() < probability

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def bytes(self, count: int) -> bytes:
        """So many bytes."""
        words = b"".join(self.word().to_bytes(8, "big") for _ in range(-(-count // 8)))
        return words[:count]
