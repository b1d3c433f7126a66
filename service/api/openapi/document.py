"""The OpenAPI 3.1 description, read off the routes.

Paths, parameters and answers come from the handlers; every schema comes from msgspec, which also
does the decoding, so the description cannot promise what is not enforced. (The framework's own
generator leaves out discriminators, bounds inside lists, and that unknown fields are refused.)
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from http import HTTPStatus
from inspect import cleandoc
from pathlib import Path
from typing import Any, Union, get_args, get_origin

import msgspec
from litestar import Litestar, MediaType, Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter, ParameterKwarg, PathParameter, QueryParameter
from litestar.types import Empty

from phaseledger.service.api.openapi import problem_sets as codes
from phaseledger.service.api.openapi.event_schemas import RECORD, describe_records
from phaseledger.service.api.openapi.info import (
    ABOUT,
    API_VERSION,
    HEADERS,
    OF_STATUS,
    PARAMETERS,
    SCHEMES,
    SECURITY,
    TAGS,
    WEBHOOKS,
)
from phaseledger.service.api.problems import KINDS, MEDIA_TYPE, problem
from phaseledger.service.api.rate_limits import FREE
from phaseledger.service.schemas.games import EventRecord
from phaseledger.service.schemas.problem import Problem
from phaseledger.service.schemas.streams import Closed, Delta, End, ExportEnd, GameHeader
from phaseledger.service.schemas.webhooks import Message
from phaseledger.service.streams.sse import SHOWN

REFS = "#/components/schemas/{name}"
EXAMPLES = Path(__file__).parents[1] / "static" / "examples.json"
"""Requests and the answers to them, by operation, as tests/contract/test_examples.py had them."""

INHERITED = {
    "JoinByCode": ("key",),
    "NewlyMade": ("since", "failing_since", "disabled_at", "reason"),
}
"""Fields of structs that are described at the struct they come from."""


def route_description(
    operation: str,
    *problems: str,
    caller: str = "nobody",
    headers: tuple[str, ...] = (),
    also: dict[str, Any] | None = None,
    empty: tuple[int, ...] = (),
    examples: dict[str, dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """What a route says about itself: its name, the problems it answers, who may call it.

    ``problems`` are codes, of which those that follow from caller, parameters and body go without
    saying. ``also`` are further media types of the successful answer, and what they hold; ``empty``
    are statuses without a body; ``examples`` are bodies of requests, by what they are about.
    """
    unknown = [code for code in problems if code not in KINDS]
    assert not unknown, f"{operation} answers {unknown}, which are no codes of service.problems"
    told = {
        "problems": problems,
        "caller": caller,
        "headers": headers,
        "also": also or {},
        "empty": empty,
        "examples": examples or {},
    }
    return {"operation_id": operation, "opt": told}


def describe(app: Litestar) -> dict[str, Any]:
    """The whole description, in a fixed order."""
    handlers = sorted(_handlers(app), key=lambda found: (found[0], found[1]))
    paths: dict[str, dict[str, Any]] = {}
    shapes: list[Any] = [Problem, EventRecord, Delta, End, Closed, GameHeader, ExportEnd, Message]
    for _, _, handler in handlers:
        shapes += _shapes(handler)
    (union, *schemas), components = msgspec.json.schema_components(
        [RECORD, *shapes], ref_template=REFS
    )
    known = dict(zip(map(repr, shapes), schemas, strict=True))
    _arrange_descriptions(components)
    describe_records(components, union)
    for path, method, handler in handlers:
        paths.setdefault(path, {})[method] = _operation(path, handler, known)
    used = msgspec.json.encode(paths).decode()
    tags = sorted(
        {tag for item in paths.values() for told in item.values() for tag in told["tags"]}
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "phaseledger",
            "version": API_VERSION,
            "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": tag, "description": TAGS[tag]} for tag in tags],
        "paths": paths,
        "webhooks": WEBHOOKS,
        "components": {
            "schemas": dict(sorted(components.items())),
            "responses": {
                _title(code): _refused([code], known[repr(Problem)])
                for code in sorted(KINDS)
                if f'/responses/{_title(code)}"' in used
            },
            "headers": {
                "RequestId": {
                    "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$"},
                    "description": "The request's own, or a new UUID.",
                    "required": True,
                }
            },
            "securitySchemes": {
                name: {"type": "http", "scheme": "bearer", "description": said}
                for name, said in SCHEMES.items()
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


def _arrange_descriptions(components: dict[str, Any]) -> None:
    """Move fields' descriptions behind their schemas, and leave out those of `INHERITED` fields."""
    for name, schema in components.items():
        for field, shape in schema.get("properties", {}).items():
            description = shape.pop("description", "")
            if description and field not in INHERITED.get(name, ()):
                shape["description"] = description


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


@cache
def _examples() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = msgspec.json.decode(EXAMPLES.read_bytes())
    return found


def _operation(path: str, handler: HTTPRouteHandler, known: dict[str, Any]) -> dict[str, Any]:
    summary, _, more = cleandoc(handler.fn.__doc__ or "").partition("\n\n")
    told, data = handler.opt, handler.parsed_data_field
    example = _examples().get(str(handler.operation_id), {})
    operation: dict[str, Any] = {
        "operationId": handler.operation_id,
        "tags": [path.removeprefix("/v1").split("/")[1]],
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
        examples = {**_named("as sent", example, "request"), **_values(told["examples"])}
        if examples:
            body["examples"] = examples
        operation["requestBody"] = {"required": True, "content": {"application/json": body}}
    given = handler.media_type or MediaType.JSON
    made = given.value if isinstance(given, MediaType) else given
    content: dict[str, Any] = {made: {"schema": known[repr(_answered(handler))]}}
    if answered := _named("as answered", example, "answer"):
        content[made]["examples"] = answered
    for media_type, shape in told["also"].items():
        more_of = {"examples": _values(SHOWN[media_type])} if media_type in SHOWN else {}
        content[media_type] = {"schema": known[repr(shape)], **more_of}
    answers = {str(handler.status_code): _answer(handler.status_code, told["headers"], content)}
    for status in told["empty"]:
        answers[str(status)] = _answer(status, (), None)
    if "If-None-Match" in {parameter["name"] for parameter in parameters}:
        answers["304"] = _answer(304, told["headers"], None)
    found = _codes(path, handler, {parameter["in"] for parameter in parameters})
    for status in sorted({KINDS[code].status for code in found}):
        of_status = [code for code in found if KINDS[code].status == status]
        answers[str(status)] = (
            {"$ref": f"#/components/responses/{_title(of_status[0])}"}
            if len(of_status) == 1
            else _refused(of_status, known[repr(Problem)])
        )
    operation["responses"] = dict(sorted(answers.items()))
    return operation


def _named(name: str, example: dict[str, Any], part: str) -> dict[str, Any]:
    return {name: {"value": example[part]}} if part in example else {}


def _values(examples: Mapping[str, Any]) -> dict[str, Any]:
    return {name: {"value": example} for name, example in examples.items()}


def _codes(path: str, handler: HTTPRouteHandler, places: set[str]) -> tuple[str, ...]:
    """Every problem the operation may answer, those first that are its own."""
    told = handler.opt
    found = [*told["problems"], *codes.OF_CALLER[told["caller"]]]
    if "store_unavailable" in found:
        found += codes.OF_LOG
    if "path" in places:
        found += codes.OF_PATHS
    if handler.parsed_data_field:
        found += codes.OF_BODIES
    if "GET" not in handler.http_methods:
        found += codes.OF_WRITES
    if not path.startswith(FREE):
        found += codes.OF_LIMITED
    return tuple(dict.fromkeys(map(str, (*found, *codes.OF_ALL))))


def _title(code: str) -> str:
    return code.title().replace("_", "")


def _refused(found: list[str], shape: dict[str, Any]) -> dict[str, Any]:
    """The answer of one status: a problem with one of these codes."""
    status = KINDS[found[0]].status
    own = {"status": {"const": status}, "code": {"enum": sorted(found)}}
    content = {
        "schema": {"allOf": [shape, {"type": "object", "properties": own}]},
        "example": msgspec.to_builtins(problem(found[0], instance="/v1/...")),
    }
    return _answer(status, OF_STATUS.get(status, ()), {MEDIA_TYPE: content})


def _answer(status: int, headers: Iterable[str], content: dict[str, Any] | None) -> dict[str, Any]:
    told: dict[str, Any] = {"description": HTTPStatus(status).phrase}
    told["headers"] = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
    for name in headers:
        schema, said = HEADERS[name]
        told["headers"][name] = {"schema": schema, "description": said}
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
    told["description"] = kwarg.description or PARAMETERS[name]
    return told
