"""Which part of a request is at fault, where the framework has found it."""

import re
from collections.abc import Mapping
from typing import Any, get_args

from litestar.exceptions import HTTPException

from phaseledger.service.schemas.problem import Fault, FaultLocation

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

QUERY_CHOICES = {
    "follow": ("true", "false"),
    "format": ("events",),
    "once": ("true", "false"),
    "stage": ("lobby", "sealed", "playing", "ended", "voided", "any"),
}
"""What the parameters of queries may be that are one of few words."""
_MISSING = re.compile(r"Missing required (\w+) parameter '(\w+)'")
_BY_STATUS = {404: "not_found", 405: "method_not_allowed", 413: "body_too_large"}


def framework_fault(
    error: HTTPException, headers: dict[str, str]
) -> tuple[str, str, Mapping[str, Any]]:
    """The code of the framework's refusal, what it says besides, and members of the problem.

    What there is to say in headers is added to ``headers``.
    """
    if error.status_code == 405:
        allowed = {name.strip() for name in (error.headers or {}).get("allow", "").split(",")}
        headers["Allow"] = ", ".join(sorted(allowed | {"HEAD"} if "GET" in allowed else allowed))
    if error.status_code == 400 and isinstance(error.extra, list):
        faults = tuple(_fault(fault) for fault in error.extra)
        if any(fault.where == "body" for fault in faults):
            return "malformed_json", "it is empty, and the least is {}", {}
        said = "; ".join(f"{fault.name}: {fault.reason}" for fault in faults)
        return "invalid_parameter", said, {"errors": faults}
    if missing := _MISSING.match(error.detail):
        fault = Fault(_place(missing[1]), missing[2], "it is missing")
        name = missing[2]
        return "invalid_parameter", f"{name}: it is missing", {"errors": (fault,)}
    return _BY_STATUS.get(error.status_code, "bad_request"), "", {}


def _fault(extra: Mapping[str, Any]) -> Fault:
    where = _place(str(getattr(extra.get("source"), "value", extra.get("source", ""))))
    name, reason = str(extra.get("key", "")), str(extra.get("message", ""))
    if where == "header":
        name = name.replace("_", "-")
        # The message quotes the pattern as Python would write it.
        words = (said for shape, said in _SHAPES.items() if repr(shape) in reason)
        reason = next(words, reason)
    if where == "query" and name in QUERY_CHOICES:
        reason = f"{reason}; it is one of {', '.join(QUERY_CHOICES[name])}"
    return Fault(where, name, reason)


def _place(name: str) -> FaultLocation:
    """The part of the request; the framework knows no others but cookies, which nobody asks for."""
    found: dict[str, FaultLocation] = {place: place for place in get_args(FaultLocation)}
    return found.get(name, "header")
