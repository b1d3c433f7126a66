"""Request bodies: plain JSON in UTF-8, decoded strictly; refusals say which value is at fault.

A value at fault is named by its JSONPath (RFC 9535), so that a program finds it, too.
"""

import codecs
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any

import msgspec

from phaseledger.domain.words import Phrase, refused
from phaseledger.service.api.errors import (
    DuplicateKey,
    InvalidBody,
    MalformedJson,
    UnsupportedMediaType,
)
from phaseledger.service.schemas.problem import Fault

_CHARSET = re.compile(r'charset="?([^";]*)"?', re.IGNORECASE)
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_PATH_STEP = re.compile(r"\.(\w+)|\['(\w+)'\]|\[\d+\]")
_UNKNOWN = re.compile("Object contains unknown field `(.*)`", re.DOTALL)
_PLACE = re.compile(r"\(byte (\d+)\)")
_NO_NUMBER = re.compile(rb"NaN|Infinity")
EMPTY = Phrase("adds.empty_body", brace="{}")
"""Why a body without a value is refused."""
_EXCERPT = 60  # characters of what a client sent
MOST_BRACKETS = 1_000
"""Opening brackets of a body, those in its texts included; ours have some forty.

Twenty thousand of them take milliseconds to make, and each walk of the garbage collector as long.
"""

JsonSchema = dict[str, Any]


def require_plain_json(headers: Mapping[str, str]) -> None:
    """Refuse a body of another media type, charset or content coding."""
    media_type, _, parameters = headers.get("content-type", "").partition(";")
    essence = media_type.strip().lower()
    if essence != "application/json":
        raise UnsupportedMediaType(essence and Phrase("adds.media.not", value=essence[:_EXCERPT]))
    charset = _CHARSET.search(parameters)
    if charset and charset[1].strip().lower() not in ("utf-8", "utf8"):
        raise UnsupportedMediaType(
            Phrase("adds.media.charset", value=charset[1].strip()[:_EXCERPT])
        )
    coding = headers.get("content-encoding", "identity").strip().lower()
    if coding != "identity":
        raise UnsupportedMediaType(Phrase("adds.media.coding", value=coding[:_EXCERPT]))


def decode_body(body: bytes, shape: Any) -> Any:  # noqa: ANN401 - any body's type
    """The body, decoded to the type.

    Raises:
        MalformedJson: it is no JSON, or has more than `MOST_BRACKETS`.
        DuplicateKey, InvalidBody: it has a key twice, or another shape; they say where.

    """
    if body.count(b"[") + body.count(b"{") > MOST_BRACKETS:
        raise MalformedJson(Phrase("adds.brackets", most=MOST_BRACKETS))
    try:
        value = _decoded(body, shape)
        _require_single_keys(body)
    except msgspec.ValidationError as error:
        text, _, path = str(error).partition(" - at `")
        location, reason = _exact_path(path.rstrip("`"), body, shape), refused(text)
        if text.startswith("Invalid ") and (allowed := choices(shape, location)):
            reason = Phrase("detail.json.one_of", fault=reason, keys=", ".join(allowed))
        if unknown := _UNKNOWN.fullmatch(text):
            hint = like(unknown[1], _fields(shape, location, _tree_of(body)))
            reason = Phrase("adds.both", first=reason, then=hint)
        fault = Fault("body", location, reason)
        detail = Phrase("detail.json.at", fault=reason, path=f"`{location}`")
        raise InvalidBody(detail, fault) from None
    except RecursionError:
        raise MalformedJson(Phrase("adds.nested")) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise MalformedJson(_reason(body, str(error))) from None
    return value


def _reason(body: bytes, message: str) -> str:
    """Why the body is no JSON, beside what the decoder's message says."""
    if not body.strip(b" \t\r\n"):
        return EMPTY
    if body.startswith(codecs.BOM_UTF8):
        return Phrase("adds.byte_order_mark")
    if body.startswith((b"\xff\xfe", b"\xfe\xff")) or body[:4].count(0) in (2, 3):
        return Phrase("adds.utf16")
    try:
        body.decode()
    except UnicodeDecodeError as error:
        return Phrase("adds.utf8", seq=error.start)
    place = _PLACE.search(message)
    if place and (constant := _NO_NUMBER.match(body, int(place[1]))):
        return Phrase("adds.no_number", value=constant[0].decode(), seq=place[1])
    try:  # near the end of the body, half of a pair is taken for the end itself
        msgspec.json.decode(body + b" " * len(rb"\uDC00"))
    except msgspec.DecodeError as error:
        if "surrogate" in str(error):
            return Phrase("adds.surrogate")
    return refused(message)


@cache
def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:  # noqa: ANN401
    return msgspec.json.Decoder(shape)


def _decoded(body: bytes, shape: Any) -> Any:  # noqa: ANN401
    try:
        return _decoder(shape).decode(body)
    except msgspec.ValidationError:
        # JSON has one kind of number, and JSON Schema calls 6.0 an integer.
        return msgspec.convert(_tree_of(body), shape)


def _number(text: str) -> int | float:
    """The number, an integer where it is whole."""
    number = float(text)
    if math.isinf(number):
        raise ValueError("Number out of range")
    return int(number) if number.is_integer() else number


_tree_of = msgspec.json.Decoder(float_hook=_number).decode


# --- duplicate keys -------------------------------------------------------------------------------


class _RepeatedKey(Exception):
    """An object has a duplicate key; decoders silently take one of the values."""


class _Pairs(tuple[tuple[str, Any], ...]):
    """An object's members in order, none lost."""

    __slots__ = ()


def _require_single_keys(body: bytes) -> None:
    text = body.decode()
    try:
        _check_keys(text)
    except _RepeatedKey:
        tree = json.loads(text, object_pairs_hook=_Pairs, parse_int=len, parse_float=len)
        path = next(_repeated_keys(tree, "$"))
        fault = Fault("body", path, Phrase("adds.fault.key_twice"))
        raise DuplicateKey(f"`{path}`", fault) from None


def _require_distinct(members: list[tuple[str, Any]]) -> None:
    if len(members) > 1 and len({key for key, _ in members}) < len(members):
        raise _RepeatedKey


# Made once: `json.loads` makes one at every call.
_check_keys = json.JSONDecoder(
    object_pairs_hook=_require_distinct, parse_int=len, parse_float=len
).decode


def _repeated_keys(tree: Any, path: str) -> Iterator[str]:  # noqa: ANN401
    """The JSONPaths of duplicate keys, in order."""
    if isinstance(tree, _Pairs):
        keys = set()
        for key, value in tree:
            member_path = path + _member(key)
            if key in keys:
                yield member_path
            keys.add(key)
            yield from _repeated_keys(value, member_path)
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from _repeated_keys(value, f"{path}[{index}]")


def _member(name: str) -> str:
    """A member's name as a segment of a JSONPath."""
    if _PLAIN_NAME.fullmatch(name):
        return f".{name}"
    quoted = json.dumps(name[:_EXCERPT])[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"['{quoted}']"


# --- the path of an error -------------------------------------------------------------------------


def _exact_path(path: str, body: bytes, shape: Any) -> str:  # noqa: ANN401
    """The decoder's path, with the member of a mapping at fault, which it leaves out."""
    if path.startswith("key` in `"):
        mapping, suffix = path.removeprefix("key` in `"), ""
    elif "[...]" in path:
        mapping, _, suffix = path.partition("[...]")
    else:
        return path or "$"
    try:
        members = tree = _tree_of(body)
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
            return mapping + _member(name) + suffix
    raise AssertionError("what the decoder refused it refuses again")


def choices(shape: Any, path: str) -> list[str]:  # noqa: ANN401 - any body's type
    """The values that the shape allows at the JSONPath; empty where it does not name them."""
    return [str(value) for branch in _branches_at(shape, path) for value in branch.get("enum", ())]


def _fields(shape: Any, path: str, tree: Any) -> list[str]:  # noqa: ANN401 - any body's type
    """The fields of the object at the JSONPath; of a union, those of the member that it names."""
    for name, index in _STEP.findall(path):
        tree = tree[name or int(index)]
    return [
        name
        for branch in _branches_at(shape, path)
        if all(
            tree.get(name, value) == value
            for name, field in branch.get("properties", {}).items()
            for value in field.get("enum", ())
            if len(field["enum"]) == 1
        )
        for name in branch.get("properties", ())
    ]


def like(name: str, names: Sequence[str]) -> str:
    """The name that may have been meant by one that there is not, or all that there are."""
    if matches := get_close_matches(name.lower(), names, n=1):
        return Phrase("adds.fault.meant", value=matches[0])
    return Phrase("adds.fault.there", keys=", ".join(names)) if names else Phrase("adds.fault.none")


def _branches_at(shape: Any, path: str) -> list[JsonSchema]:  # noqa: ANN401 - any body's type
    """The schemas of the value at the JSONPath."""
    schema, components = _schema(shape)
    branches = [*_branches(schema, components)]
    for step in _PATH_STEP.finditer(path):
        name = step[1] or step[2]
        schemas = [
            branch["properties"].get(name, {})
            if name and "properties" in branch
            else branch.get("items")
            for branch in branches
        ]
        branches = [
            branch for schema in schemas if schema for branch in _branches(schema, components)
        ]
    return branches


@cache
def _schema(shape: Any) -> tuple[JsonSchema, dict[str, JsonSchema]]:  # noqa: ANN401
    (schema,), components = msgspec.json.schema_components([shape])
    return schema, components


def _branches(schema: JsonSchema, components: dict[str, JsonSchema]) -> Iterator[JsonSchema]:
    """The schemas behind references (``$ref``) and alternatives (``anyOf``)."""
    if "$ref" in schema:
        schema = components[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        for alternative in schema["anyOf"]:
            yield from _branches(alternative, components)
    else:
        yield schema
