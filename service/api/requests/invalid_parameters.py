"""The framework's own errors as refusals, which name the part of the request at fault."""

import re
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, get_args

from litestar.exceptions import HTTPException

from phaseledger.domain.words import LANGUAGES, Phrase, refused
from phaseledger.service.api.errors import (
    BadRequest,
    BodyTooLarge,
    InternalError,
    InvalidParameter,
    MalformedJson,
    MethodNotAllowed,
    NotFound,
)
from phaseledger.service.api.requests.json_body import EMPTY
from phaseledger.service.refusals import Refusal, answer_as
from phaseledger.service.schemas.problem import Fault, FaultLocation

SIGNATURE = r"^([0-9a-f]{128})?$"
COMMAND_KEY = r"^([!-~]{16,128})?$"
TOKEN_KEY = r"^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{32,128})?$"
ENTITY_TAGS = r'^(\*|(W/)?"[!#-~]*"([ \t]*,[ \t]*(W/)?"[!#-~]*")*)?$'
EXPLANATIONS = {
    COMMAND_KEY: Phrase("adds.fault.command_key"),
    SIGNATURE: Phrase("adds.fault.signature"),
    TOKEN_KEY: Phrase("adds.fault.token_key"),
    ENTITY_TAGS: Phrase("adds.fault.tags"),
}
"""The patterns of headers, and their explanations in words."""

QUERY_CHOICES = {
    "dry_run": ("true", "false"),
    "follow": ("true", "false"),
    "format": ("events",),
    "lines": (*LANGUAGES, "none"),
    "linger": ("true", "false"),
    "once": ("true", "false"),
    "result": ("won", "lost", "any"),
    "stage": ("lobby", "sealed", "playing", "ended", "voided", "any"),
}
"""The query parameters with enumerated values, and those values."""
_MISSING = re.compile(r"Missing required (\w+) parameter '(\w+)'")
_BY_STATUS: Mapping[int, type[Refusal]] = {404: NotFound, 413: BodyTooLarge}


def framework_fault(error: HTTPException) -> Refusal:
    """The refusal for one of the framework's exceptions, with details of parameters at fault."""
    if error.status_code >= 500:
        return InternalError()
    if error.status_code == 405:
        return MethodNotAllowed(_allowed(error))
    if error.status_code == 400 and isinstance(error.extra, list):
        return of_parameters([_fault(extra) for extra in error.extra])
    if missing := _MISSING.match(error.detail):
        place, name = missing.groups()
        return of_parameters([Fault(_place(place), name, Phrase("adds.fault.missing"))])
    return _BY_STATUS.get(error.status_code, BadRequest)()


answer_as(HTTPException, framework_fault)


def _allowed(error: HTTPException) -> str:
    """The value of the `Allow` header: the methods of the path."""
    methods = {name.strip() for name in (error.headers or {}).get("allow", "").split(",")}
    return ", ".join(sorted(methods | {"HEAD"} if "GET" in methods else methods))


def of_parameters(faults: Sequence[Fault]) -> Refusal:
    """The refusal of a request in which these parts are at fault."""
    if any(fault.where == "body" for fault in faults):
        return MalformedJson(EMPTY)
    return InvalidParameter(named(faults), *faults)


def named(faults: Sequence[Fault]) -> str:
    """The parts of a request at fault, each by its name."""
    parts = (Phrase("adds.fault.named", key=fault.name, fault=fault.reason) for fault in faults)
    return reduce(lambda first, then: Phrase("adds.both", first=first, then=then), parts)


def _fault(extra: Mapping[str, Any]) -> Fault:
    where = _place(str(getattr(extra.get("source"), "value", extra.get("source", ""))))
    name, reason = str(extra.get("key", "")), refused(str(extra.get("message", "")))
    if where == "header":
        name = name.replace("_", "-")
        # The message quotes the pattern as Python would write it.
        explanations = (
            explanation for pattern, explanation in EXPLANATIONS.items() if repr(pattern) in reason
        )
        reason = next(explanations, reason)
    if where == "query" and name in QUERY_CHOICES:
        reason = _with_choices(name, reason)
    return Fault(where, name, reason)


def header_fault(name: str, value: str, pattern: str, longest: int | None = None) -> Fault | None:
    """What is wrong with a header's value, if anything is; ``longest`` is in characters."""
    if longest is not None and len(value) > longest:
        return Fault("header", name, refused(f"Expected `str` of length <= {longest}"))
    if re.search(pattern, value) is None:
        return Fault("header", name, EXPLANATIONS[pattern])
    return None


def choice_fault(name: str, value: str) -> Fault | None:
    """What is wrong with the value of a parameter of the query that is one of several."""
    if value in QUERY_CHOICES[name]:
        return None
    return Fault("query", name, _with_choices(name, refused(f"Invalid enum value '{value}'")))


def _with_choices(name: str, reason: str) -> str:
    return Phrase("detail.json.one_of", fault=reason, keys=", ".join(QUERY_CHOICES[name]))


def _place(name: str) -> FaultLocation:
    """The part of the request; the framework's only other one is cookies, which no route reads."""
    places: dict[str, FaultLocation] = {place: place for place in get_args(FaultLocation)}
    return places.get(name, "header")
