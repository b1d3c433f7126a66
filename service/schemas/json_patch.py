"""JSON Patch (RFC 6902): the difference of two JSON trees, and its application."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

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
        removals = [Operation("remove", _below(path, key)) for key in before if key not in after]
        return removals + [
            operation
            for key, value in after.items()
            for operation in _member(before.get(key, UNSET), value, _below(path, key))
        ]
    if isinstance(before, list | tuple) and isinstance(after, list | tuple):
        indices = range(len(before) - 1, len(after) - 1, -1)
        removals = [Operation("remove", f"{path}/{index}") for index in indices]
        values = [*before, *(UNSET for _ in after[len(before) :])]
        return removals + [
            operation
            for index, value in enumerate(after)
            for operation in _member(values[index], value, f"{path}/{index}")
        ]
    # 1 == True in Python, but not in JSON.
    is_equal = before == after and isinstance(before, bool) == isinstance(after, bool)
    return [] if is_equal else [Operation("replace", path, after)]


def _member(before: JsonValue | UnsetType, after: JsonValue, path: str) -> list[Operation]:
    return [Operation("add", path, after)] if before is UNSET else patch(before, after, path)


def _below(path: str, key: str) -> str:
    return f"{path}/{key.replace('~', '~0').replace('/', '~1')}"


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
