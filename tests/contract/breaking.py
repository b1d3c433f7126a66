"""What of a description breaks clients of an older one.

Rules, not a diff: whatever a client may have sent has to be taken still, and whatever it knew of
answers has to hold still. Each finding names an operation or a schema of the components.

    python -m tests.contract.breaking <openapi/openapi.json >openapi/released.json

A release keeps the parts of its description that the rules read.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.support.openapi_operations import Description, Operation, operations, resolved

LOWER = ("minimum", "minLength", "minItems", "minProperties", "exclusiveMinimum")
UPPER = ("maximum", "maxLength", "maxItems", "maxProperties", "exclusiveMaximum")
CLOSED = ("pattern", "format")
UNIONS = ("anyOf", "oneOf")
TYPES = {bool: "boolean", int: "integer", str: "string"}
ALL_TYPES = (*TYPES.values(), "array", "object", "null")
NAMED = ("content", "headers", "paths", "properties", "responses", "schemas", "security")
"""Their members are called as the API's author calls them."""
READ = (
    *(*LOWER, *UPPER, *CLOSED, *UNIONS, *NAMED, "delete", "get", "patch", "post", "put"),
    *("$ref", "additionalProperties", "components", "const", "enum", "in", "items"),
    *("name", "not", "operationId", "parameters", "requestBody", "required", "schema", "type"),
    *("x-codes", "x-lines"),
)
Schema = dict[str, Any]


class Break(NamedTuple):
    """Something that clients may rely on and that is gone; ``name`` is what CHANGELOG.md names."""

    name: str
    what: str


class Sides(NamedTuple):
    """Two schemas that are compared, and whether clients send such values or receive them."""

    old: Schema
    new: Schema
    sent: bool


def essential(node: Any, *, named: bool = False) -> Any:
    """The parts of a description that `breaks` reads."""
    if isinstance(node, list):
        return [essential(member, named=named) for member in node]
    if not isinstance(node, dict):
        return node
    return {
        key: essential(member, named=key in NAMED and not named)
        for key, member in node.items()
        if named or key in READ
    }


def breaks(old: Description, new: Description) -> list[Break]:
    """What the new description takes away or adds to what clients have to send."""
    return list(dict.fromkeys(_Comparison(old, new).differences()))


class _Comparison:
    """Two descriptions, and the pairs of components that were compared already."""

    def __init__(self, old: Description, new: Description) -> None:
        self.old, self.new = old, new
        self.compared: set[tuple[str, str, bool]] = set()

    def differences(self) -> Iterator[Break]:
        before, now = operations(self.old), operations(self.new)
        places = {(operation.method, operation.path): operation for operation in now.values()}
        for name, operation in before.items():
            other = places.get((operation.method, operation.path))
            if other is None:
                yield Break(name, f"{operation.method} {operation.path} is gone")
                continue
            if other.name != name:
                yield Break(name, f"the operation is called {other.name} now")
            yield from self._operation(operation, other)

    def _operation(self, old: Operation, new: Operation) -> Iterator[Break]:
        name = old.name
        yield from self._parameters(old, new)
        yield from self._body(old, new)
        for status, answer in old.answers.items():
            if status not in new.answers:
                yield Break(name, f"it does not answer {status} any more")
                continue
            content, other = (reply.get("content", {}) for reply in (answer, new.answers[status]))
            for media_type, medium in content.items():
                if media_type not in other:
                    yield Break(name, f"{status} is not answered as {media_type} any more")
                else:
                    schemas = (_line(part["schema"]) for part in (medium, other[media_type]))
                    sides = Sides(*schemas, sent=False)
                    yield from self._schemas(name, f"answer {status}", sides)
            codes, kept = (reply.get("x-codes", ()) for reply in (answer, new.answers[status]))
            for code in sorted({*codes} - {*kept}):
                yield Break(name, f"{status} has no code {code} any more")
            for header in answer.get("headers", {}):
                if header not in new.answers[status].get("headers", {}):
                    yield Break(name, f"{status} has no header {header} any more")
        if _needs_token(new) and not _needs_token(old):
            yield Break(name, "it needs a token now")

    def _parameters(self, old: Operation, new: Operation) -> Iterator[Break]:
        before, now = (
            {
                (parameter["in"], parameter["name"]): parameter
                for parameter in operation.specification.get("parameters", ())
            }
            for operation in (old, new)
        )
        for key, parameter in before.items():
            if key not in now:
                yield Break(old.name, f"it has no parameter {key[1]} any more")
                continue
            if now[key]["required"] and not parameter["required"]:
                yield Break(old.name, f"the parameter {key[1]} is required now")
            sides = Sides(parameter["schema"], now[key]["schema"], sent=True)
            yield from self._schemas(old.name, f"parameter {key[1]}", sides)
        for key in now.keys() - before.keys():
            if now[key]["required"]:
                yield Break(old.name, f"it has a new required parameter {key[1]}")

    def _body(self, old: Operation, new: Operation) -> Iterator[Break]:
        before, now = (operation.specification.get("requestBody") for operation in (old, new))
        if now is None or before is None:
            if now is not before:
                yield Break(old.name, f"it takes {'a' if now else 'no'} body now")
            return
        for media_type, medium in before["content"].items():
            if media_type not in now["content"]:
                yield Break(old.name, f"it does not take {media_type} any more")
            else:
                other = now["content"][media_type]["schema"]
                yield from self._schemas(
                    old.name, "body", Sides(medium["schema"], other, sent=True)
                )

    # --- schemas ----------------------------------------------------------------------------------

    def _schemas(self, name: str, at: str, sides: Sides) -> Iterator[Break]:
        """What breaks between two schemas; ``at`` is the place in the operation or component."""
        referred = [side.get("$ref", "") for side in sides[:2]]
        if all(referred):
            key = (referred[0], referred[1], sides.sent)
            if key in self.compared:
                return
            self.compared.add(key)
            name, at = referred[0].rpartition("/")[2], "value"
        old, new = resolved(sides.old, self.old), resolved(sides.new, self.new)
        sides = Sides(_plain(old), _plain(new), sides.sent)
        for what in (*_types(sides), *_bounds(sides), *_values(sides)):
            yield Break(name, f"{at}: {what}")
        yield from self._members(name, at, sides)
        yield from self._choices(name, at, sides)

    def _members(self, name: str, at: str, sides: Sides) -> Iterator[Break]:
        old, new, sent = sides
        before, now = (side.get("properties", {}) for side in (old, new))
        for field, schema in before.items():
            if field in now:
                inner = Sides(schema, now[field], sent)
                yield from self._schemas(name, f"{at}.{field}", inner)
            elif not sent or new.get("additionalProperties") is False:
                yield Break(name, f"{at}: the field {field} is gone")
        required, formerly = set(new.get("required", ())), set(old.get("required", ()))
        for field in sorted(required - formerly) if sent else ():
            yield Break(name, f"{at}: the field {field} is required now")
        for field in sorted(formerly - required) if not sent else ():
            yield Break(name, f"{at}: the field {field} may be missing now")
        for keyword in ("items", "additionalProperties"):
            inner_old, inner_new = old.get(keyword), new.get(keyword)
            if isinstance(inner_old, dict) and isinstance(inner_new, dict):
                inner = Sides(inner_old, inner_new, sent)
                yield from self._schemas(name, f"{at}[]", inner)
            elif sent and inner_new is False and inner_old is not False:
                yield Break(name, f"{at}: unknown fields are refused now")

    def _choices(self, name: str, at: str, sides: Sides) -> Iterator[Break]:
        """Members of unions, which are told apart by what they look like."""
        before, now = (
            {_sign(member): member for word in UNIONS for member in side.get(word, ())}
            for side in sides[:2]
        )
        for sign, schema in before.items():
            if sign in now:
                yield from self._schemas(name, at, Sides(schema, now[sign], sides.sent))
            elif sides.sent and sign not in _kinds(sides.new):
                yield Break(name, f"{at}: it is no {sign} any more")


def _plain(schema: Schema) -> Schema:
    """The schema, in one piece where it may be null, or a list as well as a text."""
    parts = schema.get("anyOf", ())
    kinds = [part.get("type") for part in parts]
    if {"null", "array"} & {*kinds} and all(isinstance(kind, str) for kind in kinds):
        whole = {key: value for key, value in schema.items() if key != "anyOf"}
        whole |= {key: value for part in parts for key, value in part.items()}
        return whole | {"type": kinds}
    if excluded := schema.get("not", {}).get("type"):
        return {**schema, "type": [kind for kind in ALL_TYPES if kind not in excluded]}
    return schema


def _line(schema: Schema) -> Schema:
    """What a line is, of lines of JSON; formerly the lines' own schema stood for them."""
    line: Schema = schema.get("x-lines", schema)
    return line


def _needs_token(operation: Operation) -> bool:
    security = operation.specification.get("security", [])
    return bool(security) and {} not in security


def _sign(schema: Schema) -> str:
    referred = str(schema.get("$ref", "")).rpartition("/")[2]
    return referred or "/".join(sorted(_kinds(schema)))


def _types(sides: Sides) -> Iterator[str]:
    before, now = (_kinds(side) for side in sides[:2])
    if before and now and (before - now if sides.sent else now - before):
        yield f"the type was {'/'.join(sorted(before))} and is {'/'.join(sorted(now))}"


def _kinds(schema: Schema) -> set[str]:
    kinds = schema.get("type", [])
    names = {kinds} if isinstance(kinds, str) else set(kinds)
    if not names:
        names = {TYPES[type(value)] for value in _enumerated(schema) or ()}
    for keyword in UNIONS:
        for choice in schema.get(keyword, ()):
            names |= {"object"} if "$ref" in choice else _kinds(choice)
    return names


def _bounds(sides: Sides) -> Iterator[str]:
    """Bounds that are narrower than before, for what clients send."""
    old, new, sent = sides
    if not sent:
        return
    for keyword in (*LOWER, *UPPER):
        if keyword in new:
            bound = old.get(keyword)
            narrower = bound is None or (
                new[keyword] > bound if keyword in LOWER else new[keyword] < bound
            )
            if narrower:
                yield f"{keyword} was {bound} and is {new[keyword]}"
    for keyword in CLOSED:
        # The width of an integer, and the pattern of what has one value anyway, narrow nothing.
        is_hint = "integer" in _kinds(new) if keyword == "format" else "const" in new
        if keyword in new and new[keyword] != old.get(keyword) and not is_hint:
            yield f"{keyword} was {old.get(keyword)} and is {new[keyword]}"


def _values(sides: Sides) -> Iterator[str]:
    """Values that cannot be sent any more, or that clients branch on and never get again."""
    before, now = (_enumerated(side) for side in sides[:2])
    if before is None:
        if now is not None and sides.sent:
            yield f"only {', '.join(map(str, now))} may be sent now"
    elif now is not None and (gone := [value for value in before if value not in now]):
        yield f"the value {', '.join(map(str, gone))} is gone"


def _enumerated(schema: Schema) -> list[Any] | None:
    """All values that there may be, where a schema lists them, or each of those it may be does."""
    if "const" in schema:
        return [schema["const"]]
    if "enum" in schema or "anyOf" not in schema:
        return schema.get("enum")
    lists = [_enumerated(choice) for choice in schema["anyOf"]]
    if None in lists:
        return None
    return [value for values in lists if values for value in values]


if __name__ == "__main__":
    json.dump(essential(json.load(sys.stdin)), sys.stdout, separators=(",", ":"))
