"""Refusals as RFC 9457 problem details, read off their declarations."""

from collections.abc import Mapping
from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.types import Receive, Scope, Send
from msgspec.structs import replace

from phaseledger.domain.explain.refusals import title_of, with_detail
from phaseledger.domain.words import Language, spoken
from phaseledger.service.analyses import errors as analyses
from phaseledger.service.api import errors
from phaseledger.service.api.requests import invalid_parameters
from phaseledger.service.api.requests.languages import VARY, language
from phaseledger.service.api.requests.root_path import root_of
from phaseledger.service.applications import errors as applications
from phaseledger.service.credentials import errors as credentials
from phaseledger.service.eventlog import errors as eventlog
from phaseledger.service.games import errors as games
from phaseledger.service.lobby import errors as lobby
from phaseledger.service.notices import errors as notices
from phaseledger.service.players import errors as players
from phaseledger.service.quotas import errors as quotas
from phaseledger.service.readmodels import errors as readmodels
from phaseledger.service.refusals import DECLARED, Refusal, refusal_of
from phaseledger.service.replays import errors as replays
from phaseledger.service.runtime import metrics
from phaseledger.service.runtime.logs import REQUEST, masked, trace
from phaseledger.service.schemas.problem import Problem
from phaseledger.service.signin import errors as signin
from phaseledger.service.streams import errors as streams
from phaseledger.service.transparency import errors as transparency
from phaseledger.service.webhooks import errors as webhooks

MEDIA_TYPE = "application/problem+json"
DECLARING = (
    *(errors, invalid_parameters, analyses, applications, credentials, eventlog, games, lobby),
    *(notices, players, quotas, readmodels, replays, signin, streams, transparency, webhooks),
)
"""The modules that declare refusals: they are imported before anything is read off `REFUSALS`."""
REFUSALS: Mapping[str, type[Refusal]] = DECLARED
"""Every refusal that the API may answer, by its code."""

_HEADERS: Mapping[int, Mapping[str, str]] = {
    401: {"WWW-Authenticate": f'{credentials.CHALLENGE}, error="invalid_token"'},
    408: {"Connection": "close"},  # the rest of the body would be taken for a request
    413: {"Connection": "close"},  # the server ends it with the rest of the body unread
    503: {"Retry-After": "1"},
}
"""Headers of a status, unless the refusal has its own."""

log = structlog.get_logger("phaseledger.http")


def problem(
    refusal: Refusal | type[Refusal],
    detail: str = "",
    *,
    instance: str,
    root: str = "",
    request_id: str = "",
    members: Mapping[str, Any] | None = None,
    lang: Language = "en",
) -> Problem:
    """The problem document of a refusal; ``detail`` adds to its title."""
    title = title_of(refusal.code, lang)
    return Problem(
        type=f"{root}/problems/{refusal.code}",
        title=title,
        status=refusal.status,
        detail=with_detail(title, spoken(detail, lang), lang),
        code=refusal.code,
        instance=instance,
        request_id=request_id,
        **(members or {}),
    )


def as_refusal(error: Exception) -> Refusal:
    """The refusal that answers the exception; InternalError for one that none is declared for."""
    return refusal_of(error) or errors.InternalError()


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The problem response for the exception; statuses from 500 are logged."""
    refusal = as_refusal(error)
    metrics.PROBLEMS.labels(refusal.code).inc()
    if refusal.status >= 500 and not isinstance(refusal, errors.NotReady):
        is_bug = isinstance(refusal, errors.InternalError)
        reason = trace(error) if is_bug else {"reason": str(error)}
        log.error("request failed", code=refusal.code, path=request.scope["path"], **reason)
    lang = language(request, request.query_params.get("lang", ""))
    sentence = refusal.sentence(lang)
    root = root_of(request.scope)
    content = problem(
        refusal,
        refusal.detail,
        root=root,
        instance=root + request.scope["path"],
        request_id=REQUEST.get(),
        members=refusal.members(),
        lang=lang,
    )
    if content.errors:
        faults = [replace(fault, reason=spoken(fault.reason, lang)) for fault in content.errors]
        content = replace(content, errors=tuple(faults))
    if sentence:
        content = replace(content, detail=sentence)
    return Response(
        masked(msgspec.json.encode(content).decode()).encode(),
        status_code=refusal.status,
        media_type=MEDIA_TYPE,
        headers={
            **_HEADERS.get(refusal.status, {}),
            **refusal.headers(),
            "Cache-Control": "no-store",
            "Content-Language": lang,
            "Vary": VARY,
        },
    )


async def refuse(scope: Scope, receive: Receive, send: Send, error: Exception) -> None:
    """Send the error's problem, for requests that do not reach a route."""
    request: Request[Any, Any, Any] = Request(scope)
    response = answer(request, error)
    await response.to_asgi_response(app=None, request=request)(scope, receive, send)
