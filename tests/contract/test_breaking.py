"""What breaks clients of the released contract is named in CHANGELOG.md, or it does not pass.

`openapi/released.json` is what `breaking` reads of the contract of the last release.
"""

import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.contract.breaking import Break, breaks, essential
from tests.support.openapi_operations import Description

ROOT = Path(__file__).parents[2]
RELEASED = ROOT / "openapi" / "released.json"


def admitted(changelog: str) -> str:
    """The lines under Unreleased, API, that speak of something breaking."""
    unreleased = changelog.partition("## [Unreleased]")[2].partition("\n## ")[0]
    api = unreleased.partition("### API")[2].partition("\n### ")[0]
    points = re.split(r"\n(?=- )", api)
    return "\n".join(point for point in points if "Breaking" in point)


def concealed(differences: list[Break], changelog: str) -> list[Break]:
    """The breaks whose operation or schema the changelog does not name."""
    named = set(re.findall(r"\w+", admitted(changelog)))
    return [difference for difference in differences if difference.name not in named]


def test_no_break_is_concealed(description: Description) -> None:
    released = msgspec.json.decode(RELEASED.read_bytes())
    differences = breaks(released, description)
    assert concealed(differences, (ROOT / "CHANGELOG.md").read_text()) == []


def test_a_break_that_is_named_passes() -> None:
    differences = [Break("openGame", "post /v1/games is gone"), Break("GameView", "value: gone")]
    points = "- Breaking: `openGame` is\n  gone.\n- GameView: new.\n"
    text = f"# C\n\n## [Unreleased]\n\n### API\n\n{points}"
    assert concealed(differences, text) == [differences[1]]
    assert concealed(differences, text.replace("### API", "### CLI")) == differences
    assert concealed(differences, text.replace("[Unreleased]", "[1.0.0]")) == differences


# --- every rule finds what it is for ------------------------------------------------------------


def _operation(tree: Description, name: str) -> dict[str, Any]:
    for item in tree["paths"].values():
        for operation in item.values():
            if operation["operationId"] == name:
                described: dict[str, Any] = operation
                return described
    raise AssertionError(name)


def _schema(tree: Description, name: str) -> dict[str, Any]:
    schema: dict[str, Any] = tree["components"]["schemas"][name]
    return schema


def _parameter(tree: Description, operation: str, name: str) -> dict[str, Any]:
    parameters = _operation(tree, operation)["parameters"]
    parameter: dict[str, Any] = next(entry for entry in parameters if entry["name"] == name)
    return parameter


def _lose(tree: dict[str, Any], *path: str) -> None:
    *above, last = path
    for name in above:
        tree = tree[name]
    del tree[last]


Change = Callable[[Description], Any]
BREAKS: dict[str, tuple[str, Change]] = {
    "path": ("getTable", lambda d: _lose(d, "paths", "/v1/games/{game}/table")),
    "operation": ("openGame", lambda d: _lose(d, "paths", "/v1/games", "post")),
    "name": ("getTable", lambda d: _operation(d, "getTable").update(operationId="readTable")),
    "status": ("getTable", lambda d: _lose(_operation(d, "getTable"), "responses", "304")),
    "media type": (
        "listEvents",
        lambda d: _lose(
            _operation(d, "listEvents"), "responses", "200", "content", "application/x-ndjson"
        ),
    ),
    "header": (
        "getGame",
        lambda d: _lose(_operation(d, "getGame"), "responses", "200", "headers", "ETag"),
    ),
    "token": ("getTable", lambda d: _operation(d, "getTable").update(security=[{"hostToken": []}])),
    "parameter": ("listGames", lambda d: _operation(d, "listGames").update(parameters=[])),
    "required parameter": (
        "listGames",
        lambda d: _parameter(d, "listGames", "cursor").update(required=True),
    ),
    "new required parameter": (
        "getTable",
        lambda d: _operation(d, "getTable")["parameters"].append(
            {"name": "x", "in": "query", "required": True, "schema": {}}
        ),
    ),
    "narrower parameter": (
        "listGames",
        lambda d: _parameter(d, "listGames", "limit")["schema"].update(maximum=20),
    ),
    "new body": (
        "startGame",
        lambda d: _operation(d, "startGame").update(requestBody={"content": {}}),
    ),
    "field of a request": (
        "JoinTable",
        lambda d: _lose(_schema(d, "JoinTable"), "properties", "key"),
    ),
    "required field": ("JoinTable", lambda d: _schema(d, "JoinTable")["required"].append("seat")),
    "narrower field": (
        "JoinTable",
        lambda d: _schema(d, "JoinTable")["properties"]["name"].update(maxLength=20),
    ),
    "pattern": (
        "JoinTable",
        lambda d: _schema(d, "JoinTable")["properties"]["name"].update(pattern="^[a-z]*$"),
    ),
    "type": (
        "OpenTable",
        lambda d: _schema(d, "OpenTable")["properties"].update(dealer={"type": "string"}),
    ),
    "enum of a request": (
        "DrawSource",
        lambda d: _schema(d, "DrawSource").update(enum=["stock"]),
    ),
    "member of a union": ("Play", lambda d: _schema(d, "Play")["oneOf"].pop()),
    "field of an answer": (
        "GameView",
        lambda d: _lose(_schema(d, "GameView"), "properties", "head"),
    ),
    "field that may be missing": ("GameView", lambda d: _schema(d, "GameView")["required"].pop()),
    "type of an answer": (
        "GameView",
        lambda d: _schema(d, "GameView")["properties"].update(version={"type": "string"}),
    ),
    "code of a problem": (
        "takeSeat",
        lambda d: _operation(d, "takeSeat")["responses"]["409"]["x-codes"].remove("table_full"),
    ),
}


@pytest.mark.parametrize("rule", BREAKS)
def test_a_break_is_found(description: Description, rule: str) -> None:
    name, change = BREAKS[rule]
    changed = deepcopy(description)
    change(changed)
    differences = breaks(essential(description), changed)
    assert {difference.name for difference in differences} == {name}, differences


HARMLESS: dict[str, Change] = {
    "a new operation": lambda d: d["paths"].update(
        {"/v1/new": {"get": {"operationId": "getNew", "responses": {}}}}
    ),
    "a new optional field": lambda d: _schema(d, "JoinTable")["properties"].update(x={}),
    "a new field of an answer": lambda d: _schema(d, "GameView")["properties"].update(x={}),
    "a wider bound": lambda d: _schema(d, "JoinTable")["properties"]["name"].update(maxLength=80),
    "a new value of a request": lambda d: _schema(d, "DrawSource").update(
        enum=["stock", "discard", "hand"]
    ),
    "another sentence": lambda d: _operation(d, "getTable").update(summary="x"),
}


@pytest.mark.parametrize("change", HARMLESS)
def test_what_breaks_nobody_passes(description: Description, change: str) -> None:
    changed = deepcopy(description)
    HARMLESS[change](changed)
    assert breaks(description, changed) == []
    assert breaks(changed, description) != [] or change == "another sentence"
