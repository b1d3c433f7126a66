"""Screens of the product in a browser, whoever serves them, and what axe says of one.

A part of the product adds its screens to a table of `Screen`s and hands it to `violations`; see
tests/contract/test_accessible_pages.py.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

from playwright.sync_api import Browser, Page

from tests.support.browser import PATIENCE
from tests.support.node import node_modules

WIDTHS = (320, 390, 768, 1280)
Scheme = Literal["light", "dark", "forced"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark", "forced")
_RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
  (v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 5).join(", ")}`)"""
_TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Screen(NamedTuple):
    """A screen: its name, and what brings a fresh page of a browser to it."""

    name: str
    show: Callable[[Page], object]


@contextmanager
def fresh_page(browser: Browser) -> Iterator[Page]:
    """A page in a context of its own, with axe at hand in whatever it opens."""
    context = browser.new_context(viewport={"width": WIDTHS[-1], "height": 800})
    context.set_default_timeout(PATIENCE)
    context.add_init_script(path=node_modules() / "axe-core" / "axe.min.js")
    try:
        yield context.new_page()
    finally:
        context.close()  # or its stream holds the service up


def violations(
    page: Page, widths: Sequence[int] = WIDTHS, schemes: Sequence[Scheme] = SCHEMES
) -> dict[str, Any]:
    """What axe finds, and how far the page scrolls sideways, at each width and in each scheme."""
    wrong: dict[str, Any] = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        if (too_wide := page.evaluate(_TOO_WIDE)) > 0:
            wrong[f"{width} sideways"] = too_wide
        for scheme in schemes:
            page.emulate_media(
                color_scheme="dark" if scheme == "dark" else "light",
                forced_colors="active" if scheme == "forced" else "none",
                reduced_motion="reduce",
            )
            if broken := page.evaluate(_RUN):
                wrong[f"{width} {scheme}"] = broken
    return wrong
