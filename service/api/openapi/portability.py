"""Schemas in the form that generators of clients understand, which is less than JSON Schema allows.

Tried with openapi-typescript, @hey-api/openapi-ts, orval and openapi-python-client; tests/clients
runs all four. Nothing here changes what may be sent or is answered.
"""

from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]

DEFAULT = "x-default"
"""What a field is that is left out. The keyword ``default`` makes the field a required one in
clients, while requests need not have it and answers leave it out."""
LINES = "x-lines"
"""Beside the schema of NDJSON: that of one line."""
_TYPES = {bool: "boolean", int: "integer", str: "string"}
_SEVERAL = ("anyOf", "oneOf", "allOf")
_SINGLE = ("items", "additionalProperties", "propertyNames")


def make_portable(schema: Schema) -> None:
    """Rewrite a schema in place: each enum has one type, and no field a ``default``.

    Generators drop an enum of mixed types, with all that refers to it, and know nothing of the
    values of one without a type.
    """
    for part in _parts(schema):
        make_portable(part)
    for field in schema.get("properties", {}).values():
        if "default" in field:
            field[DEFAULT] = field.pop("default")
    if "enum" in schema:
        schema |= _by_type(schema.pop("enum"))


def lines_of(schema: Schema) -> Schema:
    """The schema of NDJSON whose lines are of this one: a text, for no generator reads it by lines.

    What a line holds is told beside it, so that whoever splits the text finds the name.
    """
    if schema == {"type": "string"}:
        return schema
    words = f"Lines of JSON; what a line is: {' or '.join(f'`{name}`' for name in _names(schema))}."
    return {"type": "string", "description": words, LINES: schema}


def _names(schema: Schema) -> list[str]:
    """The components that a schema is, or one of which it is."""
    return [part["$ref"].rpartition("/")[2] for part in schema.get("anyOf", [schema])]


def _parts(schema: Schema) -> Iterator[Schema]:
    yield from schema.get("properties", {}).values()
    for keyword in _SEVERAL:
        yield from schema.get(keyword, ())
    for keyword in _SINGLE:
        if isinstance(schema.get(keyword), dict):
            yield schema[keyword]


def _by_type(values: list[Any]) -> Schema:
    """The schema of an enum's values, with a type: or one of several, each with its own."""
    alternatives: list[Schema] = []
    for kind, name in _TYPES.items():
        if own := [value for value in values if type(value) is kind]:
            narrowed = {"const": own[0]} if len(own) == 1 else {"enum": own}
            alternatives.append({"type": name} | narrowed)
    assert alternatives, f"no type for {values}"
    return alternatives[0] if len(alternatives) == 1 else {"anyOf": alternatives}
