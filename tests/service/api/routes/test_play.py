"""The pages below /play: one document, its script and its style, under a strict policy."""

import gzip
import re
from collections.abc import Iterator

import httpx2
import pytest

from phaseledger.service.web.assets import Part, later, program, shell, style
from tests.support.cases import looped
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import Served, serving

GAME = "00000000-0000-8000-8000-000000000000"
PAGES: dict[str, Part] = {
    **dict.fromkeys(["/play", "/play/new", "/play/join/7K2M-Q9XD"], "lobby"),
    f"/play/g/{GAME}": "table",
    **dict.fromkeys(["/play/open", f"/play/g/{GAME}/replay", f"/play/g/{GAME}/dispute"], "replay"),
    **dict.fromkeys(["/play/rules/classic", f"/play/g/{GAME}/rules"], "rules"),
}
AS_BROWSERS_DO = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def web(served: Served) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=served.url, timeout=None) as client:
        yield client


@looped(("path", "part"), PAGES.items())
def test_every_address_has_its_document(web: httpx2.Client, path: str, part: Part) -> None:
    """No script, no style and nothing unsafe is in it; what it loads is kept for ever."""
    answer = web.get(path)
    assert (answer.status_code, answer.content) == (200, shell(part).plain)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"].split("; ")
    assert policy[0] == "default-src 'none'"
    assert not [line for line in policy if "unsafe" in line or "http" in line or "*" in line]
    assert not re.search(r"<script[^>]*>[^<]|<style|style=|\son\w+=|\{\{", answer.text)
    links = re.findall(r'(?:href|src)="(/play/[^"]+\?v=[^"]+)"', answer.text)
    assert len(links) == 2
    for link in links:
        loaded = web.get(link)
        assert "immutable" in loaded.headers["cache-control"]
        assert web.get(link, headers={"If-None-Match": loaded.headers["etag"]}).status_code == 304


def test_an_address_without_the_hash_is_asked_for_again(web: httpx2.Client) -> None:
    for version in ("", "?v=0123456789abcdef"):
        answer = web.get(f"/play/table.js{version}")
        assert answer.content == program("table").plain
        assert answer.headers["cache-control"] == "no-cache"


def test_a_script_that_is_loaded_later_is_sent_to_its_own_page_alone(web: httpx2.Client) -> None:
    for version in ("", "?v=0123456789abcdef"):
        problem(web.get(f"/play/table.later.js{version}"), 404, "not_found")
    answer = web.get(f"/play/table.later.js?v={later('table').digest}&again=1")
    assert answer.content == later("table").plain


def test_what_is_sent_is_compressed_for_whoever_takes_that(web: httpx2.Client) -> None:
    with web.stream("GET", "/play/table.css", headers={"Accept-Encoding": "gzip"}) as answer:
        sent = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert gzip.decompress(sent) == style("table").plain
    plain = web.get("/play/table.css", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == style("table").plain


def test_a_page_that_is_not_there_says_so_itself(web: httpx2.Client) -> None:
    for path in ("/play/nowhere", f"/play/g/{GAME}/nowhere"):
        answer = web.get(path)
        assert (answer.status_code, answer.content) == (404, shell("lobby").plain)


def test_an_address_that_leads_nowhere_has_a_page_for_a_browser(web: httpx2.Client) -> None:
    """And a problem for a program, and within the API."""
    page = web.get("/nope", headers=AS_BROWSERS_DO)
    assert (page.status_code, page.content) == (404, shell("lobby").plain)
    for path, headers in (("/nope", {}), ("/v1/nope", AS_BROWSERS_DO)):
        answer = web.get(path, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_the_front_leads_people_to_the_tables_and_programs_to_the_reference(
    web: httpx2.Client,
) -> None:
    for headers, place in ((AS_BROWSERS_DO, "/play"), ({}, "/docs")):
        answer = web.get("/", headers=headers)
        assert (answer.status_code, answer.headers["location"]) == (302, place)
        assert "Accept" in answer.headers["vary"]


def test_a_table_is_framed_by_the_pages_that_the_operator_names(web: httpx2.Client) -> None:
    """And no other page is framed by any."""
    path, origins = f"/play/embed/{GAME}", "https://club.example http://localhost:8080"
    unnamed = web.get(path)
    assert (unnamed.status_code, unnamed.content) == (404, shell("table").plain)
    with serving(in_memory(), embedders=origins) as served:
        for page, ancestors in {path: origins, f"/play/g/{GAME}": "'none'"}.items():
            answer = httpx2.get(f"{served.url}{page}")
            policy = answer.headers["content-security-policy"]
            assert (answer.status_code, policy.rpartition("; ")[2]) == (
                200,
                f"frame-ancestors {ancestors}",
            )
        condition = {"If-None-Match": httpx2.get(f"{served.url}{path}").headers["etag"]}
        kept = httpx2.get(f"{served.url}{path}", headers=condition)
        assert kept.status_code == 304
        assert origins in kept.headers["content-security-policy"]


def test_the_pages_can_be_switched_off() -> None:
    with serving(in_memory(), web=False) as served, httpx2.Client(base_url=served.url) as web:
        for path in [*PAGES, "/play/table.js", "/play/table.css", "/play/nowhere"]:
            refused = problem(web.get(path), 404, "not_found")
            assert "switched them off" in refused.detail
        assert web.get("/", headers=AS_BROWSERS_DO).headers["location"] == "/docs"


def test_the_description_of_the_api_has_no_pages(web: httpx2.Client) -> None:
    paths = web.get("/v1/openapi.json").json()["paths"]
    assert [path for path in paths if path.startswith("/play")] == []
