"""The OpenAPI 3.1 description, read off the routes.

Paths, parameters and answers come from the handlers; every schema comes from msgspec, which also
does the decoding, so the description cannot promise what is not enforced. (The framework's own
generator leaves out discriminators, bounds inside lists, and that unknown fields are refused.)
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from functools import cache
from inspect import cleandoc
from pathlib import Path
from typing import Any, Union, get_args, get_origin

import msgspec
from litestar import Litestar, MediaType, Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter, ParameterKwarg, PathParameter, QueryParameter
from litestar.types import Empty

from phaseledger.domain.commands import RejectCode
from phaseledger.replay.transcript.frames import EventLine, Frame, FramesHeader
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
from phaseledger.service.api.openapi.portability import (
    REFS,
    VALUE_NAMES,
    Portable,
    lines_of,
    pascal,
    value_names,
)
from phaseledger.service.api.openapi.refusals import CODES, CallerKind, refusals_of
from phaseledger.service.api.problems.details import MEDIA_TYPE, REFUSALS, problem
from phaseledger.service.api.problems.phrases import phrase
from phaseledger.service.api.requests.parameters import body_type, parameters_of
from phaseledger.service.refusals import Occasion, Refusal
from phaseledger.service.schemas.games import EventRecord
from phaseledger.service.schemas.problem import Problem
from phaseledger.service.schemas.streams import (
    ArchivedHeader,
    Closed,
    Delta,
    End,
    ExportEnd,
    GameHeader,
    Reacted,
    Rewound,
    SetAsideHeader,
)
from phaseledger.service.schemas.webhooks import Message
from phaseledger.service.streams.sse import NDJSON, SHOWN

EXAMPLES = Path(__file__).with_name("examples.json")
"""Example requests and responses by operation, recorded by tests/contract/test_examples.py."""
INHERITED = {
    "JoinByCode": ("key",),
    "NewlyMade": ("since", "failing_since", "disabled_at", "reason"),
}
"""Fields of structs that are described at the struct they come from."""


def route_description(
    operation: str,
    *occasions: Occasion,
    raises: tuple[RejectCode | type[Refusal], ...] = (),
    shows: tuple[RejectCode | type[Refusal], ...] = (),
    caller: CallerKind = "nobody",
    headers: tuple[str, ...] = (),
    also: dict[str, Any] | None = None,
    empty: tuple[int, ...] = (),
    accepted: object = None,
    answer: object = None,
    body: object = None,
    takes: type | None = None,
    file: str = "",
    examples: dict[str, dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """The options of a route for its description: operation id, refusals, who may call it.

    It answers what is met at its ``occasions``, of which refusals that follow from caller,
    parameters and body go without saying, and what it ``raises`` beside that. Of several refusals
    with one status the description shows one as an example, which ``shows`` names where the order
    of the occasions would choose another. ``also`` are further media types of the successful
    answer, and what they hold; ``empty`` are statuses without a body; ``accepted`` is the body of
    a 202, as an example; ``file`` says what is sent where that is no JSON; ``examples`` are bodies
    of requests, by what they are about. A handler that reads its request itself names the types of
    its ``answer`` and its ``body``, and ``takes`` the fields of a class as parameters.
    """
    options = {
        "occasions": occasions,
        "raises": raises,
        "shows": shows,
        "caller": caller,
        "headers": headers,
        "also": also or {},
        "empty": empty,
        "accepted": accepted,
        "answer": answer,
        "body": body,
        "takes": takes,
        "file": file,
        "examples": examples or {},
    }
    return {"operation_id": operation, "opt": options}


def describe(app: Litestar, root: str = "") -> dict[str, Any]:
    """The OpenAPI document of the application below ``root``, in a fixed order."""
    handlers = sorted(_handlers(app), key=lambda entry: (entry[0], entry[1]))
    paths: dict[str, dict[str, Any]] = {}
    shapes: list[Any] = [Problem, EventRecord, Delta, End, Closed, Reacted, Rewound, Message]
    shapes += [EventLine, FramesHeader, Frame]
    shapes += [GameHeader, SetAsideHeader, ArchivedHeader, ExportEnd]
    for _, _, handler in handlers:
        shapes += _shapes(handler)
    (union, *schemas), components = msgspec.json.schema_components(
        [RECORD, *shapes], ref_template=REFS
    )
    schema_of = dict(zip(map(repr, shapes), schemas, strict=True))
    _arrange_descriptions(components)
    describe_records(components, union)
    portable = Portable()
    for name, component in components.items():
        portable.rewrite(component, name, is_component=True)
    for path, method, handler in handlers:
        operation = _operation(path, handler, schema_of)
        paths.setdefault(path, {})[method] = operation
        for suffix, schema in _schemas(operation):
            portable.rewrite(schema, pascal(operation["operationId"]) + suffix)
    assert components.keys().isdisjoint(portable.named)
    components |= portable.named
    for name, component in components.items():
        if "enum" in component:
            component[VALUE_NAMES] = value_names(name, component)
    used = msgspec.json.encode(paths).decode()
    tags = sorted(
        {tag for item in paths.values() for operation in item.values() for tag in operation["tags"]}
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "phaseledger",
            "version": API_VERSION,
            "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": root or "/"}],
        "tags": [{"name": tag, "description": TAGS[tag]} for tag in tags],
        "paths": paths,
        "x-webhooks": WEBHOOKS,
        "components": {
            "schemas": dict(sorted(components.items())),
            "responses": {
                _title(code): _refusal_response([refusal], schema_of[repr(Problem)])
                for code, refusal in sorted(REFUSALS.items())
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
                name: {"type": "http", "scheme": "bearer", "description": description}
                for name, description in SCHEMES.items()
            },
        },
    }


def _schemas(operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The schemas of an operation, with what each adds to its name."""
    for parameter in operation.get("parameters", ()):
        yield pascal(parameter["name"]), parameter["schema"]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield "Body", content["schema"]
    for response in operation["responses"].values():
        for content in response.get("content", {}).values():
            yield "Answer", content["schema"]


def text(app: Litestar, root: str = "") -> bytes:
    """The OpenAPI document as JSON text, as it is committed and served."""
    return msgspec.json.format(msgspec.json.encode(describe(app, root)), indent=2) + b"\n"


def _handlers(app: Litestar) -> Iterator[tuple[str, str, HTTPRouteHandler]]:
    for route in app.routes:
        for handler in route.route_handlers:  # type: ignore[union-attr]
            if isinstance(handler, HTTPRouteHandler) and handler.operation_id:
                path = route.path_format.replace(":uuid", "")
                yield path, min(handler.http_methods).lower(), handler


def _arrange_descriptions(components: dict[str, Any]) -> None:
    """Move fields' descriptions behind their schemas, and leave out those of `INHERITED` fields.

    Those of types are docstrings, whose lines only Pythons since 3.13 have without indentation.
    """
    for name, schema in components.items():
        if "description" in schema:
            schema["description"] = cleandoc(schema["description"])
        for field, shape in schema.get("properties", {}).items():
            description = shape.pop("description", "")
            if description and field not in INHERITED.get(name, ()):
                shape["description"] = description


def _answer_type(handler: HTTPRouteHandler) -> Any:  # noqa: ANN401 - any body's type
    """The type of the handler's successful response body."""
    if handler.opt["answer"]:
        return handler.opt["answer"]
    annotation = handler.parsed_return_field.annotation
    for kind in get_args(annotation) if get_origin(annotation) is Union else [annotation]:
        if get_origin(kind) is Response:
            (content,) = get_args(kind)
            return str if content is bytes else content  # all that is answered is text
    return annotation


def _shapes(handler: HTTPRouteHandler) -> Iterable[Any]:
    yield _answer_type(handler)
    yield from handler.opt["also"].values()
    if handler.opt["accepted"]:
        yield type(handler.opt["accepted"])
    if body := body_type(handler):
        yield body


@cache
def _examples() -> dict[str, dict[str, Any]]:
    examples: dict[str, dict[str, Any]] = msgspec.json.decode(EXAMPLES.read_bytes())
    return examples


def _operation(path: str, handler: HTTPRouteHandler, schema_of: dict[str, Any]) -> dict[str, Any]:
    summary, _, more = cleandoc(handler.fn.__doc__ or "").partition("\n\n")
    opt = handler.opt
    example = _examples().get(str(handler.operation_id), {})
    operation: dict[str, Any] = {
        "operationId": handler.operation_id,
        "tags": [path.removeprefix("/v1").split("/")[1]],
        "summary": " ".join(summary.split()),
    }
    if more:
        operation["description"] = " ".join(more.split())
    operation["security"] = SECURITY[opt["caller"]]
    parameters = [*_parameters(handler)]
    if parameters:
        operation["parameters"] = parameters
    if body := _request_body(handler, example, schema_of):
        operation["requestBody"] = body
    declared = handler.media_type or MediaType.JSON
    main_type = declared.value if isinstance(declared, MediaType) else declared
    content = {main_type: {"schema": _body(main_type, schema_of[repr(_answer_type(handler))])}}
    if answer_examples := _example("as answered", example, "answer"):
        content[main_type]["examples"] = answer_examples
    for media_type, shape in opt["also"].items():
        extra = {"examples": _values(SHOWN[media_type])} if media_type in SHOWN else {}
        content[media_type] = {"schema": _body(media_type, schema_of[repr(shape)]), **extra}
    names = {parameter["name"] for parameter in parameters}
    headers = (*opt["headers"], *(["Idempotent-Replayed"] if "Idempotency-Key" in names else []))
    responses = {str(handler.status_code): _response(handler.status_code, headers, content)}
    for status in opt["empty"]:
        responses[str(status)] = _response(status, (), None)
    if accepted := opt["accepted"]:
        examples = _values({"as answered": msgspec.to_builtins(accepted)})
        content = {"application/json": {"schema": schema_of[repr(type(accepted))]}}
        content["application/json"]["examples"] = examples
        responses["202"] = _response(202, ("Retry-After",), content)
    if "If-None-Match" in names:
        responses["304"] = _response(304, opt["headers"], None)
    refusals = refusals_of(handler, parameters)
    for status in sorted({refusal.status for refusal in refusals}):
        of_status = [refusal for refusal in refusals if refusal.status == status]
        responses[str(status)] = (
            {"$ref": f"#/components/responses/{_title(of_status[0].code)}"}
            if len(of_status) == 1
            else _refusal_response(of_status, schema_of[repr(Problem)])
        )
    operation["responses"] = dict(sorted(responses.items()))
    return operation


def _request_body(
    handler: HTTPRouteHandler, example: dict[str, Any], schema_of: dict[str, Any]
) -> dict[str, Any]:
    """The body of the operation's requests; empty where they have none."""
    if description := handler.opt["file"]:
        # What the format of OpenAPI 3.0 says, generators of clients take for a file.
        content = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        return {"required": True, "description": description, "content": content}
    if not (shape := body_type(handler)):
        return {}
    body: dict[str, Any] = {"schema": schema_of[repr(shape)]}
    examples = {**_example("as sent", example, "request"), **_values(handler.opt["examples"])}
    if examples:
        body["examples"] = examples
    return {"required": True, "content": {"application/json": body}}


def _body(media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    return lines_of(schema) if media_type == NDJSON else schema


def _example(name: str, example: dict[str, Any], part: str) -> dict[str, Any]:
    return {name: {"value": example[part]}} if part in example else {}


def _values(examples: Mapping[str, Any]) -> dict[str, Any]:
    return {name: {"value": example} for name, example in examples.items()}


def _title(code: str) -> str:
    return code.title().replace("_", "")


def _refusal_response(refusals: list[type[Refusal]], shape: dict[str, Any]) -> dict[str, Any]:
    """The response of one status: one of these problems, of which the first is the example.

    Its codes stand beside the schema, not in it: of a schema that narrows `Problem`, generators
    make a class for each operation and status, or none.
    """
    status = refusals[0].status
    codes = sorted(refusal.code for refusal in refusals)
    example = msgspec.to_builtins(problem(refusals[0], instance="/v1/..."))
    content = {MEDIA_TYPE: {"schema": shape, "example": example}}
    response = _response(status, OF_STATUS.get(status, ()), content)
    response["description"] += f": {', '.join(f'`{code}`' for code in codes)}."
    return response | {CODES: codes}


def _response(
    status: int, headers: Iterable[str], content: dict[str, Any] | None
) -> dict[str, Any]:
    response: dict[str, Any] = {"description": phrase(status)}
    response["headers"] = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
    for name in headers:
        schema, description = HEADERS[name]
        response["headers"][name] = {"schema": schema, "description": description}
    if content:
        response["content"] = content
    return response


_BOUNDS = {
    "ge": "minimum",
    "le": "maximum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
}


_PLACE = {PathParameter: "path", QueryParameter: "query", HeaderParameter: "header"}


def _parameters(handler: HTTPRouteHandler) -> Iterator[dict[str, Any]]:
    for name, field in parameters_of(handler).items():
        kwarg = field.kwarg_definition
        if isinstance(kwarg, QueryParameter | HeaderParameter | PathParameter):
            yield _parameter(name, field.annotation, field.default, kwarg)


def _parameter(name: str, annotation: Any, default: Any, kwarg: ParameterKwarg) -> dict[str, Any]:  # noqa: ANN401
    schema: dict[str, Any] = deepcopy(kwarg.schema_extra or {})
    if not schema:
        schema = msgspec.json.schema(annotation)
        bounds = {keyword: getattr(kwarg, bound) for bound, keyword in _BOUNDS.items()}
        schema |= {keyword: limit for keyword, limit in bounds.items() if limit is not None}
    if default not in ("", Empty):
        schema["default"] = default
    parameter: dict[str, Any] = {
        "name": kwarg.name or name,
        "in": _PLACE[type(kwarg)],
        "required": isinstance(kwarg, PathParameter) or default is Empty,
        "schema": schema,
    }
    parameter["description"] = kwarg.description or PARAMETERS[name]
    return parameter
