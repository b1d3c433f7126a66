"""Every screen of the product: no violation that axe knows, no word missing, nothing sideways.

Axe is asked at the narrowest width, where most is folded away, light, dark and in forced colours;
at all widths and in all languages by `benchmarks/browsers.py axe`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from phaseledger.domain.words import texts
from tests.support.screens import SCREENS, Site, fresh_page, sideways, violations
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving

pytestmark = pytest.mark.system  # a browser looks at each screen in up to three ways


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    with serving(in_memory()) as served:
        yield served.url


def unworded(page: Page) -> set[str]:
    """The keys of messages that the page shows for want of the message."""
    shown = set(re.findall(r"\b[a-z_]+(?:\.[a-z_]+)+\b", page.inner_text("body")))
    return shown & texts("en", "viewer.", "play.", "analysis.").keys()


@pytest.mark.parametrize("name", SCREENS)
def test_every_screen(browser: Browser, origin: str, tmp_path: Path, name: str) -> None:
    screen = SCREENS[name]
    with fresh_page(browser) as page:
        screen.show(page, Site(origin, tmp_path))
        assert unworded(page) == set()
        assert sideways(page, screen.widths) == {}
        assert violations(page, screen.widths[:1], screen.schemes) == {}
