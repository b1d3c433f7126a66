"""The API reference: every operation and schema is there, every link leads somewhere, no script."""

import gzip
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag

import httpx2
import pytest
from typing_extensions import override

from phaseledger.service.app import routes
from tests.support.cases import looped
from tests.support.openapi_operations import Description, codes_of, operations
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import FREE
from tests.support.site import built_site

ROOT = Path(__file__).parents[2]


class Page(HTMLParser):
    """What a page has: its text, ids, links, and elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.feed(html)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        self.ids += [str(given["id"])] if "id" in given else []
        self.links += [str(given["href"])] if "href" in given else []

    @override
    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def pages(served: Any) -> dict[str, Page]:
    """All pages of the reference, by their addresses."""
    built_site()
    with httpx2.Client(base_url=served.url, timeout=None) as client:
        front = Page(client.get("/docs").text)
        names = {urldefrag(link).url for link in front.links if re.match("/docs/(?!guide)", link)}
        return {"/docs": front} | {name: Page(client.get(name).text) for name in sorted(names)}


def test_every_operation_has_its_place(pages: dict[str, Page], description: Description) -> None:
    for operation in operations(description).values():
        address = f"/docs/{operation.specification['tags'][0]}"
        assert f"{address}#{operation.name}" in pages["/docs"].links
        page = pages[address]
        assert operation.name in page.ids
        parameters = operation.specification.get("parameters", ())
        for words in (operation.path, *(entry["name"] for entry in parameters)):
            assert words in page.text
        for status, answer in operation.answers.items():
            assert status in page.text
            if status[0] in "45":
                assert {f"/problems/{code}" for code in codes_of(answer)} <= {*page.links}
    assert "takeMessage" in pages["/docs"].ids  # which clients answer, and the service asks


def test_every_schema_has_its_place(pages: dict[str, Page], description: Description) -> None:
    page = pages["/docs/schemas"]
    for name, schema in description["components"]["schemas"].items():
        assert name in page.ids
        assert all(field in page.text for field in schema.get("properties", ()))


def test_every_link_leads_somewhere(
    pages: dict[str, Page], client: httpx2.Client, description: Description
) -> None:
    codes = {line["code"] for line in client.get("/problems").json()["problems"]}
    others = {
        "/",
        "/play",
        "/v1/openapi.json",
        "/problems",
        "/docs/guide/index.html",
        *(f"/problems/{c}" for c in codes),
    }
    for address, page in pages.items():
        for link in page.links:
            target, key = urldefrag(link)
            if target in others:
                continue
            assert key in ("", "main", *pages[target or address].ids), link
        assert len(page.ids) == len({*page.ids}), address


def test_the_pages_load_and_run_nothing(pages: dict[str, Page], client: httpx2.Client) -> None:
    for address, page in pages.items():
        assert not {"script", "img", "link", "iframe"} & page.tags
        answer = client.get(address)
        policy = answer.headers["content-security-policy"]
        assert re.fullmatch(
            r"default-src 'none'; style-src 'sha256-[^' ]+'; base-uri 'none'; form-action 'self'; "
            r"frame-ancestors 'none'",
            policy,
        )
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert policy.partition("; frame")[0] in answer.text
        size = len(gzip.compress(answer.content))  # as browsers ask for it
        assert size <= (12_000 if address == "/docs" else 40_000), address
    for name in ("en.toml", "nonsense", "%3Cscript%3E"):
        assert client.get(f"/docs/{name}").status_code == 404


def test_the_site_is_sent_as_it_was_built(pages: dict[str, Page], client: httpx2.Client) -> None:
    """A browser may run nothing in it but what it was built with."""
    assert "search" in pages["/docs"].tags
    assert client.get("/docs/guide").headers["location"] == "/docs/guide/index.html"
    for name, media_type in (
        ("index.html", "text/html"),
        ("reference/deal.md", "text/markdown"),
        ("_static/searchtools.js", "text/javascript"),
    ):
        answer = client.get(f"/docs/guide/{name}")
        assert answer.content == (built_site() / name).read_bytes()
        assert answer.headers["content-type"] == f"{media_type}; charset=utf-8"
        policy = answer.headers["content-security-policy"]
        assert ("script-src 'self' 'sha256-" in policy) == name.endswith(".html")
        etag = answer.headers["etag"]
        assert client.get(f"/docs/guide/{name}", headers={"If-None-Match": etag}).status_code == 304
    for name in ("nonsense.html", ".pages", "../__init__.py", "%2e%2e/__init__.py"):
        assert client.get(f"/docs/guide/{name}").status_code == 404, name


REQUEST = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE)\s+(?=[$/.])([^\s`\"']*/[^\s`\"'),;]*)")
ADDRESS = re.compile(
    r"(?<![\w./])((?:\$(?:GAME|API)|/v1|\.\.\.)/[\w/{}$.-]+)|`(/[a-z]+(?:/(?:[a-z]+|\{\w+\}))*)`"
)
ELSEWHERE = {"/dev/fd", "/proc/self/fd", "/primary", "/usr/lib/postgresql"}
"""Of the operating system, and of a program that looks after PostgreSQL."""
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def documented(text: str) -> Iterator[tuple[str, str]]:
    """The requests that a page names, and the addresses with any method."""
    yield from REQUEST.findall(text)
    yield from (("", "".join(parts)) for parts in ADDRESS.findall(text))


@pytest.fixture(scope="module")
def every_route() -> list[tuple[str, list[str]]]:
    """The method and the segments of every address."""
    return [
        (method, route.path_format.split("/")[1:])
        for route in routes(in_memory(), FREE).routes
        for method in route.methods
    ]


@looped("page", PAGES)
def test_every_request_that_a_page_names_is_there(
    page: Path, every_route: list[tuple[str, list[str]]]
) -> None:
    """`$GAME` is a game's address, `$API` the service's, and `...` the start of one."""
    for method, address in documented(page.read_text()):
        path = address.partition("?")[0].rstrip(".").replace("$GAME", "/v1/games/{}")
        path = re.sub(r"\$\(.*|\$(?!API)\w+", "{}", path).replace("$API", "/v1")
        segments = path.removeprefix("...").strip("/").split("/")
        assert address in ELSEWHERE or any(
            all(theirs[:1] == "{" or theirs == ours for theirs, ours in pairs)
            for route_method, route in every_route
            if method in ("", route_method) and len(route) >= len(segments)
            if not path.startswith("/v1") or len(route) == len(segments)
            for pairs in [zip(route[-len(segments) :], segments, strict=True)]
        ), f"{method} {address}"
