"""Routes of sign-in: an ID token, or an issuer's code, for the session of a player."""

from typing import Any

import structlog
from litestar import Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from litestar.response import Redirect

from phaseledger.domain.words import Phrase
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.headers import NOT_STORED
from phaseledger.service.api.requests.languages import language
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.api.requests.root_path import root_of
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.players import SignedIn, SignInWith
from phaseledger.service.signin.attempt import COOKIE, LASTS, SignInAttempt
from phaseledger.service.signin.errors import IssuerAway, NoSignIn, SignInRefused

log = structlog.get_logger("phaseledger.signin")


@post(
    "/sign-in",
    **route_description("signIn", Occasion.LOG, raises=(NoSignIn, SignInRefused, IssuerAway)),
)
async def sign_in(
    request: AnyRequest, data: JSONBody[SignInWith], service: Injected[Service]
) -> Response[SignedIn]:
    """Sign in as a player: exchange an ID token of the operator's issuer for a session.

    The player's id follows from the token's `iss` and `sub`; the name is made of its claims, and
    has a number where another player of the application has one that looks like it. The pages of
    `/play` send the code with which the issuer has sent the browser back; it counts only in the
    browser that has begun the sign-in, and once.
    """
    if (signs := service.parts.sign_in) is None:
        raise NoSignIn
    lang = language(request, "")
    if not data.is_complete:
        raise SignInRefused(Phrase("adds.sign_in_with"))
    try:
        if data.id_token is not None:
            content = await signs.by_token(data.id_token, lang)
        else:
            cookie = request.cookies.get(COOKIE, "")
            content = await signs.by_code(data.code or "", data.state or "", cookie, lang)
    except SignInRefused as refused:
        log.info("sign-in refused", reason=str(refused))
        raise
    answer = Response(content, headers=NOT_STORED)
    if COOKIE in request.cookies:
        answer.set_cookie(_cookie(request, "", 0))
    return answer


@delete(
    "/sign-in",
    **route_description("signOut", Occasion.LOG, caller="session", empty=(204,)),
)
async def sign_out(session: Injected[str], service: Injected[Service]) -> None:
    """Sign out: end the session that the request shows. The issuer's own goes on."""
    await service.parts.sessions.end(session)


@get("/play/sign-in", status_code=303)
async def get_sign_in(request: AnyRequest, service: Injected[Service]) -> Redirect:
    """Begin to sign in: the way of a browser to the issuer, which sends it back to `signed-in`."""
    if (signs := service.parts.sign_in) is None or not service.settings.web:
        raise NoSignIn
    attempt = SignInAttempt.new()
    try:
        address = await signs.issuer.address(attempt)
    except IssuerAway as away:
        log.warning("nobody signs in", reason=str(away))
        address = "/play/signed-in?error=temporarily_unavailable"
    answer = Redirect(address, status_code=303, headers=NOT_STORED)
    answer.set_cookie(_cookie(request, attempt.cookie, LASTS))
    return answer


def _cookie(request: AnyRequest, value: str, seconds: int) -> Cookie:
    """The cookie of an attempt, which no script reads, and no address but `signIn` is sent."""
    signs = request.app.state["service"].parts.sign_in
    return Cookie(
        COOKIE,
        value=value,
        path=f"{root_of(request.scope)}/v1/sign-in",
        max_age=seconds,
        httponly=True,
        secure=signs is not None and signs.client.redirect.startswith("https:"),
        samesite="strict",
    )


HANDLERS: list[Any] = [sign_in, sign_out]
PAGES: list[Any] = [get_sign_in]
