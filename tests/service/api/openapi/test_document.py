"""The description of the API is true: committed, valid, and held against the running service."""

import compileall
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest

from phaseledger.service.api.openapi.document import describe, text
from phaseledger.service.app import routes
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import FREE

UNDESCRIBED = {"/", "/v1/openapi.json", "/docs", "/docs/{name:str}"}
PAGES = ("/play", "/docs/guide")
"""The description itself, the page that shows it, and the way there."""
COMMITTED = Path(__file__).parents[4] / "openapi" / "openapi.json"


def test_the_committed_description_is_current(client: httpx2.Client):
    """It is valid, served, and says of fields what the code says of them."""
    from openapi_spec_validator import OpenAPIV31SpecValidator  # takes 0.3 s, with pydantic

    assert COMMITTED.read_bytes() == text(routes(in_memory(), FREE)), "run phaseledger openapi"
    assert COMMITTED.read_bytes() == client.get("/openapi.json").content
    document = msgspec.json.decode(COMMITTED.read_bytes())
    OpenAPIV31SpecValidator(document).validate()
    for shape, field, description in (
        ("SeatView", "front", "Skip cards lying in front of the seat."),
        ("OptionInfo", "rules", "IDs of the rule book."),
        ("Problem", "version", "The game's version, where another one was expected."),
    ):
        shown = document["components"]["schemas"][shape]["properties"][field]["description"]
        assert shown == description


@pytest.mark.system
def test_the_description_needs_no_source(tmp_path: Path):
    package = tmp_path / "phaseledger"
    shutil.copytree(
        COMMITTED.parents[1] / "phaseledger", package, ignore=shutil.ignore_patterns("__pycache__")
    )
    assert compileall.compile_dir(package, quiet=1, legacy=True)
    for source in package.rglob("*.py"):
        source.unlink()
    command = [sys.executable, "-m", "phaseledger.service.cli.main", "openapi"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert printed.stdout == COMMITTED.read_bytes()


def test_every_route_is_described():
    app = routes(in_memory(), FREE)
    served = {
        (route.path_format, method.lower())
        for route in app.routes
        for method in route.methods - {"OPTIONS"}
        if route.path not in UNDESCRIBED and not route.path.startswith(PAGES)
    }
    described = {(path, method) for path, item in describe(app)["paths"].items() for method in item}
    assert described == served


def test_every_generator_can_name_and_tell_apart_what_is_described():
    """What openapi-generator and datamodel-code-generator stumble over is nowhere."""
    description = msgspec.json.decode(COMMITTED.read_bytes())
    shapes = description["components"]["schemas"]
    operations = [op for item in description["paths"].values() for op in item.values()]
    names = [op["operationId"].lower() for op in operations]
    assert "webhooks" not in description
    assert all(len(op["tags"]) == 1 for op in operations)
    assert len({*names}) == len(names)
    assert len({name.lower() for name in shapes}) == len(shapes)
    assert [name for name in shapes if f"New{name}" in shapes] == []  # Go's constructors
    assert "Level" not in shapes  # Java's, of its log
    values = [name for shape in shapes.values() for name in shape.get("x-enum-varnames", ())]
    assert len({*values}) == len(values)

    for path, schema in schemas_in(description):
        is_component = re.fullmatch(r"/components/schemas/\w+", path)
        kinds = [part.get("type") for part in schema.get("anyOf", ())]
        if "enum" in schema:
            assert is_component, path
            assert len(schema["x-enum-varnames"]) == len(schema["enum"]), path
        if "discriminator" in schema:
            assert is_component, path
            members = [part["$ref"] for part in schema["oneOf"]]
            assert members == [*schema["discriminator"]["mapping"].values()], path
        if "integer" in schema.get("type", ()) and "const" not in schema:
            is_small = -(2**31) <= schema.get("minimum", -(2**31)) <= schema.get("maximum", 2**31)
            is_small &= schema.get("maximum", 2**31) < 2**31
            assert schema["format"] == ("int32" if is_small and "minimum" in schema else "int64"), (
                path
            )
        assert not ("null" in kinds and None not in kinds and len(kinds) == 2), path
        assert "array" not in kinds, path
        assert "properties" not in schema or is_component, path


def schemas_in(tree: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """The schemas of the description with their paths, examples left out."""
    if isinstance(tree, dict):
        yield path, tree
    parts = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for name, part in parts:
        if isinstance(part, dict | list) and name not in ("example", "examples", "x-webhooks"):
            yield from schemas_in(part, f"{path}/{name}")
