"""The OpenAPI 3.1 description, read off the routes.

Paths, parameters and answers come from the handlers; every schema comes from msgspec, which also
does the decoding, so the description cannot promise what is not enforced. (The framework's own
generator leaves out discriminators, bounds inside lists, and that unknown fields are refused.)
"""

import ast
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from inspect import cleandoc, getsource
from itertools import pairwise
from textwrap import dedent
from typing import Any, Union, get_args, get_origin

import msgspec
from litestar import Litestar, MediaType, Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter, ParameterKwarg, PathParameter, QueryParameter
from litestar.types import Empty

from service.problems import MEDIA_TYPE, Problem
from service.schemas import EventRecord

API_VERSION = "1.0.0"
REFS = "#/components/schemas/{name}"

HEADERS: dict[str, tuple[dict[str, Any], str]] = {
    "ETag": ({"type": "string"}, "The version of what is sent: a game's number of events."),
    "Content-Disposition": ({"type": "string"}, "The name of the file."),
    "Location": ({"type": "string"}, "Where the new resource is."),
    "Retry-After": ({"type": "integer"}, "Seconds to wait before another try."),
    "WWW-Authenticate": ({"type": "string"}, "The scheme to use, after RFC 6750."),
    "Allow": ({"type": "string"}, "The methods there are."),
}
OF_STATUS = {401: ("WWW-Authenticate",), 405: ("Allow",), 503: ("Retry-After",)}

SECURITY: dict[str, list[dict[str, list[str]]]] = {
    "nobody": [],
    "viewer": [{}, {"token": []}],
    "seat": [{"token": []}],
    "host": [{"token": []}],
}


def described(
    operation: str,
    *problems: int,
    caller: str = "nobody",
    headers: tuple[str, ...] = (),
    also: dict[str, type] | None = None,
    examples: dict[str, dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """What a route says about itself: its name, the problems it answers, who may call it.

    ``also`` are further media types of the successful answer, and what they hold; ``examples``
    are bodies of requests, by what they are about.
    """
    told = {
        "problems": problems,
        "caller": caller,
        "headers": headers,
        "also": also or {},
        "examples": examples or {},
    }
    return {"operation_id": operation, "opt": told}


def describe(app: Litestar) -> dict[str, Any]:
    """The whole description, in a fixed order."""
    handlers = sorted(_handlers(app), key=lambda found: (found[0], found[1]))
    paths: dict[str, dict[str, Any]] = {}
    shapes: list[Any] = [Problem, EventRecord]
    for _, _, handler in handlers:
        shapes += _shapes(handler)
    schemas, components = msgspec.json.schema_components(shapes, ref_template=REFS)
    known = dict(zip(map(repr, shapes), schemas, strict=True))
    _describe_fields(components)
    for path, method, handler in handlers:
        paths.setdefault(path, {})[method] = _operation(handler, known)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "phaseledger",
            "version": API_VERSION,
            "description": "An event-sourced game service for the Phase 10 family. Every refusal "
            "is an RFC 9457 problem with a stable `code`.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A seat's token from joining, or the host's from opening.",
                }
            },
        },
    }


def text(app: Litestar) -> bytes:
    """The description as it is committed and served."""
    return msgspec.json.format(msgspec.json.encode(describe(app)), indent=2) + b"\n"


def _handlers(app: Litestar) -> Iterator[tuple[str, str, HTTPRouteHandler]]:
    for route in app.routes:
        for handler in route.route_handlers:  # type: ignore[union-attr]
            if isinstance(handler, HTTPRouteHandler) and handler.operation_id:
                path = route.path_format.replace(":uuid", "")
                yield path, min(handler.http_methods).lower(), handler


def _describe_fields(components: dict[str, Any]) -> None:
    """Put the docstrings of fields where msgspec leaves them out."""
    for struct in _below(msgspec.Struct):
        fields = components.get(struct.__name__, {}).get("properties", {})
        # Structs elsewhere have the same name, but not the same fields.
        if {*struct.__struct_encode_fields__} <= fields.keys():
            for name, said in _field_docs(struct).items():
                fields[name].setdefault("description", said)


def _below(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    each: type[msgspec.Struct]
    for each in kind.__subclasses__():
        if each.__module__.partition(".")[0] in ("domain", "projections", "replay", "service"):
            yield from (each, *_below(each))


def _field_docs(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The strings that stand below the fields of a struct."""
    (definition,) = ast.parse(dedent(getsource(struct))).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for field, below in pairwise(definition.body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(said))),
            ):
                found[name] = " ".join(said.split())
    return found


def _answered(handler: HTTPRouteHandler) -> Any:  # noqa: ANN401 - any body's type
    """What the handler's successful answer holds."""
    annotation = handler.parsed_return_field.annotation
    for kind in get_args(annotation) if get_origin(annotation) is Union else [annotation]:
        if get_origin(kind) is Response:
            return get_args(kind)[0]
    return annotation


def _shapes(handler: HTTPRouteHandler) -> Iterable[Any]:
    yield _answered(handler)
    yield from handler.opt["also"].values()
    if handler.parsed_data_field:
        yield handler.parsed_data_field.annotation


def _operation(handler: HTTPRouteHandler, known: dict[str, Any]) -> dict[str, Any]:
    summary, _, more = cleandoc(handler.fn.__doc__ or "").partition("\n\n")
    told, data = handler.opt, handler.parsed_data_field
    operation: dict[str, Any] = {
        "operationId": handler.operation_id,
        "summary": " ".join(summary.split()),
    }
    if more:
        operation["description"] = " ".join(more.split())
    operation["security"] = SECURITY[told["caller"]]
    parameters = [*_parameters(handler)]
    if parameters:
        operation["parameters"] = parameters
    if data:
        body: dict[str, Any] = {"schema": known[repr(data.annotation)]}
        if told["examples"]:
            body["examples"] = {
                name: {"value": example} for name, example in told["examples"].items()
            }
        operation["requestBody"] = {"required": True, "content": {"application/json": body}}
    given = handler.media_type or MediaType.JSON
    made = given.value if isinstance(given, MediaType) else given
    content: dict[str, Any] = {made: {"schema": known[repr(_answered(handler))]}}
    for media_type, shape in told["also"].items():
        content[media_type] = {"schema": known[repr(shape)]}
    answers = {str(handler.status_code): _answer(handler.status_code, told["headers"], content)}
    if "If-None-Match" in {parameter["name"] for parameter in parameters}:
        answers["304"] = _answer(304, told["headers"], None)
    statuses = {500, *told["problems"]}
    statuses |= {400} if parameters or data else set()
    statuses |= {413, 415} if data else set()
    statuses |= {401, 404} if told["caller"] != "nobody" else set()
    problem = {MEDIA_TYPE: {"schema": known[repr(Problem)]}}
    for status in sorted(statuses):
        answers[str(status)] = _answer(status, OF_STATUS.get(status, ()), problem)
    operation["responses"] = dict(sorted(answers.items()))
    return operation


def _answer(status: int, headers: Iterable[str], content: dict[str, Any] | None) -> dict[str, Any]:
    told: dict[str, Any] = {"description": HTTPStatus(status).phrase}
    if named := {name: HEADERS[name] for name in headers}:
        told["headers"] = {
            name: {"schema": schema, "description": said} for name, (schema, said) in named.items()
        }
    if content:
        told["content"] = content
    return told


_BOUNDS = {
    "ge": "minimum",
    "le": "maximum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
}


_PLACE = {PathParameter: "path", QueryParameter: "query", HeaderParameter: "header"}


def _parameters(handler: HTTPRouteHandler) -> Iterator[dict[str, Any]]:
    for name, field in handler.parsed_fn_signature.parameters.items():
        kwarg = field.kwarg_definition
        if isinstance(kwarg, QueryParameter | HeaderParameter | PathParameter):
            yield _parameter(name, field.annotation, field.default, kwarg)


def _parameter(name: str, annotation: Any, default: Any, kwarg: ParameterKwarg) -> dict[str, Any]:  # noqa: ANN401
    schema = msgspec.json.schema(annotation)
    for bound, keyword in _BOUNDS.items():
        if (limit := getattr(kwarg, bound)) is not None:
            schema[keyword] = limit
    if default not in ("", Empty):
        schema["default"] = default
    told: dict[str, Any] = {
        "name": kwarg.name if isinstance(kwarg, HeaderParameter) and kwarg.name else name,
        "in": _PLACE[type(kwarg)],
        "required": isinstance(kwarg, PathParameter) or default is Empty,
        "schema": schema,
    }
    if kwarg.description:
        told["description"] = kwarg.description
    return told
