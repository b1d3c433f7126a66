"""A language of longer words in brackets: what stands outside of them is not translated.

It takes the place of German, in the tables of the pages and of the service alike.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from phaseledger.domain.explain.languages import MESSAGES
from phaseledger.replay.viewer.page import WEB
from phaseledger.service.api.problems.texts import TEXTS
from phaseledger.service.components import in_memory
from phaseledger.service.web import assets
from tests.support.languages import lengthened
from tests.support.screens import PLAY, Site, fresh_page
from tests.support.service.server import serving

STUBBED = {"lobby limited", "refused"}
"""Screens whose refusal the test itself makes up."""
WORD = re.compile(r'(?m)^(  "[^"]+": )("(?:[^"\\]|\\.)*"),$')
OUTSIDE = r"""() => {
  const bare = (text) => {
    for (let before = ""; before !== text;) text = (before = text).replace(/⟦[^⟦⟧]*⟧/g, "");
    return /\p{L}{3}/u.test(text) ? text.trim() : "";
  };
  const own = "script, style, noscript, code, kbd, bdi, .brand, [lang]:not(html), .what b, .who";
  const wrong = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const parent = node.parentElement;
    if (!parent.closest(own) && parent.checkVisibility() && bare(node.data)) wrong.push(node.data);
  }
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
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The pages with longer words for German, and the service with longer messages."""
    root = tmp_path_factory.mktemp("pages")
    with pytest.MonkeyPatch.context() as patch:
        for name, source in (("WEB", WEB), ("FOLDER", assets.FOLDER)):
            copy = root.joinpath(*source.parts[-3 if name == "WEB" else -2 :])
            shutil.copytree(source, copy)
            english = (source / "words" / "en.js").read_text("utf-8")
            longer = WORD.sub(lambda match: f"{match[1]}{lengthened(match[2])},", english)
            words = copy / "words" / "de.js"
            words.write_text(longer.replace("export const en =", "export const de ="), "utf-8")
            patch.setattr(assets, name, copy)
        messages = {**MESSAGES["de"], **MESSAGES["en"]}
        longer_messages = {key: lengthened(text) for key, text in messages.items()}
        patch.setitem(MESSAGES, "de", longer_messages)  # type: ignore[arg-type]
        longer_texts = {
            code: text._replace(title=lengthened(text.title)) for code, text in TEXTS["de"].items()
        }
        patch.setitem(TEXTS, "de", longer_texts)  # type: ignore[arg-type]
        cached = (assets.program, assets.words, assets.shell, assets.style)
        for made in cached:
            made.cache_clear()
        yield root
    for made in cached:
        made.cache_clear()


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with serving(in_memory()) as served:
        yield served.url


@pytest.mark.parametrize("name", sorted(PLAY.keys() - STUBBED))
def test_nothing_is_untranslated_or_cut(
    browser: Browser, url: str, tmp_path: Path, name: str
) -> None:
    with fresh_page(browser, "de-DE", has_axe=False) as page:
        PLAY[name].show(page, Site(url, tmp_path))
        assert "⟦" in page.inner_text("main")
        assert page.evaluate(OUTSIDE) == []
        for width in PLAY[name].widths:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(CUT) == [], width
