"""The pages for people: short where they should be, and every link leads somewhere."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "benchmarks" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


def anchors(text: str) -> set[str]:
    """The places that a page has by its headings, as Markdown hosts name them."""
    headings = re.findall(
        r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE
    )
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings
    }


def broken_links(page: Path) -> Iterator[str]:
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        if not file.exists() or (anchor and anchor not in anchors(file.read_text())):
            yield target


def test_every_link_leads_somewhere() -> None:
    assert [(page, target) for page in PAGES for target in broken_links(page)] == []


CODE = re.compile(r"(?s:```.*?```|<!--.*?-->)|^ {4}.*$|^\|.*$", re.MULTILINE)
LONGEST = 120
"""Words of a paragraph that is read in one go."""


def paragraphs(page: Path) -> list[list[str]]:
    """The words of each paragraph; a table, a list item and code are none."""
    text = re.sub(r"^\s*([-*]|\d+\.) ", "\n\n", CODE.sub("", page.read_text()), flags=re.MULTILINE)
    return [part.split() for part in re.split(r"\n\s*\n", text) if part.split()]


def test_a_page_says_at_once_for_whom_it_is() -> None:
    """In its first paragraph, which begins with the reader."""
    openings = {page: paragraphs(page)[1][0] for page in PAGES if "docs" in page.parts}
    assert {page: word for page, word in openings.items() if word != "For"} == {}


def test_no_paragraph_is_long() -> None:
    pages = [page for page in PAGES if "benchmarks" not in page.parts]
    long = [(page, part[:8]) for page in pages for part in paragraphs(page) if len(part) > LONGEST]
    assert long == []


def test_the_readme_is_a_door_and_no_manual() -> None:
    """It leads to the site, of which every page is in a list of pages, as Sphinx sees to."""
    readme = (ROOT / "README.md").read_text()
    assert len(readme.splitlines()) <= 150
    assert "](docs/index.md)" in readme
