"""A language of longer words in brackets: what stands outside of them is not translated.

It takes the place of German, in the tables of the pages and of the service alike.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser

from phaseledger.replay.viewer.worker import WorkOrder, work
from phaseledger.service.replays import reading
from phaseledger.service.web import assets
from tests.support.campaigns import sampled
from tests.support.languages import lengthened, pseudo_german
from tests.support.screens import FILES, PLAY, TEXT, Screen, Site, fresh_page
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving

pytestmark = pytest.mark.system

STUBBED = {"lobby limited", "refused"}
"""Screens whose refusal the test itself makes up."""
SCREENS: Mapping[str, Screen] = {
    **{name: screen for name, screen in PLAY.items() if name not in STUBBED},
    **{name: FILES[name] for name in ("record judged", "open disputed")},
    **{path: screen for path, screen in TEXT.items() if path.startswith("/problems")},
}
OUTSIDE = r"""() => {
  const bare = (text) => {
    for (let before = ""; before !== text;) text = (before = text).replace(/⟦[^⟦⟧]*⟧/g, "");
    return /\p{L}{3}/u.test(text) ? text.trim() : "";
  };
  const own = "script, style, noscript, code, kbd, bdi, .brand, [lang]:not(html), .what b, .who";
  const wrong = [];
  const texts = new Map();  // by the block that they stand in: a code within splits a text
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const parent = node.parentElement;
    if (parent.closest(own) || !parent.checkVisibility()) continue;
    let block = parent;
    while (getComputedStyle(block).display === "inline") block = block.parentElement;
    texts.set(block, (texts.get(block) ?? "") + node.data);
  }
  wrong.push(...[...texts.values()].filter(bare));
  for (const element of document.querySelectorAll("[aria-label], [title], [aria-valuetext]")) {
    if (element.closest(own) || !element.checkVisibility()) continue;
    for (const name of ["aria-label", "title", "aria-valuetext"]) {
      const text = element.getAttribute(name) ?? "";
      if (bare(text) && !element.querySelector("bdi")) wrong.push(`${name}: ${text}`);
    }
  }
  return [...new Set(wrong)];
}"""
CUT = """() => {
  const wide = document.documentElement;
  const cut = [...document.querySelectorAll("main *")].filter((element) => {
    const { overflowX, textOverflow, display } = getComputedStyle(element);
    return display !== "inline" && element.checkVisibility() && element.clientWidth > 1
      && (element.matches("button, .button") || overflowX === "hidden")
      && textOverflow !== "ellipsis" && element.scrollWidth > element.clientWidth + 1
      && !element.matches(".card, .card *, svg, svg *, .fanned *");
  });
  return [
    ...(wide.scrollWidth > wide.clientWidth ? [`the page: ${wide.scrollWidth}`] : []),
    ...cut.map((element) => `${element.tagName}.${element.className}: ${element.textContent}`),
  ];
}"""


@pytest.fixture(scope="module")
def _longer() -> Iterator[None]:
    """English with longer words for German."""
    with pytest.MonkeyPatch.context() as patch, pseudo_german(lengthened):
        patch.setattr(reading, "run_confined", work_here)
        for made in CACHED:
            made.cache_clear()
        yield
    for made in CACHED:
        made.cache_clear()


CACHED = (
    *(assets.program, assets.words, assets.shell),
    *(assets.later, assets.offline, assets._offline_parts),
)


SAMPLE = (
    *("lobby", "new", "waiting room", "classic", "board", "round end", "over"),
    *("record judged", "/problems/must_draw"),
)
"""Screens that have most of the words."""


async def work_here(_: object, given: bytes) -> bytes:
    """Read a file in this process, which has the tables; a process of its own has German."""
    order, _, content = given.partition(b"\n")
    report, document = work(msgspec.json.decode(order, type=WorkOrder), content)
    return msgspec.json.encode(report) + b"\n" + document


@pytest.fixture(scope="module")
def url(_longer: None) -> Iterator[str]:
    with serving(in_memory()) as served:
        yield served.url


@pytest.mark.parametrize("name", sampled(sorted(SCREENS), *SAMPLE))
def test_nothing_is_untranslated_or_cut(
    browser: Browser, url: str, tmp_path: Path, name: str
) -> None:
    with fresh_page(browser, "de-DE", has_axe=False) as page:
        SCREENS[name].show(page, Site(url, tmp_path))
        assert "⟦" in page.inner_text("main")
        assert page.evaluate(OUTSIDE) == []
        for width in SCREENS[name].widths:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(CUT) == [], width
