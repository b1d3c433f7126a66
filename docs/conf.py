"""The site: Sphinx reads the pages with MyST; `python dev.py docs` builds it."""

import re
from pathlib import Path

from sphinx.application import Sphinx

DOCS = Path(__file__).parent
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s#:]+)(?:#[^)\s]*)?\)")

project = html_title = "phaseledger"
extensions = ["myst_parser", "sphinx_copybutton"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
nitpicky = True
html_theme = "furo"
html_use_index = html_copy_source = html_show_sphinx = html_show_copyright = False

pages: dict[str, str] = {}
"""The text of each page as Sphinx reads it, by its name."""


def read(_app: Sphinx, name: str, source: list[str]) -> None:
    """Take the links to what only a checkout has out of a page, and keep its text."""
    folder = (DOCS / name).parent

    def linked(link: re.Match[str]) -> str:
        return link[0] if (folder / link[2]).resolve().is_relative_to(DOCS) else link[1]

    source[0] = pages[name] = LINK.sub(linked, source[0])


def write(app: Sphinx, failure: Exception | None) -> None:
    """Put each page's text beside it."""
    for name, text in pages.items() if failure is None else ():
        (Path(app.outdir) / f"{name}.md").write_text(text)


def setup(app: Sphinx) -> None:
    """Connect both to the build."""
    app.connect("source-read", read)
    app.connect("build-finished", write)
