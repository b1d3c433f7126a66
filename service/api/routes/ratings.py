"""Routes of ratings: the players of a game by their strength."""

import re
from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter

from phaseledger.domain.ruleset import fingerprint
from phaseledger.domain.rulesets import find_game
from phaseledger.projections.pages import RatingHistory, RatingPage
from phaseledger.service.api.auth import Acting, player_of
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.errors import NoSuchRuleset
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.headers import NOT_STORED
from phaseledger.service.api.requests.pagination import LISTING_WORK, Cursor, Limit, links
from phaseledger.service.api.requests.parameters import AnyRequest, PlayerPath
from phaseledger.service.players.errors import NoSuchPlayer
from phaseledger.service.refusals import Occasion
from phaseledger.service.runtime.work import spend
from phaseledger.service.schemas.players import PlayerRatings

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
    `at_least`, so that a newcomer rises with games. docs/explanation/ratings.md has the scale.
    """
    spend(LISTING_WORK)
    page = await service.parts.views.ratings(digest_of(ruleset), seats, limit, cursor or None)
    return Response(page, headers=links(request, page.next))


@get(
    "/players/{player:str}/ratings",
    **route_description(
        "getPlayerRatings",
        Occasion.VIEWS,
        Occasion.LOG,
        raises=(NoSuchPlayer,),
        caller="player",
    ),
)
async def get_player_ratings(
    player: PlayerPath, acting: Injected[Acting], service: Injected[Service]
) -> Response[PlayerRatings]:
    """The player's ratings, one for each rule set and number of seats that has rated games."""
    pseudonym = (await player_of(service, acting, player, "read")).pseudonym
    spend(LISTING_WORK)
    content = PlayerRatings(await service.parts.views.ratings_of(pseudonym))
    return Response(content, headers=NOT_STORED)


@get(
    "/players/{player:str}/ratings/history",
    **route_description(
        "getRatingHistory",
        Occasion.VIEWS,
        Occasion.LOG,
        raises=(NoSuchPlayer, NoSuchRuleset),
        caller="player",
        headers=("Link",),
    ),
)
async def get_rating_history(
    request: AnyRequest,
    player: PlayerPath,
    acting: Injected[Acting],
    service: Injected[Service],
    ruleset: RatedRules,
    seats: RatedSeats,
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response[RatingHistory]:
    """The player's rated games of one rule set and number of seats, newest first."""
    pseudonym = (await player_of(service, acting, player, "read")).pseudonym
    spend(LISTING_WORK)
    page = await service.parts.views.rating_history(
        pseudonym, digest_of(ruleset), seats, limit, cursor or None
    )
    return Response(page, headers={**NOT_STORED, **links(request, page.next)})


HANDLERS: list[Any] = [get_ratings, get_player_ratings, get_rating_history]
