"""The API reference works without a network: every operation is there, and nobody else is asked."""

from typing import Any

import httpx2
import pytest

from phaseledger.service.api.routes.docs import FILES, STATIC
from tests.support.browser import PATIENCE, chromium
from tests.support.openapi_operations import Description, operations
from tests.support.service.server import Served

LICENSED = ("swagger-ui.LICENSE.txt", "swagger-ui.NOTICE.txt", "swagger-ui-bundle.js.LICENSE.txt")


@pytest.fixture(scope="module")
def seen(served: Served) -> Any:
    """The page in a browser that finds no other host: what it shows, asks and complains of."""
    with chromium() as browser:
        context = browser.new_context()
        asked: list[str] = []
        complaints: list[str] = []

        def only_ours(route: Any) -> None:
            asked.append(route.request.url)
            ours = route.request.url.startswith((f"{served.url}/", "data:"))
            route.continue_() if ours else route.abort()

        context.route("**/*", only_ours)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda told: complaints.append(told.text))
        page.goto(f"{served.url}/docs")
        page.wait_for_selector(".opblock", timeout=PATIENCE)
        yield page, asked, complaints
        context.close()


RECEIVED = ["takeMessage"]
"""What clients answer, and the service asks."""


def test_every_operation_is_rendered(seen: Any, description: Description) -> None:
    page, _, _ = seen
    shown = page.eval_on_selector_all(
        ".opblock-summary-operation-id", "all => all.map(one => one.textContent)"
    )
    assert sorted(shown) == sorted([*operations(description), *RECEIVED])


def test_an_operation_unfolds_and_can_be_tried(seen: Any) -> None:
    page, _, _ = seen
    page.click("#operations-rulesets-listRulesets .opblock-summary-control")
    page.click("#operations-rulesets-listRulesets .execute")
    page.wait_for_selector("#operations-rulesets-listRulesets .live-responses-table")
    answered = page.inner_text("#operations-rulesets-listRulesets .live-responses-table")
    assert "standard-deck" in answered
    assert "200" in answered


def test_nobody_else_is_asked_and_nothing_refused(seen: Any, served: Served) -> None:
    _, asked, complaints = seen
    own = {f"{served.url}/{path}" for path in ("docs", "v1/openapi.json", "v1/rulesets")}
    own |= {f"{served.url}/docs/{name}" for name in FILES}
    assert {url for url in asked if not url.startswith("data:")} == own
    assert complaints == []


def test_the_policy_allows_no_other_origin(client: httpx2.Client) -> None:
    for path in ("/docs", *(f"/docs/{name}" for name in FILES)):
        answer = client.get(path)
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "http" not in policy
        assert answer.headers["content-type"].endswith("charset=utf-8")
    assert client.get("/docs/problems.toml").status_code == 404


def test_the_licences_are_kept() -> None:
    assert "Apache License" in (STATIC / LICENSED[0]).read_text()
    assert "SmartBear" in (STATIC / LICENSED[1]).read_text()
    assert "MIT" in (STATIC / LICENSED[2]).read_text()
