"""What a campaign tries beyond the samples of the suite: `python3 dev.py test --campaign`."""

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(values: Iterable[Any], *kept: Any) -> list[Any]:
    """Parameters of a test, of which the suite takes those that are kept, and a campaign the rest.

    Raises:
        AssertionError: one to be kept is none of them.

    """
    parameters = list(values)
    assert all(value in parameters for value in kept), kept
    return [
        value if value in kept else pytest.param(value, marks=pytest.mark.campaign)
        for value in parameters
    ]
