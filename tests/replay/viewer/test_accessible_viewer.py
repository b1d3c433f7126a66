"""What axe says of the viewer in one file: nothing, at any width, in any scheme."""

from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser

from phaseledger.replay.viewer.page import offline_page
from tests.support.replay.viewer_samples import FINDINGS, document
from tests.support.screens import fresh_page, violations

SCREENS = {
    "the replay of a card game": ("express-4-n-phases", {}, "#event=200&seat=0"),
    "the replay of the standard deck": ("standard-deck-4-ten-rounds-free", {}, "#event=90"),
    "the replay of the board": ("board-4", {}, "#event=200&seat=spectator"),
    "the dispute": ("classic-3-twist", {"findings": FINDINGS}, ""),
    "a fault": ("express-3", {"viewer": "p10-viewer/v9"}, ""),
}


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing(browser: Browser, tmp_path: Path, screen: str) -> None:
    name, more, address = SCREENS[screen]
    file = tmp_path / "game.html"
    file.write_text(offline_page(msgspec.json.encode({**document(name), **more}), name))
    with fresh_page(browser) as page:
        page.goto(file.as_uri() + address)
        page.wait_for_selector(".board, [role=alert]")
        assert violations(page) == {}
