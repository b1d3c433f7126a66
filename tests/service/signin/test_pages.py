"""A person signs in with a browser, sits down, takes along what a guest had, and signs out."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from phaseledger.service.app import in_postgres
from phaseledger.service.database.sealing import open_sealing
from phaseledger.service.settings import Settings
from tests.support.ports import free_port
from tests.support.service.oidc_issuer import OidcIssuer, oidc_issuer
from tests.support.service.server import Served, serving
from tests.support.service.signed_in import oidc_settings


@pytest.fixture
def issuer() -> Iterator[OidcIssuer]:
    with oidc_issuer() as issuer:
        yield issuer


@pytest.fixture
def served(settings: Settings, issuer: OidcIssuer) -> Iterator[Served]:
    """A service to whose own address the issuer sends browsers back."""
    open_sealing(settings)
    with free_port() as port:
        own = replace(settings, **oidc_settings(issuer, f"http://127.0.0.1:{port}"))
        with serving(in_postgres(own), at=port) as served:
            yield served


def saved(page: Page) -> str:
    """All that the browser keeps."""
    text: str = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    return text


def test_a_person_signs_in_sits_down_and_signs_out(
    browser: Browser, served: Served, issuer: OidcIssuer
) -> None:
    issuer.person = {"sub": "ada", "preferred_username": "Ada L."}
    page = browser.new_page()
    complaints: list[str] = []
    addresses: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: addresses.append(request.url))
    page.goto(f"{served.url}/play")
    page.click("text=Sign in")
    page.wait_for_selector(".signed-in:has-text('Ada L.')")
    assert page.url == f"{served.url}/play"
    token = page.evaluate("JSON.parse(localStorage['phaseledger.session']).token")
    assert not any(token in address for address in addresses)
    referrers = [request for request in addresses if "code=" in request]
    assert len(referrers) == 1, "the code stands in one address, which is left at once"
    page.click(".lead >> text=New table")
    page.wait_for_selector(".signed-in")
    assert page.locator("input[autocomplete=nickname]").count() == 0
    page.click("button[type=submit]")
    page.wait_for_selector("text=Ada L.")
    assert "player-" not in page.inner_text("body")
    page.goto(f"{served.url}/play")
    page.click("text=Sign out")
    page.wait_for_selector("text=Sign in")
    assert token not in saved(page)
    assert complaints == []


def test_a_person_who_does_not_agree_stays_a_guest(
    browser: Browser, served: Served, issuer: OidcIssuer
) -> None:
    page = browser.new_page()
    for query in ("error=access_denied&state=x", "code=x&state=x", ""):
        page.goto(f"{served.url}/play/signed-in?{query}")
        page.wait_for_selector("[role=alert]")
        assert page.url == f"{served.url}/play/signed-in"
        assert page.evaluate("localStorage['phaseledger.session'] ?? null") is None
