"""Pagination of lists: their parameters, and the links from page to page (RFC 8288)."""

from typing import Annotated, Literal
from urllib.parse import parse_qsl, urlencode

from litestar.params import QueryParameter

from phaseledger.domain.state import Stage
from phaseledger.projections.pages import Filter
from phaseledger.service.api.requests.parameters import AnyRequest

LATEST = 2**53 - 1
"""The upper bound of times; as a parameter: no bound."""

LISTING_WORK = 0.003
"""Seconds of work that a page of a list counts as: filters may pass by many games."""

Limit = Annotated[int, QueryParameter(ge=1, le=200)]
Cursor = Annotated[str, QueryParameter(max_length=1000, description="`next` of the page before.")]
RulesetFilter = Annotated[
    str, QueryParameter(max_length=60, description="A rule set's name or full id.")
]
PlayerFilter = Annotated[
    str,
    QueryParameter(
        max_length=40, description="The whole name of somebody in a seat, whatever its case."
    ),
]


StageFilter = Annotated[Stage | Literal["any"], QueryParameter()]


def _time(description: str) -> QueryParameter:
    return QueryParameter(
        ge=0, le=LATEST, description=f"{description}, in milliseconds since 1970."
    )


OpenedAfter = Annotated[int, _time("Opened at this time or later")]
OpenedBefore = Annotated[int, _time("Opened before this time")]
EndedAfter = Annotated[int, _time("Ended or voided at this time or later")]
EndedBefore = Annotated[int, _time("Ended or voided before this time")]


def game_filter(
    *,
    ruleset: str,
    player: str,
    opened: tuple[int, int] = (0, LATEST),
    ended: tuple[int, int] = (0, LATEST),
    stage: Stage | Literal["any"] = "any",
) -> Filter:
    """The filter of the parameters; times from the first (inclusive) up to the second."""
    return Filter(
        ruleset=ruleset or None,
        stage=None if stage == "any" else stage,
        player=player or None,
        opened_after=opened[0] or None,
        opened_before=None if opened[1] == LATEST else opened[1],
        ended_after=ended[0] or None,
        ended_before=None if ended[1] == LATEST else ended[1],
    )


def links(request: AnyRequest, cursor: str | int | None, name: str = "cursor") -> dict[str, str]:
    """The `Link` header of a page: to the first page, and to the next one where there is a cursor.

    ``name`` is the cursor's query parameter.
    """
    query = request.scope["query_string"].decode("latin-1")
    pairs = [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] != name]
    relations = [("next", [*pairs, (name, str(cursor))])] if cursor is not None else []
    values = (
        f'<{_address(request, query)}>; rel="{relation}"'
        for relation, query in [*relations, ("first", pairs)]
    )
    return {"Link": ", ".join(values)}


def _address(request: AnyRequest, query: list[tuple[str, str]]) -> str:
    path = request.scope["path"]
    return f"{path}?{urlencode(query)}" if query else path
