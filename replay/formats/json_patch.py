"""JSON Patch (RFC 6902): the difference of two JSON trees, and its application."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct

JsonValue = Any
"""A JSON tree of `msgspec.to_builtins`: dicts, lists and tuples, text, numbers, booleans, None."""


class Operation(Struct, frozen=True):
    """One operation of a JSON Patch (RFC 6902); ``remove`` has no value."""

    op: Literal["add", "remove", "replace"]
    path: Annotated[str, Meta(description="A JSON Pointer (RFC 6901).")]
    value: Any = UNSET


def patch(before: JsonValue, after: JsonValue, path: str = "") -> list[Operation]:
    """The patch from ``before`` to ``after``: operations to be applied in their order.

    Lists are compared place by place, since what the views list is numbered by its place.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        operations = [
            Operation("remove", f"{path}/{_token(key)}") for key in before if key not in after
        ]
        pairs = ((key, before.get(key, UNSET), value) for key, value in after.items())
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple):
        indices = range(len(before) - 1, len(after) - 1, -1)
        operations = [Operation("remove", f"{path}/{index}") for index in indices]
        values = [*before, *(UNSET for _ in after[len(before) :])]
        pairs = ((str(index), values[index], value) for index, value in enumerate(after))
    else:
        return [] if _is_unchanged(before, after) else [Operation("replace", path, after)]
    for name, value_before, value in pairs:
        if value_before is UNSET:
            operations.append(Operation("add", f"{path}/{_token(name)}", value))
        elif not _is_unchanged(value_before, value):  # most of a view stays as it was
            operations += patch(value_before, value, f"{path}/{_token(name)}")
    return operations


_LEAVES = frozenset({str, int, float, bool, type(None)})
_encode = msgspec.json.Encoder().encode


def _is_unchanged(before: JsonValue, after: JsonValue) -> bool:
    """Whether they are the same JSON; trees that only order their keys otherwise count as not."""
    kind = type(after)
    if before is after:
        return True
    # 1 == True in Python, but not in JSON.
    if kind in _LEAVES:
        return type(before) is kind and before == after
    return before == after and _encode(before) == _encode(after)


def _token(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def apply_patch(tree: JsonValue, operations: Iterable[Operation]) -> JsonValue:
    """The tree with the operations applied; its containers may be changed in place.

    Raises:
        LookupError, TypeError, ValueError: the tree has no such place.

    """
    root: JsonValue = {"": tree}
    for operation in operations:
        parent: JsonValue = root
        name: Any = ""
        for part in operation.path.split("/")[1:]:
            parent, name = parent[name], _name(parent[name], part)
        if operation.op == "remove":
            del parent[name]
        elif operation.op == "add" and isinstance(parent, list):
            parent.insert(name, operation.value)
        else:
            parent[name] = operation.value
    return root[""]


def _name(parent: JsonValue, part: str) -> Any:  # noqa: ANN401 - an index or a key
    return int(part) if isinstance(parent, list) else part.replace("~1", "/").replace("~0", "~")
