"""Refusals as RFC 9457 problem details. Codes are stable; rules speak as in `domain.sentences`."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException

from phaseledger.domain.commands import RejectCode as Code
from phaseledger.domain.commands import Rejected
from phaseledger.projections.pages import BadCursor, NotReached, ViewsUnavailable
from phaseledger.replay.bundle.writer import TooLong
from phaseledger.service.api.invalid_parameters import framework_fault
from phaseledger.service.credentials.errors import TokenRefused
from phaseledger.service.eventlog.postgres import Conflict, StoreUnavailable
from phaseledger.service.games.errors import (
    BadSignature,
    Denied,
    KeyReused,
    LogDamaged,
    NoSuchGame,
    StaleVersion,
)
from phaseledger.service.lobby.errors import TableFull
from phaseledger.service.runtime import metrics
from phaseledger.service.runtime.logs import REQUEST, trace
from phaseledger.service.schemas.health import Checks
from phaseledger.service.schemas.problem import Fault, Problem
from phaseledger.service.streams.errors import TooManyStreams
from phaseledger.service.transparency.errors import TreeError

MEDIA_TYPE = "application/problem+json"
log = structlog.get_logger("phaseledger.http")


class Refusal(Exception):
    """A refusal that the HTTP layer itself makes."""

    def __init__(self, code: str, detail: str = "", *, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail
        self.faults = faults


class NotReady(Exception):
    """Something that the service stands on is not well."""

    def __init__(self, checks: Checks) -> None:
        super().__init__(checks)
        self.checks = checks
        self.detail = "; ".join(check.reason for _, check in checks.named() if not check.ok)


class Kind(NamedTuple):
    """How a code is answered: the status, and the sentence that is its title."""

    status: int
    title: str


_CONFLICTS = {
    Code.GAME_EXISTS,
    Code.NOT_IN_LOBBY,
    Code.NOT_STARTED,
    Code.GAME_OVER,
    Code.SEAT_TAKEN,
    Code.SEATS_OPEN,
    Code.NOBODY_THERE,
    Code.BOT_SEAT,
    Code.NO_CLOCK,
    Code.SECRETS_DUE,
    Code.NO_SECRET_DUE,
    Code.NO_KEY_REGISTERED,
    Code.NOT_OVERDUE,
    Code.NOT_YOUR_TURN,
    Code.NOT_ASKED,
    Code.MUST_MOVE,
    Code.ACTION_DUE,
    Code.MUST_GIVE,
    Code.MUST_KEEP,
    Code.NOTHING_TO_KEEP,
    Code.MUST_DRAW,
    Code.ALREADY_DRAWN,
    Code.MUST_DISCARD,
    Code.EMPTY_DISCARD_PILE,
    Code.EMPTY_STOCK,
    Code.SKIP_NOT_DRAWABLE,
    Code.ALREADY_LAID,
    Code.PHASE_NOT_LAID,
}
"""Refused by the state that the game is in, where another one would allow it."""


def _status(code: Code) -> int:
    return 403 if code is Code.NOT_FOR_SEATS else 409 if code in _CONFLICTS else 422


KINDS: dict[str, Kind] = {
    **{code: Kind(_status(code), code.sentence) for code in Code},
    # What HTTP adds to the rules:
    "bad_request": Kind(400, "The request cannot be understood."),
    "malformed_json": Kind(400, "The body is not JSON."),
    "body_cut_off": Kind(400, "The body ends before it is complete."),
    "duplicate_key": Kind(400, "An object in the body has a key twice."),
    "invalid_body": Kind(400, "The body does not have the described shape."),
    "invalid_parameter": Kind(400, "A parameter does not have the described shape."),
    "token_missing": Kind(401, "This needs a bearer token."),
    "token_unknown": Kind(401, "The bearer token is not known here."),
    "token_mistyped": Kind(401, "The bearer token is mistyped: its checksum does not fit."),
    "token_revoked": Kind(401, "The bearer token was revoked."),
    "token_expired": Kind(401, "The bearer token has expired."),
    "seat_token_needed": Kind(403, "Only a seat may do that; the host has none."),
    "seat_handed_over": Kind(403, "A bot has the seat now."),
    "no_spectators": Kind(403, "Only those who play may watch this game."),
    "join_code_needed": Kind(403, "The table is private: sitting down needs its code."),
    "bad_join_code": Kind(403, "That is not the table's code."),
    "unknown_witness": Kind(403, "No cosignature on it is by a witness that this log takes."),
    "no_checkpoint": Kind(404, "The public log has no checkpoint yet."),
    "size_unknown": Kind(404, "The public log has no such size."),
    "no_such_receipt": Kind(404, "No command ends with that event."),
    "no_such_webhook": Kind(404, "The game has no such webhook."),
    "no_such_delivery": Kind(404, "The webhook has no such delivery."),
    "no_such_token": Kind(404, "No token has that id."),
    "not_found": Kind(404, "There is nothing at this address."),
    "no_such_problem": Kind(404, "No problem has that code."),
    "no_such_game": Kind(404, "There is no such game."),
    "no_such_code": Kind(404, "No table that can be joined has that code."),
    "no_such_ruleset": Kind(404, "There is no such rule set here."),
    "method_not_allowed": Kind(405, "The address does not have this method."),
    "no_fresh_token": Kind(409, "The tokens of that sitting were revoked; it gets no other."),
    "body_too_slow": Kind(408, "The body took too long to arrive."),
    "bot_answers": Kind(409, "The seat was overdue: a bot answers until its next turn."),
    "seat_reserved": Kind(409, "The seat is kept for somebody who played the game before."),
    "seat_not_kept": Kind(409, "The seat is not kept for you any more."),
    "not_over": Kind(409, "The game is not over."),
    "too_many_webhooks": Kind(409, "The game has as many webhooks as it may have."),
    "table_full": Kind(409, "Every seat is taken, or kept for somebody."),
    "bundle_too_long": Kind(409, "The game has too many events for a bundle: export and audit it."),
    "version_not_reached": Kind(409, "The game is not at that version yet."),
    "not_in_log": Kind(409, "The public log does not cover such an event yet."),
    "stale_version": Kind(
        412, "The game is at another version, or the tag is that of another viewer."
    ),
    "body_too_large": Kind(413, "The body is too large."),
    "address_too_long": Kind(414, "The address is too long."),
    "unsupported_media_type": Kind(415, "The body must be plain application/json in UTF-8."),
    "no_such_phase": Kind(422, "The rule set has no such phase."),
    "impossible_group": Kind(422, "No such group can lie on the table."),
    "bad_cursor": Kind(422, "That is no cursor of this list."),
    "webhook_refused": Kind(422, "No webhook is sent to that URL."),
    "bad_cosignature": Kind(422, "That is no cosignature on a published checkpoint."),
    "bad_signature": Kind(422, "The seat has not signed this command for the game as it is now."),
    "idempotency_mismatch": Kind(422, "The Idempotency-Key belongs to another request."),
    "if_match_needed": Kind(428, "Commands need an If-Match here."),
    "too_many_requests": Kind(429, "There were too many requests; wait a little."),
    "headers_too_large": Kind(431, "The headers are too large."),
    "internal_error": Kind(500, "Something went wrong here; nothing is known to be stored."),
    "draining": Kind(503, "The service takes no new commands at the moment; try again."),
    "not_ready": Kind(503, "The service is not ready."),
    "store_unavailable": Kind(503, "The event log cannot be reached; try again."),
    "too_many_streams": Kind(503, "As many streams are open as there may be; try again."),
    "log_damaged": Kind(503, "The log's record of that is damaged; nothing is signed on it."),
    "webhooks_unavailable": Kind(503, "This service sends no webhooks: its log is in memory."),
    "too_many_exports": Kind(503, "As many exports are open as there may be; try again."),
    "views_unavailable": Kind(503, "The views cannot be read; try again."),
    "views_behind": Kind(503, "The views have not caught up with the log; try again."),
}
"""Every code that the API may answer."""

_BY_EXCEPTION: dict[type[Exception], str] = {
    NoSuchGame: "no_such_game",
    TableFull: "table_full",
    TooLong: "bundle_too_long",
    KeyReused: "idempotency_mismatch",
    BadCursor: "bad_cursor",
    ViewsUnavailable: "views_unavailable",
    Conflict: "store_unavailable",
    LogDamaged: "log_damaged",
    TreeError: "log_damaged",
}


def problem(
    code: str,
    detail: str = "",
    *,
    instance: str,
    request_id: str = "",
    more: Mapping[str, Any] | None = None,
) -> Problem:
    """The problem of that code; ``detail`` says more than its title, ``more`` are members."""
    kind = KINDS[code]
    return Problem(
        type=f"/problems/{code}",
        title=kind.title,
        status=kind.status,
        detail=f"{kind.title[:-1]}: {detail.rstrip('.')}." if detail else kind.title,
        code=code,
        instance=instance,
        request_id=request_id,
        **(more or {}),
    )


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The problem that stands for the exception; one that nobody foresaw is logged."""
    headers: dict[str, str] = {}
    code, detail, more = _read(error, headers)
    kind = KINDS[code]
    metrics.PROBLEMS.labels(code).inc()
    if kind.status >= 500:
        told = trace(error) if code == "internal_error" else {"reason": str(error)}
        log.error("request failed", code=code, path=request.scope["path"], **told)
    if kind.status == 401:
        scheme = 'Bearer realm="phaseledger"'
        bearer = scheme if code == "token_missing" else f'{scheme}, error="invalid_token"'
        headers["WWW-Authenticate"] = bearer
    if kind.status == 408:
        headers["Connection"] = "close"  # the rest of the body would be taken for a request
    if kind.status == 503:
        headers.setdefault("Retry-After", "1")
    found = problem(
        code, detail, instance=request.scope["path"], request_id=REQUEST.get(), more=more
    )
    return Response(
        msgspec.json.encode(found),
        status_code=kind.status,
        media_type=MEDIA_TYPE,
        headers={**headers, "Cache-Control": "no-store"},
    )


def code_of(error: Exception) -> str:
    """The code under which the exception is answered."""
    return _read(error, {})[0]


def _read(error: Exception, headers: dict[str, str]) -> tuple[str, str, Mapping[str, Any]]:
    """The exception's code, what it says besides, and further members of the problem."""
    if isinstance(error, Rejected):
        return error.code, error.detail, {"rule": error.rule}
    if isinstance(error, Refusal):
        return error.code, error.detail, {"errors": error.faults}
    if isinstance(error, NotReady):
        return "not_ready", error.detail, {"checks": error.checks}
    if isinstance(error, Denied | TokenRefused | TooManyStreams):
        return error.code, getattr(error, "detail", ""), {}
    if isinstance(error, StaleVersion):
        return "stale_version", f"it is at {error.version}", {"version": error.version}
    if isinstance(error, BadSignature):
        version, head = error.version, error.head
        told = f"it has to be signed over event number {version} and its hash {head}"
        return "bad_signature", told, {"version": version, "head": head}
    if isinstance(error, NotReached):
        return "version_not_reached", f"it is at {error.reached}", {"version": error.reached}
    if isinstance(error, StoreUnavailable):
        headers["Retry-After"] = str(error.retry_after)
        return "store_unavailable", "", {}
    if isinstance(error, HTTPException) and error.status_code < 500:
        return framework_fault(error, headers)
    return _BY_EXCEPTION.get(type(error), "internal_error"), "", {}
