"""The files that tests of the command line read, and the browser for the page."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from phaseledger.replay.laboratory.simulate import output
from tests.support.browser import Verifier, opened
from tests.support.replay.processes import BOTH, GOOD, WIDTH, is_setting


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands in this process have the surroundings of those in processes of their own."""
    for name in filter(is_setting, [*os.environ]):
        monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", WIDTH)


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


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Parquet file for every few games, and a mark in the journal after every game."""
    monkeypatch.setattr(output, "_PART_ROWS", 250)
    monkeypatch.setattr(output, "SAVE_EVERY", 0.0)


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Verifier]:
    """The page, which at the end must have asked for nothing."""
    with opened(browser) as verifier:
        yield verifier
