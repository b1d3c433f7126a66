"""Samples that the plain suite takes; the other values are left to a later tier."""

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(values: Iterable[Any], *kept: Any, rest: str = "campaign") -> list[Any]:
    """Parameters of a test: those to be kept as they are, the rest marked for another tier.

    Raises:
        AssertionError: one to be kept is none of them.

    """
    parameters = list(values)
    assert all(value in parameters for value in kept), kept
    return [
        value if value in kept else pytest.param(value, marks=getattr(pytest.mark, rest))
        for value in parameters
    ]
