"""The issuer's document and keys: kept, asked for anew seldom, and outliving an outage."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from phaseledger.service.settings import OidcClient
from phaseledger.service.signin import issuer as issuers
from phaseledger.service.signin.attempt import SignInAttempt
from phaseledger.service.signin.errors import IssuerAway, SignInRefused
from phaseledger.service.signin.issuer import FRESH, LARGEST, LASTS, PAUSE, Issuer
from tests.support.service.oidc_issuer import CLIENT, KEYS, SECRET, OidcIssuer, oidc_issuer

KEYS_ASKED = "/keys"


@pytest.fixture
def club() -> Iterator[OidcIssuer]:
    with oidc_issuer() as issuer:
        yield issuer


class Hands:
    """A clock that the test turns on."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def asked(club: OidcIssuer, hands: Hands, secret: str = "") -> AsyncIterator[Issuer]:
    client = OidcClient(
        issuer=club.url,
        id=CLIENT,
        secret=secret,
        redirect="http://x/play/signed-in",
        application="",
    )
    async with Issuer(client, hands) as issuer:
        yield issuer


async def test_keys_are_kept_and_asked_for_again_in_time(club: OidcIssuer) -> None:
    hands = Hands()
    async with asked(club, hands) as issuer:
        for _ in range(20):
            await issuer.claims(club.id_token())
        assert club.asked.count(KEYS_ASKED) == 1
        hands.now += FRESH
        await asyncio.gather(*(issuer.claims(club.id_token()) for _ in range(20)))
        assert club.asked.count(KEYS_ASKED) == 2


async def test_a_rotated_key_is_found_and_the_old_one_counts_no_more(club: OidcIssuer) -> None:
    hands = Hands()
    async with asked(club, hands) as issuer:
        old = club.id_token()
        await issuer.claims(old)
        club.keys, club.signer = [KEYS["two"]], KEYS["two"]
        hands.now += PAUSE
        await issuer.claims(club.id_token())
        with pytest.raises(SignInRefused):
            await issuer.claims(old)


async def test_an_unknown_key_is_asked_for_once_in_a_while(club: OidcIssuer) -> None:
    hands = Hands()
    async with asked(club, hands) as issuer:
        await issuer.claims(club.id_token())
        club.signer = KEYS["two"]
        for _ in range(100):
            with pytest.raises(SignInRefused):
                await issuer.claims(club.id_token())
            hands.now += PAUSE / 50
        assert club.asked.count(KEYS_ASKED) <= 4


async def test_the_last_keys_outlive_an_outage_for_a_day(club: OidcIssuer) -> None:
    def away(path: str) -> bytes:
        raise ConnectionError

    hands = Hands()
    async with asked(club, hands) as issuer:
        await issuer.claims(club.id_token())
        club.answer = away
        for later in (FRESH, LASTS - FRESH):
            hands.now += later
            await issuer.claims(club.id_token())
        hands.now += 1
        with pytest.raises(IssuerAway):
            await issuer.claims(club.id_token())
        club.answer = lambda _: None
        hands.now += PAUSE
        await issuer.claims(club.id_token())


OF_NO_USE = (
    ("/keys", b'{"keys": [' + b" " * LARGEST + b"]}"),
    ("/keys", b"<html>"),
    ("/keys", b"{}"),
    ("/keys", b"[]"),
    ("/.well-known/openid-configuration", b"{}"),
)


async def test_an_answer_of_no_use_leaves_the_keys_as_they_were(club: OidcIssuer) -> None:
    for path, content in OF_NO_USE:
        hands = Hands()
        async with asked(club, hands) as issuer, asked(club, hands) as fresh:
            club.answer = lambda _: None
            await issuer.claims(club.id_token())
            club.answer = {path: content}.get
            hands.now += FRESH
            await issuer.claims(club.id_token())
            with pytest.raises(IssuerAway):
                await fresh.claims(club.id_token())


async def test_a_slow_issuer_is_not_waited_for(
    club: OidcIssuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(issuers, "TIMEOUT", 0.1)
    answered = asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(path: str) -> None:
        asyncio.run_coroutine_threadsafe(answered.wait(), loop).result()

    club.answer = slow
    async with asked(club, Hands()) as issuer:
        with pytest.raises(IssuerAway):
            await issuer.claims(club.id_token())
        answered.set()


async def test_a_document_of_another_issuer_does_not_count(club: OidcIssuer) -> None:
    for field, value in (
        ("issuer", "https://id.other.example"),
        ("issuer", f"{club.url}/"),
        ("jwks_uri", "file:///etc/passwd"),
        ("token_endpoint", "ftp://id.example/token"),
    ):
        usual = club.document[field]
        club.document[field] = value
        async with asked(club, Hands()) as issuer:
            with pytest.raises(IssuerAway):
                await issuer.claims(club.id_token())
        club.document[field] = usual


async def test_the_secret_is_sent_as_the_issuer_takes_it(club: OidcIssuer) -> None:
    attempt = SignInAttempt.new()
    for methods, secret, in_form in (
        (["client_secret_basic"], SECRET, None),
        (["client_secret_post"], SECRET, SECRET),
        (["none"], "", None),
    ):
        club.document["token_endpoint_auth_methods_supported"] = methods
        club._codes["code"] = {"code_challenge": attempt.challenge, "nonce": attempt.nonce}
        async with asked(club, Hands(), secret) as issuer:
            await issuer.redeemed("code", attempt)
        assert club.exchanged.get("client_secret") == in_form
        assert (club.exchanged["authorization"] == "") == (methods != ["client_secret_basic"])


async def test_a_nonce_of_another_attempt_is_refused(club: OidcIssuer) -> None:
    attempt, other = SignInAttempt.new(), SignInAttempt.new()
    club._codes["code"] = {"code_challenge": attempt.challenge, "nonce": other.nonce}
    async with asked(club, Hands()) as issuer:
        with pytest.raises(SignInRefused):
            await issuer.redeemed("code", attempt)
