"""The issuer: its discovery document and keys, and its answers to codes.

Document and keys are kept. While the issuer is away they count on, for a day at most.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import httpx2
import msgspec
import structlog
from joserfc.jwk import KeySet
from msgspec import Struct

from phaseledger.service.runtime.resource import Resource
from phaseledger.service.settings import OidcClient
from phaseledger.service.signin.attempt import SignInAttempt
from phaseledger.service.signin.errors import IssuerAway, SignInRefused
from phaseledger.service.signin.id_tokens import ALGORITHMS, KeyUnknown, claims_of, key_set
from phaseledger.service.signin.profile import is_named

FRESH = 600
"""Seconds after which document and keys are asked for again."""
LASTS = 24 * 3_600
"""Seconds for which they count while the issuer gives no others."""
PAUSE = 10
"""Seconds between two attempts to have them, whatever is asked meanwhile."""
TIMEOUT = 5.0  # seconds for one answer
LARGEST = 256 * 1024  # bytes of one answer
AT_ONCE = 16  # requests for which the issuer may be asked at the same time

log = structlog.get_logger("phaseledger.signin")
T = TypeVar("T")


class Discovery(Struct, frozen=True):
    """What the issuer says of itself (OpenID Connect Discovery 1.0), as far as it is used."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""
    scopes_supported: tuple[str, ...] | None = None
    response_types_supported: tuple[str, ...] = ()
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    id_token_signing_alg_values_supported: tuple[str, ...] = ALGORITHMS

    @property
    def is_plain_oauth(self) -> bool:
        """Whether the issuer is Discord, or one like it, which has added an ID token to OAuth: it
        lists no scopes and no response with an ID token, names people under the scope `identify`,
        and repeats no nonce.
        """
        id_tokens = [kind for kind in self.response_types_supported if "id_token" in kind.split()]
        return self.scopes_supported is None and not id_tokens

    @property
    def scope(self) -> str:
        """The scopes that name a person, as far as the issuer has them."""
        if self.scopes_supported is None:
            return "openid identify" if self.is_plain_oauth else "openid profile"
        wanted = ("profile", "identify")
        return " ".join(["openid", *(name for name in wanted if name in self.scopes_supported)])


class IssuerKnowledge(NamedTuple):
    """The issuer's document and keys, and when they were read, as the process counts."""

    document: Discovery
    keys: KeySet
    at: float


class TokenAnswer(Struct, frozen=True):
    """The issuer's answer to a code."""

    id_token: str
    access_token: str = ""


class Issuer(Resource):
    """The issuer of a client's settings. Every method may raise IssuerAway."""

    def __init__(self, client: OidcClient, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._clock = clock
        self._kept: IssuerKnowledge | None = None
        self._tried = -float(PAUSE)
        self._lock = asyncio.Lock()
        self._slots = asyncio.Semaphore(AT_ONCE)
        # No redirect: each address is the document's own.
        self._http = httpx2.AsyncClient(follow_redirects=False, timeout=TIMEOUT)

    async def close(self) -> None:
        """Close every connection."""
        await self._http.aclose()

    async def address(self, attempt: SignInAttempt) -> str:
        """Where a browser goes to sign in."""
        document = (await self._knowledge()).document
        parameters = {
            "response_type": "code",
            "client_id": self._client.id,
            "redirect_uri": self._client.redirect,
            "scope": document.scope,
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        }
        endpoint = document.authorization_endpoint
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(parameters)}"

    async def claims(self, token: str, nonce: str = "") -> dict[str, Any]:
        """The claims of an ID token. Raises SignInRefused where it does not count."""
        for is_last in (False, True):
            knowledge = await self._knowledge(anew=is_last)
            try:
                return claims_of(
                    token,
                    knowledge.keys,
                    issuer=self._client.issuer,
                    client=self._client.id,
                    nonce=nonce,
                    has_nonce=not knowledge.document.is_plain_oauth,
                    algorithms=knowledge.document.id_token_signing_alg_values_supported,
                )
            except KeyUnknown:
                continue
        raise SignInRefused(reason="the issuer has no key of the ID token's name")

    async def redeemed(self, code: str, attempt: SignInAttempt) -> dict[str, Any]:
        """The claims of the person for whom the issuer gave the code, with what it says of the
        person beside the ID token where that has no name. Raises SignInRefused.
        """
        document = (await self._knowledge()).document
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._client.redirect,
            "code_verifier": attempt.verifier,
        }
        credentials = None
        methods = document.token_endpoint_auth_methods_supported
        if self._client.secret and "client_secret_basic" in methods:
            credentials = (quote(self._client.id, ""), quote(self._client.secret, ""))
        else:
            form["client_id"] = self._client.id
            if self._client.secret:
                form["client_secret"] = self._client.secret
        answer = await self._asked(
            "POST", document.token_endpoint, TokenAnswer, data=form, auth=credentials
        )
        claims = await self.claims(answer.id_token, attempt.nonce)
        if is_named(claims) or not (document.userinfo_endpoint and answer.access_token):
            return claims
        headers = {"Authorization": f"Bearer {answer.access_token}"}
        userinfo: dict[str, Any] = await self._asked(
            "GET", document.userinfo_endpoint, dict[str, Any], headers=headers
        )
        if userinfo.get("sub", userinfo.get("id")) != claims["sub"]:  # Discord has called it `id`
            raise SignInRefused(reason="userinfo is of another subject")
        return {**userinfo, **claims}

    async def _knowledge(self, *, anew: bool = False) -> IssuerKnowledge:
        """Document and keys, which are asked for ``anew`` no sooner than the pause allows."""
        async with self._lock:
            now = self._clock()
            is_due = anew or self._kept is None or now - self._kept.at >= FRESH
            if is_due and now - self._tried >= PAUSE:
                self._tried = now
                try:
                    self._kept = await self._read(now)
                except IssuerAway as away:
                    log.warning("the issuer is away", reason=str(away))
            if self._kept is None or now - self._kept.at > LASTS:
                raise IssuerAway(reason="the issuer has given no keys")
            return self._kept

    async def _read(self, now: float) -> IssuerKnowledge:
        issuer = self._client.issuer
        address = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
        document = await self._asked("GET", address, Discovery)
        if document.issuer != issuer:
            raise IssuerAway(reason=f"{address} is of the issuer {document.issuer!r}")
        endpoints = (document.authorization_endpoint, document.token_endpoint, document.jwks_uri)
        for endpoint in filter(None, (*endpoints, document.userinfo_endpoint)):
            if urlsplit(endpoint).scheme not in ("https", urlsplit(issuer).scheme):
                raise IssuerAway(reason=f"{endpoint!r} is no https address")
        jwks = await self._asked("GET", document.jwks_uri, dict[str, Any])
        try:
            return IssuerKnowledge(document, key_set(jwks), now)
        except (ValueError, TypeError) as error:
            raise IssuerAway(reason=f"{document.jwks_uri}: {error}") from error

    async def _asked(
        self,
        method: str,
        url: str,
        shape: type[T],
        headers: Mapping[str, str] = {},
        **more: Any,  # noqa: ANN401
    ) -> T:
        """The issuer's answer. Raises SignInRefused where it refuses what a person has brought."""
        headers = {"Accept": "application/json", "Accept-Encoding": "identity", **headers}
        try:
            async with asyncio.timeout(TIMEOUT), self._slots:
                request = self._http.stream(method, url, headers=headers, **more)
                async with request as response:
                    content = b""
                    async for chunk in response.aiter_raw():
                        content += chunk
                        if len(content) > LARGEST:
                            raise IssuerAway(reason=f"{url} sends more than {LARGEST} bytes")
        except (TimeoutError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise IssuerAway(reason=f"{url} does not answer ({error!r})") from error
        if method == "POST" and response.status_code in (400, 401, 403):
            raise SignInRefused(reason=f"the issuer refuses the code: {content[:200]!r}")
        if response.status_code != 200:
            raise IssuerAway(reason=f"{url} answers {response.status_code}")
        try:
            return msgspec.json.decode(content, type=shape)
        except msgspec.DecodeError as error:
            raise IssuerAway(reason=f"{url}: {error}") from error
