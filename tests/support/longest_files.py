"""Files of tests by how long they take: a long one would keep its worker when others are done."""

from collections.abc import Sequence
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
LISTED = TESTS / "longest_files.txt"
"""Those of four seconds and more, the longest first, summed up from `pytest --durations=0 -vv`."""


def longest_first(tests: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The tests of the files that take longest, and then all others as they are."""
    places = {TESTS / name: place for place, name in enumerate(LISTED.read_text().split())}
    return sorted(tests, key=lambda test: places.get(test.path, len(places)))
