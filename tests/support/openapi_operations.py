"""The operations of the description: what they are called, where they are, what they may answer."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import httpx2

Description = dict[str, Any]


class Operation(NamedTuple):
    """One operation; its answers are resolved, so no reference stands for one."""

    name: str
    method: str
    path: str
    specification: dict[str, Any]
    answers: dict[str, dict[str, Any]]

    def request(
        self,
        client: httpx2.Client,
        values: dict[str, str],
        *,
        body: Any = None,
        headers: Mapping[str, str] = MappingProxyType({}),
        params: Mapping[str, Any] = MappingProxyType({}),
    ) -> httpx2.Response:
        """Ask for it, with values for the parameters of its path; bytes are sent as a file."""
        content = {"content": body} if isinstance(body, bytes) else {"json": body}
        if isinstance(body, bytes):
            headers = {"Content-Type": "application/octet-stream", **headers}
        path = self.path.format_map(values)
        return client.request(self.method, path, headers=headers, params=params, **content)


def operations(description: Description) -> dict[str, Operation]:
    """All operations by their ids."""
    return {operation.name: operation for operation in _operations(description)}


def _operations(description: Description) -> Iterator[Operation]:
    for path, item in description["paths"].items():
        for method, specification in item.items():
            answers = {
                status: resolved(answer, description)
                for status, answer in specification["responses"].items()
            }
            yield Operation(specification["operationId"], method, path, specification, answers)


def resolved(node: dict[str, Any], description: Description) -> dict[str, Any]:
    """What stands behind a reference, where it is one."""
    while "$ref" in node:
        target: Any = description
        for name in node["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        node = target
    return node


def codes_of(answer: dict[str, Any]) -> list[str]:
    """The codes that a refusal of this status may have."""
    own: list[str] = answer["x-codes"]
    return own
