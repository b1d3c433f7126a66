"""The route of a hint: what a bot would play for a seat at a practice table."""

from typing import Any
from uuid import UUID

from litestar import Response, get
from litestar.params import FromPath

from phaseledger.service.analyses.errors import AnalysisNotCovered, NoHint
from phaseledger.service.analyses.hints import Hint, hint, require_practice
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.headers import NOT_STORED
from phaseledger.service.api.requests.languages import VARY, Lang, language
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.games.play import Sitting
from phaseledger.service.refusals import Occasion

AT_ONCE = 2
"""Hints that are made at a time, while others wait: a model of rare house rules takes seconds."""
AT_ONCE_EACH = 1
"""Hints of one address that are made at a time."""


@get(
    "/games/{game:uuid}/hint",
    **route_description(
        "getHint", Occasion.LOG, raises=(NoHint, AnalysisNotCovered), caller="seat"
    ),
)
async def get_hint(
    game: FromPath[UUID],
    sitting: Injected[Sitting],
    service: Injected[Service],
    request: AnyRequest,
    lang: Lang = "",
) -> Response[Hint]:
    """A hint for the caller's open decision, at a practice table: the candidates, best first.

    Practice is one person in a game whose other seats have been bots from the start; at other
    tables, and out of turn, there is none (`no_hint`). Each candidate is played on in 50 worlds
    that fit what the seat can see (docs/explanation/luck-and-skill.md), so the same view gives the
    same hint. Its making is work of the caller's address; the game's log does not tell of it.
    """
    now = await service.games.look(game)
    sitting.require(now)
    require_practice(now, sitting.seat)
    async with service.slots.hints.held(service.origin(request.scope)):
        content = await hint(now, sitting.seat, language(request, lang))
        return Response(content, headers={**NOT_STORED, "Vary": f"Authorization, {VARY}"})


HANDLERS: list[Any] = [get_hint]
