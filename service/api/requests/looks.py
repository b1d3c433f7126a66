"""The request of a look at a game: its headers and query, held against the route's description."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
from litestar import Request
from litestar.types import Scope
from msgspec import Meta

from phaseledger.service.api.requests.headers import LONGEST_IF_NONE_MATCH
from phaseledger.service.api.requests.invalid_parameters import of_parameters
from phaseledger.service.api.requests.parameters import (
    require_known_parameters,
    require_single_parameters,
)
from phaseledger.service.schemas.problem import Fault, FaultLocation
from phaseledger.service.schemas.versions import NEWEST

LONGEST_LANGUAGE = 35  # characters
_PLAIN = re.compile(r"0|[1-9][0-9]{0,8}")
_FORMS: Sequence[tuple[FaultLocation, str, Any]] = (
    ("query", "at_least", Annotated[int, Meta(ge=0, le=NEWEST)]),
    ("query", "lang", Annotated[str, Meta(max_length=LONGEST_LANGUAGE)]),
    ("header", "if-none-match", Annotated[str, Meta(max_length=LONGEST_IF_NONE_MATCH)]),
)


class LookRequest(NamedTuple):
    """The headers and the query of a look, as they came; empty where they are missing."""

    at_least: str
    lang: str
    if_none_match: str
    token: str | None
    """Of the Authorization header; None without one."""

    def version(self) -> int:
        """The version that is waited for. Raises InvalidParameter for whatever is unsound."""
        is_short = len(self.lang) <= LONGEST_LANGUAGE
        is_short = is_short and len(self.if_none_match) <= LONGEST_IF_NONE_MATCH
        if is_short and _PLAIN.fullmatch(self.at_least):
            return int(self.at_least)
        faults = list[Fault]()
        for (where, name, form), text in zip(_FORMS, self, strict=False):
            try:
                msgspec.convert(text, form, strict=False)
            except msgspec.ValidationError as error:
                faults.append(Fault(where, name, str(error)))
        if faults:
            raise of_parameters(faults)
        return int(self.at_least)


def look(scope: Scope) -> LookRequest:
    """The headers and the query of the request.

    Raises:
        InvalidParameter: a parameter is repeated.
        UnknownParameter: there is no such one.

    """
    lines, at_least, lang = [*scope["headers"]], "0", ""
    headers = dict(lines)
    if len(headers) < len(lines) or scope["query_string"]:
        request: Request[Any, Any, Any] = Request(scope)
        require_single_parameters(request)
        require_known_parameters(request, ("at_least", "lang"))
        at_least = request.query_params.get("at_least", at_least)
        lang = request.query_params.get("lang", lang)
        headers = dict(reversed(lines))  # of repeated ones the first counts
    token = headers.get(b"authorization")
    return LookRequest(
        at_least=at_least,
        lang=lang,
        if_none_match=headers.get(b"if-none-match", b"").decode("latin-1"),
        token=None if token is None else token.decode("latin-1"),
    )
