"""Random numbers for tests: the same by the same seed and counter."""

from collections.abc import Callable
from functools import partial
from itertools import chain

from phaseledger.domain.bots import chance
from phaseledger.domain.deal import uniform_below

Pick = Callable[[int], int]
"""A bound to a random number below it, from 0."""


def chooser(seed: bytes, counter: int) -> Pick:
    """The random numbers of one decision."""
    return partial(uniform_below, chain.from_iterable(chance(seed, counter)))
