"""Which values a place of a body may have, where these are few and known by name."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

_STEP = re.compile(r"\.(\w+)|\['(\w+)'\]|\[\d+\]")
Schema = dict[str, Any]


def choices(shape: Any, path: str) -> list[str]:  # noqa: ANN401 - any body's type
    """The values that the shape allows at the JSONPath; empty where it does not name them."""
    schema, components = _schema(shape)
    found = [*_branches(schema, components)]
    for step in _STEP.finditer(path):
        name = step[1] or step[2]
        below = [
            each["properties"].get(name, {}) if name and "properties" in each else each.get("items")
            for each in found
        ]
        found = [branch for each in below if each for branch in _branches(each, components)]
    return [str(value) for each in found for value in each.get("enum", ())]


@cache
def _schema(shape: Any) -> tuple[Schema, dict[str, Schema]]:  # noqa: ANN401
    (schema,), components = msgspec.json.schema_components([shape])
    return schema, components


def _branches(schema: Schema, components: dict[str, Schema]) -> Iterator[Schema]:
    """What stands behind references and alternatives."""
    if "$ref" in schema:
        schema = components[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        for each in schema["anyOf"]:
            yield from _branches(each, components)
    else:
        yield schema
