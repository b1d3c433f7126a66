"""The site of the documents, built as users have it."""

import re
from html.parser import HTMLParser

from typing_extensions import override

from docs import declared
from phaseledger.domain.evidence.codec import TOPICS
from phaseledger.domain.explain.rulebook import rule_ids
from phaseledger.domain.options import PARAMETERS
from phaseledger.service import settings
from phaseledger.service.api.problems.details import REFUSALS
from tests.support.installation import ROOT
from tests.support.openapi_operations import operations
from tests.support.site import built_site

LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class Loaded(HTMLParser):
    """The addresses from which a page loads something."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(html)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value for name, value in attrs if name == LOADING.get(tag) and value]


def test_each_page_is_there_with_its_text_beside_it() -> None:
    site, pages = built_site(), [*(ROOT / "docs").rglob("*.md")]
    assert pages
    for page in pages:
        text = site / page.relative_to(ROOT / "docs")
        assert (text.exists(), text.with_suffix(".html").exists()) == (True, True), text


def test_nothing_is_loaded_from_elsewhere() -> None:
    site = built_site()
    for page in site.rglob("*.html"):
        foreign = [address for address in Loaded(page.read_text()).addresses if "//" in address]
        assert foreign == [], page
    for style in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", style.read_text()), style


def test_the_reference_lists_all_that_is_declared() -> None:
    """Each of an event is one that was stored."""
    for part, names in {
        "catalogue": [*(f"\n| {rule} | " for rule in rule_ids()), *(f"`{o}`" for o in PARAMETERS)],
        "events": [f'"type":"{topic}"' for topic in TOPICS.values()],
        "operations": [f"(`{call.name}`)" for call in operations(declared.API).values()],
        "problems": [f"### {code}\n" for code in REFUSALS],
        "schemas": [f"(schema-{name})=" for name in declared.SCHEMAS],
        "settings": [f"| `PHASELEDGER_{name.upper()}` | " for name in settings.NAMES],
    }.items():
        listed = "\n\n".join(declared.PARTS[part]())
        assert [name for name in names if name not in listed] == [], part
