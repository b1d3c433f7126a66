"""What changed between two JSON trees, as a JSON Patch (RFC 6902)."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

JsonValue = Any
"""What `msgspec.to_builtins` makes: dicts, lists and tuples, text, numbers, booleans, None."""


class Operation(Struct, frozen=True):
    """One operation of a JSON Patch (RFC 6902); ``remove`` has no value."""

    op: Literal["add", "remove", "replace"]
    path: Annotated[str, Meta(description="A JSON Pointer (RFC 6901).")]
    value: Any = UNSET


def patch(before: JsonValue, after: JsonValue, path: str = "") -> list[Operation]:
    """The operations that make ``after`` of ``before``, to be applied in their order.

    Lists are compared place by place, since what the views list is numbered by its place.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        gone = [Operation("remove", _below(path, key)) for key in before if key not in after]
        return gone + [
            operation
            for key, value in after.items()
            for operation in _member(before.get(key, UNSET), value, _below(path, key))
        ]
    if isinstance(before, list | tuple) and isinstance(after, list | tuple):
        ends = range(len(before) - 1, len(after) - 1, -1)
        gone = [Operation("remove", f"{path}/{place}") for place in ends]
        old = [*before, *(UNSET for _ in after[len(before) :])]
        return gone + [
            operation
            for place, value in enumerate(after)
            for operation in _member(old[place], value, f"{path}/{place}")
        ]
    # 1 == True in Python, but not in JSON.
    same = before == after and isinstance(before, bool) == isinstance(after, bool)
    return [] if same else [Operation("replace", path, after)]


def _member(before: JsonValue | UnsetType, after: JsonValue, path: str) -> list[Operation]:
    return [Operation("add", path, after)] if before is UNSET else patch(before, after, path)


def _below(path: str, key: str) -> str:
    return f"{path}/{key.replace('~', '~0').replace('/', '~1')}"


def apply_patch(tree: JsonValue, operations: Iterable[Operation]) -> JsonValue:
    """What the operations make of the tree, of which containers may be changed in place.

    Raises:
        LookupError, TypeError, ValueError: the tree has no such place.

    """
    whole: JsonValue = {"": tree}
    for operation in operations:
        parent: JsonValue = whole
        name: Any = ""
        for part in operation.path.split("/")[1:]:
            parent, name = parent[name], _name(parent[name], part)
        if operation.op == "remove":
            del parent[name]
        elif operation.op == "add" and isinstance(parent, list):
            parent.insert(name, operation.value)
        else:
            parent[name] = operation.value
    return whole[""]


def _name(parent: JsonValue, part: str) -> Any:  # noqa: ANN401 - an index or a key
    return int(part) if isinstance(parent, list) else part.replace("~1", "/").replace("~0", "~")
