"""ID tokens that count, and what a forger or a bad clock may send."""

import time
import warnings
from typing import Any

import pytest
from joserfc.errors import SecurityWarning
from joserfc.jwk import RSAKey

from phaseledger.service.signin import id_tokens
from phaseledger.service.signin.errors import SignInRefused
from phaseledger.service.signin.id_tokens import KeyUnknown, claims_of, key_set
from tests.support.cases import looped
from tests.support.service.oidc_issuer import CLIENT, EC, KEYS, OidcIssuer, without_key

NOW = int(time.time())


@pytest.fixture
def issuer() -> OidcIssuer:
    return OidcIssuer("https://id.club.example")


def judged(issuer: OidcIssuer, token: str = "", **more: Any) -> dict[str, Any]:
    options = {"issuer": issuer.url, "client": CLIENT, **more}
    return claims_of(token or issuer.id_token(), key_set(issuer.jwks), **options)


def test_a_token_of_the_issuer_counts(issuer: OidcIssuer) -> None:
    assert judged(issuer)["sub"] == "person-1"
    issuer.keys, issuer.signer, issuer.algorithm = [KEYS["one"], EC], EC, "ES256"
    assert judged(issuer)["sub"] == "person-1"


@looped(
    ("name", "claims"),
    [
        ("another issuer", {"iss": "https://id.other.example"}),
        ("no issuer", {"iss": None}),
        ("another audience", {"aud": "other"}),
        ("several audiences without ours", {"aud": ["other", "more"]}),
        ("several audiences, given to another", {"aud": [CLIENT, "other"], "azp": "other"}),
        ("several audiences, given to none", {"aud": [CLIENT, "other"]}),
        ("given to another", {"azp": "other"}),
        ("expired", {"exp": NOW - 90}),
        ("no end", {"exp": None}),
        ("an end that is no number", {"exp": "never"}),
        ("issued later", {"iat": NOW + 40_000}),
        ("no time of issue", {"iat": None}),
        ("not yet", {"nbf": NOW + 40_000}),
        ("no subject", {"sub": None}),
        ("a subject that is a number", {"sub": 7}),
        ("an empty subject", {"sub": ""}),
        ("a long subject", {"sub": "x" * 256}),
        ("a logout token", {"events": {"http://schemas.openid.net/event/backchannel-logout": {}}}),
        ("too long", {"more": "x" * 17_000}),
    ],
)
def test_a_token_that_says_anything_else_is_refused(
    issuer: OidcIssuer, name: str, claims: dict[str, Any]
) -> None:
    issuer.claims = claims
    with pytest.raises(SignInRefused):
        judged(issuer)


def test_a_minute_of_skew_is_borne(issuer: OidcIssuer) -> None:
    now = int(time.time())
    issuer.claims = {"iat": now + 50, "nbf": now + 50}
    judged(issuer)
    issuer.claims = {"exp": now - 50}
    judged(issuer)
    for wrong in ({"iat": now + 90}, {"nbf": now + 90}, {"exp": now - 61}):
        issuer.claims = wrong
        with pytest.raises(SignInRefused):
            judged(issuer)


def test_a_nonce_is_asked_for_unless_the_issuer_repeats_none(issuer: OidcIssuer) -> None:
    issuer.claims = {"nonce": "mine"}
    judged(issuer, nonce="mine")
    for wrong in ("other", "", None):
        issuer.claims = {"nonce": wrong}
        with pytest.raises(SignInRefused):
            judged(issuer, nonce="mine")
    judged(issuer, nonce="mine", has_nonce=False)
    issuer.claims = {"nonce": "other"}
    with pytest.raises(SignInRefused):
        judged(issuer, nonce="mine", has_nonce=False)


def test_only_signatures_of_the_issuers_keys_count(issuer: OidcIssuer) -> None:
    good = issuer.id_token()
    head, body, signature = good.split(".")
    for forged in (f"{head}.{body}.", f"{head}.{body}x.{signature}", f"{head}.{body}", "", "x.y.z"):
        with pytest.raises(SignInRefused):
            judged(issuer, forged or " ")
    issuer.signer = KEYS["two"]
    with pytest.raises(KeyUnknown):
        judged(issuer)
    issuer.header = {"kid": "one"}  # signed by another key under the name
    with pytest.raises(SignInRefused):
        judged(issuer)


def test_no_hmac_and_no_missing_signature_counts(issuer: OidcIssuer) -> None:
    """The public key is no secret, whatever the header says (RFC 8725, 2.1)."""
    for algorithm in ("HS256", "none"):
        forged = without_key(issuer.id_token(), algorithm, KEYS["one"])
        for allowed in (id_tokens.ALGORITHMS, (algorithm, "RS256"), (algorithm,)):
            with pytest.raises(SignInRefused):
                judged(issuer, forged, algorithms=allowed)


@looped(
    ("name", "header"),
    [
        ("an access token", {"typ": "at+jwt"}),
        ("a logout token", {"typ": "logout+jwt"}),
        ("another algorithm of the key", {"alg": "PS256"}),
    ],
)
def test_a_header_of_another_kind_is_refused(
    issuer: OidcIssuer, name: str, header: dict[str, Any]
) -> None:
    issuer.header = header
    issuer.algorithm = header.get("alg", "RS256")
    with pytest.raises(SignInRefused):
        judged(issuer, algorithms=("RS256",))


def test_a_key_for_anything_else_is_no_key(issuer: OidcIssuer) -> None:
    public = KEYS["one"].as_dict(private=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SecurityWarning)
        small = RSAKey.generate_key(1024, {"kid": "one"}).as_dict(private=False)
    for wrong in (
        *({**public, "use": "enc"}, {**public, "use": None, "key_ops": ["encrypt"]}),
        *(small, KEYS["one"].as_dict(private=True), {"kty": "oct", "k": "aaaa", "kid": "one"}),
        *({"kty": "RSA", "kid": "one"}, {"kty": "lattice", "kid": "one"}, "one", 7),
    ):
        issuer.keys = [wrong]
        with pytest.raises(KeyUnknown):
            judged(issuer)
    for no_keys in ({}, {"keys": {}}):
        with pytest.raises((ValueError, TypeError)):
            key_set(no_keys)


def test_a_token_without_a_key_id_counts_where_there_is_one_key(issuer: OidcIssuer) -> None:
    issuer.header = {"kid": None}
    judged(issuer)
    issuer.keys = [KEYS["two"], KEYS["one"]]
    with pytest.raises(KeyUnknown):
        judged(issuer)
