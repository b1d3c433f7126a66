"""Routes of notices: what tells a player who is away that the table waits."""

from typing import Any
from uuid import UUID

from litestar import Response, delete, get, put
from litestar.params import FromPath, JSONBody

from phaseledger.service.api.auth import token_in
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.languages import Lang, language
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.credentials.tokens import digest
from phaseledger.service.games.play import Sitting
from phaseledger.service.notices.errors import NoticeRefused, NoticesOff
from phaseledger.service.notices.notices import Subscription
from phaseledger.service.notices.subscriptions import subscribe, unsubscribe
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.notices import NoticeChannels, PushSubscription
from phaseledger.service.webhooks.errors import TooManyRegistrations


@get("/notices", **route_description("getNoticeChannels"))
async def get_notice_channels(service: Injected[Service]) -> Response[NoticeChannels]:
    """What the service can send people who are away."""
    notices = service.parts.notices
    channels = NoticeChannels(notices.key.public if notices and notices.key else None)
    return Response(channels, headers={"Cache-Control": "no-cache"})


@put(
    "/games/{game:uuid}/notices/{device:uuid}",
    status_code=204,
    **route_description(
        "subscribeToNotices",
        Occasion.LOG,
        raises=(NoticesOff, NoticeRefused, TooManyRegistrations),
        caller="seat",
        empty=(204,),
    ),
)
async def subscribe_to_notices(
    request: AnyRequest,
    game: FromPath[UUID],
    device: FromPath[UUID],
    data: JSONBody[PushSubscription],
    sitting: Injected[Sitting],
    service: Injected[Service],
    lang: Lang = "",
) -> None:
    """Tell a browser when the game waits for the seat, begins, and is over.

    A message comes only while the seat is connected to no event stream, and once for a turn. It
    names the game and the other players, never a card; no push service can read it. The same
    device again replaces what it was, also its language. A seat may have five devices; a sixth
    takes the place of the first. It ends with the seat, with its token, with the game, or when the
    push service answers 404 or 410.
    """
    notices = service.parts.notices
    if notices is None or notices.key is None:
        raise NoticesOff
    service.attempts.register(service.origin(request.scope))
    now = await service.games.look(game)
    wanted = Subscription(data, digest(token_in(request.headers["authorization"])))
    await subscribe(notices, now, sitting, device, wanted, language(request, lang))


@delete(
    "/games/{game:uuid}/notices/{device:uuid}",
    **route_description(
        "unsubscribeFromNotices",
        Occasion.LOG,
        raises=(NoticesOff,),
        caller="seat",
        empty=(204,),
    ),
)
async def unsubscribe_from_notices(
    game: FromPath[UUID],
    device: FromPath[UUID],
    sitting: Injected[Sitting],
    service: Injected[Service],
) -> None:
    """Tell the browser nothing more of the seat; the same where it was told nothing."""
    if service.parts.deliveries is None:
        raise NoticesOff
    await unsubscribe(service.parts.deliveries.hooks, game, sitting, device)


HANDLERS: list[Any] = [get_notice_channels, subscribe_to_notices, unsubscribe_from_notices]
