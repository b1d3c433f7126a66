"""The viewer under odd documents, at every width, and within its budgets."""

import base64
import gzip
import re
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Error

from phaseledger.replay.web.joiner import STYLES, WEB, offline_page, script, styles
from tests.support.campaigns import sampled
from tests.support.replay.golden_steps import golden_steps
from tests.support.replay.viewer_pages import opened, viewing
from tests.support.replay.viewer_samples import FINDINGS, document, packed

GAME = "classic-4"
WIDTHS = (320, 390, 768, 1280)


# --- what goes wrong ------------------------------------------------------------------------------

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "\u202eevil\u202c </script><script>alert(1)</script>",
    "\ufdfd" * 40,
    "'\"&amp;{{script}}${alert(1)}",
)


def test_a_hostile_name_is_only_a_name(browser: Browser, tmp_path: Path) -> None:
    """Nothing of it runs or loads, and the page is no wider for it."""
    plain = document(GAME)
    data = msgspec.json.encode(plain)
    old = [seat["name"] for seat in plain["seats"]]
    names = dict(zip(old, HOSTILE, strict=True))

    def renamed(text: str) -> str:
        for name, hostile in names.items():
            text = text.replace(name, msgspec.json.encode(hostile).decode()[1:-1])
        return text

    def repacked(value: str) -> str:
        lines = gzip.decompress(base64.b64decode(value)).decode()
        return base64.b64encode(gzip.compress(renamed(lines).encode())).decode()

    hostile = msgspec.json.decode(renamed(data.decode()))
    hostile["frames"] = {chair: repacked(value) for chair, value in plain["frames"].items()}
    hostile["title"] = HOSTILE[0]
    for width in (320, 1280):
        size = {"width": width, "height": 800}
        with opened(browser, tmp_path, hostile, "#event=200", viewport=size) as viewer:
            viewer.page.wait_for_selector(".board")
            drawn = viewer.page.eval_on_selector_all(
                ".seat .name", "(all) => all.map((name) => name.textContent)"
            )
            assert set(drawn) == set(HOSTILE)
            assert viewer.page.evaluate("document.querySelectorAll('img').length") == 0
            wide = viewer.page.evaluate("document.documentElement.scrollWidth")
            assert wide == width


BROKEN: dict[str, tuple[Any, str]] = {
    "another version": ({"viewer": "p10-viewer/v9"}, "another version"),
    "no document": ({"game": 1}, "There is no game in this page"),
    "a list": ([], "There is no game in this page"),
    "nothing": (None, "There is no game in this page"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_no_document_is_named_in_a_sentence(
    browser: Browser, tmp_path: Path, case: str
) -> None:
    data, sentence = BROKEN[case]
    file = tmp_path / "game.html"
    file.write_text(offline_page(msgspec.json.encode(data), case))
    with viewing(browser, file) as viewer:
        assert sentence in viewer.page.inner_text("[role=alert]")


@pytest.mark.parametrize("spoilt", ["AAAA", "not base64!", "H4sIAAAAAAAA"])
def test_damaged_frames_are_named_in_a_sentence(
    browser: Browser, tmp_path: Path, spoilt: str
) -> None:
    data = document("express-3")
    data["frames"]["all"] = spoilt
    with opened(browser, tmp_path, data) as viewer:
        assert "cannot be read" in viewer.page.inner_text("[role=alert]")


def test_a_frame_that_fits_nowhere_is_named_in_a_sentence(browser: Browser, tmp_path: Path) -> None:
    data = document("express-3")
    lines = gzip.decompress(base64.b64decode(data["frames"]["all"])).split(b"\n")
    bad = msgspec.json.decode(lines[29])
    bad["patch"] = [{"op": "remove", "path": "/table/nothing/0"}]
    lines[29] = msgspec.json.encode(bad)
    data["frames"]["all"] = packed(b"\n".join(lines))
    with opened(browser, tmp_path, data, "#event=20") as viewer:
        viewer.page.wait_for_selector(".board")
        viewer.page.keyboard.press("End")
        viewer.page.wait_for_selector("[role=alert]")
        assert "cannot be read" in viewer.page.inner_text("[role=alert]")


def test_a_document_whose_text_was_cut_off_is_named_in_a_sentence(
    browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "game.html"
    whole = offline_page(msgspec.json.encode(document("express-3")), "cut")
    start = whole.index('id="document">') + 2000
    file.write_text(whole[:start] + whole[whole.index("</script>", start) :])
    with viewing(browser, file) as viewer:
        assert "cannot be read" in viewer.page.inner_text("[role=alert]")


def test_the_policy_lets_nothing_else_run(browser: Browser, tmp_path: Path) -> None:
    """A script or a style of somebody else in the file is refused, and nothing is loaded."""
    file = tmp_path / "game.html"
    page = offline_page(msgspec.json.encode(document("express-3")), "x")
    policy = re.search(r'content="(default-src [^"]*)"', page)
    assert policy
    assert "unsafe" not in policy[1]
    file.write_text(page.replace("</body>", "<script>window.ran = 1</script></body>"))
    window = browser.new_context()
    shown = window.new_page()
    complaints: list[str] = []
    shown.on("console", lambda message: complaints.append(message.text))
    shown.goto(file.as_uri())
    shown.wait_for_selector(".board")
    assert shown.evaluate("window.ran") is None
    assert len(complaints) == 1
    with pytest.raises(Error):
        shown.evaluate("fetch('http://127.0.0.1:9/')")
    window.close()


# --- how it looks ---------------------------------------------------------------------------------


SIX = ("classic-6", "standard-deck-5-complete-free", "board-6", "express-6")
"""Games of as many seats as there can be."""


@pytest.mark.parametrize("width", sampled(WIDTHS, WIDTHS[0]))
@pytest.mark.parametrize("name", sampled(SIX, "board-6"))
def test_no_page_scrolls_sideways(browser: Browser, tmp_path: Path, name: str, width: int) -> None:
    """With six seats, as every kind of viewer, with a finding above."""
    steps = golden_steps(name)
    data = document(name, findings=FINDINGS)
    size = {"width": width, "height": 568}
    with opened(browser, tmp_path, data, "#event=30", viewport=size) as viewer:
        for chair, seq in product(("all", "1", "spectator"), (60, len(steps) - 30)):
            viewer.seated(chair)
            viewer.go(seq)
            wide = viewer.page.evaluate("document.documentElement.scrollWidth")
            assert wide == width, (chair, seq)


# --- budgets --------------------------------------------------------------------------------------


def test_script_and_style_are_small() -> None:
    code = script(WEB / "viewer.js") + styles(*STYLES)
    assert len(gzip.compress(code.encode(), 9)) < 60_000


def test_a_file_of_a_long_game_is_small() -> None:
    steps = golden_steps("classic-6")
    page = offline_page(msgspec.json.encode(document("classic-6")), "long")
    assert len(steps) > 1000
    assert len(page.encode()) < 1_000_000
