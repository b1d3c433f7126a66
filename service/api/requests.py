"""What HTTP needs around the routes: request ids, a time for bodies, HEAD, tags, an access log."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from litestar import Request, Response
from litestar.datastructures import URL
from litestar.exceptions import NotFoundException
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from phaseledger.service.api.json_body import decode_body, require_plain_json
from phaseledger.service.api.problems import Refusal
from phaseledger.service.schemas.problem import Fault

REPEATED = "it is said more than once"
_SINGLE = frozenset(
    {
        b"authorization",
        b"command-signature",
        b"content-type",
        b"idempotency-key",
        b"last-event-id",
    }
)
LARGEST_BODY = 64 * 1024  # bytes


class StrictRequest(Request[Any, Any, Any]):
    """A request whose body is decoded at once into what its handler asks for.

    The framework would decode to plain objects and then convert leniently: "5" for 5, "true" for
    true, a deep nesting to an exception nobody handles.
    """

    @property
    def url(self) -> URL:
        """The path: the framework quotes the URL when it refuses, and not every Host makes one."""
        return URL(self.scope["path"])

    async def json(self) -> Any:  # noqa: ANN401
        """The body, in the type of the handler's ``data``."""
        require_plain_json(self.headers)
        field = self.route_handler.parsed_data_field
        assert field is not None
        return decode_body(await self.body(), field.annotation)


T = TypeVar("T")
_encode = msgspec.json.Encoder().encode


class PlainJsonResponse(Response[T]):
    """An answer in JSON whose headers, in lower case, are all that it has beside its body's.

    The framework would look for encoders, cookies and defaults at every answer.
    """

    def to_asgi_response(  # type: ignore[override]
        self, *_: object, status_code: int | None = None, **__: object
    ) -> ASGIApp:
        """The answer, ready to be sent."""
        body = _encode(self.content)
        headers = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        headers += [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
        ]

        async def told(_: Scope, __: Receive, send: Send) -> None:
            status = self.status_code or status_code or 200
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body, "more_body": False})

        return told


async def require_exact_parameters(request: Request[Any, Any, Any]) -> None:
    """Refuse what the framework takes besides what is described, and let an empty hint be none."""
    _require_canonical_path(request.scope)
    _require_single_parameters(request)
    if (b"last-event-id", b"") in request.scope["headers"]:
        # What a client of server-sent events sends that was told of no id.
        rest = [line for line in request.scope["headers"] if line[0] != b"last-event-id"]
        request.scope["headers"] = rest


def _require_canonical_path(scope: HTTPScope) -> None:
    """See that numbers and UUIDs of the path are written in the one way.

    Python also reads ``+1``, ``0_0`` and ``urn:uuid:...``.
    """
    parts = None
    values: Iterable[object] = scope["path_params"].values()  # which the framework has converted
    for value in values:
        if isinstance(value, UUID | int):
            parts = parts or scope["path"].lower().split("/")
            if str(value) not in parts:
                raise NotFoundException


def _require_single_parameters(request: Request[Any, Any, Any]) -> None:
    """Refuse what is said twice, of which the framework silently takes one.

    That holds for the query, and for headers of one value: others in between may take the other
    one, as the limits on a token would.
    """
    said = Counter(name for name, _ in request.scope["headers"] if name in _SINGLE)
    faults = [Fault("header", name.decode(), REPEATED) for name, n in said.items() if n > 1]
    if b"&" in request.scope["query_string"]:
        counts = Counter(name for name, _ in request.query_params.multi_items())
        faults += [Fault("query", name[:60], REPEATED) for name, n in counts.items() if n > 1]
    if faults:
        told = "; ".join(f"{fault.name}: {fault.reason}" for fault in faults[:3])
        raise Refusal("invalid_parameter", told, faults=tuple(faults))
