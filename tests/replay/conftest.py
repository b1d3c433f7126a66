"""The files that tests of the command line read."""

from pathlib import Path

import pytest

from tests.replay.processes import BOTH, GOOD


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.ndjson"
    path.write_bytes(GOOD)
    return path


@pytest.fixture
def both(tmp_path: Path) -> Path:
    path = tmp_path / "both.ndjson"
    path.write_bytes(BOTH)
    return path
