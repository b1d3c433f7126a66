"""Schemas of the OpenAPI document as markup: what a value is, and the fields of an object."""

import re
from html import escape
from typing import Any

import msgspec

from phaseledger.replay.pages.page import Html, element, text
from phaseledger.service.api.openapi.portability import DEFAULT, LINES, Schema

SCHEMAS = "/docs/schemas"
LARGEST = 2**53 - 1
"""The largest integer of JSON that every reader has exactly: a bound that bounds nothing."""
_LEAST = {"minimum": "", "minLength": " characters", "minItems": " entries", "minProperties": ""}
_MOST = {"maximum": "", "maxLength": " characters", "maxItems": " entries", "maxProperties": ""}


def prose(markdown: str) -> Html:
    """A description's paragraphs, of whose Markdown there is code and nothing else."""
    paragraphs = re.split(r"\n\s*\n", markdown.strip())
    return Html("".join(element("p", coded(paragraph)) for paragraph in paragraphs if paragraph))


def coded(words: str) -> Html:
    """Text with what stands in backticks as code."""
    return Html(re.sub(r"(`+)(.+?)\1", r"<code>\2</code>", escape(" ".join(words.split()))))


def code(value: object) -> Html:
    """A value as it is written in JSON."""
    words = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return element("code", words or '""')


def reference(schema: Schema) -> str:
    """The name of the schema that is referred to; empty where it is written out."""
    return str(schema.get("$ref", "")).rpartition("/")[2]


def kind(schema: Schema) -> Html:
    """What a value is, in a line: a link, a type with its bounds, or one of several."""
    if named := reference(schema):
        return element("a", named, attributes=f'href="{SCHEMAS}#{named}"')
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return Html(" or ".join(kind(part) for part in schema[keyword]))
    if "const" in schema:
        return code(schema["const"])
    if "enum" in schema:
        return Html(" or ".join(code(value) for value in schema["enum"]))
    if LINES in schema:
        return Html(f"lines of JSON, each {kind(schema[LINES])}")
    if schema.get("type") == "array":
        return Html(f"list of {kind(schema.get('items', {}))}{_bounds(schema)}")
    if isinstance(others := schema.get("additionalProperties"), dict):
        return Html(f"object by name of {kind(others)}")
    plain = text(schema.get("type", "anything"))
    return Html(f"{plain}{_bounds(schema)}{_pattern(schema)}")


def _bounds(schema: Schema) -> str:
    least = next((f"{schema[key]:,}" for key in _LEAST if key in schema), "")
    most = next(
        ((key, f"{schema[key]:,}") for key in _MOST if schema.get(key, LARGEST) < LARGEST), ("", "")
    )
    unit = _MOST.get(most[0], "") or next((_LEAST[key] for key in _LEAST if key in schema), "")
    if least and most[1]:
        return f", {least} to {most[1]}{unit}"
    if most[1]:
        return f", at most {most[1]}{unit}"
    return f", at least {least}{unit}" if least else ""


def _pattern(schema: Schema) -> str:
    return f", {element('code', schema['pattern'])}" if "pattern" in schema else ""


def fields(schema: Schema) -> Html:
    """The fields of an object as a list: name, what it is, whether it must be there, and words."""
    required = schema.get("required", ())
    return definitions(
        (name, field, name in required, field.get("description", ""))
        for name, field in schema.get("properties", {}).items()
    )


def definitions(entries: Any) -> Html:  # noqa: ANN401 - (name, schema, required, description)
    """Named values as a description list."""
    parts = []
    for name, schema, is_required, words in entries:
        may = Html(' <em class="may">optional</em>') if not is_required else ""
        usual = schema.get(DEFAULT, schema.get("default", LARGEST))
        default = Html(f" Left out, it is {code(usual)}.") if usual != LARGEST else ""
        about = element("p", coded(words), default) if words or default else ""
        parts.append(element("dt", element("code", name), may))
        parts.append(element("dd", kind(schema), about))
    return element("dl", *parts, attributes='class="fields"')


def component(name: str, schema: Schema) -> Html:
    """A named schema with all that it holds."""
    parts: list[object] = [element("h2", element("code", name), attributes=f'id="{name}"')]
    if words := schema.get("description"):
        parts.append(prose(words))
    parts.append(fields(schema) if schema.get("properties") else element("p", kind(schema)))
    return element("section", *parts, attributes=f'class="sheet" aria-labelledby="{name}"')
