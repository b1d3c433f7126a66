"""Services with an issuer, and people who sign in there."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from phaseledger.service.database.sealing import open_sealing
from phaseledger.service.settings import Settings
from tests.support.ledgers import own_ledger
from tests.support.service.oidc_issuer import CLIENT, OidcIssuer, oidc_issuer

APPLICATION = "The club"


@pytest.fixture(scope="module")
def issuer() -> Iterator[OidcIssuer]:
    """An issuer with which people sign in."""
    with oidc_issuer() as issuer:
        yield issuer


def oidc_settings(issuer: OidcIssuer, origin: str = "http://127.0.0.1:8000") -> dict[str, Any]:
    """The settings of a service at which the issuer's people sign in."""
    return {
        "oidc_issuer": issuer.url,
        "oidc_client_id": CLIENT,
        "public_url": origin,
        "oidc_application": APPLICATION,
    }


@pytest.fixture(scope="module")
def settings(
    postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory, issuer: OidcIssuer
) -> Iterator[Settings]:
    """A ledger of the module's own, whose people sign in with the issuer."""
    folder = tmp_path_factory.mktemp("ledger")
    with own_ledger(postgres_dsn, folder, **oidc_settings(issuer)) as ledger:
        open_sealing(ledger)
        yield ledger


class Browser:
    """A browser without scripts: it goes where it is sent, and keeps cookies by their path."""

    def __init__(self, api: httpx2.Client) -> None:
        self.root = str(api.base_url).removesuffix("/").removesuffix("/v1")
        self.http = httpx2.Client(follow_redirects=False, timeout=None)

    def begin(self) -> httpx2.Response:
        return self.http.get(f"{self.root}/play/sign-in")

    def returned(self) -> dict[str, str]:
        """The parameters with which the issuer sends it back."""
        back = self.http.get(self.begin().headers["location"]).headers["location"]
        return {name: values[0] for name, values in parse_qs(urlsplit(back).query).items()}

    def sign_in(self, body: dict[str, str]) -> httpx2.Response:
        return self.http.post(f"{self.root}/v1/sign-in", json=body)


@contextmanager
def browser(api: httpx2.Client) -> Iterator[Browser]:
    surfer = Browser(api)
    with surfer.http:
        yield surfer


def signed_in(api: httpx2.Client, issuer: OidcIssuer, name: str, sub: str = "") -> dict[str, Any]:
    """The answer to a person who signs in with an ID token."""
    person = {"sub": sub or secrets.token_hex(8), "preferred_username": name}
    answer = api.post("/sign-in", json={"id_token": issuer.id_token(**person)})
    assert answer.status_code == 201, answer.text
    signed: dict[str, Any] = answer.json()
    return signed
