"""The request of a look at a game: its headers and query, held against the route's description."""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
from litestar.types import Scope
from msgspec import Meta

from phaseledger.service.api.requests.headers import LONGEST_IF_NONE_MATCH
from phaseledger.service.api.requests.invalid_parameters import of_parameters
from phaseledger.service.api.requests.parameters import head_of
from phaseledger.service.schemas.problem import Fault, FaultLocation
from phaseledger.service.schemas.versions import NEWEST

LONGEST_LANGUAGE = 35  # characters
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
    """The headers and the query of the request; raises what `head_of` does."""
    head = head_of(scope, "at_least", "lang")
    return LookRequest(
        at_least=head.query.get("at_least", "0"),
        lang=head.query.get("lang", ""),
        if_none_match=head.text(b"if-none-match"),
        token=head.token,
    )
