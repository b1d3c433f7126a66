"""The order of the files of tests: a long one would keep its worker when others are done, and
where all workers wait for servers the processor stands still.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
LISTED = TESTS / "longest_files.txt"
"""Those of eight seconds and more, by `pytest --durations=0 -vv`: what computes and what waits for
servers by turns, each with the longest first.
"""


def longest_first(tests: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The tests of the files that take longest, and then all others.

    These are by the names of their files: that mixes what computes with what waits.
    """
    places = {TESTS / name: place for place, name in enumerate(LISTED.read_text().split())}
    return sorted(tests, key=lambda test: (places.get(test.path, len(places)), test.path.name))
