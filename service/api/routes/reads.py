"""Routes that only read: the table as the caller sees it, legal commands, receipts."""

from typing import Annotated, Any, NamedTuple
from uuid import UUID

from litestar import Response, get
from litestar.params import FromPath, PathParameter, QueryParameter
from litestar.types import Scope

from phaseledger.replay.formats.signing.receipts import Receipt
from phaseledger.service.api.auth import Caller, presented_by, visible_game
from phaseledger.service.api.dependencies import Injected, Service, service_of
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.headers import REVALIDATED, AtLeast, IfVersionUnknown
from phaseledger.service.api.requests.languages import in_language
from phaseledger.service.api.requests.looks import LONGEST_LANGUAGE, look
from phaseledger.service.api.requests.parameters import READY, require_canonical
from phaseledger.service.api.responses.ready import ReadyAnswer
from phaseledger.service.api.responses.views import view_reply, view_tags
from phaseledger.service.games.errors import NoSuchReceipt
from phaseledger.service.games.play import Sitting
from phaseledger.service.games.receipts import find_receipt
from phaseledger.service.games.spectators import visible_snapshot
from phaseledger.service.games.view import actions
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.games import Actions, GameView
from phaseledger.service.schemas.versions import NEWEST

LegendLanguage = Annotated[
    str,
    QueryParameter(
        max_length=LONGEST_LANGUAGE,
        description="The language of `legend`: `en`, `de` or `fr`, and English for any other.",
    ),
]


class LookParameters(NamedTuple):
    """The parameters of a look, for its description."""

    at_least: AtLeast = 0
    lang: LegendLanguage = ""
    if_none_match: IfVersionUnknown = ""


@get(
    "/games/{game:uuid}",
    **route_description(
        "getGame",
        Occasion.STREAMING,
        Occasion.LOG,
        caller="viewer",
        headers=("ETag",),
        answer=GameView,
        takes=LookParameters,
    ),
    **READY,
)
async def get_game(game: FromPath[UUID], scope: Scope) -> ReadyAnswer:
    """The table as the caller sees it: a seat its own hand, a spectator no hand at all.

    With `at_least` one past the version held, this is a long poll: it answers as soon as the game
    gets there, and with what there is after about ten seconds. It counts as a stream of its
    address; see `listEvents`.

    A spectator sees what the table's terms allow: perhaps not the newest version, perhaps none.
    """
    require_canonical(scope)
    service, asked = service_of(scope), look(scope)
    presented = await presented_by(asked.token, game, service)
    version = asked.version()
    caller, now = await visible_game(scope, service, game, presented, version)
    lang = in_language(asked.lang)
    return view_reply(service, game, now, caller.seat, lang, asked.if_none_match)


@get(
    "/games/{game:uuid}/actions",
    **route_description("listActions", Occasion.LOG, caller="seat", headers=("ETag",)),
)
async def list_actions(
    game: FromPath[UUID], sitting: Injected[Sitting], service: Injected[Service]
) -> Response[Actions]:
    """What the caller is asked, and the commands that may answer it now.

    Lays are listed at their least size and hits one card at a time; a secret that is due cannot
    be listed. Large hands have millions of choices: the first 1,000 of a kind are listed, and
    `more` says that there may be others, which may be sent all the same.
    """
    now, seat = await service.games.look(game), sitting.seat
    sitting.require(now)
    etag = view_tags(service, game, now, seat)[0]
    return Response(actions(now, seat), headers={**REVALIDATED, "ETag": etag})


@get(
    "/games/{game:uuid}/receipts/{seq:int}",
    **route_description("getReceipt", Occasion.LOG, raises=(NoSuchReceipt,), caller="viewer"),
)
async def get_receipt(
    game: FromPath[UUID],
    seq: Annotated[int, PathParameter(ge=1, le=NEWEST, description="A command's last event.")],
    caller: Injected[Caller],
    service: Injected[Service],
) -> Response[Receipt]:
    """The operator's signed word for the command that ends with this event.

    Its keeper can prove later that the log was cut off or rewritten. It is the one that the
    command's answer had, unless the operator signs with a newer key by now.
    """
    now = await visible_snapshot(service.games, game, member=caller.member)
    with service.games.suspecting(game):
        receipt = await find_receipt(
            service.parts.store, service.parts.log.tree, game, now, seq, service.parts.keys.current
        )
    return Response(receipt, headers=REVALIDATED)


HANDLERS: list[Any] = [get_game, list_actions, get_receipt]
