"""Every page of text: no violation that axe knows, and nothing scrolls sideways.

At four widths, light, dark and in forced colours. Where a page is long and has what another one
has, one width and scheme are enough.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page

from phaseledger.replay.report.page import page as study_page
from phaseledger.replay.verify.verifier_page import verifier_page
from phaseledger.service.components import in_memory
from tests.support.browser import chromium
from tests.support.replay.bundle_lines import made
from tests.support.replay.bundle_variety import bundle
from tests.support.replay.html_outline import report
from tests.support.replay.log_edits import encode, rechained
from tests.support.replay.operator_games import Plan, bundled
from tests.support.replay.report_games import games, studied
from tests.support.screens import fresh_page, violations
from tests.support.service.server import serving

SHORT = Plan("classic", 3, "report", {"variant": "n_phases(1)"}, ("greedy",), (0,), (1,))
SERVED = ("/docs", "/docs/joins", "/problems", "/problems/must_draw")
LONG = ("/docs/games", "/docs/schemas")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    with serving(in_memory()) as served:
        yield served.url


@pytest.mark.parametrize("path", SERVED)
def test_pages_of_the_service(browser: Browser, origin: str, path: str) -> None:
    with fresh_page(browser) as page:
        page.goto(f"{origin}{path}")
        assert violations(page) == {}


@pytest.mark.parametrize("path", LONG)
def test_long_pages_of_the_service(browser: Browser, origin: str, path: str) -> None:
    with fresh_page(browser) as page:
        page.goto(f"{origin}{path}")
        assert violations(page, widths=(320,), schemes=("light",)) == {}


def wrong() -> str:
    """A report with findings, a comparison and a timeline of which a part is open."""
    trees = [msgspec.json.decode(event) for event in made(SHORT).stored]
    ended = next(tree for tree in trees if tree["type"] == "RoundEnded/1")
    ended["data"]["results"][0]["points"] += 25
    return report(bundled([encode(tree) for tree in rechained(trees)]))


REPORTS: dict[str, Callable[[], str]] = {
    "sound": lambda: report(made(SHORT).lines),
    "wrong": wrong,
    "study": lambda: study_page(studied(*games("classic", 2)), ["games.ndjson"]),
}


@pytest.mark.parametrize("kind", REPORTS)
def test_reports(browser: Browser, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "report.html"
    file.write_text(REPORTS[kind](), encoding="utf-8")
    with fresh_page(browser) as page:
        page.goto(file.as_uri())
        assert violations(page) == {}


def untouched(page: Page) -> None:
    page.click("summary")


def judged(page: Page) -> None:
    assert "SOUND" in judge(page, bundle("small"))


def refuted(page: Page) -> None:
    assert judge(page, bundle("small").replace(b'"seats":2', b'"seats":3', 1)) != ""


def judge(page: Page, content: bytes) -> str:
    """The page's headline after the file was chosen."""
    page.set_input_files("#file", {"name": "a", "mimeType": "text/plain", "buffer": content})
    page.wait_for_selector("#result:not([hidden])")
    return page.inner_text("#verdict")


@pytest.mark.parametrize("show", [untouched, judged, refuted])
def test_the_verifier(browser: Browser, tmp_path: Path, show: Callable[[Page], None]) -> None:
    file = tmp_path / "verifier.html"
    file.write_bytes(verifier_page())
    with fresh_page(browser) as page:
        page.goto(file.as_uri())
        show(page)
        assert violations(page) == {}
