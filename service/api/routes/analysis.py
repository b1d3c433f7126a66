"""The route of a finished game's analysis: luck and error of each seat."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import get
from litestar.params import FromPath

from phaseledger import __version__
from phaseledger.analysis import Analysis
from phaseledger.service.analyses.analyses import PLAN, require_analysable
from phaseledger.service.analyses.errors import AnalysisNotCovered, TooManyAnalyses
from phaseledger.service.api.auth import Caller, visible_game
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.etags import is_known
from phaseledger.service.api.requests.headers import NOT_STORED, REVALIDATED, IfNoneMatch
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.api.responses.ready import ReadyAnswer, json_answer, lines_of
from phaseledger.service.games.game import Snapshot
from phaseledger.service.lobby.errors import NotOver
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.analyses import AnalysisProgress
from phaseledger.service.schemas.versions import HEAD_DIGITS

AT_ONCE = 16
"""The limit of analyses under way; all but one wait for the ones before them."""
AT_ONCE_EACH = 1
"""Analyses of one address that are under way."""
UNDER_WAY = {**NOT_STORED, "Retry-After": "2"}
"""Headers of an answer that tells how far an analysis is."""


@get(
    "/games/{game:uuid}/analysis",
    **route_description(
        "getAnalysis",
        Occasion.LOG,
        raises=(NotOver, AnalysisNotCovered, TooManyAnalyses),
        caller="viewer",
        headers=("ETag",),
        answer=Analysis,
        accepted=AnalysisProgress("running", 0.25),
    ),
)
async def get_analysis(
    request: AnyRequest,
    game: FromPath[UUID],
    caller: Injected[Caller],
    service: Injected[Service],
    if_none_match: IfNoneMatch = "",
) -> ReadyAnswer:
    """Luck and error in a finished game: each seat's account, and each decision judged.

    The first request begins the analysis and is answered 202, as is each later one until it is
    made, after seconds: ask again after `Retry-After` seconds. Then the answer is the document of
    `phaseledger analyse --worlds 50 --json`, for all who may see the game
    (docs/explanation/luck-and-skill.md). Its making is work of the address that asked first, which
    may have one under way. The service keeps the last 64; another one is made anew, with the same
    bytes.

    There is none of a game that goes on (`not_over`), and none of one that was broken off
    (`analysis_not_covered`).
    """
    _, now = await visible_game(request.scope, service, game, caller)
    if not now.revealed:
        raise NotOver
    require_analysable(now)
    headers = {**REVALIDATED, "ETag": _tag(now)}
    if is_known(if_none_match, headers["ETag"]):
        return ReadyAnswer(304, lines_of(headers))
    answered = service.analyses.find(game, now)
    if answered is None:
        slots, address = service.slots.analyses, service.origin(request.scope)
        if reason := slots.reason_to_refuse(address):
            raise TooManyAnalyses(reason)
        answered = await service.analyses.begin(game, now, slots.held(address))
    if isinstance(answered, AnalysisProgress):
        return json_answer(lines_of(UNDER_WAY), msgspec.json.encode(answered), 202)
    return json_answer(lines_of(headers), answered)


def _tag(now: Snapshot) -> str:
    """The tag of the analysis: the game, how it is analysed, and the release that does it."""
    return f'"{now.version}-{now.chain.head[:HEAD_DIGITS]}-{PLAN.worlds}-{__version__}"'


HANDLERS: list[Any] = [get_analysis]
