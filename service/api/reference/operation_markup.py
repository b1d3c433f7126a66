"""An operation of the OpenAPI document as markup: who may call it, what it takes and answers."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from phaseledger.replay.pages.page import Html, element, text
from phaseledger.service.api.openapi.refusals import CODES
from phaseledger.service.api.reference.schema_markup import coded, definitions, kind, prose

_CALLERS = {
    "seatToken": "a seat's token",
    "hostToken": "a host's token",
    "applicationKey": "an application's key",
    "playerSession": "a player's session",
}


def signature(method: str, path: str) -> Html:
    """Method and path."""
    verb = element("span", method.upper(), attributes=f'class="verb {method}"')
    where = element("code", path, attributes='class="path"')
    return Html(f"{verb} {where}")


def operation(
    method: str, path: str, declared: Mapping[str, Any], description: Mapping[str, Any]
) -> Html:
    """The section of an operation, named by its id."""
    key = declared["operationId"]
    heading = element("h2", coded(declared["summary"]), attributes=f'id="{key}"')
    parts: list[object] = [
        heading,
        element("p", signature(method, path)),
        element("p", Html(f"<code>{key}</code>{_callers(declared)}"), attributes='class="soft"'),
        prose(declared.get("description", "")),
        *_parameters(declared),
        *_body(declared),
        element("h3", "Answers"),
        element("ul", *_answers(declared, description), attributes='class="answers"'),
    ]
    return element("section", *parts, attributes=f'class="sheet" aria-labelledby="{key}"')


def _callers(declared: Mapping[str, Any]) -> str:
    """Who may call it, after what the document says of tokens."""
    ways = declared.get("security", [])
    names = [_CALLERS[name] for way in ways for name in way]
    if not names:
        return ", without a token" if ways == [] and "security" in declared else ""
    return f", with {' or '.join(names)}{', or without one' * ({} in ways)}"


def _parameters(declared: Mapping[str, Any]) -> Iterator[Html]:
    for place, title in (
        ("path", "In the path"),
        ("query", "In the query"),
        ("header", "In headers"),
    ):
        own = [entry for entry in declared.get("parameters", ()) if entry["in"] == place]
        if own:
            yield element("h3", title)
            yield definitions(
                (entry["name"], entry["schema"], entry["required"], entry["description"])
                for entry in own
            )


def _body(declared: Mapping[str, Any]) -> Iterator[Html]:
    content = declared.get("requestBody", {}).get("content", {})
    for media_type, body in content.items():
        yield element("h3", "Body")
        yield element("p", kind(body["schema"]), ", as ", element("code", media_type))
        yield from _examples(body)


def _answers(declared: Mapping[str, Any], description: Mapping[str, Any]) -> Iterator[Html]:
    for status, answer in declared["responses"].items():
        if "$ref" in answer:
            name = answer["$ref"].rpartition("/")[2]
            answer = description["components"]["responses"][name]
        yield element("li", *_answer(status, answer))


def _answer(status: str, answer: Mapping[str, Any]) -> Iterator[object]:
    codes = answer.get(CODES, ())
    words = answer["description"].partition(":")[0] if codes else answer["description"]
    yield element("span", status, attributes='class="status"')
    yield f" {words}"
    if codes:
        links = (
            element("a", element("code", code), attributes=f'href="/problems/{code}"')
            for code in codes
        )
        yield element("div", Html(" ".join(links)), attributes='class="codes"')
        return
    headers = [name for name in answer.get("headers", {}) if name != "X-Request-Id"]
    for media_type, body in answer.get("content", {}).items():
        yield Html(f"<br>{kind(body['schema'])}, as {element('code', media_type)}")
        yield from _examples(body)
    if headers:
        named = ", ".join(element("code", name) for name in headers)
        yield Html(f'<div class="soft">Headers: {named}</div>')


def _examples(body: Mapping[str, Any]) -> Iterator[Html]:
    for name, example in body.get("examples", {}).items():
        value = example["value"]
        shown = value if isinstance(value, str) else _indented(value)
        summary = element("summary", f"Example: {name}")
        yield element("details", summary, element("pre", text(shown)))


def _indented(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode()
