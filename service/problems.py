"""Refusals as RFC 9457 problem details. Codes are stable; rules speak as in `domain.sentences`."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException
from msgspec import Struct

from domain.commands import RejectCode as Code
from domain.commands import Rejected
from domain.sentences import REFUSED
from projections.pages import BadCursor, NotYet, ViewsUnavailable
from service.game import BadSignature, KeyReused, NoSuchGame, StaleVersion, TableFull
from service.logs import trace
from service.store import Conflict, StoreUnavailable

MEDIA_TYPE = "application/problem+json"
log = structlog.get_logger("phaseledger.http")


class Fault(Struct, frozen=True):
    """One thing wrong with a request; ``where`` is ``body``, ``query``, ``header`` or ``path``."""

    where: str
    name: str
    reason: str


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why a request was refused. Branch on ``code``; ``rule`` is the rule book's ID."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    instance: str
    rule: str = ""
    version: int | None = None
    """The game's version, where another one was expected."""
    head: str = ""
    """The hash of the game's last event, where a command was signed for another one."""
    errors: tuple[Fault, ...] = ()


class Refusal(Exception):
    """A refusal that the HTTP layer itself makes."""

    def __init__(self, code: str, detail: str = "", *, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.faults = faults


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
    **{code: Kind(_status(code), REFUSED[code]) for code in Code},
    # What HTTP adds to the rules:
    "bad_request": Kind(400, "The request cannot be understood."),
    "malformed_json": Kind(400, "The body is not JSON."),
    "invalid_body": Kind(400, "The body does not have the described shape."),
    "invalid_parameter": Kind(400, "A parameter does not have the described shape."),
    "token_missing": Kind(401, "This needs a bearer token."),
    "token_unknown": Kind(401, "The bearer token is not known here."),
    "seat_token_needed": Kind(403, "Only a seat may do that; the host has none."),
    "unknown_witness": Kind(403, "No cosignature on it is by a witness that this log takes."),
    "no_checkpoint": Kind(404, "The public log has no checkpoint yet."),
    "size_unknown": Kind(404, "The public log has no such size."),
    "no_such_receipt": Kind(404, "No command ends with that event."),
    "not_found": Kind(404, "There is nothing at this address."),
    "no_such_game": Kind(404, "There is no such game."),
    "no_such_ruleset": Kind(404, "There is no such rule set here."),
    "method_not_allowed": Kind(405, "The address does not have this method."),
    "table_full": Kind(409, "Every seat is taken."),
    "version_not_reached": Kind(409, "The game is not at that version yet."),
    "not_in_log": Kind(409, "The public log does not cover such an event yet."),
    "stale_version": Kind(412, "The game is at another version."),
    "body_too_large": Kind(413, "The body is too large."),
    "unsupported_media_type": Kind(415, "The body must be application/json."),
    "no_such_phase": Kind(422, "The rule set has no such phase."),
    "impossible_group": Kind(422, "No such group can lie on the table."),
    "bad_cursor": Kind(422, "That is no cursor of this list."),
    "bad_cosignature": Kind(422, "That is no cosignature on a published checkpoint."),
    "bad_signature": Kind(422, "The seat has not signed this command for the game as it is now."),
    "idempotency_mismatch": Kind(422, "The Idempotency-Key belongs to another request."),
    "internal_error": Kind(500, "Something went wrong here; nothing is known to be stored."),
    "store_unavailable": Kind(503, "The event log cannot be reached; try again."),
    "views_unavailable": Kind(503, "The views cannot be read; try again."),
    "log_unsigned": Kind(503, "The public log is not signed; the server's log says why."),
    "views_behind": Kind(503, "The views have not caught up with the log; try again."),
}
"""Every code that the API may answer."""

SIGNATURE = r"^([0-9a-f]{128})?$"
COMMAND_KEY = r"^([!-~]{16,128})?$"
TOKEN_KEY = r"^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{32,128})?$"
ENTITY_TAGS = r'^(\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)?$'
_SHAPES = {
    COMMAND_KEY: "it is 16 to 128 visible ASCII characters",
    SIGNATURE: "it is 128 hex digits in lower case",
    TOKEN_KEY: "it is a UUID, or 32 to 128 hex digits",
    ENTITY_TAGS: "it is *, or an ETag with its quotation marks, or several with commas",
}
"""The patterns of headers, and what they say in words."""

_MISSING = re.compile(r"Missing required (\w+) parameter '(\w+)'")
_BY_STATUS = {404: "not_found", 405: "method_not_allowed", 413: "body_too_large"}
_BY_EXCEPTION: dict[type[Exception], str] = {
    NoSuchGame: "no_such_game",
    TableFull: "table_full",
    KeyReused: "idempotency_mismatch",
    BadCursor: "bad_cursor",
    ViewsUnavailable: "views_unavailable",
    Conflict: "store_unavailable",
}


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The problem that stands for the exception; one that nobody foresaw is logged."""
    headers: dict[str, str] = {}
    code, detail, more = _read(error, headers)
    kind = KINDS[code]
    if kind.status >= 500:
        told = trace(error) if code == "internal_error" else {"reason": str(error)}
        log.error("request failed", code=code, path=request.url.path, **told)
    if kind.status == 401:
        scheme = 'Bearer realm="phaseledger"'
        bearer = f'{scheme}, error="invalid_token"' if code == "token_unknown" else scheme
        headers["WWW-Authenticate"] = bearer
    if kind.status == 503:
        headers.setdefault("Retry-After", "1")
    problem = Problem(
        type=f"/problems/{code}",
        title=kind.title,
        status=kind.status,
        detail=f"{kind.title[:-1]}: {detail.rstrip('.')}." if detail else kind.title,
        code=code,
        instance=request.url.path,
        **more,
    )
    return Response(
        msgspec.json.encode(problem),
        status_code=kind.status,
        media_type=MEDIA_TYPE,
        headers={**headers, "Cache-Control": "no-store"},
    )


def _read(error: Exception, headers: dict[str, str]) -> tuple[str, str, Mapping[str, Any]]:
    """The exception's code, what it says besides, and further members of the problem."""
    if isinstance(error, Rejected):
        return error.code, error.detail, {"rule": error.rule}
    if isinstance(error, Refusal):
        return error.code, error.detail, {"errors": error.faults}
    if isinstance(error, StaleVersion):
        return "stale_version", f"it is at {error.version}", {"version": error.version}
    if isinstance(error, BadSignature):
        version, head = error.version, error.head
        told = f"it has to be signed over event number {version} and its hash {head}"
        return "bad_signature", told, {"version": version, "head": head}
    if isinstance(error, NotYet):
        return "version_not_reached", f"it is at {error.reached}", {"version": error.reached}
    if isinstance(error, StoreUnavailable):
        headers["Retry-After"] = str(error.retry_after)
        return "store_unavailable", "", {}
    if isinstance(error, HTTPException) and error.status_code < 500:
        return _of_framework(error, headers)
    return _BY_EXCEPTION.get(type(error), "internal_error"), "", {}


def _of_framework(
    error: HTTPException, headers: dict[str, str]
) -> tuple[str, str, Mapping[str, Any]]:
    if error.status_code == 405:
        allowed = {name.strip() for name in (error.headers or {}).get("allow", "").split(",")}
        headers["Allow"] = ", ".join(sorted(allowed | {"HEAD"} if "GET" in allowed else allowed))
    if error.status_code == 400 and isinstance(error.extra, list):
        faults = tuple(_fault(fault) for fault in error.extra)
        if any(fault.where == "body" for fault in faults):
            return "malformed_json", "it is empty", {}
        said = "; ".join(f"{fault.name}: {fault.reason}" for fault in faults)
        return "invalid_parameter", said, {"errors": faults}
    if missing := _MISSING.match(error.detail):
        where, name = missing.groups()
        fault = Fault(where, name, "it is missing")
        return "invalid_parameter", f"{name}: it is missing", {"errors": (fault,)}
    return _BY_STATUS.get(error.status_code, "bad_request"), "", {}


def _fault(extra: Mapping[str, Any]) -> Fault:
    where = str(getattr(extra.get("source"), "value", extra.get("source", "")))
    name, reason = str(extra.get("key", "")), str(extra.get("message", ""))
    if where == "header":
        name = name.replace("_", "-")
        # The message quotes the pattern as Python would write it.
        words = (said for shape, said in _SHAPES.items() if repr(shape) in reason)
        reason = next(words, reason)
    return Fault(where, name, reason)
