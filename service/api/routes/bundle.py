"""The route of a game's evidence bundle: one file for `phaseledger verify` or other verifiers."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Response, get
from litestar.params import FromPath, QueryParameter

from phaseledger.service.api.auth import Caller, visible_game
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.errors import BundleTooLong
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.headers import REVALIDATED
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.games.bundles import bundle_of
from phaseledger.service.refusals import Occasion
from phaseledger.service.schemas.versions import NEWEST
from phaseledger.service.streams.sse import NDJSON
from phaseledger.service.transparency.errors import SizeUnknown

AT_ONCE = 2  # bundles that are written; others wait, since each is as much work as a whole game
PATIENCE = 5.0  # seconds for a checkpoint over the game's last event; sooner or later there is one


FromSize = Annotated[
    int,
    QueryParameter(ge=0, le=NEWEST, description="A size of the log to prove that it goes on from."),
]


@get(
    "/games/{game:uuid}/bundle",
    media_type=NDJSON,
    **route_description(
        "getBundle",
        Occasion.LOG,
        raises=(BundleTooLong, SizeUnknown),
        caller="viewer",
        headers=("Content-Disposition",),
    ),
)
async def get_bundle(
    request: AnyRequest,
    game: FromPath[UUID],
    caller: Injected[Caller],
    service: Injected[Service],
    from_size: FromSize = 0,
) -> Response[bytes]:
    """The game's evidence in one file: events, opened seals, secrets, receipts, checkpoint, proofs.

    `p10-bundle/v1`, one JSON object a line (docs/reference/evidence.md), which `phaseledger verify`
    checks without a network. Of a running game it opens what the caller's seat may know. The answer
    waits some seconds for a checkpoint of the log that covers the game's last event.

    With `from_size`, the size of a checkpoint that you kept, the bundle has a line more, the
    proof that the log of its own checkpoint goes on from that one. Verifiers of release 0.1 refuse
    such a bundle.
    """
    caller, now = await visible_game(request.scope, service, game, caller)
    public = service.parts.log
    await public.publisher.covered(game, now.version, PATIENCE)
    async with service.slots.bundles:
        with service.games.suspecting(game):
            bundle = await bundle_of(
                service.parts.store,
                public.tree,
                service.parts.keys,
                public.witnesses,
                game,
                now,
                caller.seat,
                from_size=from_size,
            )
    name = f'attachment; filename="{game}.bundle.ndjson"'
    return Response(bundle, headers={**REVALIDATED, "Content-Disposition": name})


HANDLERS: list[Any] = [get_bundle]
