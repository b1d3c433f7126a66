"""Routes of ratings: the players of a game by their strength."""

import re
from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter

from phaseledger.domain.ruleset import fingerprint
from phaseledger.domain.rulesets import find_game
from phaseledger.projections.pages import RatingPage
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.errors import NoSuchRuleset
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.pagination import Cursor, Limit, links
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.refusals import Occasion
from phaseledger.service.runtime.work import spend

LISTING_WORK = 0.003
"""Seconds of work that a page counts as."""
_DIGEST = re.compile("[0-9a-f]{64}")
RatedRules = Annotated[
    str,
    QueryParameter(
        max_length=64,
        description="A rule set's name or full id, without house rules; or the digest of rules "
        "that have some.",
    ),
]
RatedSeats = Annotated[int, QueryParameter(ge=2, le=16, description="The number of seats.")]


def digest_of(ruleset: str) -> str:
    """The digest that the parameter names. Raises NoSuchRuleset."""
    if _DIGEST.fullmatch(ruleset):
        return ruleset
    if (game := find_game(ruleset)) is None:
        raise NoSuchRuleset
    return fingerprint(game.rules)


@get(
    "/ratings",
    **route_description("getRatings", Occasion.VIEWS, raises=(NoSuchRuleset,), headers=("Link",)),
)
async def get_ratings(
    request: AnyRequest,
    service: Injected[Service],
    ruleset: RatedRules,
    seats: RatedSeats,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response[RatingPage]:
    """Players by their strength in games of one rule set with one number of seats.

    Games count that ended with players of applications and bots in all seats, two different players
    at least, and no seat lost to a bot; none at private tables or without spectators. Ranked by
    `at_least`, so that a newcomer rises with games. docs/ratings.md has the scale.
    """
    spend(LISTING_WORK)
    page = await service.parts.views.ratings(digest_of(ruleset), seats, limit, cursor or None)
    return Response(page, headers=links(request, page.next))


HANDLERS: list[Any] = [get_ratings]
