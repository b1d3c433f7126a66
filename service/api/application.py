"""The framework's application: the API's operations, and what their handlers are given."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cache, partial
from typing import Any, Self

from litestar import Litestar, MediaType, Router, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.handlers import BaseRouteHandler

from phaseledger.service.api import auth
from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.openapi.document import text
from phaseledger.service.api.problems.details import answer
from phaseledger.service.api.requests.parameters import (
    LARGEST_BODY,
    StrictRequest,
    require_exact_parameters,
)
from phaseledger.service.api.routes import (
    analysis,
    applications,
    bundle,
    docs,
    events,
    exports,
    frames,
    games,
    hints,
    lobby,
    log,
    notices,
    play,
    players,
    projections,
    ratings,
    reactions,
    reads,
    replays,
    rules,
    sign_in,
    webhooks,
)

V1 = (
    *(games, lobby, webhooks, reads, events, rules, projections, log, bundle, exports, frames),
    *(replays, analysis, hints, reactions, notices, applications, players, ratings, sign_in),
)
"""The parts of the API, in the order of its first release."""
ROUTES: tuple[tuple[str, Sequence[BaseRouteHandler]], ...] = (
    ("/v1", [handler for part in V1 for handler in part.HANDLERS]),
    ("/", [*projections.HEALTH, *docs.HANDLERS, *play.HANDLERS, *sign_in.PAGES]),
)
"""All operations, by the path that they stand below."""


def application(
    service: Service, lifespan: Callable[[State], AbstractAsyncContextManager[None]]
) -> Litestar:
    """The application of the service without its middleware."""

    @get("/openapi.json", media_type=MediaType.JSON)
    async def description() -> bytes:
        return await asyncio.to_thread(document)

    app = Litestar(
        [
            *(_OwnRouter(path, route_handlers=_parsed(handlers)) for path, handlers in ROUTES),
            _OwnRouter("/v1", route_handlers=[description]),
        ],
        request_class=StrictRequest,
        before_request=require_exact_parameters,
        request_max_body_size=LARGEST_BODY,
        exception_handlers={Exception: answer, NotFoundException: play.lost},
        dependencies={
            "service": Provide(lambda: service, sync_to_thread=False),
            "host": Provide(auth.host),
            "caller": Provide(auth.caller),
            "sitting": Provide(auth.sitting),
            "member": Provide(auth.member),
            "former": Provide(auth.former),
            "application": Provide(auth.application),
            "opener": Provide(auth.opener),
            "acting": Provide(auth.acting),
            "session": Provide(auth.session),
        },
        lifespan=[lambda app: lifespan(app.state)],
        openapi_config=None,
        logging_config=None,
        state=State({"service": service}),
    )
    document = cache(partial(text, app, service.settings.root_path))  # made once, beside the loop
    return app


class _OwnRouter(Router):
    """A router of one application, which can do without the copy that applications make of one."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


def _parsed(handlers: Sequence[BaseRouteHandler]) -> Sequence[BaseRouteHandler]:
    """The handlers, whose signatures are parsed once for every application of the process."""
    for handler in handlers:
        _ = handler.parsed_fn_signature
    return handlers
