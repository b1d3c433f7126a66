"""Bodies of requests: plain JSON in UTF-8, decoded strictly, and what is wrong with those refused.

A value at fault is named by its JSONPath (RFC 9535), so that a program finds it, too.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from phaseledger.service.api.problems import Refusal
from phaseledger.service.schemas.problem import Fault

_CHARSET = re.compile(r'charset="?([^";]*)"?', re.IGNORECASE)
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_PATH_STEP = re.compile(r"\.(\w+)|\['(\w+)'\]|\[\d+\]")
_SHOWN = 60  # characters of what a client sent


def require_plain_json(headers: Mapping[str, str]) -> None:
    """Refuse a body of another media type, charset or content coding."""
    media_type, _, parameters = headers.get("content-type", "").partition(";")
    named = media_type.strip().lower()
    if named != "application/json":
        raise Refusal("unsupported_media_type", named and f"not {named[:_SHOWN]}")
    charset = _CHARSET.search(parameters)
    if charset and charset[1].strip().lower() not in ("utf-8", "utf8"):
        raise Refusal("unsupported_media_type", f"not the charset {charset[1].strip()[:_SHOWN]}")
    coding = headers.get("content-encoding", "identity").strip().lower()
    if coding != "identity":
        raise Refusal("unsupported_media_type", f"not the content coding {coding[:_SHOWN]}")


def decode_body(body: bytes, shape: Any) -> Any:  # noqa: ANN401 - any body's type
    """The body in that type.

    Raises:
        Refusal: it is no JSON, has a key twice, or another shape; it says where.

    """
    try:
        value = _decoded(body, shape)
        _require_single_keys(body)
    except msgspec.ValidationError as wrong:
        reason, _, path = str(wrong).partition(" - at `")
        where = _exact(path.rstrip("`"), body, shape)
        if reason.startswith("Invalid ") and (known := choices(shape, where)):
            reason = f"{reason}; it is one of {', '.join(known)}"
        raise Refusal(
            "invalid_body", f"{reason} - at `{where}`", faults=(Fault("body", where, reason),)
        ) from None
    except RecursionError:
        raise Refusal("malformed_json", "it is nested too deeply") from None
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as damage:
        # The decoder takes half of a surrogate pair for the end of the body.
        told = "a text has half of a surrogate pair" if _is_json(body) else str(damage)
        raise Refusal("malformed_json", told) from None
    return value


def _is_json(body: bytes) -> bool:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


@cache
def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:  # noqa: ANN401
    return msgspec.json.Decoder(shape)


def _decoded(body: bytes, shape: Any) -> Any:  # noqa: ANN401
    try:
        return _decoder(shape).decode(body)
    except msgspec.ValidationError:
        # JSON has one kind of number, and JSON Schema calls 6.0 an integer.
        return msgspec.convert(_with_integers(msgspec.json.decode(body)), shape)


def _with_integers(tree: Any) -> Any:  # noqa: ANN401
    if isinstance(tree, dict):
        return {key: _with_integers(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_with_integers(value) for value in tree]
    return int(tree) if isinstance(tree, float) and tree.is_integer() else tree


# --- keys that stand twice ------------------------------------------------------------------------


class _Twice(Exception):
    """An object has a key twice, of which decoders silently take one."""


class _Pairs(tuple[tuple[str, Any], ...]):
    """An object's members in order, none lost."""

    __slots__ = ()


def _require_single_keys(body: bytes) -> None:
    text = body.decode()
    try:
        _check_keys(text)
    except _Twice:
        tree = json.loads(text, object_pairs_hook=_Pairs, parse_int=len, parse_float=len)
        where = next(_twice(tree, "$"))
        fault = Fault("body", where, "the key stands twice")
        raise Refusal("duplicate_key", f"`{where}`", faults=(fault,)) from None


def _single(members: list[tuple[str, Any]]) -> None:
    if len(members) > 1 and len({key for key, _ in members}) < len(members):
        raise _Twice


# Made once: `json.loads` makes one at every call.
_check_keys = json.JSONDecoder(object_pairs_hook=_single, parse_int=len, parse_float=len).decode


def _twice(tree: Any, path: str) -> Iterator[str]:  # noqa: ANN401
    """The paths of keys that stand twice, in order."""
    if isinstance(tree, _Pairs):
        seen = set()
        for key, value in tree:
            below = path + _member(key)
            if key in seen:
                yield below
            seen.add(key)
            yield from _twice(value, below)
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from _twice(value, f"{path}[{index}]")


def _member(name: str) -> str:
    """A member's name as a segment of a JSONPath."""
    if _PLAIN_NAME.fullmatch(name):
        return f".{name}"
    quoted = json.dumps(name[:_SHOWN])[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"['{quoted}']"


# --- where it is wrong ----------------------------------------------------------------------------


def _exact(path: str, body: bytes, shape: Any) -> str:  # noqa: ANN401
    """The path of the decoder, which leaves out which member of a mapping is at fault."""
    if path.startswith("key` in `"):
        mapping, below = path.removeprefix("key` in `"), ""
    elif "[...]" in path:
        mapping, _, below = path.partition("[...]")
    else:
        return path or "$"
    try:
        members = tree = _with_integers(msgspec.json.decode(body))
    except msgspec.ValidationError:  # a number that nothing can hold
        return mapping
    for name, index in _STEP.findall(mapping):
        members = members[name or int(index)]
    for name, value in members.copy().items():
        members.clear()
        members[name] = value
        try:
            msgspec.convert(tree, shape)
        except msgspec.ValidationError:
            return mapping + _member(name) + below
    raise AssertionError("what the decoder refused it refuses again")


JsonSchema = dict[str, Any]


def choices(shape: Any, path: str) -> list[str]:  # noqa: ANN401 - any body's type
    """The values that the shape allows at the JSONPath; empty where it does not name them."""
    schema, components = _schema(shape)
    found = [*_branches(schema, components)]
    for step in _PATH_STEP.finditer(path):
        name = step[1] or step[2]
        below = [
            each["properties"].get(name, {}) if name and "properties" in each else each.get("items")
            for each in found
        ]
        found = [branch for each in below if each for branch in _branches(each, components)]
    return [str(value) for each in found for value in each.get("enum", ())]


@cache
def _schema(shape: Any) -> tuple[JsonSchema, dict[str, JsonSchema]]:  # noqa: ANN401
    (schema,), components = msgspec.json.schema_components([shape])
    return schema, components


def _branches(schema: JsonSchema, components: dict[str, JsonSchema]) -> Iterator[JsonSchema]:
    """What stands behind references and alternatives."""
    if "$ref" in schema:
        schema = components[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        for each in schema["anyOf"]:
            yield from _branches(each, components)
    else:
        yield schema
