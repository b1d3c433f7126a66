"""The request class, and the strict reading of parameters and paths."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeAlias, get_type_hints
from uuid import UUID

from litestar import Request
from litestar.datastructures import URL
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter, QueryParameter
from litestar.types import HTTPScope, Receive, Scope, Send
from litestar.typing import FieldDefinition

from phaseledger.domain.words import Phrase
from phaseledger.service.api.errors import InvalidParameter, UnknownParameter
from phaseledger.service.api.requests.headers import bare_key
from phaseledger.service.api.requests.invalid_parameters import named
from phaseledger.service.api.requests.json_body import decode_body, like, require_plain_json
from phaseledger.service.schemas.players import PLAYER_ID
from phaseledger.service.schemas.problem import Fault

REPEATED = Phrase("adds.fault.twice")
_SINGLE = frozenset(
    {
        b"authorization",
        b"command-signature",
        b"content-type",
        b"idempotency-key",
        b"last-event-id",
    }
)
HTML = "text/html"
LARGEST_BODY = 64 * 1024  # bytes
_CANONICAL = re.compile(r"/v1/games/.{8}-.{4}-.{4}-.{4}-.{12}(/|\Z)")

AnyRequest: TypeAlias = Request[Any, Any, Any]


class StrictRequest(Request[Any, Any, Any]):
    """A request whose body is decoded strictly into the type that its handler declares.

    The framework would decode to plain objects and then convert leniently: "5" for 5, "true" for
    true, a deep nesting to an exception that is not handled.

    An empty Last-Event-ID counts as none, and an Idempotency-Key is read without quotation marks.
    """

    def __init__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        scope["headers"] = [
            (name, bare_key(value) if name == b"idempotency-key" else value)
            for name, value in scope["headers"]
            if name != b"last-event-id" or value  # SSE clients that have no id yet send it empty
        ]
        super().__init__(scope, receive, send)

    @property
    def url(self) -> URL:
        """The path alone: the framework quotes the URL in errors, and not every Host makes one."""
        return URL(self.scope["path"])

    async def json(self) -> Any:  # noqa: ANN401
        """The body, decoded to the type of the handler's ``data``."""
        require_plain_json(self.headers)
        field = self.route_handler.parsed_data_field
        assert field is not None
        return decode_body(await self.body(), field.annotation)


async def require_exact_parameters(request: Request[Any, Any, Any]) -> None:
    """Refuse paths and parameters that the framework accepts but the description does not have."""
    _require_canonical_path(request.scope)
    require_single_parameters(request)
    if request.scope["query_string"]:
        _require_described_parameters(request)


def _require_canonical_path(scope: HTTPScope) -> None:
    """Refuse numbers and UUIDs in the path that are not in canonical form.

    Python also reads ``+1``, ``0_0`` and ``urn:uuid:...``.
    """
    parts = None
    values: Iterable[object] = scope["path_params"].values()  # which the framework has converted
    for value in values:
        if isinstance(value, UUID | int):
            parts = parts or scope["path"].lower().split("/")
            if str(value) not in parts:
                raise NotFoundException


def require_single_parameters(request: Request[Any, Any, Any]) -> None:
    """Refuse repeated parameters, of which the framework silently takes one.

    That holds for the query, and for single-valued headers: an intermediary may take the other
    value, as the rate limits on a token would.
    """
    header_counts = Counter(name for name, _ in request.scope["headers"] if name in _SINGLE)
    faults = [
        Fault("header", name.decode(), REPEATED)
        for name, count in header_counts.items()
        if count > 1
    ]
    if b"&" in request.scope["query_string"]:
        query_counts = Counter(name for name, _ in request.query_params.multi_items())
        faults += [
            Fault("query", name[:60], REPEATED) for name, count in query_counts.items() if count > 1
        ]
    if faults:
        detail = named(faults[:3])
        raise InvalidParameter(detail, *faults)


def _require_described_parameters(request: Request[Any, Any, Any]) -> None:
    """Refuse parameters of the query that the operation does not have, which would change nothing.

    Addresses outside of the description, such as those of pages, take any.
    """
    handler = request.route_handler
    if handler.operation_id is not None:
        require_known_parameters(request, query_parameters(handler))


def require_known_parameters(request: Request[Any, Any, Any], names: tuple[str, ...]) -> None:
    """Refuse parameters of the query that are not among the names."""
    faults = [
        Fault("query", name[:60], like(name, names))
        for name in dict.fromkeys(request.query_params)
        if name not in names
    ]
    if faults:
        detail = named(faults[:3])
        raise UnknownParameter(detail, *faults)


@cache
def query_parameters(handler: HTTPRouteHandler) -> tuple[str, ...]:
    """The names of the parameters of the query that the operation has."""
    return tuple(
        field.kwarg_definition.name or name
        for name, field in parameters_of(handler).items()
        if isinstance(field.kwarg_definition, QueryParameter)
    )


def parameters_of(handler: HTTPRouteHandler) -> dict[str, FieldDefinition]:
    """The parameters of the operation's signature, and the fields of the class that it takes."""
    own = handler.parsed_fn_signature.parameters
    if (takes := handler.opt["takes"]) is None:
        return own
    hints, defaults = get_type_hints(takes, include_extras=True), takes._field_defaults
    declared = {
        name: FieldDefinition.from_annotation(hint, name=name, default=defaults[name])
        for name, hint in hints.items()
    }
    return {**own, **declared}


def body_type(handler: HTTPRouteHandler) -> Any:  # noqa: ANN401 - any body's type
    """The type of the operation's body; None where it has none."""
    field = handler.parsed_data_field
    return handler.opt["body"] or (field.annotation if field else None)


def require_canonical(scope: Scope) -> None:
    """Refuse an id of a game, which is a UUID, not in canonical form. Raises NotFoundException."""
    if not _CANONICAL.match(scope["path"]):
        raise NotFoundException


def prefers_html(request: AnyRequest) -> bool:
    """Whether the request's Accept header prefers HTML to JSON, as browsers' do."""
    return request.accept.best_match(["application/json", HTML]) == HTML


PlayerPath = Annotated[
    str,
    PathParameter(
        pattern=rf"^{PLAYER_ID}\Z", description="The id that your application gives the player."
    ),
]


class Head(NamedTuple):
    """The head of a request whose handler reads it itself."""

    headers: Mapping[bytes, bytes]
    query: Mapping[str, str]

    def text(self, name: bytes) -> str:
        """The value of a header, empty without one."""
        return self.headers.get(name, b"").decode("latin-1")

    @property
    def token(self) -> str | None:
        """The Authorization header; None without one."""
        return self.text(b"authorization") if b"authorization" in self.headers else None


def head_of(scope: Scope, *names: str) -> Head:
    """The head of the request, whose query may have the parameters of these names.

    Raises:
        InvalidParameter: a parameter is repeated.
        UnknownParameter: there is no such one.

    """
    lines = [*scope["headers"]]
    headers = dict(lines)
    if len(headers) == len(lines) and not scope["query_string"]:
        return Head(headers, {})
    request: AnyRequest = Request(scope)
    require_single_parameters(request)
    require_known_parameters(request, names)
    return Head(dict(reversed(lines)), request.query_params)  # of repeated headers the first counts


async def _unchecked(_: AnyRequest) -> None:
    """Check nothing: the handler does."""


READY: dict[str, Any] = {"request_class": Request, "before_request": _unchecked}
"""Options of a route whose handler reads its request itself, and answers with what is ready."""
