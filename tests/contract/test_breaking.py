"""What breaks clients of the released contract is named in CHANGELOG.md, or it does not pass.

`openapi/released.json` is what `breaking` reads of the contract of the last release.
"""

import re
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec

from tests.contract.breaking import Break, breaks, essential
from tests.support.cases import looped
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

GONE = object()
"""In the place of a value: the last step of the path is taken away."""
MORE = object()
"""The last step of a path that ends with a value added to a list."""
Change = tuple[str, Sequence[Any], Any]
"""An operation, a schema or nothing, for the whole; the path from there, and the new value."""

QUERY = {"name": "x", "in": "query", "required": True, "schema": {}}
NAME = ("properties", "name")
BREAKS: list[Change] = [
    ("", ("paths", "/v1/games/{game}/leave", "post"), GONE),
    ("startGame", ("operationId",), "beginGame"),
    ("getTable", ("responses", "304"), GONE),
    ("listEvents", ("responses", "200", "content", "application/x-ndjson"), GONE),
    ("getGame", ("responses", "200", "headers", "ETag"), GONE),
    ("takeSeat", ("responses", "409", "x-codes", "table_full"), GONE),
    ("getTable", ("security",), [{"hostToken": []}]),
    ("listGames", ("parameters",), []),
    ("listGames", ("parameters", "cursor", "required"), True),
    ("listGames", ("parameters", "limit", "schema", "maximum"), 20),
    ("getTable", ("parameters", MORE), QUERY),
    ("startGame", ("requestBody",), {"content": {}}),
    ("JoinTable", ("properties", "key"), GONE),
    ("JoinTable", ("required", MORE), "seat"),
    ("JoinTable", (*NAME, "maxLength"), 20),
    ("JoinTable", (*NAME, "pattern"), "^[a-z]*$"),
    ("OpenTable", ("properties", "dealer"), {"type": "string"}),
    ("DrawSource", ("enum",), ["stock"]),
    ("Play", ("oneOf", 0), GONE),
    ("GameView", ("properties", "head"), GONE),
    ("GameView", ("required", 0), GONE),
    ("GameView", ("properties", "version"), {"type": "string"}),
]
HARMLESS: list[Change] = [
    ("", ("paths", "/v1/new"), {"get": {"operationId": "getNew", "responses": {}}}),
    ("JoinTable", ("properties", "x"), {}),
    ("GameView", ("properties", "x"), {}),
    ("JoinTable", (*NAME, "maxLength"), 80),
    ("DrawSource", ("enum",), ["stock", "discard", "hand"]),
]


def changed(description: Description, change: Change) -> Description:
    """The description with one change."""
    name, path, value = change
    tree: Any = deepcopy(description)
    whole, schemas = tree, tree["components"]["schemas"]
    if name:
        every = [part for item in tree["paths"].values() for part in item.values()]
        (tree,) = [part for part in every if part["operationId"] == name] or [schemas[name]]
    *above, last = path
    for step in above:
        tree = tree[_place(tree, step)]
    if value is GONE:
        del tree[_place(tree, last)]
    elif last is MORE:
        tree.append(value)
    else:
        tree[last] = value
    return whole


def _place(tree: Any, step: Any) -> Any:
    """The index of a parameter by its name, or of a value; else the step itself."""
    if isinstance(tree, list) and isinstance(step, str):
        return [entry if isinstance(entry, str) else entry["name"] for entry in tree].index(step)
    return step


@looped("change", BREAKS)
def test_a_break_is_found(description: Description, change: Change) -> None:
    differences = breaks(essential(description), changed(description, change))
    assert {difference.name for difference in differences} == {change[0] or "leaveSeat"}


@looped("change", HARMLESS)
def test_what_breaks_nobody_passes(description: Description, change: Change) -> None:
    other = changed(description, change)
    assert breaks(description, other) == []
    assert breaks(other, description) != []
